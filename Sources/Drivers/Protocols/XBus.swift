import LodestoneCore

/// Xsens' XBus: `FA`, bus address, message, length, data, and a byte that makes the sum after `FA` zero. We read
/// MTData2, a row of items (type, length, value).
///
/// The field is normalized: about 1 where the sensor was calibrated. The yaw turns from east, north or north-west axes,
/// which the item's type tells; north is magnetic unless the sensor was told its place. Sources: Xsens MT Low-Level
/// Communication Protocol Documentation; MTi User Manual MT0605P, "Interpretation of yaw as heading".
struct XBus: FrameProtocol {
  static let name = "xbus"
  static let proof = WireProof.checksum
  static let axes = WireAxes.forwardLeftUp
  /// ReqDID: the device's number.
  static let probe: [UInt8]? = [0xFA, 0xFF, 0x00, 0x00, 0x01]

  private static let mtData2: UInt8 = 0x36
  /// The longest data in bytes: more than any output configuration makes.
  private static let longestData = 2048

  init() {}

  static func start(in bytes: Span<UInt8>, from place: Int) -> Int {
    bytes.quickIndex(of: 0xFA, in: place..<bytes.count) ?? bytes.count
  }

  func frame(at start: Int, in bytes: Span<UInt8>) -> FrameStart {
    guard bytes[start] == 0xFA else { return .none }
    guard bytes.count - start >= 4 else {
      return bytes.count - start < 2 || bytes[start + 1] == 0xFF || bytes[start + 1] == 0x01 ? .incomplete : .none
    }
    guard bytes[start + 1] == 0xFF || bytes[start + 1] == 0x01 else { return .none }
    var dataStart = 4
    var length = Int(bytes[start + 3])
    if length == 0xFF {
      guard let extended = bytes.big(UInt16.self, at: start + 4) else { return .incomplete }
      length = Int(extended)
      dataStart = 6
    }
    guard length <= Self.longestData else { return .none }
    let count = dataStart + length + 1
    guard bytes.count - start >= count else { return .incomplete }
    return Checksum.sum8(bytes.extracting(start + 1..<start + count)) == 0 ? .whole(count) : .damaged
  }

  mutating func read(_ frame: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    guard frame[2] == Self.mtData2 else { return .other }
    var index = frame[3] == 0xFF ? 6 : 4
    let end = frame.count - 1
    while index < end {
      guard let type = frame.big(UInt16.self, at: index), index + 2 < end else { return .rejected(.malformed) }
      let size = Int(frame[index + 2])
      guard index + 3 + size <= end else { return .rejected(.malformed) }
      guard take(type, frame.extracting(index + 3..<index + 3 + size), &message) else { return .rejected(.malformed) }
      index += 3 + size
    }
    return message == WireMessage() ? .other : .message
  }

  /// Takes one item in. False where its value is not what its type says.
  private func take(_ type: UInt16, _ value: Span<UInt8>, _ message: inout WireMessage) -> Bool {
    switch type & 0xFFF0 {
    case 0xC020:
      message.field = vector(value, type)
      message.fieldIsNormalized = true
      return message.field != nil
    case 0x4020:
      message.acceleration = vector(value, type)
      message.accelerationUnit = .metresPerSecondSquared
      return message.acceleration != nil
    case 0x8020:
      message.rotationRate = vector(value, type)
      message.rotationRateUnit = .radiansPerSecond
      return message.rotationRate != nil
    case 0x2030:
      guard let angles = vector(value, type) else { return false }
      message.own = attitude(angles, axes: type & 0x000C)
    case 0x0810:
      guard let temperature = scalar(value, 0, type) else { return false }
      message.temperature = temperature
    case 0x1060:
      guard let ticks = value.big(UInt32.self, at: 0) else { return false }
      message.time = Double(ticks) / 10_000
    default: break
    }
    return true
  }

  /// Roll, pitch, yaw: the yaw counts against the clock from east (0), or with it from north (4), or against it from
  /// north (8): x to the north is 90°, 0° and 0°. In the axes of 0 and 8, pitch up is negative.
  private func attitude(_ angles: Vector3, axes: UInt16) -> OwnHeading {
    switch axes {
    case 4: OwnHeading(magnetic: Heading(degrees: angles.z), pitch: angles.y, roll: angles.x)
    case 8: OwnHeading(magnetic: Heading(degrees: -angles.z), pitch: -angles.y, roll: angles.x)
    default: OwnHeading(magnetic: Heading(degrees: 90 - angles.z), pitch: -angles.y, roll: angles.x)
    }
  }

  private func vector(_ value: Span<UInt8>, _ type: UInt16) -> Vector3? { value.vector { scalar(value, $0, type) } }

  /// The lowest two bits tell the format: float, fixed 12.20, fixed 16.32 (the fraction first, then the whole), double.
  private func scalar(_ value: Span<UInt8>, _ index: Int, _ type: UInt16) -> Double? {
    switch type & 3 {
    case 0: value.bigFloat(at: 4 * index)
    case 1: value.big(Int32.self, at: 4 * index).map { Double($0) / 1_048_576 }
    case 3: value.bigDouble(at: 8 * index)
    default: fixed1632(value, at: 6 * index)
    }
  }

  private func fixed1632(_ value: Span<UInt8>, at place: Int) -> Double? {
    guard let fraction = value.big(UInt32.self, at: place), let whole = value.big(Int16.self, at: place + 4) else {
      return nil
    }
    return Double(whole) + Double(fraction) / 4_294_967_296
  }

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    var data: [UInt8] = []
    func item(_ type: UInt16, _ vector: Vector3?) {
      guard let vector else { return }
      data.append(big: type)
      data.append(12)
      data.append(bigFloat: vector)
    }
    if let time = message.time {
      data.append(big: UInt16(0x1060))
      data.append(4)
      data.append(big: UInt32(truncatingIfNeeded: Int(rounding: time * 10_000)))
    }
    item(0xC020, message.normalizedField)
    item(0x4020, message.gravities.map { $0 * Acceleration.standardGravity })
    item(0x8020, message.degreesPerSecond.map { $0 * (.pi / 180) })
    if let own = message.own, let heading = own.magnetic {
      item(0x2034, Vector3(own.roll ?? 0, own.pitch ?? 0, Angle.shortestTurn(from: 0, to: heading.degrees)))
    }
    let start = bytes.count
    bytes += [0xFA, 0xFF, Self.mtData2, UInt8(truncatingIfNeeded: data.count)] + data
    bytes.append(0 &- Checksum.sum8(bytes.span.extracting((start + 1)...)))
  }
}
