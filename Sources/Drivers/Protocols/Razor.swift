import LodestoneCore

/// SparkFun's 9DOF Razor with the AHRS firmware, and Pololu's MinIMU-9 with the one from which that came: lines of
/// `#YPR=` (attitude), `#YPRAG=` (with acceleration and rotation rate) or, raw or calibrated, `#A-R=`, `#M-R=`, `#G-R=`
/// (or `-C=`), one sensor a line. The three lines of a cycle, in whatever order and however many of them are sent, make
/// one message. Of raw and calibrated lines together (`#osbt`) the calibrated are passed over. Counts: no unit is said.
/// The elder firmware prints `!ANG:` (roll, pitch, yaw), behind which the counts of all sensors may stand, whose axes
/// differ from board to board.
///
/// The firmware sends the negated acceleration, which is gravity: z reads +1 g on a level board. Source: Razor_AHRS.ino
/// 1.4.2 in Razor-AHRS/razor-9dof-ahrs ("axis definition", and the comment on `accel`).
struct Razor: LineReading, CycleJoining {
  static let name = "razor"
  static let proof = WireProof.signature
  static let axes = WireAxes.forwardRightDown

  /// Counts of the board's chips: ADXL345, ITG-3200 (data sheets), and about a milligauss of the HMC5883L. Read, they
  /// are left without a unit, for versions of the board differ.
  static let countsPerGravity = 256.0, countsPerDegreePerSecond = 14.375, countsPerMicrotesla = 10.0

  /// Lengths of a calibrated field that are hundredths of the one it was calibrated in. The Earth's field would have
  /// them in no unit, nor in counts: those are 240 to 870. They are what a firmware sends that knows the ellipsoid.
  private static let hundredths = 70.0...160.0

  var framer = LineFramer()
  var cycle = MessageCycle()
  private var hasRawLines = false
  /// Whether the first calibrated field was in hundredths of its normal strength; nil before one has come.
  private var isInHundredths: Bool?

  init() {}

  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    if line.holds("#YPR=") { return readAttitude(line, from: 5, &message) }
    if line.holds("#YPRAG=") { return readAttitude(line, from: 7, &message) }
    if line.holds("!ANG:") { return readAngles(line, &message) }
    if line.holds("#SYNCH") || line.holds("!ERR") { return .other }
    guard line.count > 5, line[0] == UInt8(ascii: "#"), line[2] == UInt8(ascii: "-"), line[4] == UInt8(ascii: "="),
      line[3] == UInt8(ascii: "R") || line[3] == UInt8(ascii: "C")
    else { return .rejected(.unrecognized) }
    var fields = Fields(from: 5, to: line.count)
    guard let vector = fields.vector(in: line), !fields.isMalformed, !fields.hasMore else {
      return .rejected(.malformed)
    }
    let isRaw = line[3] == UInt8(ascii: "R")
    hasRawLines = hasRawLines || isRaw
    guard isRaw || !hasRawLines else { return .other }
    switch line[1] {
    case UInt8(ascii: "A"): cycle.add(0) { $0.acceleration = -vector }
    case UInt8(ascii: "M"): addField(vector, isRaw: isRaw)
    case UInt8(ascii: "G"): cycle.add(2) { $0.rotationRate = vector }
    default: return .rejected(.unrecognized)
    }
    return .part
  }

  private mutating func addField(_ vector: Vector3, isRaw: Bool) {
    let isInHundredths = !isRaw && isInHundredths ?? Self.hundredths.contains(vector.length)
    if !isRaw { self.isInHundredths = isInHundredths }
    cycle.add(1) {
      $0.field = isInHundredths ? vector / 100 : vector
      $0.fieldIsNormalized = isInHundredths
    }
  }

  /// Yaw is −180 ... 180, clockwise from magnetic north; pitch is positive nose up, roll right side down. Then gravity
  /// in 256ths of g and the rotation rate in rad/s, where they are sent.
  private func readAttitude(_ line: Span<UInt8>, from start: Int, _ message: inout WireMessage) -> WireMeaning {
    var fields = Fields(from: start, to: line.count)
    let angles = fields.vector(in: line)
    if fields.hasMore {
      message.acceleration = fields.vector(in: line).map { -$0 / Self.countsPerGravity }
      message.accelerationUnit = .g
      message.rotationRate = fields.vector(in: line)
      message.rotationRateUnit = .radiansPerSecond
    }
    guard let angles, !fields.isMalformed, !fields.hasMore, (message.rotationRate != nil) == (start == 7) else {
      return .rejected(.malformed)
    }
    message.own = OwnHeading(magnetic: Heading(degrees: angles.x), pitch: angles.y, roll: angles.z)
    return .message
  }

  /// Roll, pitch and yaw with the signs of `#YPR=`, and after the next name what is not read. Source: Output.ino of
  /// pololu/minimu-9-ahrs-arduino.
  private func readAngles(_ line: Span<UInt8>, _ message: inout WireMessage) -> WireMeaning {
    let name = (5..<line.count).first { line[$0].isLetter }
    var fields = Fields(from: 5, to: name.map { $0 - 1 } ?? line.count)
    guard let angles = fields.vector(in: line), !fields.isMalformed, !fields.hasMore else {
      return .rejected(.malformed)
    }
    message.own = OwnHeading(magnetic: Heading(degrees: angles.z), pitch: angles.y, roll: angles.x)
    return .message
  }

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    encode(message.gravities.map { -$0 * Self.countsPerGravity }, as: "#A-C=", into: &bytes)
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
