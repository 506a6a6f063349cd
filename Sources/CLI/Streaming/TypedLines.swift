/// Lines that a user types, or that come through a pipe, put together from the loop's bytes.
struct TypedLines {
  private var line: [UInt8] = []
  private static let longest = 64

  /// The lines that are whole now, without blanks, and whether the input has ended; what is too long is cut.
  mutating func take(_ bytes: [UInt8]) -> (lines: [String], isLast: Bool) {
    guard !bytes.isEmpty else { return (line.isEmpty ? [] : [cut()], true) }
    var lines: [String] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        lines.append(cut())
      } else if line.count < Self.longest {
        line.append(byte)
      }
    }
    return (lines, false)
  }

  private mutating func cut() -> String {
    defer { line = [] }
    return String(decoding: line, as: UTF8.self).filter { !$0.isWhitespace }
  }
}
