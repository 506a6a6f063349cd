import Glibc

/// A symbolic link that lives as long as its owner.
public final class SymbolicLink {
  /// Where it stands.
  public let path: String
  private let target: String

  /// Makes the link. One that leads nowhere, left by a program that was killed, is replaced; nothing else is.
  public init(at path: String, to target: String) throws(SystemError) {
    self.path = path
    self.target = target
    var facts = stat()
    if Self.target(of: path) != nil, stat(path, &facts) != 0 { unlink(path) }
    guard symlink(target, path) == 0 else {
      throw SystemError("symlink")
    }
  }

  deinit { if Self.target(of: path) == target { unlink(path) } }

  private static func target(of path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    return count < 0 ? nil : String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
