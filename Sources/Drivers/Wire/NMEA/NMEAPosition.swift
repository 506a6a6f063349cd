import LodestoneCore

/// Sentences of satellite receivers in NMEA 0183. Each says a part of a position; `PositionAssembler` puts those of one
/// moment together.
enum NMEAPosition {
  /// The function that reads a sentence, by its three letters; nil for one without a position.
  static func reader(of sentence: UInt64) -> ((Span<UInt8>, inout Fields) -> WirePosition)? {
    switch sentence {
    case Word.rmc: readRMC
    case Word.gga: readGGA
    case Word.gns: readGNS
    case Word.gll: readGLL
    case Word.vtg: readVTG
    case Word.gsa: readGSA
    case Word.gst: readGST
    case Word.zda: readZDA
    default: nil
    }
  }

  private enum Word {
    static let rmc = NMEAAddress.word("RMC"), gga = NMEAAddress.word("GGA"), gns = NMEAAddress.word("GNS")
    static let gll = NMEAAddress.word("GLL"), vtg = NMEAAddress.word("VTG"), gsa = NMEAAddress.word("GSA")
    static let gst = NMEAAddress.word("GST"), zda = NMEAAddress.word("ZDA")
  }

  /// Metres per second in a knot: a nautical mile of 1852 m in an hour.
  private static let knot = 1852.0 / 3600

  /// Time, status, latitude, N/S, longitude, E/W, speed in knots, course, date, magnetic variation, E/W, mode.
  static func readRMC(_ line: Span<UInt8>, _ fields: inout Fields) -> WirePosition {
    var part = WirePosition(.rmc)
    part.secondOfDay = timeOfDay(line, &fields)
    let isValid = fields.letter(in: line) == UInt8(ascii: "A")
    let coordinate = coordinate(line, &fields)
    let speed = fields.number(in: line, within: speeds).map { $0 * knot }
    let course = fields.number(in: line, within: 0...360)
    part.day = date(line, &fields)
    fields.skip(in: line)
    fields.skip(in: line)
    settle(&part, isValid && isValidMode(line, &fields), coordinate)
    move(&part, speed, course)
    return part
  }

  /// Time, latitude, N/S, longitude, E/W, quality, satellites, horizontal dilution, height above mean sea level, M, the
  /// geoid's height above the ellipsoid, M.
  static func readGGA(_ line: Span<UInt8>, _ fields: inout Fields) -> WirePosition {
    var part = WirePosition(.gga)
    part.secondOfDay = timeOfDay(line, &fields)
    let coordinate = coordinate(line, &fields)
    let quality = fields.number(in: line) ?? 0
    part.satelliteCount = fields.number(in: line)
    part.horizontalDilution = dilution(line, &fields)
    let height = fields.number(in: line, within: WirePosition.heights)
    fields.skip(in: line)
    rise(&part, height, geoid: fields.number(in: line, within: geoids))
    part.isDifferential = (2...5).contains(quality)
    settle(&part, quality > 0, coordinate)
    return part
  }

  /// Time, latitude, N/S, longitude, E/W, one mode letter a constellation, satellites, horizontal dilution, height
  /// above mean sea level, the geoid's height above the ellipsoid.
  static func readGNS(_ line: Span<UInt8>, _ fields: inout Fields) -> WirePosition {
    var part = WirePosition(.gns)
    part.secondOfDay = timeOfDay(line, &fields)
    let coordinate = coordinate(line, &fields)
    let modes = fields.text(in: line)
    part.satelliteCount = fields.number(in: line)
    part.horizontalDilution = dilution(line, &fields)
    let height = fields.number(in: line, within: WirePosition.heights)
    rise(&part, height, geoid: fields.number(in: line, within: geoids))
    part.isDifferential = modes.contains {
      [UInt8(ascii: "D"), UInt8(ascii: "R"), UInt8(ascii: "F")].contains(line[$0])
    }
    settle(&part, modes.contains { line[$0] != UInt8(ascii: "N") }, coordinate)
    return part
  }

  /// Latitude, N/S, longitude, E/W, time, status, mode.
  static func readGLL(_ line: Span<UInt8>, _ fields: inout Fields) -> WirePosition {
    var part = WirePosition(.gll)
    let coordinate = coordinate(line, &fields)
    part.secondOfDay = timeOfDay(line, &fields)
    // The oldest receivers end with the longitude, and send nothing without a fix.
    let status = fields.letter(in: line)
    settle(&part, (status ?? UInt8(ascii: "A")) == UInt8(ascii: "A") && isValidMode(line, &fields), coordinate)
    return part
  }

  /// Course, T, magnetic course, M, speed in knots, N, in km/h, K, mode.
  static func readVTG(_ line: Span<UInt8>, _ fields: inout Fields) -> WirePosition {
    var part = WirePosition(.vtg)
    let course = fields.number(in: line, within: 0...360)
    for _ in 0..<3 { fields.skip(in: line) }
    let speed = fields.number(in: line, within: speeds).map { $0 * knot }
    for _ in 0..<3 { fields.skip(in: line) }
    if isValidMode(line, &fields) { move(&part, speed, course) }
    return part
  }

  /// Automatic or manual, 1 without a fix or 2 or 3 dimensions, twelve satellites, dilutions: of the position,
  /// horizontal, vertical.
  static func readGSA(_ line: Span<UInt8>, _ fields: inout Fields) -> WirePosition {
    var part = WirePosition(.gsa)
    fields.skip(in: line)
    let mode = fields.number(in: line, within: 1...3)
    for _ in 0..<13 { fields.skip(in: line) }
    part.horizontalDilution = dilution(line, &fields)
    part.verticalDilution = dilution(line, &fields)
    // One of several constellations may have no fix of its own.
    if let mode, mode > 1 { part.dimensions = Int(mode) }
    return part
  }

  /// Time, deviation of the ranges, half axes and direction of the ellipse of errors, then the standard deviations of
  /// latitude, longitude and altitude in metres. Twice the root of both squared holds 95 % or more, however long the
  /// ellipse.
  static func readGST(_ line: Span<UInt8>, _ fields: inout Fields) -> WirePosition {
    var part = WirePosition(.gst)
    part.secondOfDay = timeOfDay(line, &fields)
    for _ in 0..<4 { fields.skip(in: line) }
    let north = fields.number(in: line, within: errors), east = fields.number(in: line, within: errors)
    part.position.verticalAccuracy = fields.number(in: line, within: errors).map { Quantile.normal * $0 }
    if let north, let east { part.position.horizontalAccuracy = 2 * (north * north + east * east).squareRoot() }
    return part
  }

  /// Time, day, month, year.
  static func readZDA(_ line: Span<UInt8>, _ fields: inout Fields) -> WirePosition {
    var part = WirePosition(.zda)
    part.secondOfDay = timeOfDay(line, &fields)
    let day = fields.number(in: line), month = fields.number(in: line), year = fields.number(in: line)
    if let day, let month, let year { part.day = midnight(year, month, day, &fields) }
    return part
  }

  // MARK: What sentences have in common

  private static let speeds = 0.0...100_000
  private static let errors = 0.0...1e6
  /// The geoid lies from 107 m below the ellipsoid to 86 m above it; with room to spare.
  private static let geoids = -200.0...200.0

  private static func settle(_ part: inout WirePosition, _ isFixed: Bool, _ coordinate: Coordinate?) {
    part.isFixed = isFixed && coordinate != nil
    if isFixed { part.position.coordinate = coordinate }
  }

  private static func rise(_ part: inout WirePosition, _ height: Double?, geoid: Double?) {
    part.position.seaLevelAltitude = height
    if let height, let geoid { part.position.altitude = height + geoid }
  }

  /// Sets speed and course; at a speed of zero there is no course.
  private static func move(_ part: inout WirePosition, _ speed: Double?, _ course: Double?) {
    part.position.speed = speed
    if speed != 0 { part.position.course = course.map { Angle.wrapped(degrees: $0) } }
  }

  /// Whether the mode is any letter but N, or none as before version 2.3.
  private static func isValidMode(_ line: Span<UInt8>, _ fields: inout Fields) -> Bool {
    fields.letter(in: line) != UInt8(ascii: "N")
  }

  /// 99 and more stands for one that is not known.
  private static func dilution(_ line: Span<UInt8>, _ fields: inout Fields) -> Double? {
    fields.number(in: line).flatMap { $0 > 0 && $0 < 99 ? $0 : nil }
  }

  /// `ddmm.mmmm`, N or S, `dddmm.mmmm`, E or W.
  private static func coordinate(_ line: Span<UInt8>, _ fields: inout Fields) -> Coordinate? {
    let latitude = angle(line, &fields, negative: "S", positive: "N", limit: 90)
    let longitude = angle(line, &fields, negative: "W", positive: "E", limit: 180)
    guard let latitude, let longitude else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  private static func angle(
    _ line: Span<UInt8>, _ fields: inout Fields, negative: Unicode.Scalar, positive: Unicode.Scalar, limit: Double
  ) -> Double? {
    let packed = fields.number(in: line, within: 0...(limit * 100))
    let side = fields.letter(in: line)
    guard let packed, let side else { return nil }
    let degrees = (packed / 100).rounded(.down)
    let minutes = packed - degrees * 100
    let value = degrees + minutes / 60
    guard minutes < 60, value <= limit, side == UInt8(ascii: negative) || side == UInt8(ascii: positive) else {
      fields.markMalformed()
      return nil
    }
    return side == UInt8(ascii: negative) ? -value : value
  }

  /// `hhmmss.ss` as seconds of the day; a leap second has a place.
  private static func timeOfDay(_ line: Span<UInt8>, _ fields: inout Fields) -> Double? {
    guard let packed = fields.number(in: line, within: 0...235_961) else { return nil }
    let hours = (packed / 10_000).rounded(.down)
    let minutes = ((packed - hours * 10_000) / 100).rounded(.down)
    let seconds = packed - hours * 10_000 - minutes * 100
    guard minutes < 60, seconds < 61 else {
      fields.markMalformed()
      return nil
    }
    return hours * 3600 + minutes * 60 + seconds
  }

  /// `ddmmyy` as seconds since 1970. Years from 80 are of the last century, as GPS began in 1980.
  private static func date(_ line: Span<UInt8>, _ fields: inout Fields) -> Double? {
    guard let packed = fields.number(in: line, within: 0...319_999), packed > 0 else { return nil }
    let year = packed.truncatingRemainder(dividingBy: 100)
    let month = (packed / 100).rounded(.down).truncatingRemainder(dividingBy: 100)
    return midnight(year + (year < 80 ? 2000 : 1900), month, (packed / 10_000).rounded(.down), &fields)
  }

  /// A day of the calendar as seconds since 1970; zeros stand for one that is not known.
  private static func midnight(_ year: Double, _ month: Double, _ day: Double, _ fields: inout Fields) -> Double? {
    if month == 0 || day == 0 { return nil }
    guard let year = Int(exactly: year), let month = Int(exactly: month), let day = Int(exactly: day),
      let date = CalendarTime(year: year, month: month, day: day)
    else {
      fields.markMalformed()
      return nil
    }
    return date.unixTime
  }
}
