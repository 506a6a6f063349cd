import LodestoneCore

/// A field in brackets after a word: `Mag: (x, y, z)`, `Magnetometer reading: [x, y, z]`, and `Orientation: h, p, r`, as
/// examples in Python and for Arduino print them. A unit in the line is taken.
struct Prose: LineReading {
  static let name = "prose"
  static let proof = WireProof.signature

  var framer = LineFramer()

  init() {}

  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> LineMeaning {
    if line.holds("Orientation:") { return readOrientation(line, &message) }
    if line.holds("Quaternion:") { return .other }
    guard line.holds("Mag") || line.holds("mag") else { return .rejected(.unrecognized) }
    var index = 3
    while index < line.count, line[index] != UInt8(ascii: "("), line[index] != UInt8(ascii: "[") { index += 1 }
    guard index < line.count else { return .rejected(.unrecognized) }
    // A unit may stand in brackets before the numbers: `Magnetometer (uT): (1, 2, 3)`.
    message.fieldUnit = unit(line, index + 1)
    if message.fieldUnit != nil {
      index += 1
      while index < line.count, line[index] != UInt8(ascii: "("), line[index] != UInt8(ascii: "[") { index += 1 }
    }
    index += 1
    guard let field = numbers(line, &index) else { return .rejected(.malformed) }
    guard index < line.count, line[index] == UInt8(ascii: ")") || line[index] == UInt8(ascii: "]") else {
      return .rejected(.malformed)
    }
    message.field = field
    return .message
  }

  /// Heading, pitch, roll in degrees.
  private func readOrientation(_ line: Span<UInt8>, _ message: inout WireMessage) -> LineMeaning {
    var index = 12
    guard let angles = numbers(line, &index), index == line.count, (-360...360).contains(angles.x) else {
      return .rejected(.malformed)
    }
    message.own = OwnHeading(magnetic: Heading(degrees: angles.x), pitch: angles.y, roll: angles.z)
    return .message
  }

  /// Three numbers with commas or blanks between them, and `index` on what follows.
  private func numbers(_ line: Span<UInt8>, _ index: inout Int) -> Vector3? {
    var vector = Vector3.zero
    for axis in 0..<3 {
      while index < line.count, line[index].isBlank || (axis > 0 && line[index] == .comma) { index += 1 }
      guard let number = parseDecimal(line, from: &index) else { return nil }
      vector[axis] = number
    }
    while index < line.count, line[index].isBlank { index += 1 }
    return vector
  }

  private func unit(_ line: Span<UInt8>, _ at: Int) -> FieldUnit? {
    if line.holds("uT", at: at) { return .microtesla }
    if line.holds("gauss", at: at) || line.holds("Gauss", at: at) { return .gauss }
    return line.holds("nT", at: at) ? .nanotesla : nil
  }

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    guard let field = message.microtesla else { return }
    bytes.append(text: "Magnetometer (uT): (")
    bytes.append(field, decimals: 4)
    bytes.append(text: ")\n")
  }
}
