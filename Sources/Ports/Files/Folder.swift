import Glibc

/// Folders of small files.
public enum Folder {
  /// The names in a folder in order; none for a folder that is not there.
  /// - `hidden`: the names that begin with a dot instead of the others.
  public static func names(in path: String, hidden: Bool = false) throws(FileProblem) -> [String] {
    try all(in: path).filter { $0.hasPrefix(".") == hidden }
  }

  /// All names in a folder in order, without `.` and `..`; none for a folder that is not there.
  static func all(in path: String) throws(FileProblem) -> [String] {
    guard let folder = opendir(path) else {
      if errno == ENOENT { return [] }
      throw FileProblem(path: path, code: errno)
    }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Makes a folder and those above it, as far as they are missing.
  /// - `mode`: who may use new ones: the user alone, as the XDG Base Directory Specification asks.
  public static func make(_ path: String, mode: mode_t = 0o700) throws(FileProblem) {
    if mkdir(path, mode) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
      throw FileProblem(path: path, code: errno)
    }
    try make(String(path[..<slash]), mode: mode)
    guard mkdir(path, mode) == 0 || errno == EEXIST else { throw FileProblem(path: path, code: errno) }
  }

  /// Removes a file, and the folder it was in when that is empty then.
  public static func removeFile(_ path: String) throws(FileProblem) {
    guard unlink(path) == 0 else { throw FileProblem(path: path, code: errno) }
    if let slash = path.lastIndex(of: "/") { rmdir(String(path[..<slash])) }
  }
}
