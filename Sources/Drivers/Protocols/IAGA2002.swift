import Glibc
import LodestoneCore

/// Daily files of magnetic observatories in IAGA-2002: a header of lines that end in a bar, then one record a minute or
/// second, `2010-01-01 00:00:00.000 001     20700.41   3310.52  47301.90  51742.87`, in nanotesla along the geographic
/// north, the east and down. Declination and inclination, where a station reports those, are in minutes of arc. A
/// record with a value that was not measured holds nothing. Source: "IAGA 2002 Data Exchange Format", NOAA National
/// Centers for Environmental Information.
struct IAGA2002: LineReading {
  static let name = "iaga2002"
  static let proof = WireProof.signature
  static let axes = WireAxes.forwardRightDown

  /// The quantities of the first three values of a record.
  private enum Elements: Equatable {
    case northEastDown
    case horizontalDeclinationDown
    case declinationHorizontalDown
    case declinationHorizontalInclination
    /// H and E along and across the direction that the sensor was set up in, DECBAS east of north.
    case alongAcrossDown
    /// The sensor's own axes.
    case sensorAxes

    /// The axes by the last letters of the columns' names.
    init?(_ letters: (UInt8, UInt8, UInt8)) {
      switch (UnicodeScalar(letters.0), UnicodeScalar(letters.1), UnicodeScalar(letters.2)) {
      case ("X", "Y", "Z"): self = .northEastDown
      case ("H", "D", "Z"): self = .horizontalDeclinationDown
      case ("D", "H", "Z"): self = .declinationHorizontalDown
      case ("D", "H", "I"): self = .declinationHorizontalInclination
      case ("H", "E", "Z"): self = .alongAcrossDown
      case ("U", "V", "W"): self = .sensorAxes
      default: return nil
      }
    }

    /// North, east and down from three values of a record.
    /// - Parameter base: what the declinations count from, in minutes of arc east.
    func field(_ values: Vector3, base: Double) -> Vector3 {
      switch self {
      case .northEastDown, .sensorAxes: values
      case .horizontalDeclinationDown: Self.field(values.x, base + values.y, down: values.z)
      case .declinationHorizontalDown: Self.field(values.y, base + values.x, down: values.z)
      case .declinationHorizontalInclination:
        Self.field(values.y, base + values.x, down: values.y * tan(Angle.radians(values.z / 60)))
      case .alongAcrossDown:
        Self.field(hypot(values.x, values.y), base + Angle.degrees(atan2(values.y, values.x)) * 60, down: values.z)
      }
    }

    private static func field(_ horizontal: Double, _ minutesOfArc: Double, down: Double) -> Vector3 {
      let declination = Angle.radians(minutesOfArc / 60)
      return Vector3(horizontal * cos(declination), horizontal * sin(declination), down)
    }
  }

  var framer = LineFramer()
  /// The elements of the field; nil until the line above the records has named them.
  private var elements: Elements?
  private var hasWrittenHeader = false
  /// DECBAS, in minutes of arc east.
  private var declinationBase = 0.0
  /// The data are variations, whose declinations count from DECBAS.
  private var isVariation = false

  init() {}

  /// The header comes once, and days without a measurement may follow it.
  func fromStart() -> IAGA2002 {
    var start = IAGA2002()
    (start.elements, start.declinationBase, start.isVariation) = (elements, declinationBase, isVariation)
    return start
  }

  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    if line[line.count - 1] == UInt8(ascii: "|") { return readHeader(line) }
    guard let elements, line.count > 26, let time = CalendarTime(iso: line.extracting(..<23)) else {
      return .rejected(.unrecognized)
    }
    var index = 23
    guard let day = Self.number(line, &index), day == Double(time.dayOfYear), let x = Self.number(line, &index),
      let y = Self.number(line, &index), let z = Self.number(line, &index), Self.number(line, &index) != nil,
      index == line.count
    else { return .rejected(.malformed) }
    let values = Vector3(x, y, z)
    guard max(abs(x), abs(y), abs(z)) < Observatory.firstMark else { return .other }
    let field = elements.field(values, base: elements == .alongAcrossDown || isVariation ? declinationBase : 0)
    // What is left of a variation without its base line is no field that points anywhere.
    guard field.length > Self.weakest else { return .other }
    guard field.length < 2 * Observatory.firstMark else { return .rejected(.malformed) }
    message.time = time.unixTime
    message.field = field
    message.fieldUnit = .nanotesla
    return .message
  }

  /// A record of the header: the last one names the columns by the station's code and a letter each.
  private mutating func readHeader(_ line: Span<UInt8>) -> WireMeaning {
    guard line.holds("DATE ") else {
      guard line[0] == .space else { return .rejected(.unrecognized) }
      if line.holds(" Data Type"), line.holds("ariation", at: 25) { isVariation = true }
      if line.holds(" # DECBAS") {
        var index = 9
        if let tenths = Self.number(line, &index), tenths.magnitude <= 216_000 { declinationBase = tenths / 10 }
      }
      return .other
    }
    var letters: [UInt8] = []
    for index in 1..<line.count where line[index] == .space || index == line.count - 1 {
      if line[index - 1] != .space { letters.append(line[index - 1]) }
    }
    // DATE, TIME, DOY, and four columns.
    elements = letters.count == 7 ? Elements((letters[3], letters[4], letters[5])) : nil
    return elements == nil ? .rejected(.unrecognized) : .other
  }

  /// Half of the weakest field on Earth, in nT.
  private static let weakest = 10_000.0

  /// The next of the numbers between blanks.
  private static func number(_ line: Span<UInt8>, _ index: inout Int) -> Double? {
    while index < line.count, line[index] == .space { index += 1 }
    let value = parseDecimal(line, from: &index)
    while index < line.count, line[index] == .space { index += 1 }
    return value
  }

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    guard let field = message.microtesla else { return }
    var text = TextBuffer(capacity: 128)
    if !hasWrittenHeader {
      hasWrittenHeader = true
      Observatory().appendHeader(interval: "", to: &text)
    }
    Observatory.append(message.time ?? 0, field, to: &text)
    text.withUnsafeBytes { bytes += $0 }
  }
}
