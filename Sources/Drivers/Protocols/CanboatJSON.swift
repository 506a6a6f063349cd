import LodestoneCore

/// NMEA 2000 as canboat's analyzer and canboatjs write it: an object a message, its fields by name. The analyzer writes
/// angles in degrees with one decimal, with `-si` and in canboatjs they are in radians with four; which, its first line
/// tells, or a number that can be only one of the two. Until then nothing is read. Source: canboat's README and
/// samples.
///
///     {"timestamp":"2026-09-27T17:33:21.107Z","prio":2,"src":2,"dst":255,"pgn":127250,"description":"Vessel Heading",
///      "fields":{"Heading":89.8,"Reference":"Magnetic"}}
struct CanboatJSON: ObjectReading {
  static let name = "canboat-json"
  static let proof = WireProof.signature

  var framer = ObjectFramer()
  private var reader = NMEA2000Reader()
  /// Degrees in one of the numbers; nil while nothing tells.
  private var unit: Double?
  /// Whether the first line has said the unit.
  private var unitIsTold = false
  /// A heading that may be in either unit, with no more than one decimal.
  private var coarse: Double?

  init() {}

  /// Another sender of headings.
  var otherCompass: String? { reader.otherCompass }

  /// One message, its angles in the unit of the wire.
  private struct Record {
    var group: Double?
    var source: Double?
    var time: Double?
    var isMagnetic: Bool?
    var heading: Double?
    var deviation: Double?
    var variation: Double?
    var rate: Double?
    var pitch: Double?
    var roll: Double?
    var latitude: Double?
    var longitude: Double?
    /// Digits behind the point of the heading.
    var decimals = 0
  }

  private typealias Place = any WritableKeyPath<Record, Double?> & Sendable

  /// The names of numbers: canboat's, and canboatjs's in camel case.
  private static let numbers: [(names: [StaticString], place: Place)] = [
    (["pgn"], \.group), (["src"], \.source), (["Heading", "heading"], \.heading),
    (["Deviation", "deviation"], \.deviation),
    (["Variation", "variation"], \.variation), (["Rate", "rate"], \.rate), (["Pitch", "pitch"], \.pitch),
    (["Roll", "roll"], \.roll), (["Latitude", "latitude"], \.latitude), (["Longitude", "longitude"], \.longitude),
  ]

  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    guard line[0] == UInt8(ascii: "{") else { return .rejected(.unrecognized) }
    var scanner = JSONScanner()
    var record = Record()
    var isBanner = false
    while let item = scanner.next(in: line) {
      if let text = item.string, line.holds("units", in: item.key) {
        unit = line.holds("si", in: text) ? Angle.degrees(1) : 1
        (unitIsTold, isBanner) = (true, true)
      } else if let text = item.string, line.holds("timestamp", in: item.key) {
        var cursor = LineCursor()
        record.time = Canboat.instant(line.extracting(text), &cursor)
      } else if let text = item.string, Self.isReference(item, line) {
        record.isMagnetic = line.holds("Magnetic", in: text) ? true : line.holds("True", in: text) ? false : nil
      } else if let number = item.value(in: line),
        let place = Self.numbers.first(where: { $0.names.contains { line.holds($0, in: item.key) } })?.place
      {
        record[keyPath: place] = number
        if place == \.heading {
          record.decimals = decimals(line, item.string ?? scanner.numberStart..<scanner.position)
        }
      }
    }
    guard let group = record.group else { return isBanner ? .other : .rejected(.unrecognized) }
    guard scanner.isComplete else { return .rejected(.malformed) }
    guard let frame = frame(Int(rounding: group), record) else { return .other }
    return reader.read(frame, at: record.time, into: &message)
  }

  /// `"Reference":"Magnetic"`, or with its number beside the name.
  private static func isReference(_ item: JSONScanner.Item, _ line: Span<UInt8>) -> Bool {
    let range = line.holds("name", in: item.key) ? item.parent : item.key
    return line.holds("Reference", in: range) || line.holds("reference", in: range)
  }

  private func decimals(_ line: Span<UInt8>, _ number: Range<Int>) -> Int {
    number.first { line[$0] == UInt8(ascii: ".") }.map { number.upperBound - $0 - 1 } ?? 0
  }

  /// A heading tells the unit: of more than a turn in radians, or finer than the analyzer writes degrees. Two that
  /// differ by tenths are in degrees.
  private mutating func learnUnit(_ heading: Double, decimals: Int) {
    guard !unitIsTold else { return }
    if (2 * .pi + 0.01...361).contains(heading) {
      unit = 1
    } else if unit != nil {
      return
    } else if decimals > 2 {
      unit = Angle.degrees(1)
    } else if decimals < 2 {
      if let coarse, coarse != heading { unit = 1 }
      coarse = heading
    }
  }

  /// The message as its frame; nil for one that is not read, and while the unit is not known.
  private mutating func frame(_ group: Int, _ record: Record) -> CANFrame? {
    let source = UInt8(rounding: record.source ?? 0)
    if group == NMEA2000.position {
      guard let latitude = record.latitude, let longitude = record.longitude else { return nil }
      var frame = CANFrame(group: group, priority: 2, source: source)
      frame.append(little: Int32(rounding: latitude * 1e7))
      frame.append(little: Int32(rounding: longitude * 1e7))
      return frame
    }
    if group == NMEA2000.heading, let heading = record.heading { learnUnit(heading, decimals: record.decimals) }
    guard let unit else { return nil }
    var said = NMEA2000.Heading()
    switch group {
    case NMEA2000.heading:
      guard let heading = record.heading, let isMagnetic = record.isMagnetic, (0...361).contains(heading * unit) else {
        return nil
      }
      if isMagnetic { said.magnetic = heading * unit } else { said.trueNorth = heading * unit }
      (said.deviation, said.variation) = (record.deviation.map { $0 * unit }, record.variation.map { $0 * unit })
    case NMEA2000.rateOfTurn: said.rateOfTurn = record.rate.map { $0 * unit }
    case NMEA2000.attitude: (said.pitch, said.roll) = (record.pitch.map { $0 * unit }, record.roll.map { $0 * unit })
    case NMEA2000.variation: said.variation = record.variation.map { $0 * unit }
    default: return nil
    }
    var frame: CANFrame?
    NMEA2000.forEachFrame(of: said, sequence: 0xFF, source: source) { if $0.group == group { frame = $0 } }
    return frame
  }

  // MARK: Writing

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    guard let own = message.own else { return }
    let said = NMEA2000.Heading(own)
    var text = TextBuffer()
    func append(_ group: Int, _ fields: [(name: StaticString, degrees: Double?)], reference: StaticString? = nil) {
      let known = fields.compactMap { field in field.degrees.map { (field.name, Angle.radians($0)) } }
      guard !known.isEmpty else { return }
      text.append("{\"timestamp\":\"")
      text.append(utc: message.time ?? 0)
      text.append("\",\"prio\":2,\"src\":2,\"dst\":255,\"pgn\":")
      text.append(group)
      text.append(",\"fields\":{")
      for (place, (name, radians)) in known.enumerated() {
        text.append(place == 0 ? "\"" : ",\"")
        text.append(name)
        text.append("\":")
        text.append(radians, decimals: 6)
      }
      if let reference {
        text.append(",\"Reference\":\"")
        text.append(reference)
        text.append("\"")
      }
      text.append("}}\n")
    }
    append(NMEA2000.rateOfTurn, [("Rate", said.rateOfTurn)])
    append(NMEA2000.attitude, [("Pitch", said.pitch), ("Roll", said.roll)])
    let variation: (StaticString, Double?) = ("Variation", said.variation)
    if let magnetic = said.magnetic {
      append(NMEA2000.heading, [("Heading", magnetic), variation], reference: "Magnetic")
    } else if let trueNorth = said.trueNorth {
      append(NMEA2000.heading, [("Heading", trueNorth), variation], reference: "True")
    }
    text.withUnsafeBytes { bytes += $0 }
  }
}
