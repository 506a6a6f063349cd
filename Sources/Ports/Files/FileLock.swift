import Glibc

/// A file that one program at a time has: as long as its owner lives, however that ends. It is removed afterwards.
public final class FileLock {
  private let file: Descriptor
  private let path: String

  /// A lock on a file; nil where another program has it, or this one already.
  public init?(_ path: String) throws(SystemError) {
    self.path = path
    for _ in 0..<100 {
      let file = try Descriptor(opening: path, flags: O_RDWR | O_CREAT | O_NOFOLLOW)
      guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
        if errno == EWOULDBLOCK { return nil }
        throw SystemError("flock")
      }
      // Its owner may have removed it in the moment before.
      var facts = stat()
      if fstat(file.number, &facts) == 0, facts.st_nlink > 0 {
        self.file = file
        return
      }
    }
    return nil
  }

  deinit { unlink(path) }
}
