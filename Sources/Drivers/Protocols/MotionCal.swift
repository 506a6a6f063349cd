import LodestoneCore

/// MotionCal's text, as PJRC's, Adafruit's and the micro:bit's calibration sketches send it.
///
/// `Raw:ax,ay,az,gx,gy,gz,mx,my,mz` are integers: 8192 a g, 16 a degree per second, 10 a microtesla. `Uni:` are the
/// same nine in m/s², rad/s and µT, and where both come they are of one moment: the raw ones are read. `Ori:` (the
/// order of its angles differs between forks) and `Cal1:`, `Cal2:` (what the board was calibrated with) are passed
/// over. Source: PaulStoffregen/MotionCal, Adafruit_AHRS examples.
struct MotionCal: LineReading {
  static let name = "motioncal"
  static let proof = WireProof.signature

  static let countsPerGravity = 8192.0
  static let countsPerDegreePerSecond = 16.0
  static let countsPerMicrotesla = 10.0

  var framer = LineFramer()
  /// Raw lines have come.
  private var hasRaw = false

  init() {}

  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    let isRaw = line.holds("Raw:")
    guard isRaw || line.holds("Uni:") else {
      return line.holds("Ori:") || line.holds("Cal1:") || line.holds("Cal2:") ? .other : .rejected(.unrecognized)
    }
    if hasRaw, !isRaw { return .other }
    var fields = Fields(from: 4, to: line.count)
    let acceleration = fields.vector(in: line), rate = fields.vector(in: line)
    guard let field = fields.vector(in: line), !fields.isMalformed, !fields.hasMore else {
      return .rejected(.malformed)
    }
    if isRaw { hasRaw = true }
    message.field = isRaw ? field / Self.countsPerMicrotesla : field
    message.fieldUnit = .microtesla
    message.acceleration = isRaw ? acceleration.map { $0 / Self.countsPerGravity } : acceleration
    message.accelerationUnit = isRaw ? .g : .metresPerSecondSquared
    message.rotationRate = isRaw ? rate.map { $0 / Self.countsPerDegreePerSecond } : rate
    message.rotationRateUnit = isRaw ? .degreesPerSecond : .radiansPerSecond
    return .message
  }

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    bytes.append(text: "Raw:")
    bytes.append((message.gravities ?? .zero) * Self.countsPerGravity, decimals: 0)
    bytes.append(.comma)
    bytes.append((message.degreesPerSecond ?? .zero) * Self.countsPerDegreePerSecond, decimals: 0)
    bytes.append(.comma)
    bytes.append((message.microtesla ?? .zero) * Self.countsPerMicrotesla, decimals: 0)
    bytes.append(text: "\r\n")
  }
}
