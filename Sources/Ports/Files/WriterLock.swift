import Glibc

/// The lock that the writer of a regular file holds on it as long as it has it open, by flock(2): no other program
/// writes to that file, or puts another one in its place, unseen. The hidden file of a `PendingFile` has it before it
/// has its name.
enum WriterLock {
  /// How a file is written.
  enum Manner {
    /// Line by line, as long as the file is open: no other writer may have it.
    case asItComes
    /// In one moment, by putting a whole file in its place: others may do the same, and the last one stays.
    case whole

    /// The operation of flock(2).
    var operation: Int32 { self == .asItComes ? LOCK_EX : LOCK_SH }
  }

  /// Opens a file and locks it. What is no regular file, as /dev/null, may be written to by many, and on a file system
  /// without locks no writer can be seen.
  /// - Throws: EWOULDBLOCK where another writer has the file.
  static func open(_ path: String, flags: Int32, _ manner: Manner = .asItComes) throws(SystemError) -> Descriptor {
    for _ in 0..<100 {
      let file = try Descriptor(opening: path, flags: flags | O_NOCTTY | O_NONBLOCK)
      var (opened, named) = (stat(), stat())
      guard fstat(file.number, &opened) == 0, NodeKind(opened) == .regularFile else { return file }
      guard flock(file.number, manner.operation | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
        // A program that looks for files that killed ones have left holds the lock for a moment.
        pause(milliseconds: 1)
        continue
      }
      // Its writer may have put another file in its place in the moment before.
      if stat(path, &named) == 0, named.st_ino == opened.st_ino, named.st_dev == opened.st_dev { return file }
    }
    throw SystemError("flock", code: EWOULDBLOCK)
  }
}
