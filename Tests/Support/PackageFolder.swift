import Glibc

/// The package's own folders, for the tests that compare its sources with a registry.
public enum PackageFolder {
  /// Where it is, with a slash at the end.
  public static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/"

  /// The paths of the files below a folder, all from the package's root.
  public static func files(below folder: String) throws -> [String] {
    guard let open = opendir(root + folder) else { throw Recordings.Missing(name: folder) }
    defer { closedir(open) }
    var paths: [String] = []
    while let entry = readdir(open) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard !name.hasPrefix(".") else { continue }
      let path = folder + "/" + name
      if entry.pointee.d_type == UInt8(DT_DIR) { paths += try files(below: path) } else { paths.append(path) }
    }
    return paths
  }

  /// The text of a file, its path from the package's root.
  public static func text(of path: String) throws -> String {
    guard let file = fopen(root + path, "r") else { throw Recordings.Missing(name: path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
