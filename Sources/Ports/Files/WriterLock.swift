import Glibc

/// The lock that the writer of a regular file holds on it as long as it has it open, by flock(2): no other program writes
/// to that file, or puts another one in its place, unseen. The hidden file of a `PendingFile` has it before it has its name.
enum WriterLock {
  /// Opens a file and locks it. What is no regular file, as /dev/null, may be written to by many, and on a file system
  /// without locks no writer can be seen.
  /// - Throws: EWOULDBLOCK where another writer has the file.
  static func open(_ path: String, flags: Int32) throws(SystemError) -> Descriptor {
    for _ in 0..<100 {
      let file = try Descriptor(opening: path, flags: flags | O_NOCTTY | O_NONBLOCK)
      var (opened, named) = (stat(), stat())
      guard fstat(file.number, &opened) == 0, NodeKind(opened) == .regularFile else { return file }
      guard flock(file.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else { break }
      // Its writer may have put another file in its place in the moment before.
      if stat(path, &named) == 0, named.st_ino == opened.st_ino, named.st_dev == opened.st_dev { return file }
    }
    throw SystemError("flock", code: EWOULDBLOCK)
  }
}
