import Core

/// SparkFun's 9DOF Razor with the AHRS firmware: lines of `#YPR=` (attitude) or, raw or calibrated, `#A-R=`, `#M-R=`,
/// `#G-R=` (or `-C=`), one sensor a line. The three lines of a cycle, in whatever order and however many of them are
/// sent, make one message. Counts: no unit is said. Source: ptrbrtz/razor-9dof-ahrs.
struct Razor: LineProtocol {
  static let name = "razor"
  static let proof = WireProof.signature

  var framer = LineFramer()
  /// What the lines of this cycle have said so far.
  private var cycle = WireMessage()
  /// The letter of the line that opens a cycle: the first one heard; 0 before.
  private var opener: UInt8 = 0
  /// Lines of a damaged cycle that may still come.
  private var linesToSkip = 0

  init() {}

  mutating func read(_ line: Span<UInt8>) -> WireEvent? {
    if line.holds("#YPR=") { return readAttitude(line) }
    if line.holds("#SYNCH") || line.holds("!ERR") { return .other }
    guard line.count > 5, line[0] == UInt8(ascii: "#"), line[2] == UInt8(ascii: "-"), line[4] == UInt8(ascii: "="),
      line[3] == UInt8(ascii: "R") || line[3] == UInt8(ascii: "C")
    else { return reject(.unrecognized, line) }
    var fields = Fields(from: 5, to: line.count)
    guard let vector = fields.vector(in: line), !fields.isMalformed, !fields.hasMore else {
      return reject(.malformed, line)
    }
    return join(vector, of: line[1])
  }

  /// A damaged line takes its cycle with it, so that values of two cycles never meet in one message.
  private mutating func reject(_ reason: WireRejection, _ line: Span<UInt8>) -> WireEvent {
    cycle = WireMessage()
    linesToSkip = 2
    return .rejected(reason, byteCount: line.count)
  }

  /// Adds a line to the cycle. The sensor that opens cycles, or one that has been heard in this cycle already, begins the
  /// next one and lets this one out; so does the third sensor, without waiting.
  private mutating func join(_ vector: Vector3, of sensor: UInt8) -> WireEvent? {
    if opener == 0 { opener = sensor }
    if sensor == opener { linesToSkip = 0 }
    if linesToSkip > 0 {
      linesToSkip -= 1
      return .other
    }
    let finished = sensor == opener || isHeard(sensor) ? flush() : nil
    switch sensor {
    case UInt8(ascii: "A"): cycle.acceleration = vector
    case UInt8(ascii: "M"): cycle.field = vector
    case UInt8(ascii: "G"): cycle.rotationRate = vector
    default: return finished ?? .other
    }
    if finished == nil, cycle.acceleration != nil, cycle.field != nil, cycle.rotationRate != nil { return flush() }
    return finished
  }

  private func isHeard(_ sensor: UInt8) -> Bool {
    switch sensor {
    case UInt8(ascii: "A"): cycle.acceleration != nil
    case UInt8(ascii: "M"): cycle.field != nil
    case UInt8(ascii: "G"): cycle.rotationRate != nil
    default: false
    }
  }

  mutating func flush() -> WireEvent? {
    guard cycle != WireMessage() else { return nil }
    defer { cycle = WireMessage() }
    return .message(cycle)
  }

  /// Yaw is −180 ... 180, clockwise from magnetic north; pitch is positive nose up, roll right side down.
  private func readAttitude(_ line: Span<UInt8>) -> WireEvent {
    var fields = Fields(from: 5, to: line.count)
    guard let angles = fields.vector(in: line), !fields.isMalformed, !fields.hasMore else {
      return .rejected(.malformed, byteCount: line.count)
    }
    var message = WireMessage()
    message.own = OwnHeading(magnetic: Heading(degrees: angles.x), pitch: angles.y, roll: angles.z)
    return .message(message)
  }

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    encode(message.acceleration, as: "#A-C=", into: &bytes)
    encode(message.field, as: "#M-C=", into: &bytes)
    encode(message.rotationRate, as: "#G-C=", into: &bytes)
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
