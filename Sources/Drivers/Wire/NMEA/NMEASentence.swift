import LodestoneCore

/// Reads single NMEA 0183 sentences.
enum NMEASentence {
  /// Reads a sentence into a new message; `.other` for those with nothing for us.
  static func read(
    _ line: Span<UInt8>, _ address: NMEAAddress, _ frame: NMEAFrame, into message: inout WireMessage
  ) -> WireMeaning {
    message.unchecked = !frame.isChecked
    var fields = Fields(from: address.fieldStart, to: frame.content.upperBound)
    let isKnown =
      readStandard(address.sentence, line, &fields, &message)
      || readProprietary(address.bits, line, &fields, &message)
    guard isKnown else { return .other }
    return fields.isMalformed ? .rejected(.malformed) : meaning(of: message)
  }

  /// `.other` for a message with nothing for us in it.
  static func meaning(of message: borrowing WireMessage) -> WireMeaning {
    guard message.field == nil, message.own == nil, !message.hasPosition, message.acceleration == nil,
      message.withdrawn.isEmpty
    else { return .message }
    return .other
  }

  /// Reads sentences of the standard, whoever the talker. False for one that is not known here.
  @inline(__always)
  private static func readStandard(
    _ sentence: UInt64, _ line: Span<UInt8>, _ fields: inout Fields, _ message: inout WireMessage
  ) -> Bool {
    switch sentence {
    case Word.hdg: message.own = readHDG(line, &fields)
    case Word.hdm: message.own = readHDM(line, &fields)
    case Word.hdt: message.own = readHDT(line, &fields)
    case Word.ths: message.own = readTHS(line, &fields)
    case Word.rot:
      message.own = readROT(line, &fields)
      if message.own == nil { message.withdrawn = .rateOfTurn }
    case Word.vhw: message.own = readVHW(line, &fields)
    case Word.xdr: readXDR(line, &fields, &message)
    case Word.hpr: takeAttitude(SatelliteCompass.readHPR(line, &fields), &message)
    default:
      guard let read = NMEAPosition.reader(of: sentence) else { return false }
      message.position = read(line, &fields)
    }
    return true
  }

  /// Reads sentences of makers.
  private static func readProprietary(
    _ address: UInt64, _ line: Span<UInt8>, _ fields: inout Fields, _ message: inout WireMessage
  ) -> Bool {
    switch address {
    case Word.pashr: takeAttitude(readPASHR(line, &fields), &message)
    case Word.ptnthtm: takeAttitude(TNTSentences.readHTM(line, &fields), &message)
    case Word.ptnthpr: takeAttitude(TNTSentences.readHPR(line, &fields), &message)
    case Word.ptntccd: TNTSentences.readCCD(line, &fields, &message)
    case Word.pfec where SatelliteCompass.isGPatt(line, &fields), Word.psat where SatelliteCompass.isHPR(line, &fields):
      takeAttitude(SatelliteCompass.read(line, &fields), &message)
    case Word.ptnl where SatelliteCompass.isAVR(line, &fields):
      takeAttitude(SatelliteCompass.readAVR(line, &fields), &message)
    case Word.ohpr: OceanServer.readHPR(line, &fields, &message)
    default: return false
    }
    return true
  }

  /// The attitude of a sentence that has room for pitch and roll: what is not there is not known.
  private static func takeAttitude(_ own: OwnHeading?, _ message: inout WireMessage) {
    message.own = own
    message.withdrawn = AttitudeParts(tiltMissingIn: own)
  }

  /// Addresses of sentences.
  enum Word {
    static let hdg = word("H", "D", "G"), hdm = word("H", "D", "M"), hdt = word("H", "D", "T")
    static let ths = word("T", "H", "S"), rot = word("R", "O", "T"), vhw = word("V", "H", "W")
    static let xdr = word("X", "D", "R"), hpr = word("H", "P", "R")
    static let pashr = NMEAAddress.word("PASHR"), ohpr = NMEAAddress.word("OHPR")
    static let ptnthtm = NMEAAddress.word("PTNTHTM"), ptnthpr = NMEAAddress.word("PTNTHPR")
    static let ptntccd = NMEAAddress.word("PTNTCCD")
    static let pfec = NMEAAddress.word("PFEC"), psat = NMEAAddress.word("PSAT")
    static let ptnl = NMEAAddress.word("PTNL")

    /// Three letters as `NMEAAddress.bits` would hold them: a constant, where a text would be asked for each line.
    @inline(__always)
    private static func word(_ a: Unicode.Scalar, _ b: Unicode.Scalar, _ c: Unicode.Scalar) -> UInt64 {
      UInt64(UInt8(ascii: a)) << 16 | UInt64(UInt8(ascii: b)) << 8 | UInt64(UInt8(ascii: c))
    }
  }

  // MARK: Headings

  /// Sensor heading, deviation, E or W, variation, E or W: magnetic = sensor + east deviation, true = magnetic + east
  /// variation. KVH's short form has the heading alone. Part of the caller: it is what most compasses say.
  @inline(__always)
  private static func readHDG(_ line: Span<UInt8>, _ fields: inout Fields) -> OwnHeading? {
    let sensor = heading(line, &fields)
    let deviation = eastward(line, &fields)
    let variation = eastward(line, &fields)
    guard let sensor else { return nil }
    let magnetic = Heading<MagneticNorth>(degrees: sensor + (deviation ?? 0))
    return OwnHeading(magnetic: magnetic, trueNorth: variation.map { magnetic + Declination(degrees: $0) })
  }

  private static func readHDM(_ line: Span<UInt8>, _ fields: inout Fields) -> OwnHeading? {
    let degrees = heading(line, &fields)
    expect("M", line, &fields)
    return degrees.map { OwnHeading(magnetic: Heading(degrees: $0)) }
  }

  private static func readHDT(_ line: Span<UInt8>, _ fields: inout Fields) -> OwnHeading? {
    let degrees = heading(line, &fields)
    expect("T", line, &fields)
    return degrees.map { OwnHeading(trueNorth: Heading(degrees: $0)) }
  }

  /// Reads a true heading and how it came about: autonomous, estimated, manual, simulated, or V for not valid.
  private static func readTHS(_ line: Span<UInt8>, _ fields: inout Fields) -> OwnHeading? {
    let degrees = heading(line, &fields)
    guard fields.letter(in: line) != UInt8(ascii: "V") else { return nil }
    return degrees.map { OwnHeading(trueNorth: Heading(degrees: $0)) }
  }

  /// Degrees per minute, positive to starboard, and A for valid.
  private static func readROT(_ line: Span<UInt8>, _ fields: inout Fields) -> OwnHeading? {
    let rate = fields.number(in: line)
    guard fields.letter(in: line) == UInt8(ascii: "A") else { return nil }
    return rate.map { OwnHeading(rateOfTurn: $0 / 60) }
  }

  /// Heading true, T, magnetic, M, then speeds through the water.
  private static func readVHW(_ line: Span<UInt8>, _ fields: inout Fields) -> OwnHeading? {
    let trueNorth = heading(line, &fields)
    expect("T", line, &fields)
    let magnetic = heading(line, &fields)
    expect("M", line, &fields)
    guard trueNorth != nil || magnetic != nil else { return nil }
    return OwnHeading(
      magnetic: magnetic.map { Heading(degrees: $0) }, trueNorth: trueNorth.map { Heading(degrees: $0) })
  }

  /// Time, true heading, T, roll, pitch, heave, their deviations, quality of the position and of the inertial unit.
  private static func readPASHR(_ line: Span<UInt8>, _ fields: inout Fields) -> OwnHeading? {
    fields.skip(in: line)
    let degrees = heading(line, &fields)
    expect("T", line, &fields)
    let roll = fields.number(in: line, within: tilts)
    let pitch = fields.number(in: line, within: tilts)
    guard degrees != nil || roll != nil || pitch != nil else { return nil }
    return OwnHeading(trueNorth: degrees.map { Heading(degrees: $0) }, pitch: pitch, roll: roll)
  }

  /// Transducer measurements, any number of (type, value, unit, name): pitch, roll and the raw field by their names.
  private static func readXDR(_ line: Span<UInt8>, _ fields: inout Fields, _ message: inout WireMessage) {
    var own = OwnHeading()
    var field: (x: Double?, y: Double?, z: Double?)
    while fields.hasMore {
      fields.skip(in: line)
      let value = fields.number(in: line)
      let unit = fields.text(in: line)
      let name = fields.text(in: line)
      let isAngle = unit.count == 1 && line[unit.lowerBound] == UInt8(ascii: "D")
      // True North's compasses send counts as degrees: past half a turn they give themselves away.
      let tilt = value.flatMap { tilts.contains($0) ? $0 : nil }
      if isAngle, line.holds("PITCH", in: name) || line.holds("PTCH", in: name) {
        own.pitch = tilt
        if tilt == nil { message.withdrawn.insert(.pitch) }
      }
      if isAngle, line.holds("ROLL", in: name) {
        own.roll = tilt
        if tilt == nil { message.withdrawn.insert(.roll) }
      }
      if line.holds("MAGX", in: name) { field.x = value }
      if line.holds("MAGY", in: name) { field.y = value }
      if line.holds("MAGZ", in: name) { field.z = value }
    }
    if own != OwnHeading() { message.own = own }
    if let x = field.x, let y = field.y, let z = field.z { message.field = Vector3(x, y, z) }
  }

  // MARK: Fields

  /// Pitch and roll in degrees, counted to half a turn either way.
  private static let tilts = -180.0...180

  /// A number in 0 ... 360.
  private static func heading(_ line: Span<UInt8>, _ fields: inout Fields) -> Double? {
    fields.number(in: line, within: 0...360)
  }

  /// A size and E or W: east positive. A size without a letter is not known, nor is one with a sign: `-5.7,W` may be
  /// either side, and Signal K's encoder had `-5.73,E` where the deviation belongs for a variation of 5.73° W
  /// (signalk-to-nmea0183, issues 71 and 147).
  private static func eastward(_ line: Span<UInt8>, _ fields: inout Fields) -> Double? {
    let size = fields.number(in: line, within: -180...180).flatMap { $0 < 0 ? nil : $0 }
    switch fields.letter(in: line) {
    case UInt8(ascii: "E"): return size
    case UInt8(ascii: "W"): return size.map { -$0 }
    case nil: return nil
    default:
      fields.markMalformed()
      return nil
    }
  }

  /// A letter that must be there, or nothing at all.
  private static func expect(_ letter: Unicode.Scalar, _ line: Span<UInt8>, _ fields: inout Fields) {
    if let found = fields.letter(in: line), found != UInt8(ascii: letter) { fields.markMalformed() }
  }
}

// MARK: Writing

extension NMEASentence {
  /// Writes the sentences that hold a message: HDG or HDM with HDT for the headings, ROT, and XDR for attitude and
  /// field.
  static func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    if let magnetic = message.own?.magnetic {
      sentence(&bytes) {
        $0.append(text: "HCHDG,")
        $0.append(rounding(magnetic.degrees), decimals: 2)
        $0.append(text: ",,")
        if let trueNorth = message.own?.trueNorth {
          let variation = Angle.shortestTurn(from: magnetic.degrees, to: trueNorth.degrees)
          $0.append(text: ",")
          $0.append(abs(variation), decimals: 2)
          $0.append(text: variation < 0 ? ",W" : ",E")
        } else {
          $0.append(text: ",,")
        }
      }
    } else if let trueNorth = message.own?.trueNorth {
      sentence(&bytes) {
        $0.append(text: "HCHDT,")
        $0.append(rounding(trueNorth.degrees), decimals: 2)
        $0.append(text: ",T")
      }
    }
    if let rate = message.own?.rateOfTurn {
      sentence(&bytes) {
        $0.append(text: "HCROT,")
        $0.append(rate * 60, decimals: 1)
        $0.append(text: ",A")
      }
    }
    encodeXDR(message, into: &bytes)
  }

  private static func encodeXDR(_ message: WireMessage, into bytes: inout [UInt8]) {
    let angles: [(Double?, StaticString)] = [(message.own?.pitch, ",D,PITCH"), (message.own?.roll, ",D,ROLL")]
    let field = message.microtesla
    let axes: [(Double?, StaticString)] = [(field?.x, ",,MAGX"), (field?.y, ",,MAGY"), (field?.z, ",,MAGZ")]
    guard angles.contains(where: { $0.0 != nil }) || field != nil else { return }
    sentence(&bytes) {
      $0.append(text: "HCXDR")
      for (value, name) in angles {
        guard let value else { continue }
        $0.append(text: ",A,")
        $0.append(value, decimals: 2)
        $0.append(text: name)
      }
      for (value, name) in axes {
        guard let value else { continue }
        $0.append(text: ",G,")
        $0.append(value, decimals: 3)
        $0.append(text: name)
      }
    }
  }

  /// `$`, what `body` writes, and the checksum.
  static func sentence(_ bytes: inout [UInt8], _ body: (inout [UInt8]) -> Void) {
    bytes.append(UInt8(ascii: "$"))
    let start = bytes.count
    body(&bytes)
    let sum = Checksum.xor8(bytes.span.extracting(start...))
    bytes.append(UInt8(ascii: "*"))
    bytes.append(hexadecimal: sum)
    bytes.append(text: "\r\n")
  }

  /// Rounds to two decimals, then wraps: 359.996 is 0.
  private static func rounding(_ degrees: Double) -> Double {
    Angle.wrapped(degrees: (degrees * 100).rounded() / 100)
  }
}
