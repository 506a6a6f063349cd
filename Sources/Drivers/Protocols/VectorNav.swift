import LodestoneCore

/// VectorNav's ASCII messages: `$VNYMR`, `$VNMAG`, `$VNIMU`, `$VNMAR`, `$VNQMR`, `$VNYPR`, and answers to register
/// reads. Field in gauss, acceleration in m/s², rates in rad/s, angles in degrees; the checksum is the exclusive or, a
/// CRC-16, or `XX` for none.
///
/// The yaw is against the north of the sensor's reference field: magnetic as a VN-100 is delivered, true where its
/// declination was set or a receiver aligned it, which nothing in the message tells. Source: VectorNav VN-100 user
/// manual.
struct VectorNav: SentenceReading {
  static let name = "vectornav"
  static let proof = WireProof.checksum
  static let axes = WireAxes.forwardRightDown
  /// Reads the field from register 17.
  static let probe: [UInt8]? = Array("$VNRRG,17*XX\r\n".utf8)

  var framer = LineFramer()
  private var habits = ChecksumHabits()

  init() {}

  var lacksChecksums: Bool { habits.lackChecksums }

  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    guard case .found(let frame) = NMEAFrame.find(in: line), line.holds("VN", at: frame.content.lowerBound) else {
      return .rejected(isDamaged(line) ? .checksum : .unrecognized)
    }
    let address = NMEAAddress(line, frame.content)
    guard habits.accept(address.bits, isChecked: frame.isChecked) else { return .rejected(.checksum) }
    var fields = Fields(from: address.fieldStart, to: frame.content.upperBound)
    message.unchecked = !frame.isChecked
    guard readFields(address.bits, line, &fields, &message) else { return .other }
    if fields.isMalformed { return .rejected(.malformed) }
    return message.field == nil && message.own == nil ? .other : .message
  }

  private func isDamaged(_ line: Span<UInt8>) -> Bool {
    if case .damaged = NMEAFrame.find(in: line) { return true }
    return false
  }

  /// Reads the fields; false for a message with nothing of use.
  private func readFields(
    _ address: UInt64, _ line: Span<UInt8>, _ fields: inout Fields, _ message: inout WireMessage
  ) -> Bool {
    switch address {
    case NMEAAddress.word("VNMAG"): readMotion(line, &fields, &message)
    case NMEAAddress.word("VNMAR"): readMotion(line, &fields, &message)
    case NMEAAddress.word("VNIMU"):
      readMotion(line, &fields, &message)
      message.temperature = fields.number(in: line)
    case NMEAAddress.word("VNYMR"):
      message.own = readAttitude(line, &fields)
      readMotion(line, &fields, &message)
    case NMEAAddress.word("VNYPR"): message.own = readAttitude(line, &fields)
    case NMEAAddress.word("VNQMR"):
      for _ in 0..<4 { fields.skip(in: line) }
      readMotion(line, &fields, &message)
    case NMEAAddress.word("VNRRG"): return readRegister(line, &fields, &message)
    default: return false
    }
    return true
  }

  /// The answer to `$VNRRG,number`: 17 is the field, 27 what VNYMR sends, 54 what VNIMU sends.
  private func readRegister(_ line: Span<UInt8>, _ fields: inout Fields, _ message: inout WireMessage) -> Bool {
    switch fields.number(in: line) {
    case 17: return readFields(NMEAAddress.word("VNMAG"), line, &fields, &message)
    case 27: return readFields(NMEAAddress.word("VNYMR"), line, &fields, &message)
    case 54: return readFields(NMEAAddress.word("VNIMU"), line, &fields, &message)
    default: return false
    }
  }

  private func readAttitude(_ line: Span<UInt8>, _ fields: inout Fields) -> OwnHeading? {
    fields.vector(in: line).map { OwnHeading(magnetic: Heading(degrees: $0.x), pitch: $0.y, roll: $0.z) }
  }

  /// Field, acceleration and rate, as many of them as there are.
  private func readMotion(_ line: Span<UInt8>, _ fields: inout Fields, _ message: inout WireMessage) {
    message.field = fields.vector(in: line)
    message.fieldUnit = .gauss
    guard fields.hasMore else { return }
    message.acceleration = fields.vector(in: line)
    message.accelerationUnit = .metresPerSecondSquared
    message.rotationRate = fields.vector(in: line)
    message.rotationRateUnit = .radiansPerSecond
  }

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    let own = message.own
    let heading = own?.magnetic
    guard message.field != nil || heading != nil else { return }
    NMEASentence.sentence(&bytes) {
      $0.append(text: heading == nil ? "VNMAR" : message.field == nil ? "VNYPR" : "VNYMR")
      if let heading {
        $0.append(.comma)
        let yaw = Angle.shortestTurn(from: 0, to: heading.degrees)
        $0.append(Vector3(yaw, own?.pitch ?? 0, own?.roll ?? 0), decimals: 3)
      }
      guard let field = message.microtesla else { return }
      $0.append(.comma)
      $0.append(field / FieldUnit.gauss.microtesla, decimals: 4)
      $0.append(.comma)
      $0.append((message.gravities ?? .zero) * Acceleration.standardGravity, decimals: 3)
      $0.append(.comma)
      $0.append((message.degreesPerSecond ?? .zero) * (.pi / 180), decimals: 6)
    }
  }
}
