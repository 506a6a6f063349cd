import Drivers
import LodestoneCore

/// NMEA 0183 sentences: HDG with deviation and variation where they are known, HDM, HDT, ROT, XDR for pitch and roll,
/// and for an attitude the sentence that was chosen, each with its checksum and CR LF. What is not known is not sent.
/// HDG tells the heading of the compass with its deviation beside it; HDM and HDT have no such field, so it is added
/// there.
public struct NMEAFormat: HeadingFormat {
  /// `--format nmea`.
  public static let name = "nmea"
  private let talker: String
  private let places: HeadingPlaces
  private let yawAccuracy, tiltAccuracy: Int?
  private let isAttitude: Bool
  private let facts: StreamFacts

  /// Sentences by `facts.talker`.
  public init(_ schema: RecordSchema, _ facts: StreamFacts) {
    talker = facts.talker
    self.facts = facts
    isAttitude = schema.index(of: "qw") != nil
    yawAccuracy = schema.index(of: "yaw_accuracy")
    tiltAccuracy = schema.index(of: "inclination_accuracy")
    places = HeadingPlaces(schema)
  }

  /// The sentences of one record.
  public mutating func append(_ row: borrowing Row, to text: inout TextBuffer) {
    let (trueHeading, off) = (row[places.trueNorth], row[places.deviation])
    if let heading = row[places.magnetic], let deviated = places.deviated(places.magnetic, row) {
      sentence("HDG", &text) { text in
        text.append(headingDegrees: heading, decimals: 1)
        text.append(",")
        append(eastward: off, &text)
        text.append(",")
        append(eastward: trueHeading.map { Angle.shortestTurn(from: heading, to: $0) }, &text)
      }
      sentence("HDM", &text) { text in
        text.append(headingDegrees: deviated, decimals: 1)
        text.append(",M")
      }
    }
    if let deviated = places.deviated(places.trueNorth, row) {
      sentence("HDT", &text) { text in
        text.append(headingDegrees: deviated, decimals: 1)
        text.append(",T")
      }
    }
    if let rate = row[places.rateOfTurn] {
      sentence("ROT", &text) { text in
        text.append(rate * 60, decimals: 1)  // degrees per minute, to port negative
        text.append(",A")
      }
    }
    if let pitch = row[places.pitch], let roll = row[places.roll] {
      sentence("XDR", &text) { text in
        text.append("A,")
        text.append(pitch, decimals: 1)
        text.append(",D,PTCH,A,")
        text.append(roll, decimals: 1)
        text.append(",D,ROLL")
      }
      guard isAttitude else { return }
      switch facts.attitudeSentence {
      case .pashr: appendPASHR(trueHeading, pitch, roll, row, &text)
      case .att: appendATT(trueHeading, pitch, roll, row, &text)
      case .gpatt: appendGPatt(trueHeading, pitch, roll, &text)
      }
    }
  }

  /// `$PASHR,hhmmss.sss,heading,T,roll,pitch,heave,` and the standard deviations of roll, pitch and heading; no
  /// satellites (0), an inertial sensor (1). Heave is not known. As Oxford Technical Solutions and gpsd have it.
  private func appendPASHR(
    _ trueHeading: Double?, _ pitch: Double, _ roll: Double, _ row: borrowing Row, _ text: inout TextBuffer
  ) {
    let (tilt, yaw) = (row[tiltAccuracy].map { $0 / Quantile.normal }, row[yawAccuracy].map { $0 / Quantile.normal })
    let time = timeOfDay(row)
    sentence("ASHR", by: "P", &text) { text in
      if let time { text.append(timeOfDay: time, between: "") }
      text.append(",")
      if let trueHeading { text.append(headingDegrees: trueHeading, decimals: 2) }
      text.append(",T,")
      for value in [roll, pitch] {
        if value >= 0 { text.append("+") }
        text.append(value, decimals: 2)
        text.append(",")
      }
      for deviation in [tilt, tilt, yaw] {
        text.append(",")
        if let deviation { text.append(deviation, decimals: 3) }
      }
      text.append(",0,1")
    }
  }

  /// `$--ATT,hhmmss.sss,heading,roll,pitch,heave`: true heading in [0, 360), roll with the right side down positive,
  /// pitch with the bow up positive, all in degrees. Heave is not known. Inertial units for survey have it so.
  private func appendATT(
    _ trueHeading: Double?, _ pitch: Double, _ roll: Double, _ row: borrowing Row, _ text: inout TextBuffer
  ) {
    let time = timeOfDay(row)
    sentence("ATT", &text) { text in
      if let time { text.append(timeOfDay: time, between: "") }
      text.append(",")
      if let trueHeading { text.append(headingDegrees: trueHeading, decimals: 2) }
      for value in [roll, pitch] {
        text.append(",")
        text.append(value, decimals: 2)
      }
      text.append(",")
    }
  }

  /// `$PFEC,GPatt,yaw,pitch,roll`: Furuno's sentence, version 2, which sonars read. Yaw is the true heading.
  private func appendGPatt(_ trueHeading: Double?, _ pitch: Double, _ roll: Double, _ text: inout TextBuffer) {
    sentence("FEC", by: "P", &text) { text in
      text.append("GPatt,")
      if let trueHeading { text.append(headingDegrees: trueHeading, decimals: 1) }
      for value in [pitch, roll] {
        text.append(",")
        text.append(value, decimals: 1)
      }
    }
  }

  /// UTC of a record in seconds since 1970; nil where nothing tells.
  private func timeOfDay(_ row: borrowing Row) -> Double? {
    row[0].flatMap { time in facts.start(of: time).map { $0 + time } }
  }

  /// Degrees without a sign, and which way; two empty fields for what is not known.
  private func append(eastward degrees: Double?, _ text: inout TextBuffer) {
    guard let degrees else { return text.append(",") }
    text.append(degrees.magnitude, decimals: 1)
    text.append(degrees < 0 ? ",W" : ",E")
  }

  /// `$` talker, name, the body, `*` and the exclusive or of all between `$` and `*` in two hexadecimal digits.
  private func sentence(
    _ name: StaticString, by talker: String? = nil, _ text: inout TextBuffer, body: (inout TextBuffer) -> Void
  ) {
    let start = text.count + 1
    text.append(byte: UInt8(ascii: "$"))
    text.append(text: talker ?? self.talker)
    text.append(name)
    text.append(byte: UInt8(ascii: ","))
    body(&text)
    var sum: UInt8 = 0
    text.withUnsafeBytes { bytes in
      for byte in bytes[start...] { sum ^= byte }
    }
    text.append(byte: UInt8(ascii: "*"))
    text.append(hexadecimal: UInt32(sum), digits: 2)
    text.append("\r\n")
  }
}

/// The NMEA 0183 sentence that tells a whole attitude. There is none in the standard that all makers follow: each
/// program says which it reads.
public enum AttitudeSentence: String, Sendable, CaseIterable {
  /// `$PASHR`, with the time and standard deviations.
  case pashr
  /// `$--ATT`: time, true heading, roll, pitch, heave. Other makers have other fields under this name.
  case att
  /// `$PFEC,GPatt` of Furuno: true heading, pitch, roll.
  case gpatt
}
