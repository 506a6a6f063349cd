/// A folder for this program's files of one kind in the user's home (XDG Base Directory Specification 0.8).
package enum UserFolder: String {
  case data = "XDG_DATA_HOME"
  case config = "XDG_CONFIG_HOME"
  case cache = "XDG_CACHE_HOME"

  private var belowHome: String {
    switch self {
    case .data: ".local/share"
    case .config: ".config"
    case .cache: ".cache"
    }
  }

  /// The folder: below the one that its variable names, or else below the home folder. Nil when neither is an absolute
  /// path.
  package func path(_ environment: (String) -> String?) -> String? {
    if let folder = environment(rawValue), folder.hasPrefix("/") { return folder + "/lodestone" }
    guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
    return home + "/\(belowHome)/lodestone"
  }
}
