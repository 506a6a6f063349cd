import Glibc

/// A file that takes its name only when there is something to put there: until then it lies beside it under a hidden
/// name, and what has the name now stays.
///
/// A name that is a symbolic link keeps being one, and the file it leads to is replaced. The new file gets the mode
/// and, as far as the system lets us, the owner of the old one. A hidden file that a killed program has left is removed
/// when the next one is made beside it: its owner holds a lock on it as long as it lives.
public final class PendingFile {
  /// Open for writing.
  public let descriptor: Int32
  /// The file that is going to be replaced, or made.
  private let target: String
  /// The path as the user named it, for problems.
  private let path: String
  private let hidden: String
  private let manner: WriterLock.Manner
  /// The file that has the name until then, locked; nil for one that is written as it comes, whose writer locks it.
  private var reserved: Descriptor?
  private var isNamed = false

  /// The treatment of a name that is taken.
  public enum Existing: Sendable {
    /// The new file takes its place.
    case replace
    /// `FileProblem.alreadyThere`, also when another program took the name in the same moment.
    case keep
  }

  /// Makes the hidden file of what is written whole, and keeps other programs from writing line by line to the file
  /// that has the name until then.
  /// - Throws: `FileProblem.busy` where one does.
  public convenience init(for path: String) throws(FileProblem) { try self.init(for: path, .whole) }

  /// Makes the hidden file.
  /// - Throws: `FileProblem.notPermitted` also where the file that has the name is write-protected.
  init(for path: String, _ manner: WriterLock.Manner) throws(FileProblem) {
    self.path = path
    self.manner = manner
    target = Self.followed(path)
    // A folder lets its owner replace a file that is write-protected: whoever protected it did not want that.
    guard access(target, F_OK) != 0 || access(target, W_OK) == 0 else { throw FileProblem(path: path, code: errno) }
    reserved = try Self.reserve(target, for: path, manner)
    let folder = Self.folder(of: target)
    Self.removeLeftovers(in: folder)
    (hidden, descriptor) = try Self.create(in: folder, for: path, manner)
    var facts = stat()
    guard stat(target, &facts) == 0 else { return }
    _ = fchown(descriptor, facts.st_uid, facts.st_gid)
    _ = fchmod(descriptor, facts.st_mode & 0o7777)
  }

  deinit { if !isNamed { unlink(hidden) } }

  /// Gives the file its name; it stays open for more. One that is written whole takes the place of no file that another
  /// program writes to line by line.
  public func name(_ existing: Existing = .replace) throws(FileProblem) {
    guard !isNamed else { return }
    switch existing {
    case .replace:
      reserved = try Self.reserve(target, for: path, manner)
      guard rename(hidden, target) == 0 else { throw FileProblem(path: path, code: errno) }
    case .keep: try nameUnlessTaken()
    }
    isNamed = true
  }

  private func nameUnlessTaken() throws(FileProblem) {
    if link(hidden, target) == 0 {
      unlink(hidden)
      return
    }
    // File systems without hard links, as memory cards have: not safe against another program in the same moment, but
    // never against what was there before.
    guard [EPERM, ENOSYS, EOPNOTSUPP].contains(errno) else { throw FileProblem(path: path, code: errno) }
    guard access(target, F_OK) != 0 else { throw .alreadyThere(path: path) }
    guard rename(hidden, target) == 0 else { throw FileProblem(path: path, code: errno) }
  }

  /// Flushes the file to the disk, closes it and gives it its name: a crash of the machine leaves the old file or the
  /// whole new one. What flushing and closing it tell, as of a server's disk that is full, comes before the name.
  public func finish(_ existing: Existing = .replace) throws(FileProblem) {
    // The lock holds as long as this copy: until then nobody takes the file for a leftover.
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    var failure = copy < 0 ? errno : 0
    defer { close(copy) }
    if fsync(descriptor) != 0, failure == 0 { failure = errno }
    if close(descriptor) != 0, failure == 0 { failure = errno }
    guard failure == 0 else { throw FileProblem(path: path, code: failure) }
    try name(existing)
    flushFolder()
  }

  /// Flushes the folder, so that a crash of the machine does not undo the name.
  private func flushFolder() {
    let folder = open(Self.folder(of: target), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }
}

// MARK: Steps

extension PendingFile {
  private static let prefix = ".lodestone-", suffix = ".tmp"

  /// Locks the file that has the name; nil where there is none, or its writer locks it.
  private static func reserve(
    _ target: String, for path: String, _ manner: WriterLock.Manner
  ) throws(FileProblem) -> Descriptor? {
    guard manner == .whole else { return nil }
    do throws(SystemError) {
      return try WriterLock.open(target, flags: O_RDONLY, manner)
    } catch {
      // One that is not there, or that this user may not read, has no lock to be seen.
      guard error.code == EWOULDBLOCK else { return nil }
      throw .busy(path: path)
    }
  }

  private static func create(
    in folder: String, for path: String, _ manner: WriterLock.Manner
  ) throws(FileProblem) -> (path: String, descriptor: Int32) {
    for attempt in 0..<100 {
      let hidden = "\(folder)/\(prefix)\(getpid())-\(attempt)\(suffix)"
      // Lines go to the end, wherever that is: a program that rotates logs may copy a file and empty it.
      let descriptor = open(hidden, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
      if descriptor >= 0 {
        if isKept(descriptor, manner) { return (hidden, descriptor) }
        close(descriptor)
        continue
      }
      guard errno == EEXIST else { break }
    }
    throw FileProblem(path: path, code: errno)
  }

  /// Locks a new file, unless another program has taken it for a leftover in the moment before.
  private static func isKept(_ descriptor: Int32, _ manner: WriterLock.Manner) -> Bool {
    while flock(descriptor, manner.operation) != 0, errno == EINTR {}
    var facts = stat()
    return fstat(descriptor, &facts) == 0 && facts.st_nlink > 0
  }

  private static func removeLeftovers(in folder: String) {
    guard let names = try? Folder.names(in: folder, hidden: true) else { return }
    for name in names where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
      let path = folder + "/" + name
      let descriptor = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      // By now another file may have the name: only the one that is locked may go.
      var (locked, named) = (stat(), stat())
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &locked) == 0, lstat(path, &named) == 0,
        locked.st_ino == named.st_ino, locked.st_dev == named.st_dev
      {
        unlink(path)
      }
      close(descriptor)
    }
  }

  /// The path that a path leads to, also through a link to a file that is not there yet.
  static func followed(_ path: String) -> String {
    var path = path
    for _ in 0..<40 {
      guard let next = linkTarget(path) else { break }
      path = next.hasPrefix("/") ? next : folder(of: path) + "/" + next
    }
    return path
  }

  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
