import LodestoneCore

/// The signs of Unicode that programs print for a minus: the minus sign, hyphens, the figure dash and the en dash.
/// Where a text has one right before a number that nothing stands against, all of them are written as the one of ASCII.
struct MinusSigns: Sendable {
  /// Bytes at the beginning of a stream in which they are looked for.
  private static let searchedByteCount = 65_536
  /// U+2010 to U+2013, U+2212, U+FE63 and U+FF0D.
  private static let signs: [StaticString] = [
    "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2212}", "\u{FE63}", "\u{FF0D}",
  ]
  /// The first bytes of those.
  private static let firsts: [UInt8] = [0xE2, 0xEF]

  private var searched = 0
  /// Signs have come: what comes later is to be rewritten.
  private(set) var arePresent = false
  /// The beginning of a sign at the end of what came, and the byte before it.
  private var held: [UInt8] = []
  private var before = UInt8.lineFeed

  /// Looks for signs in what comes next.
  mutating func seek(in bytes: Span<UInt8>) {
    guard !arePresent, searched < Self.searchedByteCount else { return }
    searched &+= bytes.count
    for first in Self.firsts {
      var index = 0
      while let found = bytes.quickIndex(of: first, in: index..<bytes.count) {
        index = found + 1
        guard let length = Self.length(bytes, found), found + length < bytes.count else { continue }
        if Self.begins(bytes[found + length]), found == 0 || !Self.isAgainst(bytes[found - 1]),
          Self.isText(bytes, around: found)
        {
          arePresent = true
          return
        }
      }
    }
  }

  /// Bytes of a line before and behind a sign that are looked at.
  private static let span = 256

  /// The line there is text in UTF-8, as far as it has come: the bytes of a sign may stand in binary frames as well.
  private static func isText(_ bytes: Span<UInt8>, around place: Int) -> Bool {
    var (start, end) = (place, place)
    while start > max(0, place - span), bytes[start - 1] != .lineFeed { start -= 1 }
    while end < min(bytes.count, place + span), bytes[end] != .lineFeed { end += 1 }
    // A character may be cut at both ends.
    while start < place, bytes[start] & 0xC0 == 0x80 { start += 1 }
    if let last = (max(start, end - 3)..<end).last(where: { bytes[$0] & 0xC0 == 0xC0 }) {
      end = last
    }
    guard place < end else { return true }
    let line = bytes.extracting(start..<end)
    return line.indices.allSatisfy {
      line[$0] >= .space || line[$0] == .tab || line[$0] == .carriageReturn || line[$0] == 0x1B
    }
      && String(validating: line.bytes(in: line.indices), as: UTF8.self) != nil
  }

  /// Appends the next bytes with plain signs.
  mutating func rewrite(_ bytes: Span<UInt8>, into plain: inout [UInt8]) {
    let all = held + bytes.bytes(in: bytes.indices)
    held = []
    let span = all.span
    var index = 0
    while index < span.count {
      if Self.firsts.contains(span[index]) {
        guard index + 3 < span.count else {
          held = span.bytes(in: index..<span.count)
          return
        }
        if let length = Self.length(span, index), Self.begins(span[index + length]), !Self.isAgainst(before) {
          plain.append(UInt8(ascii: "-"))
          (before, index) = (UInt8(ascii: "-"), index + length)
          continue
        }
      }
      plain.append(span[index])
      (before, index) = (span[index], index + 1)
    }
  }

  /// Appends what is held back at the end of a stream.
  mutating func finish(into plain: inout [UInt8]) {
    plain += held
    held = []
  }

  /// The count of bytes of a sign; nil where none stands.
  private static func length(_ bytes: Span<UInt8>, _ index: Int) -> Int? {
    signs.contains { bytes.holds($0, at: index) } ? 3 : nil
  }

  /// A number begins with it.
  private static func begins(_ byte: UInt8) -> Bool { byte.isDigit || byte == UInt8(ascii: ".") }

  /// A dash behind it is no sign: `3–5`.
  private static func isAgainst(_ byte: UInt8) -> Bool {
    byte.isDigit || byte.isLetter && byte | 0x20 != UInt8(ascii: "e")
  }
}
