import LodestoneCore

/// Honeywell's HMR3300 and HMR3200: `heading, pitch, roll` in degrees, magnetic; and boards that print a heading alone,
/// `40.3`, `40°` or `40.3 degrees`. Bare numbers could be anything, so it must be chosen by name. It speaks by itself
/// as it is delivered. Set to `*M` it sends raw fields instead, which cannot be told from angles and are mostly refused
/// by their size. Source: Honeywell HMR3200/HMR3300 data sheet, "Operational commands".
struct HMR3300: LineReading {
  static let name = "hmr3300"
  static let proof = WireProof.request

  var framer = LineFramer()

  init() {}

  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    if line[0] == UInt8(ascii: "#") { return .other }
    var fields = Fields(from: 0, to: Self.end(of: line))
    let heading = fields.number(in: line, within: 0...360)
    let pitch = fields.number(in: line, within: -180...180)
    let roll = fields.number(in: line, within: -180...180)
    guard let heading, !fields.isMalformed, !fields.hasMore else { return .rejected(.malformed) }
    message.own = OwnHeading(magnetic: Heading(degrees: heading), pitch: pitch, roll: roll)
    return .message
  }

  /// The end of the numbers, before the sign or the word for degrees: `40°`, `40.30 Degrees`.
  private static func end(of line: Span<UInt8>) -> Int {
    let sign = "°".utf8.count
    if line.holds("°", at: line.count - sign) { return line.count - sign }
    var end = line.count
    while end > 0, line[end - 1].isLetter { end -= 1 }
    guard end < line.count, end > 0, LineLabel.degrees.contains(ColumnWord(line.extracting(end..<line.count))) else {
      return line.count
    }
    while end > 0, line[end - 1].isBlank { end -= 1 }
    return end
  }

  /// A line that holds one number, which may be a heading.
  static func isAlone(_ line: Span<UInt8>) -> Bool {
    var (decoder, message) = (HMR3300(), WireMessage())
    guard case .message = decoder.read(line, into: &message) else { return false }
    return message.own?.pitch == nil && message.own?.roll == nil
  }

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    guard let own = message.own, let heading = own.magnetic else { return }
    bytes.append(Angle.wrapped(degrees: (heading.degrees * 10).rounded() / 10), decimals: 1)
    for angle in [own.pitch, own.roll] {
      bytes.append(text: ", ")
      bytes.append(angle ?? 0, decimals: 1)
    }
    bytes.append(text: "\r\n")
  }
}
