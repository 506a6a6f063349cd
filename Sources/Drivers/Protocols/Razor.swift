import Core

/// SparkFun's 9DOF Razor with the AHRS firmware: lines of `#YPR=` (attitude) or, raw or calibrated, `#A-R=`, `#M-R=`,
/// `#G-R=` (or `-C=`), one sensor a line. The three lines of a cycle, in whatever order and however many of them are
/// sent, make one message. Counts: no unit is said. Source: ptrbrtz/razor-9dof-ahrs.
struct Razor: LineReading, CycleJoining {
  static let name = "razor"
  static let proof = WireProof.signature

  /// Counts of the board's chips: ADXL345, ITG-3200 (data sheets), and about a milligauss of the HMC5883L. Read, they are
  /// left without a unit, for versions of the board differ.
  static let countsPerGravity = 256.0, countsPerDegreePerSecond = 14.375, countsPerMicrotesla = 10.0

  var framer = LineFramer()
  var cycle = MessageCycle()

  init() {}

  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> LineMeaning {
    if line.holds("#YPR=") { return readAttitude(line, &message) }
    if line.holds("#SYNCH") || line.holds("!ERR") { return .other }
    guard line.count > 5, line[0] == UInt8(ascii: "#"), line[2] == UInt8(ascii: "-"), line[4] == UInt8(ascii: "="),
      line[3] == UInt8(ascii: "R") || line[3] == UInt8(ascii: "C")
    else { return .rejected(.unrecognized) }
    var fields = Fields(from: 5, to: line.count)
    guard let vector = fields.vector(in: line), !fields.isMalformed, !fields.hasMore else {
      return .rejected(.malformed)
    }
    switch line[1] {
    case UInt8(ascii: "A"): cycle.add(0) { $0.acceleration = vector }
    case UInt8(ascii: "M"): cycle.add(1) { $0.field = vector }
    case UInt8(ascii: "G"): cycle.add(2) { $0.rotationRate = vector }
    default: return .rejected(.unrecognized)
    }
    return .part
  }

  /// Yaw is −180 ... 180, clockwise from magnetic north; pitch is positive nose up, roll right side down.
  private func readAttitude(_ line: Span<UInt8>, _ message: inout WireMessage) -> LineMeaning {
    var fields = Fields(from: 5, to: line.count)
    guard let angles = fields.vector(in: line), !fields.isMalformed, !fields.hasMore else {
      return .rejected(.malformed)
    }
    message.own = OwnHeading(magnetic: Heading(degrees: angles.x), pitch: angles.y, roll: angles.z)
    return .message
  }

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    encode(message.gravities.map { $0 * Self.countsPerGravity }, as: "#A-C=", into: &bytes)
    encode(message.microtesla.map { $0 * Self.countsPerMicrotesla }, as: "#M-C=", into: &bytes)
    encode(message.degreesPerSecond.map { $0 * Self.countsPerDegreePerSecond }, as: "#G-C=", into: &bytes)
    guard let own = message.own, let magnetic = own.magnetic else { return }
    bytes.append(text: "#YPR=")
    bytes.append(Vector3(Angle.shortestTurn(from: 0, to: magnetic.degrees), own.pitch ?? 0, own.roll ?? 0), decimals: 2)
    bytes.append(text: "\r\n")
  }

  private func encode(_ vector: Vector3?, as start: StaticString, into bytes: inout [UInt8]) {
    guard let vector else { return }
    bytes.append(text: start)
    bytes.append(vector, decimals: 2)
    bytes.append(text: "\r\n")
  }
}
