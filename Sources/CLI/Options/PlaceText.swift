import LodestoneCore

/// A place as maps, plotters and people write it: `48.2,16.37,200`, `48°12.5'N 16°22.3'E`, `N48 12 30, E16 22 12`,
/// `geo:48.2,16.37`. Letters say which angle is which; without them the latitude comes first. Marks or, beside a
/// letter, blanks stand between degrees, minutes and seconds.
struct PlaceText {
  /// The angles in degrees, north and east positive.
  private(set) var latitude, longitude: Double
  /// The altitude in metres; nil where it is not given.
  private(set) var altitude: Double?

  /// A place from a text; nil for one that is no place, or may be two.
  init?(_ text: String) {
    guard let place = Self.decimal(text) ?? Self.uri(text) ?? Self.angles(text) else { return nil }
    self = place
  }

  private init(_ latitude: Double, _ longitude: Double, _ altitude: Double?) {
    (self.latitude, self.longitude, self.altitude) = (latitude, longitude, altitude)
  }

  /// Two or three numbers between commas.
  private static func decimal(_ text: some StringProtocol) -> PlaceText? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
      Double(decimal: Array($0.utf8).span)
    }
    guard parts.count == 2 || parts.count == 3, let latitude = parts[0], let longitude = parts[1] else { return nil }
    guard parts.count == 3 else { return PlaceText(latitude, longitude, nil) }
    return parts[2].map { PlaceText(latitude, longitude, $0) }
  }

  /// A `geo:` link (RFC 5870): what follows the numbers, as its uncertainty, is passed over.
  private static func uri(_ text: String) -> PlaceText? {
    guard text.lowercased().hasPrefix("geo:") else { return nil }
    return decimal(text.dropFirst(4).prefix { $0 != ";" && $0 != "?" })
  }

  /// Two angles, and an altitude in metres.
  private static func angles(_ text: String) -> PlaceText? {
    guard var reader = AngleReader(text), let first = reader.angle() else { return nil }
    reader.passSeparator()
    guard let second = reader.angle() else { return nil }
    let altitude = reader.altitude()
    guard reader.isAtEnd else { return nil }
    switch (first.side, second.side) {
    case (nil, nil):
      // Numbers alone are degrees, with a comma in both or in none: `48,16 200` is something else.
      let areNumbers = first.isLone && second.isLone && altitude == nil && reader.commaCount != 1
      guard first.isMarked && second.isMarked || areNumbers else { return nil }
      return PlaceText(first.degrees, second.degrees, altitude)
    case (let a?, let b?) where a.isNorthern && !b.isNorthern: return PlaceText(first.degrees, second.degrees, altitude)
    case (let a?, let b?) where b.isNorthern && !a.isNorthern: return PlaceText(second.degrees, first.degrees, altitude)
    default: return nil
    }
  }
}

/// The letter of an angle.
private enum Side: Character {
  case north = "N"
  case south = "S"
  case east = "E"
  case west = "W"

  var isNorthern: Bool { self == .north || self == .south }
  var isNegative: Bool { self == .south || self == .west }
}

/// A text of angles in pieces, read from left to right.
private struct AngleReader {
  private enum Piece: Equatable {
    case number(Double, isNegative: Bool)
    /// Behind degrees (0), minutes (1) or seconds (2).
    case mark(Int)
    case side(Side)
    case separator
    case metres
  }

  /// An angle as it is written.
  struct Written {
    var degrees: Double
    var side: Side?
    /// Whether a mark says that it is in degrees.
    var isMarked: Bool
    /// Whether it is one number.
    var isLone: Bool
  }

  private var pieces: ArraySlice<Piece> = []
  /// Numbers with a decimal comma, and with a point.
  private(set) var commaCount = 0, pointCount = 0
  private static let marks: [Character: Int] = [
    "°": 0, "º": 0, "˚": 0, "'": 1, "′": 1, "’": 1, "´": 1, "\"": 2, "″": 2, "”": 2, "“": 2,
  ]

  /// A reader of a text; nil where something else stands in it, or commas and points are mixed in its numbers.
  init?(_ text: String) {
    var rest = Array(text.uppercased().replacing("''", with: "\"").replacing("\u{2212}", with: "-"))[...]
    while let character = rest.first {
      if let mark = Self.marks[character] {
        pieces.append(.mark(mark))
      } else if let side = Side(rawValue: character) {
        pieces.append(.side(side))
      } else if character == "M", case .number? = pieces.last {
        pieces.append(.metres)
      } else if ",;/".contains(character) {
        pieces.append(.separator)
      } else if !character.isWhitespace {
        guard let number = number(&rest) else { return nil }
        // A sign or a point right behind a number begins no other one: `48-12` is one angle, of a form that is not
        // read.
        if let next = rest.first, "+-.".contains(next) { return nil }
        pieces.append(number)
        continue
      }
      rest.removeFirst()
    }
    guard commaCount == 0 || pointCount == 0 else { return nil }
  }

  /// A number with a point or a comma between its digits; nil where a comma behind it may be another one.
  private mutating func number(_ rest: inout ArraySlice<Character>) -> Piece? {
    let isNegative = rest.first == "-"
    if isNegative || rest.first == "+" { rest.removeFirst() }
    var (digits, point) = ("", Character?.none)
    while let character = rest.first {
      let isDigit = character.isASCII && character.isNumber
      let isPoint = (character == "." || character == ",") && !digits.isEmpty
      let followsDigit = rest.dropFirst().first.map { $0.isASCII && $0.isNumber } ?? false
      if isPoint, followsDigit, point == "," { return nil }
      guard isDigit || (isPoint && followsDigit && point == nil) else { break }
      if isPoint { point = character }
      digits.append(isPoint ? "." : character)
      rest.removeFirst()
    }
    if point == "," { commaCount += 1 }
    if point == "." { pointCount += 1 }
    return Double(decimal: Array(digits.utf8).span).map { .number($0, isNegative: isNegative) }
  }

  var isAtEnd: Bool { pieces.isEmpty }

  mutating func passSeparator() {
    if pieces.first == .separator { pieces.removeFirst() }
  }

  private mutating func side() -> Side? {
    guard case .side(let side)? = pieces.first else { return nil }
    pieces.removeFirst()
    return side
  }

  /// Degrees, minutes and seconds, with a letter before or behind them; nil for what is none.
  mutating func angle() -> Written? {
    var side = side()
    guard case .number(let degrees, let isNegative)? = pieces.popFirst() else { return nil }
    var angle = Written(degrees: degrees, side: nil, isMarked: false, isLone: true)
    angle.isMarked = takeMark(0)
    let isSided = side != nil || sideFollows
    var last = degrees
    for (level, share) in [(1, 60.0), (2, 3600)] {
      guard isSided || angle.isMarked, let part = part(at: level) else { break }
      guard part < 60, last == last.rounded() else { return nil }
      angle.degrees += part / share
      (last, angle.isLone) = (part, false)
    }
    side = side ?? self.side()
    guard side == nil || !isNegative else { return nil }
    angle.side = side
    if side?.isNegative ?? isNegative { angle.degrees = 0 - angle.degrees }
    return angle
  }

  /// Whether a letter stands behind the numbers and marks that come next.
  private var sideFollows: Bool {
    let next = pieces.first { piece in
      switch piece {
      case .number, .mark: false
      case .side, .separator, .metres: true
      }
    }
    if case .side? = next { return true }
    return false
  }

  /// The minutes (1) or seconds (2), unless the number that comes next begins another angle.
  private mutating func part(at level: Int) -> Double? {
    guard case .number(let part, isNegative: false)? = pieces.first else { return nil }
    if case .mark(let mark)? = pieces.dropFirst().first, mark != level { return nil }
    if pieces.dropFirst().first == .metres { return nil }
    pieces.removeFirst()
    _ = takeMark(level)
    return part
  }

  private mutating func takeMark(_ level: Int) -> Bool {
    guard pieces.first == .mark(level) else { return false }
    pieces.removeFirst()
    return true
  }

  /// Metres behind the angles, with their unit or without.
  mutating func altitude() -> Double? {
    passSeparator()
    guard case .number(let metres, let isNegative)? = pieces.first else { return nil }
    pieces.removeFirst()
    if pieces.first == .metres { pieces.removeFirst() }
    return isNegative ? -metres : metres
  }
}
