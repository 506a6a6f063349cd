import Glibc

/// What went wrong with a file.
public enum FileProblem: Error, Equatable, Sendable {
  /// No such file or folder.
  case missing(path: String)
  /// The system does not let this user read or write there.
  case notPermitted(path: String)
  /// The disk or the user's share of it is full.
  case noSpace(path: String)
  /// A file of this name is there already.
  case alreadyThere(path: String)
  /// Longer than the caller reads.
  case tooLarge(path: String, limit: Int)
  /// Anything else, by its errno.
  case failed(path: String, code: Int32)

  /// The problem that `errno` stands for.
  public init(path: String, code: Int32) {
    switch code {
    case ENOENT, ENOTDIR: self = .missing(path: path)
    case EACCES, EPERM, EROFS: self = .notPermitted(path: path)
    case ENOSPC, EDQUOT: self = .noSpace(path: path)
    case EEXIST: self = .alreadyThere(path: path)
    default: self = .failed(path: path, code: code)
    }
  }
}

/// Small files, written whole or not at all.
///
/// The bytes go to a temporary file in the same folder, which is flushed to the disk and only then takes the name; the
/// folder is flushed last. A crash, a full disk or a Ctrl-C at any moment leaves the old file or the new one.
public enum AtomicFile {
  /// What happens when the name is taken.
  public enum Existing: Sendable {
    /// The new file takes its place, and its permissions.
    case replace
    /// `FileProblem.alreadyThere`, also when another program took the name in the same moment.
    case keep
  }

  /// Writes a file. A name that stands for a pipe or a device is written to directly; one that is a symbolic link
  /// keeps being a link.
  public static func write(
    _ bytes: [UInt8], to path: String, existing: Existing = .replace
  ) throws(FileProblem) {
    var status = stat()
    let isThere = stat(path, &status) == 0
    if isThere && status.st_mode & S_IFMT != S_IFREG { return try writeThrough(bytes, to: path) }
    let target = isThere ? resolved(path) : path
    let folder = self.folder(of: target)
    let temporary = try create(in: folder, for: path)
    do throws(FileProblem) {
      if isThere { _ = fchmod(temporary.descriptor, status.st_mode & 0o7777) }
      try fill(temporary.descriptor, with: bytes, for: path)
      try name(temporary.path, target, existing, for: path)
    } catch {
      unlink(temporary.path)
      throw error
    }
    flush(folder: folder)
  }

  /// Reads a whole file of at most `limit` bytes.
  public static func read(_ path: String, limit: Int) throws(FileProblem) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileProblem(path: path, code: errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw FileProblem(path: path, code: errno) }
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else { throw .tooLarge(path: path, limit: limit) }
      bytes += chunk[..<count]
    }
  }
}

// MARK: Steps

extension AtomicFile {
  private static func create(
    in folder: String, for path: String
  ) throws(FileProblem) -> (path: String, descriptor: Int32) {
    for attempt in 0..<100 {
      let temporary = "\(folder)/.lodestone-\(getpid())-\(attempt).tmp"
      let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0 { return (temporary, descriptor) }
      guard errno == EEXIST else { break }
    }
    throw FileProblem(path: path, code: errno)
  }

  /// Writes, flushes and closes.
  private static func fill(_ descriptor: Int32, with bytes: [UInt8], for path: String) throws(FileProblem) {
    var failure = writeAll(bytes, to: descriptor)
    if failure == 0 && fsync(descriptor) != 0 { failure = errno }
    if close(descriptor) != 0 && failure == 0 { failure = errno }
    guard failure == 0 else { throw FileProblem(path: path, code: failure) }
  }

  /// 0, or the errno.
  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let count = Glibc.write(descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
        if count < 0 && errno == EINTR { continue }
        if count < 0 { return errno }
        written += count
      }
      return 0
    }
  }

  private static func name(
    _ temporary: String, _ target: String, _ existing: Existing, for path: String
  ) throws(FileProblem) {
    switch existing {
    case .replace:
      guard rename(temporary, target) == 0 else { throw FileProblem(path: path, code: errno) }
    case .keep:
      guard link(temporary, target) == 0 else { return try nameWithoutLink(temporary, target, errno, for: path) }
      unlink(temporary)
    }
  }

  /// For file systems that have no hard links, as memory cards have: not safe against another program in the same
  /// moment, but never against what was there before.
  private static func nameWithoutLink(
    _ temporary: String, _ target: String, _ code: Int32, for path: String
  ) throws(FileProblem) {
    guard [EPERM, ENOSYS, EOPNOTSUPP].contains(code) else { throw FileProblem(path: path, code: code) }
    guard access(target, F_OK) != 0 else { throw .alreadyThere(path: path) }
    guard rename(temporary, target) == 0 else { throw FileProblem(path: path, code: errno) }
  }

  private static func writeThrough(_ bytes: [UInt8], to path: String) throws(FileProblem) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileProblem(path: path, code: errno) }
    let failure = writeAll(bytes, to: descriptor)
    close(descriptor)
    guard failure == 0 else { throw FileProblem(path: path, code: failure) }
  }

  private static func flush(folder: String) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
