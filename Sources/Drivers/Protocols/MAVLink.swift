import LodestoneCore

/// MAVLink 1 (`FE`) and 2 (`FD`): the messages that carry a field, an attitude, a heading or a position. The checksum
/// is seeded with a byte that belongs to the message, so that messages we have no byte for cannot be told from noise
/// and are passed over.
///
/// Yaw and heading are against true north, as ArduPilot and PX4 send them once they know their declination; one that
/// does not, without a position or with COMPASS_AUTODEC off, sends magnetic ones, which nothing in the message tells.
/// Several compasses have messages of their own: one is read, the first, unless another is asked for.
/// Sources: mavlink/mavlink, common.xml and ardupilotmega.xml; MAVLINK_MESSAGE_CRCS in mavlink/c_library_v2.
struct MAVLink: FrameProtocol {
  static let name = "mavlink"
  static let proof = WireProof.checksum
  static let axes = WireAxes.forwardRightDown

  /// Messages and their seeds (CRC_EXTRA).
  static func seed(_ message: Int) -> UInt8? {
    switch message {
    case 0: 50
    case 1: 124
    case 2: 137
    case 24: 24
    case 26: 170
    case 27: 144
    case 29: 115
    case 30: 39
    case 31: 246
    case 32: 185
    case 33: 104
    case 36: 222
    case 42: 28
    case 62: 183
    case 65: 118
    case 74: 20
    case 77: 143
    case 105: 93
    case 111: 34
    case 116: 76
    case 125: 203
    case 129: 46
    case 147: 154
    case 163: 127
    case 178: 47
    case 182: 229
    case 192: 36
    case 241: 90
    case 253: 83
    default: nil
    }
  }

  init() { wanted = nil }

  /// The place of the battery's current among the causes; nil where it is not sought.
  private var currentPlace: Int?
  private var throttlePlace: Int?
  /// Values that wait for the next field.
  private var causes = CauseValues()

  mutating func seek(_ causes: CauseNames) {
    (currentPlace, throttlePlace) = (causes.place(of: "current_A"), causes.place(of: "throttle_percent"))
  }

  /// Reads one of the autopilot's compasses, counted from 1.
  init(compass: Int) { wanted = compass }

  private let wanted: Int?
  /// The compass that is read, and the message that it is read from.
  private var chosen: (compass: Int, message: Int)?
  /// Messages of other compasses before there was one of the first.
  private var otherCount = 0
  private(set) var compasses: [Int] = []

  /// The number of messages of other compasses beyond which no first compass is expected.
  private static let enough = 4

  /// The compass that a message is of: RAW_IMU, SCALED_IMU and HIGHRES_IMU tell of the first, SCALED_IMU2 and 3 of the
  /// others (ArduPilot, GCS_Common.cpp).
  private static func compass(of message: Int) -> Int { message == 116 ? 2 : message == 129 ? 3 : 1 }

  /// Whether a message with a field is of the compass that is read.
  private mutating func isOurs(_ message: Int) -> Bool {
    let compass = Self.compass(of: message)
    if !compasses.contains(compass) { compasses = (compasses + [compass]).sorted() }
    if let chosen { return chosen == (compass, message) }
    if compass != wanted ?? 1 {
      otherCount += 1
      guard wanted == nil, otherCount > Self.enough, compass == compasses.first else { return false }
    }
    chosen = (compass, message)
    return true
  }

  /// The places of the parts of a frame.
  private struct Header {
    var message: Int
    var payloadStart: Int
    var payloadCount: Int
    var count: Int

    /// The header at a place; nil while it is not complete.
    init?(_ bytes: Span<UInt8>, _ start: Int) {
      guard bytes.count - start >= (bytes[start] == 0xFE ? 6 : 10) else { return nil }
      payloadCount = Int(bytes[start + 1])
      if bytes[start] == 0xFE {
        message = Int(bytes[start + 5])
        payloadStart = 6
        count = payloadCount + 8
      } else {
        message = Int(bytes[start + 7]) | Int(bytes[start + 8]) << 8 | Int(bytes[start + 9]) << 16
        payloadStart = 10
        let isSigned = bytes[start + 2] & 1 != 0
        count = payloadCount + 12 + (isSigned ? 13 : 0)
      }
    }
  }

  /// The first frame had a stamp: then so have the others. Nil before the first.
  private var isLog: Bool?

  /// Bytes before each frame of a ground station's log (`.tlog`): microseconds since 1970, the first byte highest.
  private static let stampLength = 8

  static func start(in bytes: Span<UInt8>, from place: Int) -> Int {
    let mark = bytes.quickIndex(of: 0xFE, or: 0xFD, from: place)
    // A stamp begins with a zero and a small number: of the years 1998 to 2103.
    var index = max(place, mark - stampLength)
    while index < mark, !mayBeStamp(bytes, index) { index &+= 1 }
    return index
  }

  @inline(__always)
  private static func mayBeStamp(_ bytes: Span<UInt8>, _ start: Int) -> Bool {
    bytes[start] == 0 && (start + 1 >= bytes.count || (3...14).contains(bytes[start + 1]))
  }

  func frame(at start: Int, in bytes: Span<UInt8>) -> FrameStart {
    guard bytes[start] == 0 else { return plainFrame(at: start, in: bytes) }
    guard isLog != false, Self.mayBeStamp(bytes, start) else { return .none }
    let inner = start + Self.stampLength
    guard inner < bytes.count else { return .incomplete }
    switch plainFrame(at: inner, in: bytes) {
    case .whole(let count): return .whole(Self.stampLength + count)
    case .foreign(let count): return .foreign(Self.stampLength + count)
    case .incomplete: return .incomplete
    // What is wrong with the frame is found where it begins.
    case .damaged, .none: return .none
    }
  }

  private func plainFrame(at start: Int, in bytes: Span<UInt8>) -> FrameStart {
    guard bytes[start] == 0xFE || bytes[start] == 0xFD else { return .none }
    guard let header = Header(bytes, start) else { return .incomplete }
    guard let seed = Self.seed(header.message) else { return foreignFrame(of: header.count, at: start, in: bytes) }
    guard bytes.count - start >= header.count else { return .incomplete }
    let end = start + header.payloadStart + header.payloadCount
    let told = bytes.little(UInt16.self, at: end)
    return told == Checksum.mavlink(bytes.extracting(start + 1..<end), extra: seed) ? .whole(header.count) : .damaged
  }

  /// A frame of a message that is not among ours cannot be checked; that another begins where it ends speaks for it.
  private func foreignFrame(of count: Int, at start: Int, in bytes: Span<UInt8>) -> FrameStart {
    let end = start + count
    guard end < bytes.count else { return .incomplete }
    let isFollowed = bytes[end] == bytes[start] || (bytes[end] == 0 && Self.mayBeStamp(bytes, end))
    return isFollowed ? .foreign(count) : .none
  }

  mutating func read(_ frame: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    let isStamped = frame[0] == 0
    isLog = isLog ?? isStamped
    guard isStamped, let stamp = frame.big(UInt64.self, at: 0) else { return readPlain(frame, into: &message) }
    // One clock for all messages of a log: not all of them carry the autopilot's.
    guard case .message = readPlain(frame.extracting(Self.stampLength...), into: &message) else { return .other }
    message.time = Double(stamp) * 1e-6
    return .message
  }

  private mutating func readPlain(_ frame: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    guard let header = Header(frame, 0) else { return .other }
    let payload = Payload(bytes: header.payloadStart, count: header.payloadCount)
    switch header.message {
    case 26, 116, 129:
      message.time = payload.milliseconds(frame)
      readScaled(frame, payload, vectors: 4, temperature: 22, &message)
    case 27:
      message.time = payload.microseconds(frame)
      readScaled(frame, payload, vectors: 8, temperature: 27, &message)
    case 105: readHighResolution(frame, payload, &message)
    case 30: readAttitude(frame, payload, &message)
    case 74: readVFR(frame, payload, &message)
    case 33: readPosition(frame, payload, &message)
    case 1: take(current: payload.int16(frame, 16))
    case 147 where payload.unsigned(frame, 32, 1) == 0: take(current: payload.int16(frame, 30))
    default: return .other
    }
    if message.field != nil {
      guard isOurs(header.message) else { return .other }
      if !causes.isEmpty { (message.causes, causes) = (causes, CauseValues()) }
    }
    return message.field == nil && message.own == nil && message.position == nil ? .other : .message
  }

  /// A payload whose zero bytes at the end were left out, as version 2 does.
  private struct Payload {
    let bytes: Int
    let count: Int

    private func byte(_ frame: Span<UInt8>, _ at: Int) -> UInt8 { at < count ? frame[bytes + at] : 0 }

    func unsigned(_ frame: Span<UInt8>, _ at: Int, _ size: Int) -> UInt64 {
      (0..<size).reduce(0) { $0 | UInt64(byte(frame, at + $1)) << UInt64(8 * $1) }
    }

    func int16(_ frame: Span<UInt8>, _ at: Int) -> Double {
      Double(Int16(truncatingIfNeeded: unsigned(frame, at, 2)))
    }

    func int32(_ frame: Span<UInt8>, _ at: Int) -> Double {
      Double(Int32(truncatingIfNeeded: unsigned(frame, at, 4)))
    }

    func float(_ frame: Span<UInt8>, _ at: Int) -> Double? {
      let value = Double(Float(bitPattern: UInt32(truncatingIfNeeded: unsigned(frame, at, 4))))
      return value.isFinite ? value : nil
    }

    func int16s(_ frame: Span<UInt8>, _ at: Int) -> Vector3 {
      Vector3(int16(frame, at), int16(frame, at + 2), int16(frame, at + 4))
    }

    func floats(_ frame: Span<UInt8>, _ at: Int) -> Vector3? {
      guard let x = float(frame, at), let y = float(frame, at + 4), let z = float(frame, at + 8) else { return nil }
      return Vector3(x, y, z)
    }

    func milliseconds(_ frame: Span<UInt8>) -> Double { Double(unsigned(frame, 0, 4)) * 1e-3 }
    func microseconds(_ frame: Span<UInt8>) -> Double { Double(unsigned(frame, 0, 8)) * 1e-6 }
  }

  /// SCALED_IMU and, as ArduPilot fills it, RAW_IMU: thousandths of g, rad/s and gauss (old copies of the definition
  /// say millitesla, which nobody sends). An all-zero field is none. The temperature, in hundredths of a degree, is an
  /// extension of version 2; zero is none.
  private func readScaled(
    _ frame: Span<UInt8>, _ payload: Payload, vectors: Int, temperature: Int, _ message: inout WireMessage
  ) {
    let hundredths = payload.int16(frame, temperature)
    message.temperature = hundredths == 0 ? nil : hundredths / 100
    // A compass without an inertial sensor beside it: nothing at rest weighs nothing.
    let force = payload.int16s(frame, vectors)
    if force != .zero {
      message.acceleration = force
      message.accelerationUnit = .milligravity
      message.rotationRate = payload.int16s(frame, vectors + 6) / 1000
      message.rotationRateUnit = .radiansPerSecond
    }
    let field = payload.int16s(frame, vectors + 12)
    guard field != .zero else { return }
    message.field = field
    message.fieldUnit = .milligauss
  }

  /// HIGHRES_IMU: m/s², rad/s, gauss, and a mask of what was updated (bits 6 to 8: the field, bit 12: the temperature).
  private func readHighResolution(_ frame: Span<UInt8>, _ payload: Payload, _ message: inout WireMessage) {
    message.time = payload.microseconds(frame)
    message.acceleration = payload.floats(frame, 8)
    message.accelerationUnit = .metresPerSecondSquared
    message.rotationRate = payload.floats(frame, 20)
    message.rotationRateUnit = .radiansPerSecond
    let updated = payload.unsigned(frame, 60, 2)
    guard updated & 0x1C0 == 0x1C0 else { return }
    message.field = payload.floats(frame, 32)
    message.fieldUnit = .gauss
    message.temperature = updated & 0x1000 == 0 ? nil : payload.float(frame, 56)
  }

  /// ATTITUDE: roll, pitch, yaw in radians; the yaw is against true north.
  private func readAttitude(_ frame: Span<UInt8>, _ payload: Payload, _ message: inout WireMessage) {
    guard let angles = payload.floats(frame, 4) else { return }
    message.time = payload.milliseconds(frame)
    message.own = OwnHeading(
      trueNorth: Heading(degrees: Angle.degrees(angles.z)), pitch: Angle.degrees(angles.y),
      roll: Angle.degrees(angles.x))
  }

  /// SYS_STATUS and, of the first battery, BATTERY_STATUS: in hundredths of an ampere, negative where it is not
  /// measured.
  private mutating func take(current hundredths: Double) {
    if let currentPlace, hundredths >= 0 { causes[currentPlace] = hundredths / 100 }
  }

  /// VFR_HUD: the heading in whole degrees and the throttle in percent after four floats.
  private mutating func readVFR(_ frame: Span<UInt8>, _ payload: Payload, _ message: inout WireMessage) {
    if let throttlePlace { causes[throttlePlace] = Double(payload.unsigned(frame, 18, 2)) }
    let heading = payload.int16(frame, 16)
    guard heading >= 0, heading <= 360 else { return }
    message.own = OwnHeading(trueNorth: Heading(degrees: heading))
  }

  /// GLOBAL_POSITION_INT: latitude and longitude in 1e-7 degree.
  private func readPosition(_ frame: Span<UInt8>, _ payload: Payload, _ message: inout WireMessage) {
    let latitude = payload.int32(frame, 4) * 1e-7, longitude = payload.int32(frame, 8) * 1e-7
    guard let place = Coordinate(latitude: latitude, longitude: longitude) else { return }
    message.position = WirePosition(.whole, Position(place))
  }

  /// Counts the frames that were written.
  private var sequence: UInt8 = 0

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    if let field = message.microtesla {
      frame(105, into: &bytes) {
        $0.append(little: UInt64(rounding: (message.time ?? 0) * 1e6))
        $0.append(littleFloat: (message.gravities ?? .zero) * Acceleration.standardGravity)
        $0.append(littleFloat: (message.degreesPerSecond ?? .zero) * (.pi / 180))
        $0.append(littleFloat: field / FieldUnit.gauss.microtesla)
        $0.append(littleFloat: Vector3(1013.25, 0, 0))
        $0.append(littleFloat: message.temperature ?? 0)
        $0.append(little: UInt16(0x11FF))
      }
    }
    if let own = message.own, let heading = own.trueNorth {
      frame(30, into: &bytes) {
        $0.append(little: UInt32(truncatingIfNeeded: Int(rounding: (message.time ?? 0) * 1000)))
        let yaw = Angle.shortestTurn(from: 0, to: heading.degrees)
        $0.append(littleFloat: Vector3(own.roll ?? 0, own.pitch ?? 0, yaw) * (.pi / 180))
        $0.append(littleFloat: Vector3.zero)
      }
    }
  }

  private mutating func frame(_ message: UInt8, into bytes: inout [UInt8], _ body: (inout [UInt8]) -> Void) {
    let start = bytes.count
    bytes += [0xFD, 0, 0, 0, sequence, 1, 1, message, 0, 0]
    sequence &+= 1
    body(&bytes)
    bytes[start + 1] = UInt8(truncatingIfNeeded: bytes.count - start - 10)
    let crc = Checksum.mavlink(bytes.span.extracting((start + 1)...), extra: Self.seed(Int(message)) ?? 0)
    bytes.append(little: crc)
  }
}
