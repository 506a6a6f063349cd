import LodestoneCore
import Testing

@Suite struct UserFolderTests {
  @Test func itsVariableComesFirst() {
    let variables = ["XDG_CACHE_HOME": "/var/cache/me", "HOME": "/home/me"]
    #expect(UserFolder.cache.path { variables[$0] } == "/var/cache/me/lodestone")
    #expect(UserFolder.config.path { variables[$0] } == "/home/me/.config/lodestone")
    #expect(UserFolder.data.path { variables[$0] } == "/home/me/.local/share/lodestone")
  }

  /// A relative path would be another folder in each working directory.
  @Test(arguments: [nil, "", "me", "./me"]) func onlyAnAbsolutePathIsOne(_ home: String?) {
    #expect(UserFolder.cache.path { $0 == "HOME" ? home : nil } == nil)
    #expect(UserFolder.cache.path { $0 == "HOME" ? "/home/me" : home } == "/home/me/.cache/lodestone")
  }
}
