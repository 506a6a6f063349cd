import Glibc

/// A folder that lives as long as a test.
public enum TemporaryFolder {
  /// Makes a folder, hands it to `body`, and removes it with all that is in it.
  public static func with<Value>(_ body: (String) throws -> Value) throws -> Value {
    var template = Array("/tmp/lodestone-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Failure(code: errno) }
    let path = String(cString: made)
    defer { remove(path) }
    return try body(path)
  }

  private struct Failure: Error { let code: Int32 }

  private static func remove(_ path: String) {
    chmod(path, 0o700)
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if name != "." && name != ".." { remove(path + "/" + name) }
      }
      closedir(folder)
      rmdir(path)
    } else {
      unlink(path)
    }
  }
}
