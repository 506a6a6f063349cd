import LodestoneCore
import LodestonePorts

/// The exact bytes of a device in one file, and beside it in `FILE.times` when each piece of them arrived: lines of
/// seconds and the offset of the piece's first byte. The first file alone can be read as a device; both together can be
/// replayed as it was.
public final class RawCapture {
  /// The suffix of the name of the file with the times.
  public static let timesSuffix = ".times"

  /// Bytes so far.
  public private(set) var byteCount = 0
  private let bytes: OutputPipe
  private let times: OutputPipe
  private let path: String
  private var text = TextBuffer()

  /// Makes both files. Those that are there stay as they are until the first piece has come.
  public init(path: String, device: String, unixStart: Double?) throws(StreamError) {
    self.path = path
    do {
      bytes = try .file(at: path, policy: .keepAll)
      times = try .file(at: path + Self.timesSuffix, policy: .keepAll)
    } catch {
      throw .port(error)
    }
    text.append("# lodestone capture 1: seconds and the offset of the first byte that arrived then\n# device: ")
    text.append(text: device.withoutHarmful)
    if let unixStart {
      text.append("\n# unix start: ")
      text.append(unixStart, decimals: 3)
    }
    text.append("\n")
    do throws(OutputError) {
      try times.append(header: text.withUnsafeBytes { Array($0) })
      try times.flush()
    } catch {
      throw timesError(error)
    }
    text.removeAll()
  }

  /// Adds a piece that has just arrived.
  public func append(_ piece: UnsafeRawBufferPointer, at seconds: Double) throws(StreamError) {
    text.append(seconds, decimals: 6)
    text.append(" ")
    text.append(byteCount)
    text.append("\n")
    byteCount += piece.count
    do {
      try bytes.append(piece)
      try bytes.flush()
    } catch {
      throw .port(PortError(writing: path, error))
    }
    try writeTimes()
  }

  private func writeTimes() throws(StreamError) {
    do throws(OutputError) {
      try text.withUnsafeBytes { line throws(OutputError) in try times.append(line) }
      try times.flush()
    } catch {
      throw timesError(error)
    }
    text.removeAll()
  }

  private func timesError(_ error: OutputError) -> StreamError {
    .port(PortError(writing: path + Self.timesSuffix, error))
  }
}

extension PortError {
  /// Why a file could not be written.
  init(writing path: String, _ error: OutputError) {
    switch error {
    case .closed, .removed: self = .gone(path: path)
    case .noSpace: self = .noSpace(path: path)
    case .system(let error): self = .system(path: path, error)
    case .at(let path, let error): self = Self(writing: path, error)
    }
  }
}
