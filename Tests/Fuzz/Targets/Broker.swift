import Drivers
import LodestonePorts

@testable import Instruments

/// Messages of a broker with any content, in the order and with the events of a connection that comes and goes, as
/// the lines of a stream. The input tells what happens, and for a message its length; the rest is its content.
enum BrokerTarget: FuzzTarget {
  static let name = "broker"

  static func take(_ bytes: Span<UInt8>) {
    var reader = InputReader(bytes)
    var lines = BrokerLines()
    var stream = WireStream()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 + Int(reader.byte()) * 16, alignment: 16)
    defer { buffer.deallocate() }
    while !reader.isAtEnd {
      let (event, payload) = event(&reader)
      lines.take(event)
      var count = lines.read(into: buffer)
      var total = 0
      while count > 0 {
        stream.append(Span(_unsafeBytes: UnsafeRawBufferPointer(rebasing: buffer[..<count])))
        total += count
        count = lines.read(into: buffer)
      }
      require(total == payload.map { $0 + 1 } ?? 0, "a message is not one line's bytes and an end")
      while stream.next() != nil {}
    }
    stream.end()
    while stream.next() != nil {}
  }

  /// Something that happens, and how many bytes of a message are to be read for it.
  private static func event(_ reader: inout InputReader) -> (MQTTClient.Event, payload: Int?) {
    let kind = reader.byte()
    switch kind & 7 {
    case 0: return (.connected, nil)
    case 1: return (.away(.other, reason: "gone"), nil)
    case 2: return (.denied, nil)
    case 3: return (.message(topic: "a/stream", payload: [UInt8](repeating: kind, count: 65_537)), nil)
    default:
      let count = Int(reader.word() % 4096)
      let payload = (0..<count).prefix { _ in !reader.isAtEnd }.map { _ in reader.byte() }
      return (.message(topic: "a/stream", payload: payload), payload.count)
    }
  }
}
