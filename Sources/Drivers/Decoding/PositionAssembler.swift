import LodestoneCore

/// Parts of positions in, whole positions out: what a receiver says of one moment in several sentences put together,
/// dates that can't be left out, accuracies estimated where the receiver tells none.
///
/// A moment ends where the next begins: with another time, or with a part that has been there. Once the part that ended
/// the moment before comes again, the position is let out without waiting. The first moment of a stream may be cut, and
/// teaches nothing.
public struct PositionAssembler: Sendable {
  /// A date that can't be right.
  public struct WrongDate: Equatable, Sendable {
    /// The time as the receiver tells it, in seconds since 1970-01-01.
    public var unixTime: Double
    /// The number of times 1024 weeks by which it is early: the week counter of GPS has run over, and an old receiver
    /// misses that.
    public var rollovers: Int
  }

  /// The last date that could not be right; nil while dates can be.
  public private(set) var wrongDate: WrongDate?

  private let keepsTime: Bool
  private var moment: WirePosition?
  private var parts: UInt16 = 0
  private var last = WirePosition.Part.whole
  /// The part that ended the previous moment, and all parts that it had.
  private var expected: (last: WirePosition.Part, parts: UInt16)?
  /// Midnight of the last date that was told, and the time of day then.
  private var day: (midnight: Double, second: Double)?
  /// The time of day of the last moment, and how often midnight has passed.
  private var lastSecond = 0.0
  private var midnights = 0.0
  /// The first moment of a stream that has not told the date yet: it is that of the second.
  private var undated: WirePosition?
  private var isBegun = false

  /// No receiver and no recording is older: 1990-01-01, in seconds since 1970. Clocks that were never set tell earlier
  /// dates.
  package static let earliest = 631_152_000.0
  /// The weeks of GPS are counted to 1024, in seconds.
  private static let rollover = 1024 * 7 * 86_400.0
  /// The 95 % error in metres for a dilution of one, and its part that is left with corrections: what gpsd assumes
  /// (gpsd.h, H_UERE_NO_DGPS to V_UERE_WITH_DGPS).
  private static let rangeError = (horizontal: 15.0, vertical: 23.0, corrected: 0.25)

  /// An assembler. `keepsTime` for a recording, whose own times are passed on as they are.
  public init(keepsTime: Bool) { self.keepsTime = keepsTime }

  /// The positions that are whole with this part, the oldest first.
  /// - Parameters:
  ///   - arrival: when it came, in seconds of the stream.
  ///   - now: UTC, to tell dates that are early by the receiver's fault; nil where they are those of a recording.
  public mutating func add(_ part: WirePosition, arrival: Double, now: Double?) -> [Position] {
    var moments = part.part == .whole || !belongs(part) ? close() : []
    if part.part == .whole {
      moments.append(part)
    } else {
      merge(part)
      if let expected, expected.last == part.part, parts & expected.parts == expected.parts { moments += close() }
    }
    return moments.map { position($0, arrival, now) }
  }

  /// The position in one part, for immediate use without the other parts; nil where it has none.
  /// - Parameter tellsNoFix: where the part tells that there is no fix, a position without a place.
  public mutating func position(
    of part: WirePosition, arrival: Double, now: Double?, tellsNoFix: Bool = false
  ) -> Position? {
    guard part.position.hasPlace || tellsNoFix && part.isFixed == false else { return nil }
    var part = part
    date(&part)
    return position(part, arrival, now)
  }

  /// The positions that are left when the stream has ended.
  public mutating func end(arrival: Double, now: Double?) -> [Position] {
    let rest = close() + (undated.map { [$0] } ?? [])
    undated = nil
    return rest.map { position($0, arrival, now) }
  }

  // MARK: Moments

  private func belongs(_ part: WirePosition) -> Bool {
    guard let moment else { return true }
    if let now = part.secondOfDay, let then = moment.secondOfDay, now != then { return false }
    return parts & Self.bit(part) == 0 || part.part.repeats
  }

  private static func bit(_ part: WirePosition) -> UInt16 { 1 << UInt16(part.part.rawValue) }

  private mutating func merge(_ part: WirePosition) {
    last = part.part
    parts |= Self.bit(part)
    guard var all = moment else {
      moment = part
      return
    }
    all.isFixed = all.isFixed == false || part.isFixed == false ? false : all.isFixed ?? part.isFixed
    let isFiner = part.part == .gga || part.part == .gns
    if let place = part.position.coordinate, isFiner || all.position.coordinate == nil {
      all.position.coordinate = place
    }
    all.day = all.day ?? part.day
    all.secondOfDay = all.secondOfDay ?? part.secondOfDay
    all.dimensions = part.dimensions ?? all.dimensions
    all.satelliteCount = part.satelliteCount ?? all.satelliteCount
    all.horizontalDilution = part.horizontalDilution ?? all.horizontalDilution
    all.verticalDilution = part.verticalDilution ?? all.verticalDilution
    all.isDifferential = all.isDifferential || part.isDifferential
    all.position.add(part.position)
    moment = all
  }

  /// The moment is over: what it said, unless it has been let out already.
  private mutating func close() -> [WirePosition] {
    guard var moment else { return [] }
    let ending = (last, parts)
    self.moment = nil
    parts = 0
    guard moment.isFixed != nil else { return [] }
    if isBegun { expected = ending }
    date(&moment)
    defer { isBegun = true }
    guard keepsTime, moment.position.unixTime == nil, !isBegun else {
      let first = undated.map { redated($0, by: moment) }
      undated = nil
      return (first.map { [$0] } ?? []) + [moment]
    }
    undated = moment
    return []
  }

  /// Tells the moment's date, or goes on from the last one that was told.
  private mutating func date(_ moment: inout WirePosition) {
    guard let second = moment.secondOfDay else { return }
    defer { moment.secondOfDay = second + midnights * 86_400 }
    if second < lastSecond - 43_200 { midnights += 1 }
    lastSecond = second
    if let midnight = moment.day {
      day = (midnight, second)
    } else if let known = day {
      let isPastMidnight = second < known.second - 43_200
      day = (known.midnight + (isPastMidnight ? 86_400 : 0), second)
    }
    moment.position.unixTime = day.map { $0.midnight + second }
  }

  private func redated(_ first: WirePosition, by second: WirePosition) -> WirePosition {
    guard let time = second.position.unixTime, let then = first.secondOfDay, let now = second.secondOfDay else {
      return first
    }
    var first = first
    first.position.unixTime = time - (now - then)
    return first
  }

  // MARK: Positions

  private mutating func position(_ moment: WirePosition, _ arrival: Double, _ now: Double?) -> Position {
    let told = moment.position.unixTime ?? moment.secondOfDay
    let time = keepsTime ? told ?? arrival : arrival
    guard moment.isFixed == true, moment.position.hasPlace else {
      var none = Position()
      none.time = time
      return none
    }
    var position = moment.position
    position.time = time
    check(&position, now)
    guard moment.part != .whole else { return position }
    estimate(&position, moment)
    if moment.dimensions ?? ((moment.satelliteCount ?? 0) >= 4 ? 3 : 2) < 3 {
      (position.altitude, position.seaLevelAltitude, position.verticalAccuracy) = (nil, nil, nil)
    }
    return position
  }

  private mutating func check(_ position: inout Position, _ now: Double?) {
    guard let time = position.unixTime else { return }
    let rollovers = now.map { (($0 - time) / Self.rollover).rounded() } ?? 0
    let isRollover = rollovers >= 1 && now.map { abs($0 - time - rollovers * Self.rollover) < 86_400 } == true
    guard time < Self.earliest || isRollover else {
      wrongDate = nil
      return
    }
    wrongDate = WrongDate(unixTime: time, rollovers: isRollover ? Int(min(rollovers, 1e6)) : 0)
    position.unixTime = nil
  }

  private func estimate(_ position: inout Position, _ moment: WirePosition) {
    if position.horizontalAccuracy != nil || position.verticalAccuracy != nil {
      position.accuracyBasis = .receiver
      return
    }
    let part = moment.isDifferential ? Self.rangeError.corrected : 1
    position.horizontalAccuracy = moment.horizontalDilution.map { $0 * Self.rangeError.horizontal * part }
    position.verticalAccuracy = moment.verticalDilution.map { $0 * Self.rangeError.vertical * part }
    if position.horizontalAccuracy != nil || position.verticalAccuracy != nil { position.accuracyBasis = .dilution }
  }
}

extension Position {
  /// Whether it tells a place. Zero and zero, in the sea, is what many a receiver claims while it knows none: no fix
  /// falls there to the last digit.
  fileprivate var hasPlace: Bool { coordinate.map { $0.latitude != 0 || $0.longitude != 0 } ?? false }

  /// Takes over what another part says and this one does not.
  fileprivate mutating func add(_ part: Position) {
    altitude = altitude ?? part.altitude
    seaLevelAltitude = seaLevelAltitude ?? part.seaLevelAltitude
    course = course ?? part.course
    speed = speed ?? part.speed
    horizontalAccuracy = horizontalAccuracy ?? part.horizontalAccuracy
    verticalAccuracy = verticalAccuracy ?? part.verticalAccuracy
  }
}
