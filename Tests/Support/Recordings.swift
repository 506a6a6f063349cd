import Glibc

/// Real recordings and published tables that are not part of the project: in `LODESTONE_RECORDINGS`, or else beside
/// the checkout in `../shared/data`.
public enum Recordings {
  /// The folder.
  public static let folder: String = {
    if let set = getenv("LODESTONE_RECORDINGS") { return String(cString: set) }
    let parts = #filePath.split(separator: "/").dropLast(4)
    return "/" + parts.joined(separator: "/") + "/shared/data"
  }()

  /// Whether the folder is there; a suite that needs it is enabled by this, and continuous integration insists on it.
  public static var areHere: Bool { access(folder + "/README.md", R_OK) == 0 }
}
