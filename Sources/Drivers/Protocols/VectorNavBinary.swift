import LodestoneCore

/// VectorNav's binary messages: `FA`, a byte of groups, 16 bits of fields for each group, the fields in order of their
/// bits, and CRC-16/XMODEM (big-endian) over all but `FA`. Values are little-endian: field in gauss, acceleration in
/// m/s², rates in rad/s, angles in degrees. Axes and north as in `VectorNav`. Sources: VectorNav VN-100 and VN-300 user
/// manuals, "Binary output messages"; the sizes as in VectorNav's programming library 1.1.4 (packet.cpp) and, for the
/// receivers' lists and the heave, in skyward's Boardcore and other open drivers.
struct VectorNavBinary: FrameProtocol {
  static let name = "vectornav-binary"
  static let proof = WireProof.checksum
  static let axes = WireAxes.forwardRightDown

  /// Bytes of each field, by group and bit. Zero: not assigned. Of a list, the bytes before its first entry.
  private static let sizes: [[Int]] = [
    [8, 8, 8, 12, 16, 12, 24, 12, 12, 24, 20, 28, 2, 4, 8, 0],
    [8, 8, 8, 2, 8, 8, 8, 4, 4, 1, 0, 0, 0, 0, 0, 0],
    [2, 12, 12, 12, 4, 4, 16, 12, 12, 12, 12, 2, 40, 0, 0, 0],
    [8, 8, 2, 1, 1, 24, 24, 12, 12, 12, 4, 4, 2, 28, 2, 12],
    [2, 12, 16, 36, 12, 12, 12, 12, 12, 12, 28, 24, 12, 0, 0, 0],
    [2, 24, 24, 12, 12, 12, 12, 12, 12, 4, 4, 68, 64, 0, 0, 0],
    [8, 8, 2, 1, 1, 24, 24, 12, 12, 12, 4, 4, 2, 28, 2, 12],
  ]
  /// The longest frame in bytes: longer than any message but one with the raw measurements of dozens of satellites.
  private static let longestFrame = 2048

  /// Bytes of a field that begins at a place; nil where the byte that tells is still to come.
  private static func size(_ group: Int, _ bit: Int, at place: Int, in bytes: Span<UInt8>) -> Int? {
    let size = sizes[group][bit]
    guard group == 3 || group == 6, bit >= 14 else { return size }
    // SatInfo begins with the count of satellites; RawMeas has it behind the time of week and the week.
    let counter = bit == 14 ? place : place + 10
    guard counter < bytes.count else { return nil }
    return size + Int(bytes[counter]) * (bit == 14 ? 8 : 28)
  }

  init() {}

  static func start(in bytes: Span<UInt8>, from place: Int) -> Int {
    bytes.quickIndex(of: 0xFA, in: place..<bytes.count) ?? bytes.count
  }

  func frame(at start: Int, in bytes: Span<UInt8>) -> FrameStart {
    guard bytes[start] == 0xFA else { return .none }
    guard start + 1 < bytes.count else { return .incomplete }
    let groups = bytes[start + 1]
    guard groups != 0, groups & 0x80 == 0 else { return .none }
    var count = 2 + 2 * groups.nonzeroBitCount
    guard bytes.count - start >= count else { return .incomplete }
    var at = start + 2
    for group in 0..<7 where groups >> UInt8(group) & 1 == 1 {
      guard let fields = bytes.little(UInt16.self, at: at) else { return .incomplete }
      for bit in 0..<16 where fields >> UInt16(bit) & 1 == 1 {
        guard let size = Self.size(group, bit, at: start + count, in: bytes) else { return .incomplete }
        count += size
        guard size > 0, count <= Self.longestFrame else { return .none }
      }
      at += 2
    }
    count += 2
    guard bytes.count - start >= count else { return .incomplete }
    return Checksum.xmodem(bytes.extracting(start + 1..<start + count)) == 0 ? .whole(count) : .damaged
  }

  mutating func read(_ frame: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    let groups = frame[1]
    var mask = 2, at = 2 + 2 * groups.nonzeroBitCount
    for group in 0..<7 where groups >> UInt8(group) & 1 == 1 {
      let fields = frame.little(UInt16.self, at: mask) ?? 0
      mask += 2
      for bit in 0..<16 where fields >> UInt16(bit) & 1 == 1 {
        take(group, bit, frame, at, &message)
        at += Self.size(group, bit, at: at, in: frame) ?? 0
      }
    }
    guard message.field != nil || message.acceleration != nil || message.own != nil else { return .other }
    message.fieldUnit = message.field == nil ? nil : .gauss
    message.accelerationUnit = message.acceleration == nil ? nil : .metresPerSecondSquared
    message.rotationRateUnit = message.rotationRate == nil ? nil : .radiansPerSecond
    return .message
  }

  /// Takes one field in. What is not compensated comes first in its group, and stays.
  private func take(_ group: Int, _ bit: Int, _ frame: Span<UInt8>, _ at: Int, _ message: inout WireMessage) {
    switch (group, bit) {
    case (0, 0), (1, 0): message.time = frame.little(UInt64.self, at: at).map { Double($0) * 1e-9 }
    case (0, 3), (4, 1): message.own = frame.littleFloatVector(at: at).map { Self.attitude($0) }
    case (0, 5), (2, 10): message.rotationRate = message.rotationRate ?? frame.littleFloatVector(at: at)
    case (0, 8), (2, 9): message.acceleration = message.acceleration ?? frame.littleFloatVector(at: at)
    case (0, 9):
      message.acceleration = frame.littleFloatVector(at: at)
      message.rotationRate = frame.littleFloatVector(at: at + 12)
    case (0, 10):
      message.field = frame.littleFloatVector(at: at)
      message.temperature = frame.littleFloat(at: at + 12)
    case (2, 1): message.field = frame.littleFloatVector(at: at)
    case (2, 2): message.acceleration = frame.littleFloatVector(at: at)
    case (2, 3): message.rotationRate = frame.littleFloatVector(at: at)
    case (2, 4): message.temperature = frame.littleFloat(at: at)
    case (2, 8): message.field = message.field ?? frame.littleFloatVector(at: at)
    default: break
    }
  }

  private static func attitude(_ angles: Vector3) -> OwnHeading {
    OwnHeading(magnetic: Heading(degrees: angles.x), pitch: angles.y, roll: angles.z)
  }

  /// Writes a message of group 1: time, angles, acceleration with rate, field with temperature, those that are there.
  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    let hasMotion = message.acceleration != nil || message.rotationRate != nil
    var fields: UInt16 = 0
    if message.time != nil { fields |= 1 << 0 }
    if message.own?.magnetic != nil { fields |= 1 << 3 }
    if hasMotion { fields |= 1 << 9 }
    if message.field != nil { fields |= 1 << 10 }
    let start = bytes.count
    bytes += [0xFA, 1]
    bytes.append(little: fields)
    if let time = message.time { bytes.append(little: UInt64(rounding: time * 1e9)) }
    if let own = message.own, let heading = own.magnetic {
      let yaw = Angle.shortestTurn(from: 0, to: heading.degrees)
      bytes.append(littleFloat: Vector3(yaw, own.pitch ?? 0, own.roll ?? 0))
    }
    if hasMotion {
      bytes.append(littleFloat: (message.gravities ?? .zero) * Acceleration.standardGravity)
      bytes.append(littleFloat: (message.degreesPerSecond ?? .zero) * (.pi / 180))
    }
    if let field = message.microtesla {
      bytes.append(littleFloat: field / FieldUnit.gauss.microtesla)
      bytes.append(littleFloat: message.temperature ?? 0)
      bytes.append(littleFloat: 101.325)
    }
    bytes.append(big: Checksum.xmodem(bytes.span.extracting((start + 1)...)))
  }
}
