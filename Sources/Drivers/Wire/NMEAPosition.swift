import LodestoneCore

/// Position sentences of NMEA 0183: for the declination where the instrument is.
enum NMEAPosition {
  /// Time, status, latitude, N/S, longitude, E/W, speed, course, date.
  static func readRMC(_ line: Span<UInt8>, _ fields: inout Fields) -> WirePosition? {
    let time = timeOfDay(line, &fields)
    let isValid = fields.letter(in: line) == UInt8(ascii: "A")
    var position = coordinates(line, &fields)
    fields.skip(in: line)
    fields.skip(in: line)
    if let time, let day = date(line, &fields) { position?.unixTime = day + time }
    return isValid ? position : nil
  }

  /// Time, latitude, N/S, longitude, E/W, quality, satellites, dilution, height above the geoid, M, the geoid's height
  /// above the ellipsoid, M.
  static func readGGA(_ line: Span<UInt8>, _ fields: inout Fields) -> WirePosition? {
    fields.skip(in: line)
    var position = coordinates(line, &fields)
    let quality = fields.number(in: line)
    fields.skip(in: line)
    fields.skip(in: line)
    let height = fields.number(in: line)
    fields.skip(in: line)
    if let height, let geoid = fields.number(in: line) { position?.altitude = height + geoid }
    return (quality ?? 0) > 0 ? position : nil
  }

  /// Time, latitude, N/S, longitude, E/W, one mode letter a constellation, satellites, dilution, height, geoid height.
  static func readGNS(_ line: Span<UInt8>, _ fields: inout Fields) -> WirePosition? {
    fields.skip(in: line)
    var position = coordinates(line, &fields)
    let modes = fields.text(in: line)
    let isFixed = modes.contains { line[$0] != UInt8(ascii: "N") }
    fields.skip(in: line)
    fields.skip(in: line)
    if let height = fields.number(in: line), let geoid = fields.number(in: line) { position?.altitude = height + geoid }
    return isFixed ? position : nil
  }

  /// `ddmm.mmmm`, N or S, `dddmm.mmmm`, E or W.
  private static func coordinates(_ line: Span<UInt8>, _ fields: inout Fields) -> WirePosition? {
    let latitude = angle(line, &fields, negative: "S", positive: "N", limit: 90)
    let longitude = angle(line, &fields, negative: "W", positive: "E", limit: 180)
    guard let latitude, let longitude else { return nil }
    return WirePosition(latitude: latitude, longitude: longitude)
  }

  private static func angle(
    _ line: Span<UInt8>, _ fields: inout Fields, negative: Unicode.Scalar, positive: Unicode.Scalar, limit: Double
  ) -> Double? {
    let packed = fields.number(in: line, within: 0...(limit * 100))
    let side = fields.letter(in: line)
    guard let packed, let side else { return nil }
    let degrees = (packed / 100).rounded(.down)
    let value = degrees + (packed - degrees * 100) / 60
    guard value <= limit, side == UInt8(ascii: negative) || side == UInt8(ascii: positive) else {
      fields.markMalformed()
      return nil
    }
    return side == UInt8(ascii: negative) ? -value : value
  }

  /// `hhmmss.ss` as seconds of the day.
  private static func timeOfDay(_ line: Span<UInt8>, _ fields: inout Fields) -> Double? {
    guard let packed = fields.number(in: line, within: 0...235_961) else { return nil }
    let hours = (packed / 10_000).rounded(.down)
    let minutes = ((packed - hours * 10_000) / 100).rounded(.down)
    return hours * 3600 + minutes * 60 + (packed - hours * 10_000 - minutes * 100)
  }

  /// `ddmmyy` as seconds since 1970. Years from 80 are of the last century, as GPS began in 1980.
  private static func date(_ line: Span<UInt8>, _ fields: inout Fields) -> Double? {
    guard let packed = fields.number(in: line, within: 10_100...311_299), let number = Int(exactly: packed) else {
      return nil
    }
    let day = number / 10_000, month = number / 100 % 100, year = number % 100 + (number % 100 < 80 ? 2000 : 1900)
    return CalendarTime(year: year, month: month, day: day)?.unixTime
  }
}
