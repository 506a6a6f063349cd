import Glibc

/// The package's own folders, for the tests that compare a listing with a registry.
public enum PackageFolder {
  /// The names of the files in a folder of the package.
  public static func names(in path: String) throws -> [String] {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    guard let folder = opendir(root + "/" + path) else { throw Recordings.Missing(name: path) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}
