import LodestoneCore

/// OceanServer's digital compasses: `$C212.4P2.5R-14.0T28.4Mx…My…Mz…Ax…Ay…Az…*3A`, a letter before each value, and
/// `$OHPR,heading,pitch,roll,…`. Headings are magnetic; acceleration in g; the field has no stated unit. Of the axes
/// the guide says nothing; in the captures x rises with the pitch, y with the roll, and z is +1 g level, which is
/// specific force along forward, left, up. Source: OceanServer OS5000 user's guide; captures of gpsd.
struct OceanServer: SentenceReading {
  static let name = "oceanserver"
  static let proof = WireProof.checksum

  var framer = LineFramer()
  private var habits = ChecksumHabits()
  /// The sentences without letters before their values, its own and those of others.
  private var sentences = NMEA0183()

  init() {}

  var lacksChecksums: Bool { habits.lackChecksums || sentences.lacksChecksums }

  var otherCompass: String? { sentences.otherCompass }

  mutating func hear(at arrival: Double) { sentences.hear(at: arrival) }

  func fromStart() -> OceanServer {
    var start = OceanServer()
    start.sentences = sentences.fromStart()
    return start
  }

  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    switch NMEAFrame.find(in: line) {
    case .none: return .rejected(.unrecognized)
    case .damaged: return .rejected(.checksum)
    case .found(let frame):
      let start = frame.content.lowerBound
      guard start < frame.content.upperBound, line[start] == UInt8(ascii: "C"),
        !line.extracting(frame.content).holds("CH")
      else { return sentences.read(line, into: &message) }
      guard habits.accept(1, isChecked: frame.isChecked) else { return .rejected(.checksum) }
      return readLetters(line, frame, &message)
    }
  }

  /// The fields of `$OHPR`: heading, pitch, roll, then the temperature, or the acceleration along three axes.
  static func readHPR(_ line: Span<UInt8>, _ fields: inout Fields, _ message: inout WireMessage) {
    let heading = fields.number(in: line, within: 0...360)
    let pitch = fields.number(in: line), roll = fields.number(in: line)
    message.own = OwnHeading(magnetic: heading.map { Heading(degrees: $0) }, pitch: pitch, roll: roll)
    var rest = fields
    rest.skip(in: line)
    guard fields.hasMore else { return }
    guard rest.hasMore else { return message.temperature = fields.number(in: line) }
    rest.skip(in: line)
    rest.skip(in: line)
    guard !rest.hasMore else { return }
    message.acceleration = fields.vector(in: line)
    message.accelerationUnit = .g
  }

  /// The values of the letters of a `$C` line.
  private struct Letters {
    var heading: Double?, pitch: Double?, roll: Double?, temperature: Double?
    var field: (Double?, Double?, Double?)
    var acceleration: (Double?, Double?, Double?)
  }

  private func readLetters(_ line: Span<UInt8>, _ frame: NMEAFrame, _ message: inout WireMessage) -> WireMeaning {
    var letters = Letters()
    let content = line.extracting(..<frame.content.upperBound)
    var index = frame.content.lowerBound
    while index < content.count {
      let first = content[index]
      let hasAxis = index + 1 < content.count && content[index + 1].isLetter
      let second = hasAxis ? content[index + 1] : 0
      index += hasAxis ? 2 : 1
      guard first.isLetter, let value = parseDecimal(content, from: &index) else {
        return .rejected(.malformed)
      }
      Self.store(value, first, second, &letters)
    }
    message.unchecked = !frame.isChecked
    guard let heading = letters.heading, (0...360).contains(heading) else { return .rejected(.malformed) }
    message.own = OwnHeading(magnetic: Heading(degrees: heading), pitch: letters.pitch, roll: letters.roll)
    message.temperature = letters.temperature
    message.field = Self.vector(letters.field)
    message.acceleration = Self.vector(letters.acceleration)
    if message.acceleration != nil { message.accelerationUnit = .g }
    return .message
  }

  private static func store(_ value: Double, _ first: UInt8, _ second: UInt8, _ letters: inout Letters) {
    switch (first, second) {
    case (UInt8(ascii: "C"), 0): letters.heading = value
    case (UInt8(ascii: "P"), 0): letters.pitch = value
    case (UInt8(ascii: "R"), 0): letters.roll = value
    case (UInt8(ascii: "T"), 0): letters.temperature = value
    case (UInt8(ascii: "M"), UInt8(ascii: "x")): letters.field.0 = value
    case (UInt8(ascii: "M"), UInt8(ascii: "y")): letters.field.1 = value
    case (UInt8(ascii: "M"), UInt8(ascii: "z")): letters.field.2 = value
    case (UInt8(ascii: "A"), UInt8(ascii: "x")): letters.acceleration.0 = value
    case (UInt8(ascii: "A"), UInt8(ascii: "y")): letters.acceleration.1 = value
    case (UInt8(ascii: "A"), UInt8(ascii: "z")): letters.acceleration.2 = value
    default: break
    }
  }

  private static func vector(_ axes: (Double?, Double?, Double?)) -> Vector3? {
    guard let x = axes.0, let y = axes.1, let z = axes.2 else { return nil }
    return Vector3(x, y, z)
  }

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    NMEASentence.sentence(&bytes) {
      $0.append(text: "C")
      $0.append(Angle.wrapped(degrees: ((message.own?.magnetic?.degrees ?? 0) * 10).rounded() / 10), decimals: 1)
      let angles: [(StaticString, Double?)] = [
        ("P", message.own?.pitch), ("R", message.own?.roll), ("T", message.temperature),
      ]
      for (letter, value) in angles {
        guard let value else { continue }
        $0.append(text: letter)
        $0.append(value, decimals: 1)
      }
      let nanotesla = message.microtesla.map { $0 / FieldUnit.nanotesla.microtesla }
      Self.encode(nanotesla, ["Mx", "My", "Mz"], decimals: 2, into: &$0)
      Self.encode(message.gravities, ["Ax", "Ay", "Az"], decimals: 3, into: &$0)
    }
  }

  private static func encode(
    _ vector: Vector3?, _ names: [StaticString], decimals: Int, into bytes: inout [UInt8]
  ) {
    guard let vector else { return }
    for (axis, name) in names.enumerated() {
      bytes.append(text: name)
      bytes.append(vector[axis], decimals: decimals)
    }
  }
}
