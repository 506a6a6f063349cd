import LodestoneCore

/// CH Robotics' UM7 in text: `$PCHRS,kind,time,x,y,z,*hh` (rotation rate in deg/s, acceleration in g, field as a unit
/// vector) and `$PCHRA,time,roll,pitch,yaw,heading,*hh`. The lines of one moment make one message.
/// The yaw is clockwise from the north of the sensor's magnetic reference. Source: UM7 datasheet, "NMEA packets".
struct UM7: SentenceReading, CycleJoining {
  static let name = "um7"
  static let proof = WireProof.checksum
  static let axes = WireAxes.forwardRightDown

  var framer = LineFramer()
  var cycle = MessageCycle()
  /// A sentence of it was heard: those of others beside it are no noise.
  private var isHeard = false

  init() {}

  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    let found = NMEAFrame.find(in: line)
    if case .damaged = found { return .rejected(.checksum) }
    guard case .found(let frame) = found, frame.isChecked else { return .rejected(.unrecognized) }
    let address = NMEAAddress(line, frame.content)
    var fields = Fields(from: address.fieldStart, to: frame.content.upperBound)
    switch address.bits {
    case NMEAAddress.word("PCHRS"): readSensor(line, &fields)
    case NMEAAddress.word("PCHRA"): readAttitude(line, &fields)
    default: return isHeard ? .other : .rejected(.unrecognized)
    }
    if fields.isMalformed { return .rejected(.malformed) }
    isHeard = true
    return .part
  }

  private mutating func readSensor(_ line: Span<UInt8>, _ fields: inout Fields) {
    let kind = fields.number(in: line, within: 0...2)
    let time = fields.number(in: line)
    guard let kind, let time, let vector = fields.vector(in: line), !fields.isMalformed else {
      return fields.markMalformed()
    }
    cycle.add(Int(kind)) {
      $0.time = time
      switch kind {
      case 0:
        $0.rotationRate = vector
        $0.rotationRateUnit = .degreesPerSecond
      case 1:
        $0.acceleration = vector
        $0.accelerationUnit = .g
      default:
        $0.field = vector
        $0.fieldIsNormalized = true
      }
    }
  }

  private mutating func readAttitude(_ line: Span<UInt8>, _ fields: inout Fields) {
    let time = fields.number(in: line)
    let angles = fields.vector(in: line)
    guard let time, let angles, !fields.isMalformed else { return fields.markMalformed() }
    cycle.add(3) {
      $0.time = time
      $0.own = OwnHeading(magnetic: Heading(degrees: angles.z), pitch: angles.y, roll: angles.x)
    }
  }

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    let time = message.time ?? 0
    let sensors = [message.degreesPerSecond, message.gravities, message.normalizedField]
    for (kind, vector) in sensors.enumerated() {
      guard let vector else { continue }
      NMEASentence.sentence(&bytes) {
        $0.append(text: "PCHRS,")
        $0.append(Double(kind), decimals: 0)
        $0.append(.comma)
        $0.append(time, decimals: 3)
        $0.append(.comma)
        $0.append(vector, decimals: 5)
        $0.append(.comma)
      }
    }
    guard let own = message.own, let heading = own.magnetic else { return }
    NMEASentence.sentence(&bytes) {
      $0.append(text: "PCHRA,")
      $0.append(time, decimals: 3)
      $0.append(.comma)
      let yaw = Angle.shortestTurn(from: 0, to: heading.degrees)
      $0.append(Vector3(own.roll ?? 0, own.pitch ?? 0, yaw), decimals: 2)
      $0.append(.comma)
      $0.append(yaw, decimals: 2)
      $0.append(.comma)
    }
  }
}
