import Drivers
import LodestonePorts

/// A file's bytes through a decoder, from its beginning to its end.
final class WirePump {
  /// Unchecked: it is asked for each message, and calls nothing that comes back here.
  @exclusivity(unchecked) private var wire: WireStream
  /// Bytes that were read so far; those that the decoder still holds among them.
  private(set) var readCount = 0
  private let file: InputFile
  private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: InputFile.chunkByteCount, alignment: 16)
  private var hasEnded = false

  /// The messages of a file.
  init(_ file: InputFile, _ wire: WireStream) {
    self.file = file
    self.wire = wire
  }

  deinit { chunk.deallocate() }

  /// The fault that makes all messages useless; nil where the file shows none.
  var fault: WireFault? { wire.fault }

  /// The decoder for a second reading, where the first has left out what came before it knew the meaning; nil where it
  /// has not.
  var again: WireStream? { wire.again }

  /// µT in one number of the field, where the file tells it.
  var fieldScale: Double? { wire.fieldScale }

  /// How the axes that are taken for a field's are called.
  var fieldNaming: FieldNaming { wire.fieldNaming }

  /// Whether the times of the messages count samples instead of telling seconds.
  var timeIsIndex: Bool { wire.timeIsIndex }

  /// Bytes that wait to be understood.
  var pendingCount: Int { wire.pending.count }

  /// The next event; nil at the end of the file.
  func next() -> WireEvent? {
    while true {
      if let event = wire.next() { return event }
      guard read() else { return nil }
    }
  }

  /// The next thing said in what has been read, a message written where it is wanted; nil when more must be read.
  func nextHeld(into message: inout WireMessage) -> WireStep? { wire.next(into: &message) }

  /// Reads the next piece of the file; false when there is none, and all events have come.
  func read() -> Bool {
    guard !hasEnded else { return false }
    if case .bytes(let count) = file.read(into: chunk) {
      wire.append(Span(_unsafeBytes: UnsafeRawBufferPointer(rebasing: chunk.prefix(count))))
      readCount += count
    } else {
      wire.end()
      hasEnded = true
    }
    return true
  }
}
