import Core

/// MotionCal's text, as PJRC's, Adafruit's and the micro:bit's calibration sketches send it.
///
/// `Raw:ax,ay,az,gx,gy,gz,mx,my,mz` are integers: 8192 a g, 16 a degree per second, 10 a microtesla. `Uni:` are the same
/// nine in m/s², rad/s and µT. `Ori:` (the order of its angles differs between forks) and `Cal1:`, `Cal2:` (what the
/// board was calibrated with) are passed over. Source: PaulStoffregen/MotionCal, Adafruit_AHRS examples.
struct MotionCal: LineProtocol {
  static let name = "motioncal"
  static let proof = WireProof.signature

  static let countsPerGravity = 8192.0
  static let countsPerDegreePerSecond = 16.0
  static let countsPerMicrotesla = 10.0

  var framer = LineFramer()

  init() {}

  mutating func read(_ line: Span<UInt8>) -> WireEvent? {
    if line.holds("Raw:") { return readRaw(line) }
    if line.holds("Uni:") { return readUnified(line) }
    if line.holds("Ori:") || line.holds("Cal1:") || line.holds("Cal2:") { return .other }
    return .rejected(.unrecognized, byteCount: line.count)
  }

  private func readRaw(_ line: Span<UInt8>) -> WireEvent {
    guard var message = readNine(line) else { return .rejected(.malformed, byteCount: line.count) }
    message.acceleration = message.acceleration.map { $0 / Self.countsPerGravity }
    message.accelerationUnit = .g
    message.rotationRate = message.rotationRate.map { $0 / Self.countsPerDegreePerSecond }
    message.rotationRateUnit = .degreesPerSecond
    message.field = message.field.map { $0 / Self.countsPerMicrotesla }
    message.fieldUnit = .microtesla
    return .message(message)
  }

  private func readUnified(_ line: Span<UInt8>) -> WireEvent {
    guard var message = readNine(line) else { return .rejected(.malformed, byteCount: line.count) }
    message.accelerationUnit = .metresPerSecondSquared
    message.rotationRateUnit = .radiansPerSecond
    message.fieldUnit = .microtesla
    return .message(message)
  }

  @inline(__always)
  private func readNine(_ line: Span<UInt8>) -> WireMessage? {
    var fields = Fields(from: 4, to: line.count)
    var message = WireMessage()
    message.acceleration = fields.vector(in: line)
    message.rotationRate = fields.vector(in: line)
    message.field = fields.vector(in: line)
    return message.field == nil || fields.isMalformed || fields.hasMore ? nil : message
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
