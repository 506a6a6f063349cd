import LodestoneCore

/// Honeywell's HMR2300 in ASCII: lines of three numbers in fixed fields with a comma at the thousands
/// (`  1,500  -3,300   6,000`), 15000 counts a gauss, ended by CR. Source: Honeywell HMR2300 manual.
struct HMR2300: LineReading {
  static let name = "hmr2300"
  static let proof = WireProof.signature
  /// The request for one reading from whatever device is there.
  static let request: [UInt8]? = Array("*99P\r".utf8)

  static let countsPerGauss = 15_000.0
  /// ±2 gauss.
  static let range = -30_000.0...30_000.0

  var framer = LineFramer()

  init() {}

  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    var index = 0
    var hasComma = false
    guard let x = number(line, &index, &hasComma), let y = number(line, &index, &hasComma),
      let z = number(line, &index, &hasComma)
    else { return .rejected(.unrecognized) }
    while index < line.count, line[index].isBlank { index += 1 }
    // Without a comma at the thousands these are three bare numbers, which say nothing.
    guard index == line.count, hasComma || line.count == 27 else { return .rejected(.unrecognized) }
    message = Self.message(Vector3(x, y, z))
    return .message
  }

  /// A field from counts; at the end of the range it is marked saturated.
  static func message(_ counts: Vector3) -> WireMessage {
    var message = WireMessage()
    message.field = counts / countsPerGauss
    message.fieldUnit = .gauss
    message.saturated = (0..<3).contains { abs(counts[$0]) >= range.upperBound }
    return message
  }

  /// A sign, blanks, and digits with a comma before the last three.
  private func number(_ line: Span<UInt8>, _ index: inout Int, _ hasComma: inout Bool) -> Double? {
    while index < line.count, line[index].isBlank { index += 1 }
    var isNegative = false
    if index < line.count, line[index] == UInt8(ascii: "-") {
      isNegative = true
      index += 1
      while index < line.count, line[index] == .space { index += 1 }
    }
    let start = index
    var value = 0.0
    var comma: Int?
    while index < line.count, index - start < 8, line[index].isDigit || (line[index] == .comma && comma == nil) {
      if line[index] == .comma { comma = index } else { value = value * 10 + Double(line[index] - 48) }
      index += 1
    }
    if let comma {
      guard index - comma == 4, comma > start else { return nil }
      hasComma = true
    }
    guard index > start, value <= Self.range.upperBound else { return nil }
    return isNegative ? -value : value
  }

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    guard let field = message.microtesla else { return }
    for axis in 0..<3 {
      let counts = (field[axis] / FieldUnit.gauss.microtesla * Self.countsPerGauss).rounded()
      let held = Int(rounding: min(max(counts, Self.range.lowerBound), Self.range.upperBound))
      var digits: [UInt8] = []
      digits.append(Double(abs(held)), decimals: 0)
      while digits.count < 5 { digits.insert(digits.count < 4 && abs(held) >= 1000 ? 48 : .space, at: 0) }
      bytes.append(held < 0 ? UInt8(ascii: "-") : .space)
      bytes += digits[..<2]
      bytes.append(abs(held) >= 1000 ? .comma : .space)
      bytes += digits[2...]
      bytes += [.space, .space]
    }
    bytes.append(.carriageReturn)
  }
}
