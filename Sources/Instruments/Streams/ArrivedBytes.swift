import LodestoneCore
import Drivers

/// The room that a stream reads into. The bytes that arrived last stay there until the next read, to show the user.
final class ArrivedBytes {
  /// Where the next ones go.
  let room: UnsafeMutableRawBufferPointer
  private var count = 0

  init(capacity: Int) { room = .allocate(byteCount: capacity, alignment: 16) }

  deinit { room.deallocate() }

  /// The bytes that have just arrived.
  func take(_ count: Int) -> UnsafeRawBufferPointer {
    self.count = count
    return UnsafeRawBufferPointer(rebasing: room.prefix(count))
  }

  private var beginning: [UInt8] { Array(room.prefix(min(48, count))) }

  /// A printable piece of them.
  var text: String { beginning.harmlessText }

  /// The notice that nothing that arrives is a message.
  /// - Parameter wire: is only read: what is handed over like this is not copied.
  func unrecognized(by wire: inout WireStream) -> StreamNotice {
    let (pending, arrived) = (Array(wire.pending.prefix(48)), beginning)
    let expected = wire.protocolName ?? Protocols.all.map { $0.name }.joined(separator: ", ")
    let sample = pending.count > arrived.count ? pending : arrived
    return .unrecognized(sample: sample.harmlessText, isText: sample.isReadableText, expected: expected)
  }
}

extension [UInt8] {
  /// Letters, digits and signs, with the ends of lines among them: not what a wrong baud rate makes.
  fileprivate var isReadableText: Bool {
    count >= 8 && allSatisfy { (0x20...0x7E).contains($0) || $0 == 9 || $0 == 10 || $0 == 13 }
  }
}
