import Calibration
import LodestonePorts
import Support
import Testing

@testable import Lodestone

@Suite struct ProfileStoreTests {
  @Test func newestIsCurrentAndEarlierOnesAreKept() throws {
    try TemporaryFolder.with { folder in
      let store = ProfileStore(folder: folder + "/a/b")
      #expect(try store.current(of: "board") == nil)
      var profile = Profile.example
      profile.device = "board"
      for strength in [41.0, 42, 43] {
        profile.fieldStrength = strength
        try store.save(profile)
      }
      #expect(try store.current(of: "board")?.fieldStrength == 43)
      let entries = try store.entries()
      #expect(entries.map { $0.number } == [1, 2, 3])
      #expect(entries.map { $0.isCurrent } == [false, false, true])
      try store.remove(entries[2])
      #expect(try store.current(of: "board")?.fieldStrength == 42)
    }
  }

  /// Whether a store takes a profile is known beforehand, and nothing is made to find it out.
  @Test func whatCannotBeSavedIsRefusedBefore() throws {
    try TemporaryFolder.with { folder in
      let store = ProfileStore(folder: folder + "/a/b")
      try store.checkSaving(of: "board")
      #expect(try Folder.names(in: folder, hidden: true).isEmpty)
      var profile = Profile.example
      profile.device = "board"
      try store.save(profile)
      _ = try store.current(of: "board")
      try store.checkSaving(of: "board")
      #expect(try store.entries().count == 1)
      #expect(throws: ProfileStoreProblem.self) { try ProfileStore(folder: "/proc/a/b").checkSaving(of: "board") }
    }
  }

  @Test func devicesDoNotMix() throws {
    try TemporaryFolder.with { folder in
      let store = ProfileStore(folder: folder)
      for device in ["a/b", "a%2Fb", "../../etc", "..", "", "ä", "sim:?rate=100&noise=0.4"] {
        var profile = Profile.example
        profile.device = device
        let path = try store.save(profile)
        #expect(path.hasPrefix(folder + "/"))
        #expect(path.dropFirst(folder.count + 1).filter { $0 == "/" }.count == 1)
        #expect(try store.current(of: device)?.device == device)
      }
      #expect(try store.entries().map { $0.number } == [1, 1, 1, 1, 1, 1, 1])
    }
  }

  @Test(arguments: [
    ("../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd"), (".hidden", "%2Ehidden"), ("usb:serial=A1", "usb%3Aserial%3DA1"),
    ("", "%"), ("\u{1b}[31m\n", "%1B%5B31m%0A"), ("/dev/ttyACM0", "%2Fdev%2FttyACM0"),
  ])
  func namesAreSafe(_ device: String, _ name: String) {
    #expect(ProfileStore.folderName(of: device) == name)
    #expect(ProfileStore.device(of: name) == device)
  }

  @Test func longIdentitiesStayApart() {
    let long = String(repeating: "x", count: 3000)
    let names = [ProfileStore.folderName(of: long + "1"), ProfileStore.folderName(of: long + "2")]
    #expect(names[0] != names[1])
    #expect(names.allSatisfy { $0.utf8.count <= 255 })
  }

  @Test func corruptCurrentIsAnErrorAndListed() throws {
    try TemporaryFolder.with { folder in
      let store = ProfileStore(folder: folder)
      var profile = Profile.example
      profile.device = "board"
      try store.save(profile)
      let path = try store.save(profile)
      try AtomicFile.write(Array("{".utf8), to: path)
      #expect(throws: ProfileStoreProblem.profile(path: path, .notJSON)) { try store.current(of: "board") }
      let entries = try store.entries()
      #expect(entries.count == 2)
      let readable = entries.map { try? $0.profile.get() }
      #expect(readable == [profile, nil])
    }
  }

  @Test func strangeFilesAreLeftAlone() throws {
    try TemporaryFolder.with { folder in
      let store = ProfileStore(folder: folder)
      let profile = Profile.example
      let path = try store.save(profile)
      let own = String(path.dropLast("0001.json".count))
      for name in ["notes.txt", "-1.json", "1.json", "0000.json", "99999999999999999999.json", "0002.json.bak"] {
        try AtomicFile.write([], to: own + name)
      }
      #expect(try store.entries().count == 1)
      #expect(try store.save(profile).hasSuffix("/0002.json"))
    }
  }

  @Test func nothingIsSavedThatCannotBeRead() throws {
    try TemporaryFolder.with { folder in
      var profile = Profile.example
      profile.fieldStrength = .infinity
      #expect(throws: ProfileStoreProblem.self) { try ProfileStore(folder: folder).save(profile) }
      let names = try Folder.names(in: folder)
      #expect(names == [])
    }
  }

  @Test func standardPlaceFollowsTheEnvironment() {
    let home = ["HOME": "/home/u", "XDG_DATA_HOME": "/data"]
    #expect(ProfileStore.standard { home[$0] }?.folder == "/data/lodestone/profiles")
    let relative = ["HOME": "/home/u", "XDG_DATA_HOME": "data"]
    #expect(ProfileStore.standard { relative[$0] }?.folder == "/home/u/.local/share/lodestone/profiles")
    #expect(ProfileStore.standard { _ in nil } == nil)
  }
}
