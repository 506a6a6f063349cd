import Glibc

/// A failure of a file operation.
public enum FileProblem: Error, Equatable, Sendable {
  /// No such file or folder.
  case missing(path: String)
  /// The system does not let this user read or write there.
  case notPermitted(path: String)
  /// The disk or the user's share of it is full.
  case noSpace(path: String)
  /// A file of this name is there already.
  case alreadyThere(path: String)
  /// A file that is longer than the caller reads.
  case tooLarge(path: String, limit: Int)
  /// This program reads from it, or writes to it already.
  case inUse(path: String)
  /// Another program writes to it line by line.
  case busy(path: String)
  /// Anything else, by its errno.
  case failed(path: String, code: Int32)

  /// Its errno, or the one that comes nearest.
  public var code: Int32 {
    switch self {
    case .missing: ENOENT
    case .notPermitted: EACCES
    case .noSpace: ENOSPC
    case .alreadyThere: EEXIST
    case .tooLarge: EFBIG
    case .inUse, .busy: EBUSY
    case .failed(_, let code): code
    }
  }

  /// The problem that `errno` stands for.
  public init(path: String, code: Int32) {
    switch code {
    case ENOENT, ENOTDIR: self = .missing(path: path)
    case EACCES, EPERM: self = .notPermitted(path: path)
    case ENOSPC, EDQUOT: self = .noSpace(path: path)
    case EEXIST: self = .alreadyThere(path: path)
    default: self = .failed(path: path, code: code)
    }
  }
}

/// Small files, written whole or not at all: flushed to the disk before they take their name. A crash, a full disk or a
/// Ctrl-C at any moment leaves the old file or the new one.
public enum AtomicFile {
  /// Writes a file. A name that stands for a pipe or a device is written to directly; one that is a symbolic link
  /// keeps being a link. Refuses a file that this program has read, and one that another program writes to line by
  /// line.
  /// - Parameter updates: one that was read to be kept up to date may be replaced.
  public static func write(
    _ bytes: [UInt8], to path: String, existing: PendingFile.Existing = .replace, updates: Bool = false
  ) throws(FileProblem) {
    guard !UserFiles.arePromised(path) else { throw .inUse(path: path) }
    if existing == .replace { try checkUse(of: path, updates: updates) }
    if let kind = NodeKind.at(path), kind != .regularFile { return try writeThrough(bytes, to: path) }
    let file = try PendingFile(for: path)
    let failure = writeAll(bytes, to: file.descriptor)
    guard failure == 0 else {
      close(file.descriptor)
      throw FileProblem(path: path, code: failure)
    }
    try file.finish(existing)
  }

  /// Refuses what `write` would refuse, before there is anything to write: a file that this program uses or another one
  /// writes to, and a folder that is not there or takes no file.
  public static func check(_ path: String, updates: Bool = false) throws(FileProblem) {
    guard !UserFiles.arePromised(path) else { throw .inUse(path: path) }
    try checkUse(of: path, updates: updates)
    guard (NodeKind.at(path) ?? .regularFile) == .regularFile else { return }
    close(try PendingFile(for: path).descriptor)
  }

  private static func checkUse(of path: String, updates: Bool) throws(FileProblem) {
    if let use = UserFiles.use(of: path), use == .input || !updates { throw .inUse(path: path) }
  }

  /// Reads a whole file of at most `limit` bytes. A pipe that nobody has open for writing reads as empty.
  /// From now on this program does not replace it, unless it is to be kept up to date. Refuses one that is promised to
  /// an output. A signal that asks the program to end ends the wait for a pipe: EINTR.
  public static func read(_ path: String, limit: Int, as use: UserFiles.Use = .input) throws(FileProblem) -> [UInt8] {
    guard !UserFiles.arePromised(path) else { throw .inUse(path: path) }
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileProblem(path: path, code: errno) }
    defer { close(descriptor) }
    UserFiles.note(input: descriptor, use)
    var poller = Poller()
    poller.watch(descriptor, for: .readable)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = uninterrupted { Glibc.read(descriptor, &chunk, chunk.count) }
      if count < 0 && errno == EAGAIN {  // a pipe's writer may take its time
        guard (try? poller.waitUnlessAsked()) == true else { throw .failed(path: path, code: EINTR) }
        continue
      }
      guard count >= 0 else { throw FileProblem(path: path, code: errno) }
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else { throw .tooLarge(path: path, limit: limit) }
      bytes += chunk[..<count]
    }
  }
}

// MARK: Steps

extension AtomicFile {
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

  private static func writeThrough(_ bytes: [UInt8], to path: String) throws(FileProblem) {
    let descriptor: Int32
    do throws(SystemError) { descriptor = try Descriptor.openForWriting(path) } catch {
      throw FileProblem(path: path, code: error.code)
    }
    let failure = writeAll(bytes, to: descriptor)
    close(descriptor)
    guard failure == 0 else { throw FileProblem(path: path, code: failure) }
  }
}
