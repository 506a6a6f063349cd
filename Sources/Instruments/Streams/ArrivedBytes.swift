import LodestoneCore
import Drivers

/// The room that a stream reads into. The bytes that arrived last stay there until the next read, to show the user.
final class ArrivedBytes {
  /// The room that the next bytes go to.
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
  /// - Parameters:
  ///   - wire: only read; inout so that it is not copied.
  ///   - hasBaudRate: the bytes come at one.
  ///   - name: of the protocol that was given; nil where one is sought.
  ///   - seeksPositions: a receiver's messages are sought.
  func unrecognized(
    by wire: inout WireStream, hasBaudRate: Bool, as name: String?, seeksPositions: Bool
  ) -> StreamNotice {
    let (pending, arrived) = (Self.latest(of: wire.pending), beginning)
    let sample = pending.count > arrived.count ? pending : arrived
    let isText = sample.isReadableText
    if seeksPositions, isText, name == nil { return .noSentences(sample: sample.harmlessText) }
    return .unrecognized(
      sample: sample.harmlessText, isText: isText, hasBaudRate: hasBaudRate, as: name)
  }
}

extension ArrivedBytes {
  /// The last of the bytes that wait, from the beginning of a line where one is in it: what waits longest may be a row
  /// that came before.
  fileprivate static func latest(of pending: ArraySlice<UInt8>) -> [UInt8] {
    let tail = pending.suffix(160)
    let lines = tail.count < pending.count ? tail.drop { $0 != 0x0A }.dropFirst() : tail
    return Array((lines.count < 5 ? tail : lines).prefix(48))
  }
}

extension [UInt8] {
  /// Letters, digits and signs, with colours and the ends of lines among them: not what a wrong baud rate makes, nor
  /// what somebody has put in place of that. The last character may be cut.
  fileprivate var isReadableText: Bool {
    let plain = withoutColours
    guard count >= 5, plain.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 9 || $0 == 10 || $0 == 13 }) else {
      return false
    }
    let whole = plain.prefix(plain.lastIndex { $0 & 0xC0 != 0x80 } ?? 0)
    return String(validating: whole, as: UTF8.self)?.contains("\u{FFFD}") == false
  }

  /// The bytes without the sequences that colour text (ECMA-48, SGR).
  private var withoutColours: [UInt8] {
    var (plain, index) = ([UInt8](), 0)
    while index < count {
      var end = index
      if self[index...].starts(with: [0x1B, UInt8(ascii: "[")]) {
        end = self[(index + 2)...].firstIndex { !(0x30...0x3F).contains($0) } ?? count
      }
      let isColour = end > index && (end == count || self[end] == UInt8(ascii: "m"))
      if !isColour { plain.append(self[index]) }
      index = isColour ? end + 1 : index + 1
    }
    return plain
  }
}
