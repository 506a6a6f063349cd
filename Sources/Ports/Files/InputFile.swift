import Glibc

/// A file, pipe or standard input, read in big chunks. Only a regular file is always ready; the others are polled.
public final class InputFile: ByteSource {
  /// A good size for the buffer.
  public static let chunkByteCount = 262_144

  /// As it was given, `-` for standard input.
  public let path: String
  /// Whether it is a regular file, a pipe or something else.
  public let kind: NodeKind
  private let owned: Descriptor?
  /// For poll(2).
  public let descriptor: Int32

  /// Opens a regular file or a FIFO. A FIFO that nobody writes to yet is waited for by polling.
  public init(path: String) throws(PortError) {
    guard let kind = NodeKind.at(path) else { throw PortError(opening: path, SystemError("stat")) }
    guard kind != .directory && kind != .blockDevice && kind != .socket else {
      throw .notAFile(path: path, kind: kind)
    }
    self.path = path
    self.kind = kind
    let owned: Descriptor
    do {
      owned = try Descriptor(opening: path, flags: O_RDONLY | O_NOCTTY | O_NONBLOCK)
    } catch {
      throw PortError(opening: path, error)
    }
    self.owned = owned
    descriptor = owned.number
  }

  private init(standardInput descriptor: Int32, kind: NodeKind) {
    path = "-"
    self.kind = kind
    self.descriptor = descriptor
    owned = nil
  }

  /// Standard input, which stays open afterwards.
  public static func standardInput(descriptor: Int32 = STDIN_FILENO) throws(PortError) -> InputFile {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw .notThere(path: "-") }
    let kind = NodeKind(facts)
    guard kind != .directory && kind != .blockDevice else { throw .notAFile(path: "-", kind: kind) }
    return InputFile(standardInput: descriptor, kind: kind)
  }

  /// The size of a regular file in bytes, nil for anything else.
  public var byteCount: Int? {
    var facts = stat()
    guard kind == .regularFile, fstat(descriptor, &facts) == 0 else { return nil }
    return Int(facts.st_size)
  }

  /// Reads the next chunk. `.ended` at the end of the file, or when the last writer of a pipe has closed it.
  public func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
    // Others may share standard input, so it is not made non-blocking; and a FIFO reads 0 before its first writer.
    guard kind == .regularFile || !Poller.look(at: descriptor, for: .readable).isEmpty else { return .wouldBlock }
    return readOutcome(descriptor, into: buffer, atZero: .ended)
  }
}
