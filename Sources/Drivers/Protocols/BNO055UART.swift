import LodestoneCore

/// Bosch's BNO055 over UART, which speaks only when it is asked: `AA 01 08 2D` reads registers 08 to 34, the answer is
/// `BB`, the count, the bytes; `EE` and a status where it could not (07: overrun, ask again). There is no checksum, so
/// only answers of the lengths that we ask for are taken: 45 bytes from 08, 18 from 08, 6 from 0E (the field alone).
///
/// Units are those of the register UNIT_SEL after a reset: m/s², deg/s, degrees, °C. The heading grows clockwise in
/// both of its orientation formats and is zero where +y points to magnetic north (Bosch's answer in its forum,
/// 2022-07-27), in the modes that use the magnetometer; the others count from where they were switched on. The sign of
/// the pitch depends on the format, which is not read. Source: Bosch BST-BNO055-DS000, sections 3.6, 4.3 and 4.7.
struct BNO055UART: FrameProtocol {
  static let name = "bno055"
  static let proof = WireProof.request
  static let request: [UInt8]? = [0xAA, 0x01, 0x08, 0x2D]

  private static let perUnit = (metresPerSecondSquared: 100.0, microtesla: 16.0, degreesPerSecond: 16.0, degrees: 16.0)

  init() {}

  static func start(in bytes: Span<UInt8>, from place: Int) -> Int {
    bytes.quickIndex(of: 0xBB, or: 0xEE, from: place)
  }

  func frame(at start: Int, in bytes: Span<UInt8>) -> FrameStart {
    switch bytes[start] {
    case 0xEE: return bytes.count - start >= 2 ? .whole(2) : .incomplete
    case 0xBB:
      guard start + 1 < bytes.count else { return .incomplete }
      let length = Int(bytes[start + 1])
      guard length == 6 || length == 18 || length == 45 else { return .none }
      return bytes.count - start >= length + 2 ? .whole(length + 2) : .incomplete
    default: return .none
    }
  }

  mutating func read(_ frame: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    guard frame[0] == 0xBB else { return .other }
    let data = frame.extracting(2...)
    message.field = data.littleInt16Vector(at: data.count == 6 ? 0 : 6).map { $0 / Self.perUnit.microtesla }
    message.fieldUnit = .microtesla
    guard data.count > 6 else { return .message }
    message.acceleration = data.littleInt16Vector(at: 0).map { $0 / Self.perUnit.metresPerSecondSquared }
    message.accelerationUnit = .metresPerSecondSquared
    message.rotationRate = data.littleInt16Vector(at: 12).map { $0 / Self.perUnit.degreesPerSecond }
    message.rotationRateUnit = .degreesPerSecond
    guard data.count > 18, let angles = data.littleInt16Vector(at: 18) else { return .message }
    let degrees = angles / Self.perUnit.degrees
    message.own = OwnHeading(magnetic: Heading(degrees: degrees.x), pitch: degrees.z, roll: degrees.y)
    message.temperature = data.little(Int8.self, at: 44).map { Double($0) }
    return .message
  }

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    bytes += [0xBB, 45]
    let acceleration = (message.gravities ?? .zero) * Acceleration.standardGravity
    bytes.append(littleInt16: acceleration * Self.perUnit.metresPerSecondSquared)
    bytes.append(littleInt16: (message.microtesla ?? .zero) * Self.perUnit.microtesla)
    bytes.append(littleInt16: (message.degreesPerSecond ?? .zero) * Self.perUnit.degreesPerSecond)
    let own = message.own
    let angles = Vector3(own?.magnetic?.degrees ?? 0, own?.roll ?? 0, own?.pitch ?? 0)
    bytes.append(littleInt16: angles * Self.perUnit.degrees)
    bytes += [UInt8](repeating: 0, count: 20)
    bytes.append(UInt8(bitPattern: Int8(rounding: message.temperature ?? 0)))
  }
}
