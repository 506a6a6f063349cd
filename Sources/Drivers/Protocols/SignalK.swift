import LodestoneCore

/// Signal K deltas, as its servers stream and log them, and as `--format signalk` writes them: headings, turn, attitude
/// and variation in radians, a place in degrees, each by its path. A stream tells of other vessels too, as AIS hears
/// them: these are left out. Source: the Signal K specification 1.7, "Data model" and "navigation".
///
///     {"updates":[{"$source":"can1.204","timestamp":"2026-09-27T17:33:21.107Z",
///      "values":[{"path":"navigation.headingMagnetic","value":1.568}]}]}
struct SignalK: ObjectReading {
  static let name = "signalk"
  static let proof = WireProof.signature

  var framer = ObjectFramer()
  private var compass = CompassChoice()
  /// Turn and attitude belong to a heading that comes without them.
  private var attitude = HeldAttitude()
  /// The variation as it was told last, in radians.
  private var variation: Double?
  /// The deviation of the compass as it was told last, in radians: it may come apart from the heading.
  private var deviation: Double?
  /// The context of the boat's own deltas; nil while it is not known.
  private var ownContext: [UInt8]?
  /// Another source of headings, which is passed over.
  private(set) var otherCompass: String?

  init() {}

  /// The values of a delta: angles in radians, a place in degrees.
  private struct Values {
    var compass: Double?
    var magnetic: Double?
    var trueNorth: Double?
    var deviation: Double?
    var variation: Double?
    var rateOfTurn: Double?
    var pitch: Double?
    var roll: Double?
    var latitude: Double?
    var longitude: Double?
    /// The parts whose value is null.
    var withdrawn: AttitudeParts = []
    /// The deviation is null.
    var lacksDeviation = false

    var hasHeading: Bool { compass != nil || magnetic != nil || trueNorth != nil }
    /// Whether it tells something that no vessel tells others of itself.
    var isOfOwnSensors: Bool { [compass, magnetic, deviation, variation, pitch, roll].contains { $0 != nil } }

    /// Notes that a path has no value.
    mutating func withdraw(_ line: Span<UInt8>, path: Range<Int>) {
      let paths: [(path: StaticString, parts: AttitudeParts)] = [
        ("navigation.attitude", [.pitch, .roll]), ("navigation.attitude.pitch", .pitch),
        ("navigation.attitude.roll", .roll), ("navigation.rateOfTurn", .rateOfTurn),
        ("navigation.magneticVariation", .variation),
      ]
      if let told = paths.first(where: { line.holds($0.path, in: path) }) { withdrawn.formUnion(told.parts) }
      if line.holds("navigation.magneticDeviation", in: path) { lacksDeviation = true }
    }
  }

  private typealias Place = any WritableKeyPath<Values, Double?> & Sendable

  /// The place of a key's number, by the path beside it.
  private static let places: [(path: StaticString, key: StaticString, place: Place)] = [
    ("navigation.headingMagnetic", "value", \.magnetic), ("navigation.headingTrue", "value", \.trueNorth),
    ("navigation.headingCompass", "value", \.compass), ("navigation.magneticDeviation", "value", \.deviation),
    ("navigation.magneticVariation", "value", \.variation), ("navigation.rateOfTurn", "value", \.rateOfTurn),
    ("navigation.attitude", "pitch", \.pitch), ("navigation.attitude", "roll", \.roll),
    ("navigation.attitude.pitch", "value", \.pitch), ("navigation.attitude.roll", "value", \.roll),
    ("navigation.position", "latitude", \.latitude), ("navigation.position", "longitude", \.longitude),
  ]

  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    guard line[0] == UInt8(ascii: "{") else { return .rejected(.unrecognized) }
    var scanner = JSONScanner(entersElements: true)
    var (values, time) = (Values(), Double?.none)
    var (context, source, sourceParts) = ([UInt8](), [UInt8](), [UInt8]())
    var path: Range<Int>?
    // A number may stand before its path.
    var waiting: (number: Double, key: Range<Int>)?
    var isDelta = false
    while let item = scanner.next(in: line) {
      if let text = item.string {
        if line.holds("path", in: item.key) {
          (path, isDelta) = (text, true)
          if let (number, key) = waiting, let place = Self.place(line, path: text, key: key) {
            (values[keyPath: place], waiting, path) = (number, nil, nil)
          }
        } else if line.holds("timestamp", in: item.key) {
          time = time ?? CalendarTime(iso: line.extracting(text))?.unixTime
        } else if line.holds("$source", in: item.key) {
          source += line.bytes(in: text)
        } else if line.holds("source", in: item.parent), !line.holds("sentence", in: item.key) {
          sourceParts += line.bytes(in: text)
        } else if item.parent.isEmpty, line.holds("context", in: item.key) {
          context = line.bytes(in: text)
        } else if item.parent.isEmpty, line.holds("self", in: item.key) {
          ownContext = line.bytes(in: text)
        }
      } else if let number = item.number {
        if let path {
          if let place = Self.place(line, path: path, key: item.key) { values[keyPath: place] = number }
        } else if line.holds("value", in: item.key) {
          waiting = (number, item.key)
        }
      }
      if let told = path, line.holds("value", in: item.key) {
        if item.number == nil, item.string == nil { values.withdraw(line, path: told) }
        path = nil
      }
    }
    guard isDelta else { return .rejected(.unrecognized) }
    guard scanner.isComplete else { return .rejected(.malformed) }
    guard isOfOwnBoat(context, values) else { return .other }
    fill(&message, values, at: time, from: source.isEmpty ? sourceParts : source)
    guard message.own != nil || message.position != nil else { return .other }
    message.time = time
    return .message
  }

  private static func place(_ line: Span<UInt8>, path: Range<Int>, key: Range<Int>) -> Place? {
    places.first { line.holds($0.path, in: path) && line.holds($0.key, in: key) }?.place
  }

  /// A server's first words name the boat; else the first one does that tells of sensors of its own.
  private mutating func isOfOwnBoat(_ context: [UInt8], _ values: Values) -> Bool {
    let vessels = Array("vessels.".utf8)
    if context.isEmpty || context == vessels + Array("self".utf8) { return true }
    if ownContext == nil, values.isOfOwnSensors { ownContext = context }
    return ownContext.map { context == $0 || context == vessels + $0 } ?? false
  }

  // MARK: From values to a message

  private mutating func fill(_ message: inout WireMessage, _ values: Values, at time: Double?, from source: [UInt8]) {
    if let latitude = values.latitude, let longitude = values.longitude,
      let place = Coordinate(latitude: latitude, longitude: longitude)
    {
      message.position = WirePosition(.whole, Position(place, unixTime: time))
    }
    if values.variation != nil || values.withdrawn.contains(.variation) { variation = values.variation }
    let sender = source.fingerprint
    guard values.hasHeading ? reads(sender, source) : compass.chosen == nil || compass.chosen == sender else { return }
    if values.deviation != nil || values.lacksDeviation { deviation = values.deviation }
    message.own = attitude.join(own(values), without: values.withdrawn, at: time)
    if let own = message.own { message.withdrawn = own.missing }
  }

  private mutating func reads(_ sender: UInt64, _ source: [UInt8]) -> Bool {
    let known = compass.chosen
    guard compass.reads(sender) else {
      otherCompass = "the source \(source.prefix(48).harmlessText)"
      return false
    }
    if let known, known != sender {
      attitude.forget()
      deviation = nil
    }
    return true
  }

  /// The heading and attitude of a delta; what is no angle in radians is left out.
  private func own(_ values: Values) -> OwnHeading {
    func degrees(_ radians: Double?) -> Double? {
      radians.flatMap { abs($0) < 2 * .pi + 0.01 ? Angle.degrees($0) : nil }
    }
    var own = OwnHeading(rateOfTurn: degrees(values.rateOfTurn))
    if values.pitch != nil, values.roll != nil { (own.pitch, own.roll) = (degrees(values.pitch), degrees(values.roll)) }
    let ofCompass = degrees(values.compass).map { $0 + (degrees(deviation) ?? 0) }
    own.magnetic = (degrees(values.magnetic) ?? ofCompass).map { Heading(degrees: $0) }
    own.trueNorth = degrees(values.trueNorth).map { Heading(degrees: $0) }
    if own.trueNorth == nil, let magnetic = own.magnetic, let variation, abs(variation) <= .pi {
      own.trueNorth = magnetic + Declination(degrees: Angle.degrees(variation))
    }
    return own
  }

  // MARK: Writing

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    guard let own = message.own else { return }
    var text = TextBuffer()
    text.append("{\"updates\":[{\"timestamp\":\"")
    text.append(utc: message.time ?? 0)
    text.append("\",\"values\":[")
    let start = text.count
    func append(_ path: StaticString, _ degrees: Double?) {
      guard let degrees else { return }
      if text.count > start { text.append(",") }
      text.append("{\"path\":\"navigation.")
      text.append(path)
      text.append("\",\"value\":")
      text.append(Angle.radians(degrees), decimals: 6)
      text.append("}")
    }
    append("attitude.pitch", own.roll == nil ? nil : own.pitch)
    append("attitude.roll", own.pitch == nil ? nil : own.roll)
    append("rateOfTurn", own.rateOfTurn)
    append("headingMagnetic", own.magnetic?.degrees)
    append("headingTrue", own.trueNorth?.degrees)
    text.append("]}]}\n")
    text.withUnsafeBytes { bytes += $0 }
  }
}
