import LodestoneCore

/// Sensor logs of Android phones: `milliseconds`, tab, `TYPE_…`, tab, values. The raw field is the uncalibrated one
/// where it is logged, in µT; acceleration in m/s², rates in rad/s. One line a sensor: those of a moment make one
/// message. Source: Android's SensorEvent reference.
struct AndroidLog: LineReading, CycleJoining {
  static let name = "android-log"
  static let proof = WireProof.signature

  var framer = LineFramer()
  var cycle = MessageCycle()
  /// The uncalibrated field is logged: the calibrated one is not raw.
  private var hasUncalibrated = false

  init() {}

  /// A line is one of such a log.
  static func isOne(_ line: Span<UInt8>) -> Bool {
    guard let tab = line.indices.first(where: { !line[$0].isDigit }) else { return false }
    return tab > 0 && line.holds("\tTYPE_", at: tab)
  }

  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    if line[0] == UInt8(ascii: "#") {
      // The header lists the sensors; 14 is the uncalibrated magnetometer.
      if line.holds("\ttype:14\t", at: 1) { hasUncalibrated = true }
      return .other
    }
    var fields = Fields(from: 0, to: line.count, separator: .tab)
    let time = fields.number(in: line)
    let type = fields.text(in: line)
    guard let time, line.holds("TYPE_", at: type.lowerBound) else { return .rejected(.unrecognized) }
    guard let part = part(line, type) else { return .other }
    guard let vector = fields.vector(in: line), !fields.isMalformed else { return .rejected(.malformed) }
    cycle.add(part.rawValue) {
      $0.time = time / 1000
      switch part {
      case .acceleration:
        $0.acceleration = vector
        $0.accelerationUnit = .metresPerSecondSquared
      case .rotationRate:
        $0.rotationRate = vector
        $0.rotationRateUnit = .radiansPerSecond
      case .field:
        $0.field = vector
        $0.fieldUnit = .microtesla
      }
    }
    return .part
  }

  private enum Part: Int { case acceleration, rotationRate, field }

  private mutating func part(_ line: Span<UInt8>, _ type: Range<Int>) -> Part? {
    if line.holds("TYPE_ACCELEROMETER", in: type) { return .acceleration }
    if line.holds("TYPE_GYROSCOPE", in: type) { return .rotationRate }
    if line.holds("TYPE_MAGNETIC_FIELD_UNCALIBRATED", in: type) {
      hasUncalibrated = true
      return .field
    }
    return !hasUncalibrated && line.holds("TYPE_MAGNETIC_FIELD", in: type) ? .field : nil
  }

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    let sensors: [(StaticString, Vector3?)] = [
      ("\tTYPE_ACCELEROMETER\t", message.gravities.map { $0 * Acceleration.standardGravity }),
      ("\tTYPE_GYROSCOPE\t", message.degreesPerSecond.map { $0 * (.pi / 180) }),
      ("\tTYPE_MAGNETIC_FIELD_UNCALIBRATED\t", message.microtesla),
    ]
    for (type, vector) in sensors {
      guard let vector else { continue }
      bytes.append((message.time ?? 0) * 1000, decimals: 0)
      bytes.append(text: type)
      bytes.append(vector, decimals: 6, separator: .tab)
      bytes.append(.lineFeed)
    }
  }
}
