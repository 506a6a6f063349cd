import Glibc

/// A symbolic link that lives as long as its owner.
public final class SymbolicLink {
  /// The path of the link.
  public let path: String
  private let target: String

  /// Makes the link. One that a program left when it was killed is replaced, and nothing else: one that leads nowhere,
  /// or to a pseudo-terminal that was made after it, and so is another that got the same number.
  public init(at path: String, to target: String) throws(SystemError) {
    self.path = path
    self.target = target
    if Self.isLeftOver(path) { unlink(path) }
    guard symlink(target, path) == 0 else {
      throw SystemError("symlink")
    }
  }

  deinit { if linkTarget(path) == target { unlink(path) } }

  private static func isLeftOver(_ path: String) -> Bool {
    var (link, node) = (stat(), stat())
    guard lstat(path, &link) == 0, link.st_mode & S_IFMT == S_IFLNK else { return false }
    guard stat(path, &node) == 0 else { return true }
    guard linkTarget(path)?.hasPrefix("/dev/pts/") == true else { return false }
    let (made, began) = (link.st_ctim, node.st_ctim)
    return (began.tv_sec, began.tv_nsec) > (made.tv_sec, made.tv_nsec)
  }
}
