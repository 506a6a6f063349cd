import Glibc

/// A file, pipe or standard input, read in big chunks. Only a regular file is always ready; the others are polled.
public final class InputFile: ByteSource {
  /// A good size for the buffer.
  public static let chunkByteCount = 262_144

  /// The path as it was given, `-` for standard input.
  public let path: String
  /// Whether it is a regular file, a pipe or something else.
  public let kind: NodeKind
  private let owned: Descriptor?
  /// The descriptor for poll(2).
  public let descriptor: Int32

  /// Opens a regular file or a FIFO. A FIFO that nobody writes to yet is waited for by polling.
  public init(path: String) throws(PortError) {
    guard let kind = NodeKind.at(path) else { throw PortError(opening: path, SystemError("stat")) }
    guard kind != .directory && kind != .blockDevice && kind != .socket else {
      throw .notAFile(path: path, kind: kind)
    }
    guard !UserFiles.arePromised(path) else { throw .inUse(path: path) }
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
    UserFiles.note(input: descriptor)
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
    UserFiles.note(input: descriptor)
    return InputFile(standardInput: descriptor, kind: kind)
  }

  /// The size of a regular file in bytes, nil for anything else.
  public var byteCount: Int? {
    var facts = stat()
    guard kind == .regularFile, fstat(descriptor, &facts) == 0 else { return nil }
    return Int(facts.st_size)
  }

  /// The first bytes, which are read again afterwards: as many as begin with comment lines, up to a limit. A pipe gets
  /// `seconds` to bring them.
  public func head(atMost limit: Int, within seconds: Double) -> [UInt8] {
    guard kind == .regularFile || kind == .pipe || kind == .socket else { return [] }
    let deadline = MonotonicTime.now + seconds
    var poller = Poller()
    poller.watch(descriptor, for: .readable)
    var buffer = [UInt8](repeating: 0, count: limit)
    while held.count < limit, held.isEmpty || Self.mayGoOn(held) {
      switch buffer.withUnsafeMutableBytes({ readNow(into: UnsafeMutableRawBufferPointer(rebasing: $0[held.count...])) }
      ) {
      case .bytes(let count): held += buffer[held.count..<held.count + count]
      case .wouldBlock:
        guard MonotonicTime.now < deadline, (try? poller.wait(until: deadline)) ?? 0 > 0 else { return held }
      default: return held
      }
    }
    return held
  }

  /// Whether all lines so far are comments, behind the mark that some editors put in front.
  private static func mayGoOn(_ bytes: [UInt8]) -> Bool {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    return text.split { $0 == 10 || $0 == 13 }.allSatisfy { $0.first == UInt8(ascii: "#") }
  }

  /// Bytes that were looked at before they are read.
  private var held: [UInt8] = []

  /// Reads the next chunk. `.ended` at the end of the file, or when the last writer of a pipe has closed it.
  public func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
    guard held.isEmpty else {
      let count = min(buffer.count, held.count)
      buffer.copyBytes(from: held[..<count])
      held.removeFirst(count)
      return .bytes(count)
    }
    return readNow(into: buffer)
  }

  private func readNow(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
    // Others may share standard input, so it is not made non-blocking; and a FIFO reads 0 before its first writer.
    guard kind == .regularFile || !Poller.look(at: descriptor, for: .readable).isEmpty else { return .wouldBlock }
    return readOutcome(descriptor, into: buffer, atZero: .ended)
  }
}
