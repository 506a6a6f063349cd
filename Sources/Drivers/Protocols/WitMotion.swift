import LodestoneCore

/// WitMotion's sensors: frames of 11 bytes, `55`, a type, eight data bytes and the sum of the ten before. One frame a
/// quantity: time, acceleration, rotation rate, angles, field, quaternion; those of a cycle make one message.
///
/// The models with Bluetooth send acceleration, rotation rate and angles in one frame of 20 bytes, `55 61`, without a
/// sum: it is taken where another frame follows it.
///
/// The field is in counts of whatever chip is inside. The type of that chip stands in register 72, which is asked for
/// where writing is allowed: the answer fixes the unit. Otherwise it is left open (we write milligauss).
///
/// Axes are x right, y forward, z up, and the angles right-handed about them: the first is the pitch, the second the
/// roll, and the yaw, zero where y points north, falls as the heading grows. Some models are marked x forward, y left:
/// their angles change places. Sources: WitMotion standard communication protocol; WT901 data sheet, 5.1; the signs as
/// in W-Geronius/signalk-hwt901b-imu, which takes 360 − yaw for the magnetic heading; registers: REG.h of
/// WITMOTION/WitStandardProtocol_JY901.
struct WitMotion: FrameProtocol, CycleJoining {
  static let name = "witmotion"
  static let proof = WireProof.checksum

  private static let length = 11
  private static let motionLength = 20
  private enum Kind {
    static let time: UInt8 = 0x50, acceleration: UInt8 = 0x51, rotationRate: UInt8 = 0x52, angle: UInt8 = 0x53
    static let field: UInt8 = 0x54, registers: UInt8 = 0x5F, last: UInt8 = 0x5F
    static let motion: UInt8 = 0x61
  }
  /// The quantities that ±32768 stand for.
  private static let fullScale = (gravities: 16.0, degreesPerSecond: 2000.0, degrees: 180.0)

  /// Read registers 71 and 72. An answer holds four registers but not where they begin, so only one that repeats the
  /// three that follow the first of the answer before it is taken for register 72: 71 and 72 have been read.
  private static let questions: [[UInt8]] = [[0xFF, 0xAA, 0x27, 0x71, 0x00], [0xFF, 0xAA, 0x27, 0x72, 0x00]]
  var openQuestions: [[UInt8]] { fieldScale == nil ? Self.questions : [] }

  /// µT in one count, by register 72. Source: DipSensorMagHelper in WITMOTION/WitBluetooth_BWT901BLE5_0, as its C#,
  /// Java and Swift editions agree; of type 6 one of them says 1/120 and two 1/150, so it stays open, as do types they
  /// do not know.
  private static func scale(ofType type: UInt16) -> Double? {
    switch type {
    case 2: 0.15
    case 3: 0.013
    case 4: 0.058
    case 5: 0.098
    case 7: 0.02
    default: nil
    }
  }

  var cycle = MessageCycle()
  private(set) var fieldScale: Double?
  /// The four registers of the last answer, the first of them in the lowest bits.
  private var registers: UInt64?

  init() {}

  static func start(in bytes: Span<UInt8>, from place: Int) -> Int {
    bytes.quickIndex(of: 0x55, in: place..<bytes.count) ?? bytes.count
  }

  func frame(at start: Int, in bytes: Span<UInt8>) -> FrameStart {
    guard bytes[start] == 0x55 else { return .none }
    guard start + 1 < bytes.count else { return .incomplete }
    if bytes[start + 1] == Kind.motion {
      guard bytes.count - start > Self.motionLength else { return .incomplete }
      return bytes[start + Self.motionLength] == 0x55 ? .whole(Self.motionLength) : .none
    }
    guard bytes[start + 1] >= Kind.time, bytes[start + 1] <= Kind.last else { return .none }
    guard bytes.count - start >= Self.length else { return .incomplete }
    let sum = Checksum.sum8(bytes.extracting(start..<start + Self.length - 1))
    return sum == bytes[start + Self.length - 1] ? .whole(Self.length) : .damaged
  }

  mutating func read(_ frame: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    if frame[1] == Kind.motion {
      Self.readMotion(frame, into: &message)
      return .message
    }
    guard let vector = frame.littleInt16Vector(at: 2), let last = frame.little(Int16.self, at: 8) else { return .other }
    let fraction = vector / 32_768
    switch frame[1] {
    case Kind.time:
      guard let time = Self.time(frame) else { return .other }
      cycle.add(0) { $0.time = time }
    case Kind.acceleration:
      cycle.add(1) {
        $0.acceleration = fraction * Self.fullScale.gravities
        $0.accelerationUnit = .g
        $0.temperature = Double(last) / 100
      }
    case Kind.rotationRate:
      cycle.add(2) {
        $0.rotationRate = fraction * Self.fullScale.degreesPerSecond
        $0.rotationRateUnit = .degreesPerSecond
      }
    case Kind.angle:
      let angles = fraction * Self.fullScale.degrees
      cycle.add(3) {
        $0.own = OwnHeading(magnetic: Heading(degrees: -angles.z), pitch: angles.x, roll: angles.y)
      }
    case Kind.field: cycle.add(4) { $0.field = vector }
    case Kind.registers:
      readRegisters(frame.little(UInt64.self, at: 2))
      return .other
    default: return .other
    }
    return .part
  }

  /// Acceleration, rotation rate and angles in one frame. Its angles: roll about x and pitch about y, as the axes are
  /// marked.
  private static func readMotion(_ frame: Span<UInt8>, into message: inout WireMessage) {
    message.acceleration = frame.littleInt16Vector(at: 2).map { $0 / 32_768 * fullScale.gravities }
    message.accelerationUnit = .g
    message.rotationRate = frame.littleInt16Vector(at: 8).map { $0 / 32_768 * fullScale.degreesPerSecond }
    message.rotationRateUnit = .degreesPerSecond
    if let angles = frame.littleInt16Vector(at: 14).map({ $0 / 32_768 * fullScale.degrees }) {
      message.own = OwnHeading(magnetic: Heading(degrees: -angles.z), pitch: angles.x, roll: angles.y)
    }
  }

  private mutating func readRegisters(_ answer: UInt64?) {
    defer { registers = answer }
    guard let answer, let before = registers, answer & 0xFFFF_FFFF_FFFF == before >> 16 else { return }
    fieldScale = Self.scale(ofType: UInt16(truncatingIfNeeded: answer))
  }

  /// Year from 2000, month, day, hour, minute, second, milliseconds.
  private static func time(_ frame: Span<UInt8>) -> Double? {
    guard let milliseconds = frame.little(UInt16.self, at: 8),
      let day = CalendarTime(year: 2000 + Int(frame[2]), month: Int(frame[3]), day: Int(frame[4]))
    else { return nil }
    return day.unixTime + Double(frame[5]) * 3600 + Double(frame[6]) * 60 + Double(frame[7]) + Double(milliseconds)
      / 1000
  }

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    if let acceleration = message.gravities {
      let temperature = (message.temperature ?? 25) * 100
      encode(Kind.acceleration, acceleration * (32_768 / Self.fullScale.gravities), last: temperature, into: &bytes)
    }
    if let rate = message.degreesPerSecond {
      encode(Kind.rotationRate, rate * (32_768 / Self.fullScale.degreesPerSecond), into: &bytes)
    }
    if let own = message.own, let heading = own.magnetic {
      let yaw = Angle.shortestTurn(from: 0, to: -heading.degrees)
      let angles = Vector3(own.pitch ?? 0, own.roll ?? 0, yaw) * (32_768 / Self.fullScale.degrees)
      encode(Kind.angle, angles, into: &bytes)
    }
    if let field = message.microtesla {
      encode(Kind.field, field / FieldUnit.milligauss.microtesla, into: &bytes)
    }
  }

  private func encode(_ kind: UInt8, _ counts: Vector3, last: Double = 0, into bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(0x55)
    bytes.append(kind)
    bytes.append(littleInt16: counts)
    bytes.append(little: Int16(rounding: last))
    bytes.append(Checksum.sum8(bytes.span.extracting(start...)))
  }
}
