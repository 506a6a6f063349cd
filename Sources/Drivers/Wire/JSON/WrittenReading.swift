import LodestoneCore

/// A reading that another lodestone has written, value by value: a heading with what belongs to it, that of an
/// attitude, or a position. The field beside a heading is corrected already: no chip has measured it so.
struct WrittenReading {
  private var hasHeading = false
  private var hasAccuracy = false
  /// Whether it is an attitude, whose pitch and roll are others than a compass's.
  private var isAttitude = false
  private var heading = OwnHeading()
  /// Whether it is a fix of a receiver: other tables have places, too.
  private var isFix = false
  private var (latitude, longitude) = (Double?.none, Double?.none)
  private var fix = Position()

  /// The marks of a heading or an attitude were there.
  var isHeading: Bool { hasHeading && hasAccuracy }

  /// The device's own heading; nil where the field gave none.
  var own: OwnHeading? { heading.magnetic == nil ? nil : heading }

  /// The position; nil where the place is not known.
  var position: WirePosition? {
    guard isFix, let latitude, let longitude, let place = Coordinate(latitude: latitude, longitude: longitude) else {
      return nil
    }
    var position = fix
    position.coordinate = place
    return WirePosition(.whole, position)
  }

  /// Names of columns are those of an attitude.
  static func isAttitude(_ names: [[UInt8]]) -> Bool { holds(["magnetic_heading_deg", "yaw_accuracy_deg"], names) }

  /// Columns of these names may hold a reading: a heading or a position.
  static func mayHold(_ names: [[UInt8]]) -> Bool {
    holds(["magnetic_heading_deg"], names) || holds(["latitude_deg", "longitude_deg", "horizontal_accuracy_m"], names)
  }

  private static func holds(_ own: [String], _ names: [[UInt8]]) -> Bool {
    own.allSatisfy { names.contains(Array($0.utf8)) }
  }

  /// Takes a value by its name, nil for one that is absent; false for a name that says nothing here.
  mutating func take(_ number: Double?, _ name: Range<Int>, _ line: Span<UInt8>) -> Bool {
    if line.holds("magnetic_heading_deg", in: name) {
      hasHeading = true
      heading.magnetic = turn(number)
    } else if line.holds("true_heading_deg", in: name) {
      heading.trueNorth = turn(number)
    } else if line.holds("accuracy_deg", in: name) {
      hasAccuracy = true
      heading.accuracy = number.flatMap { (0...180).contains($0) ? $0 : nil }
    } else if line.holds("yaw_accuracy_deg", in: name) {
      (hasAccuracy, isAttitude) = (true, true)
      (heading.pitch, heading.roll) = (nil, nil)
    } else if line.holds("pitch_deg", in: name) {
      if !isAttitude { heading.pitch = number }
    } else if line.holds("roll_deg", in: name) {
      if !isAttitude { heading.roll = number }
    } else {
      return takePosition(number, name, line)
    }
    return true
  }

  private func turn<North>(_ number: Double?) -> Heading<North>? {
    number.flatMap { (-180...360).contains($0) ? Heading(degrees: $0) : nil }
  }

  /// Takes a value of a position.
  private mutating func takePosition(_ number: Double?, _ name: Range<Int>, _ line: Span<UInt8>) -> Bool {
    func checked(_ range: ClosedRange<Double>) -> Double? { number.flatMap { range.contains($0) ? $0 : nil } }
    if line.holds("latitude_deg", in: name) {
      latitude = number
    } else if line.holds("longitude_deg", in: name) {
      longitude = number
    } else if line.holds("horizontal_accuracy_m", in: name) {
      isFix = true
      fix.horizontalAccuracy = checked(0...1e9)
    } else if line.holds("altitude_m", in: name) {
      fix.altitude = checked(WirePosition.heights)
    } else if line.holds("sea_level_altitude_m", in: name) {
      fix.seaLevelAltitude = checked(WirePosition.heights)
    } else if line.holds("vertical_accuracy_m", in: name) {
      fix.verticalAccuracy = checked(0...1e9)
    } else if line.holds("fix_time_s", in: name) {
      fix.unixTime = checked(0...9e9)
    } else if line.holds("course_deg", in: name) {
      fix.course = checked(0...360).map { Angle.wrapped(degrees: $0) }
    } else if line.holds("speed_m_per_s", in: name) {
      fix.speed = checked(0...1e5)
    } else if line.holds("accuracy_basis", in: name) {
      return true
    } else {
      return false
    }
    return true
  }

  /// Takes words: nothing but the basis of a position's accuracies says anything here.
  mutating func take(basis word: Span<UInt8>) {
    if word.count == 8, word.holds("receiver", at: 0) { fix.accuracyBasis = .receiver }
    if word.count == 8, word.holds("dilution", at: 0) { fix.accuracyBasis = .dilution }
  }
}
