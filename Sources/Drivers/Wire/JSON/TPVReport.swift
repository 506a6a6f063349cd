import LodestoneCore

/// gpsd's report of time, position and velocity. Its errors are those of 95 %. `alt` is what gpsd before 3.20 has of
/// altitudes, above mean sea level; later ones call it undefined and send `altHAE` and `altMSL`.
/// Source: gpsd_json(5) of 3.17 and 3.22.
struct TPVReport {
  /// Whether there is a number that no receiver can mean.
  private(set) var isMalformed = false
  private var mode: Double?
  private var latitude, longitude: Double?
  private var altitude, seaLevel, oldAltitude: Double?
  private var course, speed, climb, climbError: Double?
  private var horizontal, vertical, east, north: Double?

  /// Takes one number of the report.
  mutating func take(_ value: Double, _ key: Range<Int>, _ line: Span<UInt8>) {
    if line.holds("mode", in: key) { mode = value }
    if line.holds("lat", in: key) { latitude = checked(value, in: -90...90) }
    if line.holds("lon", in: key) { longitude = checked(value, in: -180...180) }
    if line.holds("altHAE", in: key) { altitude = checked(value, in: WirePosition.heights) }
    if line.holds("altMSL", in: key) { seaLevel = checked(value, in: WirePosition.heights) }
    if line.holds("alt", in: key) { oldAltitude = checked(value, in: WirePosition.heights) }
    if line.holds("track", in: key) { course = checked(value, in: 0...360) }
    if line.holds("speed", in: key) { speed = checked(value, in: 0...1e5) }
    if line.holds("climb", in: key) { climb = checked(value, in: -1e5...1e5) }
    if line.holds("epc", in: key) { climbError = checked(value, in: 0...1e9) }
    if line.holds("eph", in: key) { horizontal = checked(value, in: 0...1e9) }
    if line.holds("epv", in: key) { vertical = checked(value, in: 0...1e9) }
    if line.holds("epx", in: key) { east = checked(value, in: 0...1e9) }
    if line.holds("epy", in: key) { north = checked(value, in: 0...1e9) }
  }

  private mutating func checked(_ value: Double, in range: ClosedRange<Double>) -> Double? {
    guard range.contains(value) else {
      isMalformed = true
      return nil
    }
    return value
  }

  /// The position in the report; nil where it claims a fix without a place.
  func position(at time: Double?) -> WirePosition? {
    let mode = mode ?? 0
    guard mode >= 2 else { return WirePosition(.whole, Position(), isFixed: false) }
    guard let latitude, let longitude, let place = Coordinate(latitude: latitude, longitude: longitude) else {
      return nil
    }
    var position = Position(place, unixTime: time)
    if mode >= 3 {
      position.altitude = altitude
      position.seaLevelAltitude = seaLevel ?? (altitude == nil ? oldAltitude : nil)
      position.verticalAccuracy = vertical
      position.climb = climb
      position.climbAccuracy = climbError
    }
    position.speed = speed
    if speed != 0 { position.course = course.map { Angle.wrapped(degrees: $0) } }
    position.horizontalAccuracy = horizontal
    if let east, let north, horizontal == nil {
      position.horizontalAccuracy = (east * east + north * north).squareRoot()
    }
    if position.horizontalAccuracy != nil || position.verticalAccuracy != nil { position.accuracyBasis = .receiver }
    return WirePosition(.whole, position)
  }
}
