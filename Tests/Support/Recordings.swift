import Glibc

/// Real recordings and published tables that are not part of the project: in `LODESTONE_RECORDINGS`, or else beside
/// the checkout in `../shared/data`.
public enum Recordings {
  /// The folder.
  public static let folder: String = {
    if let set = getenv("LODESTONE_RECORDINGS") { return String(cString: set) }
    // The checks build in a folder inside the checkout.
    let places = ["../", "../../"].map { PackageFolder.root + $0 + "shared/data" }
    return places.first { access($0 + "/README.md", R_OK) == 0 } ?? places[0]
  }()

  /// Whether a suite that needs the folder runs: where the folder is there, and always where `CI` is `true`, so that it
  /// fails there instead of passing empty.
  public static var areHere: Bool {
    access(folder + "/README.md", R_OK) == 0 || getenv("CI").map { String(cString: $0) } == "true"
  }

  /// The bytes of a file in the folder.
  public static func bytes(_ name: String) throws -> [UInt8] {
    guard let file = fopen(folder + "/" + name, "r") else { throw Missing(name: name) }
    defer { fclose(file) }
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { all += chunk[..<count] }
    return all
  }

  /// A file that is not in the folder.
  public struct Missing: Error {
    /// Its name.
    public let name: String
  }
}
