import LodestoneCore

/// The protocol of flight controllers with Betaflight or INAV, which speak only when they are asked. Version 1: `$M`, a
/// direction (`<` asks, `>` answers, `!` refuses), the count, the command, the payload and the exclusive or of these
/// three; version 2: `$X`, a direction, a flag, command and count of 16 bits, the payload and a CRC-8/DVB-S2 of all
/// behind the direction. Both are read; we ask in version 1, which every firmware answers.
///
/// MSP_RAW_IMU is the acceleration in counts, 512 or 2048 to the g by firmware and board, which gravity tells; the
/// rotation rate in whole deg/s; and the field in counts of whatever chip is inside, turned by `align_mag` and the
/// board's alignment, less the calibration's zero. MSP_ATTITUDE tells roll (right edge down) and pitch (nose down) in
/// tenths of a degree, and the yaw in whole ones. Betaflight's is against magnetic north; INAV adds the declination of
/// the place. Without a compass, whose field would be all zero, the yaw is none. Axes are x forward, y left, z up.
///
/// MSP_ANALOG, the battery's current among it, is asked for where that is sought.
///
/// The device's description of itself, with the alignments of board and compass, is requested along with the first
/// requests.
///
/// Sources: betaflight/betaflight, src/main/msp/msp.c, msp_serial.c, msp_protocol.h, sensors/compass.c, and
/// telemetry/mavlink.c for the sign of the pitch; iNavFlight/inav, src/main/fc/fc_msp.c; docs of INAV, "MSP V2".
struct MSP: FrameProtocol {
  static let name = "msp"
  static let proof = WireProof.checksum
  static let axes = WireAxes.forwardLeftUp
  static let onlyAnswers = true
  static let request: [UInt8]? = question(Command.rawIMU) + question(Command.attitude)
  static let probe: [UInt8]? = question(Command.protocolVersion)

  /// The commands that are sent as requests.
  private enum Command {
    static let protocolVersion = 1, variant = 2, version = 3, boardAlignment = 38
    static let rawIMU = 102, attitude = 108, analog = 110, sensorAlignment = 126

    /// The commands that ask for the device's description of itself, in this order.
    static let ofItself = [variant, version, boardAlignment, sensorAlignment]
  }

  /// The longest payload in bytes: longer than any that is of use.
  private static let longestPayload = 1024
  /// The counts that the encoder's tests send for 1 g and 1 µT: those of INAV, and of the commonest GPS module chip.
  private static let countsPerGravity = 512.0, countsPerMicrotesla = 30.0

  /// The sensors, while the attitude that was asked for with them is awaited.
  private var pending: WireMessage?
  /// A message that is complete.
  private var finished: WireMessage?
  /// A field was seen: there is a compass.
  private var hasCompass = false
  private(set) var flightController: FlightController?
  /// The commands that are sent once and have not been answered or refused.
  private var open = Command.ofItself

  /// The place of the battery's current; nil where it is not sought.
  private var currentPlace: Int?
  /// Values that wait for the next field.
  private var causes = CauseValues()

  init() {}

  mutating func seek(_ causes: CauseNames) { currentPlace = causes.place(of: "current_A") }

  var besideRequest: [UInt8] { currentPlace == nil ? [] : Self.question(Command.analog) }

  var openQuestions: [[UInt8]] { open.map { Self.question($0) } }

  /// A request in version 1.
  private static func question(_ command: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    frame(UInt8(ascii: "<"), command, into: &bytes) { _ in }
    return bytes
  }

  static func start(in bytes: Span<UInt8>, from place: Int) -> Int {
    bytes.quickIndex(of: UInt8(ascii: "$"), in: place..<bytes.count) ?? bytes.count
  }

  // MARK: Frames

  /// The places of the parts of a frame.
  private struct Layout {
    let command: Int
    let payload: Range<Int>

    /// The layout of the frame at a place; nil where its header is not complete.
    init?(_ bytes: Span<UInt8>, at start: Int) {
      if bytes[start + 1] == UInt8(ascii: "X") {
        guard let command = bytes.little(UInt16.self, at: start + 4),
          let count = bytes.little(UInt16.self, at: start + 6)
        else { return nil }
        self.command = Int(command)
        payload = start + 8..<start + 8 + Int(count)
      } else {
        guard let count = bytes.little(UInt8.self, at: start + 3), let command = bytes.little(UInt8.self, at: start + 4)
        else { return nil }
        self.command = Int(command)
        payload = start + 5..<start + 5 + Int(count)
      }
    }
  }

  func frame(at start: Int, in bytes: Span<UInt8>) -> FrameStart {
    guard bytes[start] == UInt8(ascii: "$") else { return .none }
    guard start + 1 < bytes.count else { return .incomplete }
    guard bytes[start + 1] == UInt8(ascii: "M") || bytes[start + 1] == UInt8(ascii: "X") else { return .none }
    guard start + 2 < bytes.count else { return .incomplete }
    guard bytes.extracting(start + 2..<start + 3).isDirection else { return .none }
    guard let layout = Layout(bytes, at: start) else { return .incomplete }
    guard layout.payload.count <= Self.longestPayload else { return .none }
    guard layout.payload.upperBound < bytes.count else { return .incomplete }
    let checked = bytes.extracting(start + 3..<layout.payload.upperBound)
    let sum = bytes[start + 1] == UInt8(ascii: "X") ? Checksum.dvbS2(checked) : Checksum.xor8(checked)
    return sum == bytes[layout.payload.upperBound] ? .whole(layout.payload.upperBound + 1 - start) : .damaged
  }

  mutating func read(_ frame: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    guard frame[2] != UInt8(ascii: "<"), let layout = Layout(frame, at: 0) else { return .other }
    open.removeAll { $0 == layout.command }
    let payload = frame.extracting(layout.payload)
    guard frame[2] == UInt8(ascii: ">") else {
      if layout.command == Command.attitude { finish() }
      return .other
    }
    switch layout.command {
    case Command.rawIMU: return readSensors(payload)
    case Command.attitude: return readAttitude(payload)
    case Command.analog:
      // Voltage, charge and signal come before it; it is in hundredths of an ampere.
      if let currentPlace, let hundredths = payload.little(UInt16.self, at: 5) {
        causes[currentPlace] = Double(Int16(bitPattern: hundredths)) / 100
      }
      return .other
    default:
      readIdentity(layout.command, payload)
      return .other
    }
  }

  /// The firmware's letters come first, for the rest depends on them.
  private mutating func readIdentity(_ command: Int, _ payload: Span<UInt8>) {
    if command == Command.variant, payload.count >= 4 {
      let letters = (0..<4).map { payload[$0] }
      guard letters.allSatisfy({ $0.isLetter || (0x30...0x39).contains($0) }) else { return }
      flightController = FlightController(firmware: String(decoding: letters, as: UTF8.self))
    }
    guard var told = flightController else { return }
    switch command {
    case Command.version where payload.count >= 3:
      told.version = (0..<3).map { String(payload[$0]) }.joined(separator: ".")
    case Command.boardAlignment:
      // Betaflight's are degrees, INAV's tenths.
      let scale = told.firmware == FlightController.inav ? 0.1 : 1
      told.board = payload.littleInt16Vector(at: 0).map { FlightController.boardTurn(angles: $0 * scale) }
    case Command.sensorAlignment where payload.count >= 3: told.compass = Self.compassTurn(of: told, payload)
    default: break
    }
    flightController = told
  }

  /// The third byte is `align_mag`: 0 is the board's own default, in INAV CW270FLIP; 9 are single angles in tenths of a
  /// degree, which Betaflight has told since version 1.47 of its commands.
  private static func compassTurn(of told: FlightController, _ payload: Span<UInt8>) -> FlightController.Turn? {
    let preset = Int(payload[2])
    if preset == 9 { return payload.littleInt16Vector(at: 5).map { told.compassTurn(angles: $0 / 10) } }
    return FlightController.Turn(preset: preset == 0 && told.firmware == FlightController.inav ? 8 : preset)
  }

  private mutating func readSensors(_ payload: Span<UInt8>) -> WireMeaning {
    guard payload.count == 18, let force = payload.littleInt16Vector(at: 0),
      let rate = payload.littleInt16Vector(at: 6), let field = payload.littleInt16Vector(at: 12)
    else { return .rejected(.malformed) }
    finish()
    var message = WireMessage()
    // At rest nothing weighs nothing: a board without an accelerometer.
    message.acceleration = force == .zero ? nil : force
    message.rotationRate = rate
    message.rotationRateUnit = .degreesPerSecond
    if field != .zero {
      hasCompass = true
      message.field = field
      message.fieldIsCounts = true
      if !causes.isEmpty { (message.causes, causes) = (causes, CauseValues()) }
    }
    pending = message
    return .part
  }

  private mutating func readAttitude(_ payload: Span<UInt8>) -> WireMeaning {
    // MultiWii, from which both firmwares come, sends a fourth number.
    guard payload.count == 6 || payload.count == 8, let angles = payload.littleInt16Vector(at: 0) else {
      return .rejected(.malformed)
    }
    var own = OwnHeading(pitch: -angles.y / 10, roll: angles.x / 10)
    if hasCompass {
      if flightController?.firmware == FlightController.inav {
        own.trueNorth = Heading(degrees: angles.z)
      } else {
        own.magnetic = Heading(degrees: angles.z)
      }
    }
    var message = pending ?? WireMessage()
    message.own = own
    pending = message
    finish()
    return .part
  }

  /// Completes the pending message.
  private mutating func finish() {
    finished = pending ?? finished
    pending = nil
  }

  mutating func takeJoined(atEnd: Bool, into message: inout WireMessage) -> Bool {
    if atEnd { finish() }
    guard let finished else { return false }
    message = finished
    self.finished = nil
    return true
  }

  mutating func noteDamage() { finish() }

  // MARK: Encoding

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    Self.frame(UInt8(ascii: ">"), Command.rawIMU, into: &bytes) {
      $0.append(littleInt16: (message.gravities ?? .zero) * Self.countsPerGravity)
      $0.append(littleInt16: message.degreesPerSecond ?? .zero)
      $0.append(littleInt16: (message.microtesla ?? .zero) * Self.countsPerMicrotesla)
    }
    guard let own = message.own, let heading = own.magnetic ?? own.trueNorth.map({ Heading(degrees: $0.degrees) })
    else { return }
    Self.frame(UInt8(ascii: ">"), Command.attitude, into: &bytes) {
      let degrees = heading.degrees.rounded().truncatingRemainder(dividingBy: 360)
      $0.append(littleInt16: Vector3((own.roll ?? 0) * 10, (own.pitch ?? 0) * -10, degrees))
    }
  }

  /// Appends a frame of version 1.
  private static func frame(
    _ direction: UInt8, _ command: Int, into bytes: inout [UInt8], _ body: (inout [UInt8]) -> Void
  ) {
    let start = bytes.count
    bytes += [UInt8(ascii: "$"), UInt8(ascii: "M"), direction, 0, UInt8(truncatingIfNeeded: command)]
    body(&bytes)
    bytes[start + 3] = UInt8(truncatingIfNeeded: bytes.count - start - 5)
    bytes.append(Checksum.xor8(bytes.span.extracting((start + 3)...)))
  }
}

extension Span<UInt8> {
  /// The one byte asks, answers or refuses.
  fileprivate var isDirection: Bool {
    self[0] == UInt8(ascii: "<") || self[0] == UInt8(ascii: ">") || self[0] == UInt8(ascii: "!")
  }
}
