import LodestonePorts

/// A file, besides the output.
public final class FileSink: AddressedSink {
  /// `file:PATH`.
  public static let scheme = "file"
  /// Writes.
  public static let example = "file:PATH to write to a file"
  /// The path as it was given.
  public let name: String
  private let pipe: OutputPipe

  /// A path is needed; `-` is none, for standard output has the output.
  public static func accepts(_ address: String) -> Bool { !["", "-"].contains(address.afterColon) }

  /// Makes the file, or empties it.
  public init(address: String) throws(SinkError) {
    name = address
    do throws(PortError) {
      pipe = try .file(at: address.afterColon, policy: .keepAll)
    } catch {
      throw .port(error)
    }
  }

  /// Whether the disk does not keep up, and is waited for.
  public var isFull: Bool { pipe.isFull }

  /// Writes the header; what stands in the way shows with the first line.
  public func begin(_ stream: SinkStream) { try? pipe.append(header: stream.header) }

  /// Queues lines.
  public func send(_ lines: UnsafeRawBufferPointer) throws(OutputError) {
    try named { () throws(OutputError) in try pipe.append(lines) }
  }

  /// The file, while bytes wait.
  public func watch(with poller: inout Poller) {
    if pipe.isWaiting { poller.watch(pipe.descriptor, for: .writable) } else { poller.forget(pipe.descriptor) }
  }

  /// Writes what waits.
  public func serve(_ poller: Poller) throws { try named { () throws(OutputError) in try pipe.flush() } }

  /// Writes the rest; lines that nobody has taken by then are lost.
  public func finish(until deadline: MonotonicTime) throws(OutputError) {
    try named { () throws(OutputError) in
      if try !pipe.finish(until: deadline) { pipe.abandon() }
      try pipe.keep()
    }
  }

  /// Lines that the reader of a pipe did not take.
  public var losses: [SinkLoss] { pipe.droppedLineCount > 0 ? [.messages(pipe.droppedLineCount)] : [] }

  private func named(_ write: () throws(OutputError) -> Void) throws(OutputError) {
    do throws(OutputError) { try write() } catch { throw .at(name, error) }
  }
}
