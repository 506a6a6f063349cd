import LodestoneCore

/// Twinleaf's text: a header `# gmr.x gmr.y gmr.z accel.x …` and rows of a route and values, of which trailing ones may
/// be missing. The field is in nanotesla, the acceleration in m/s². Source: twinleaf/tio-tools.
struct Twinleaf: LineReading {
  static let name = "twinleaf"
  static let proof = WireProof.signature

  var framer = LineFramer()
  private var columns: CSVColumns?

  init() {}

  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    if line[0] == UInt8(ascii: "#") { return readHeader(line) }
    guard let columns else { return .rejected(.unrecognized) }
    var values = RoleValues()
    var fields = Fields(from: 0, to: line.count, separator: .space)
    guard fields.number(in: line) != nil else { return .rejected(.malformed) }
    for role in columns.roles where fields.hasMore {
      let value = fields.number(in: line)
      if let value, role != CSVColumns.Role.ignored { values.set(value, role) }
    }
    guard !fields.isMalformed, values.fill(&message), message.field != nil else { return .rejected(.malformed) }
    message.fieldUnit = columns.fieldUnit ?? .nanotesla
    message.accelerationUnit = columns.accelerationUnit ?? .metresPerSecondSquared
    message.rotationRateUnit = columns.rotationRateUnit
    return .message
  }

  private mutating func readHeader(_ line: Span<UInt8>) -> WireMeaning {
    let text = String(decoding: line.bytes(in: 1..<line.count), as: UTF8.self)
    let found = CSVColumns(names: text.split(separator: " ").map { String($0) })
    if found.isComplete(CSVColumns.Role.field) { columns = found }
    return .other
  }

  private var hasEncodedHeader = false

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    if !hasEncodedHeader {
      bytes.append(text: "# gmr.x gmr.y gmr.z accel.x accel.y accel.z gyro.x gyro.y gyro.z\r\n")
      hasEncodedHeader = true
    }
    guard let field = message.microtesla else { return }
    bytes.append(text: "00 ")
    bytes.append(field / FieldUnit.nanotesla.microtesla, decimals: 1, separator: .space)
    if let acceleration = message.gravities {
      bytes.append(.space)
      bytes.append(acceleration * Acceleration.standardGravity, decimals: 6, separator: .space)
      if let rate = message.degreesPerSecond {
        bytes.append(.space)
        bytes.append(rate, decimals: 6, separator: .space)
      }
    }
    bytes.append(text: "\r\n")
  }
}
