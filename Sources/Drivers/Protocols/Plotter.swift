import LodestoneCore

/// Named values on a line, as the Arduino serial plotter takes them and many examples print them: `mx:1 my:2 mz:3`,
/// `mx:1,my:2,mz:3`, `X: -18.00  Y: 33.00  Z: -42.00 uT`. Names are understood as the columns of a table are; bare x, y, z
/// are the field. A word after a value is a unit.
struct Plotter: LineReading {
  static let name = "plotter"
  static let proof = WireProof.signature

  var framer = LineFramer()
  private var keys = KeyTable()

  init() {}

  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> LineMeaning {
    var values = RoleValues()
    var index = 0, place = 0, count = 0
    while let name = nextName(line, &index) {
      guard index < line.count, line[index] == UInt8(ascii: ":") else {
        // A word without a colon is the unit of what stood before it.
        if count > 0, message.fieldUnit == nil { message.fieldUnit = unit(line, name) }
        continue
      }
      index += 1
      while index < line.count, line[index].isBlank { index += 1 }
      let item = JSONScanner.Item(parent: 0..<0, key: name, index: -1, number: nil, string: nil)
      let isKnown = keys.find(item, line, &place)
      let number = parseDecimal(line, from: &index)
      guard isKnown else { continue }
      guard let number, isFieldEnd(line, index) else { return .rejected(.malformed) }
      keys.take(number, &values, &message)
      count += 1
    }
    guard count >= 3 else { return .rejected(.unrecognized) }
    guard values.fill(&message) else { return .rejected(.malformed) }
    if message.field == nil { message.fieldUnit = nil }
    return message.field == nil && message.acceleration == nil && message.rotationRate == nil ? .other : .message
  }

  /// The next word: letters, digits, `_` and `.`, beginning with a letter.
  @inline(__always)
  private func nextName(_ line: Span<UInt8>, _ index: inout Int) -> Range<Int>? {
    while index < line.count, !line[index].isLetter { index &+= 1 }
    let start = index
    while index < line.count, isNamePart(line[index]) { index &+= 1 }
    return index > start ? start..<index : nil
  }

  @inline(__always)
  private func isNamePart(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
  }

  private func isFieldEnd(_ line: Span<UInt8>, _ index: Int) -> Bool {
    index >= line.count || line[index].isBlank || line[index] == .comma || line[index] == .semicolon
  }

  private func unit(_ line: Span<UInt8>, _ word: Range<Int>) -> FieldUnit? {
    if line.holds("uT", in: word) || line.holds("uTesla", in: word) { return .microtesla }
    if line.holds("gauss", in: word) || line.holds("Gauss", in: word) { return .gauss }
    if line.holds("mG", in: word) { return .milligauss }
    return line.holds("nT", in: word) ? .nanotesla : nil
  }

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    let vectors: [([StaticString], Vector3?)] = [
      (["mx_uT:", "my_uT:", "mz_uT:"], message.microtesla), (["ax_g:", "ay_g:", "az_g:"], message.gravities),
      (["gx_dps:", "gy_dps:", "gz_dps:"], message.degreesPerSecond),
    ]
    var isFirst = true
    for (names, vector) in vectors {
      guard let vector else { continue }
      for (axis, name) in names.enumerated() {
        if !isFirst { bytes.append(.comma) }
        isFirst = false
        bytes.append(text: name)
        bytes.append(vector[axis], decimals: 6)
      }
    }
    bytes.append(text: "\r\n")
  }
}
