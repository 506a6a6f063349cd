import Calibration
import LodestoneCore

/// The place of a receiver, how far it has come, and whether it climbs.
public struct Location: Instrument {
  /// The parts that it reads.
  public static let needs: DeviceParts = .position
  /// Places.
  public typealias Reading = LocationReading

  /// Settings that the user may choose.
  public struct Settings: InstrumentSettings {
    /// The place that distance and bearing count from; nil for the first fix.
    public var origin: Coordinate?
    /// The largest error in metres: fixes that are worse, or do not say how good they are, are left out; nil for all.
    public var largestError: Double?
    /// The altitude above the sea that a climb goes to, in metres; nil for none.
    public var goal: Double?

    /// Settings for all fixes, counted from the first.
    public init() {}
  }

  /// True: it reads positions.
  public static var readsPositions: Bool { true }

  /// The place that distance and bearing count from; nil before the first fix.
  public private(set) var origin: Coordinate?
  private let settings: Settings
  private var gate = JumpGate()
  private var track = TrackParts()
  private var climb = ClimbRate()
  private var last: Position?
  /// UTC of the last fix where that is the stream's time too.
  private var clock: Double?
  private var hasFix: Bool?
  private var inexact = InexactFixes()
  private var goalWatch = GoalWatch()
  private var notices: [ReceiverNotice] = []

  /// A location.
  public init(_ settings: Settings = Settings(), profile: Profile? = nil, mounting: Mounting = .aligned) {
    self.settings = settings
    origin = settings.origin
  }

  /// The fixes left out for their error, where there was no other; nil where there was.
  public var inexactFixes: InexactFixes? { inexact.areAll ? inexact : nil }

  /// Counts distance and bearing from the last fix on; nothing without one.
  public mutating func countFromHere() { origin = last?.coordinate ?? origin }

  /// The next notice: what the receiver lacks, or has again.
  public mutating func nextNotice() -> InstrumentNotice? {
    notices.isEmpty ? nil : .receiver(notices.removeFirst())
  }

  /// No reading: a sample does not tell where it was taken.
  public mutating func read(_ sample: borrowing DeviceSample, into reading: inout LocationReading) -> Bool { false }

  /// The reading of a position. None for one that was told before, nor for one that is too far from the last to be
  /// true; one without any value where the fix is lost.
  public mutating func read(_ position: Position, into reading: inout LocationReading) -> Bool {
    guard let coordinate = position.coordinate else { return lose(at: position.time, into: &reading) }
    let position = timed(position)
    if hasFix == false { notices.append(.fix) }
    hasFix = true
    guard !isRepeated(position) else { return false }
    if let largest = settings.largestError, !(position.horizontalAccuracy ?? .infinity <= largest) {
      if let notice = inexact.take(position) { notices.append(notice) }
      return false
    }
    inexact.end()
    if track.take(position) {
      gate = JumpGate()
      climb.clear()
      origin = settings.origin
    }
    switch gate.judge(position, at: coordinate) {
    case .held(let notice):
      if let notice { notices.append(notice) }
      return false
    case .moved(let notice):
      notices.append(notice)
      climb.clear()
    case .passed: break
    }
    last = position
    let origin = origin ?? coordinate
    self.origin = origin
    reading = LocationReading(position)
    let line = Geodesic(from: origin, to: coordinate)
    reading.distance = line.distance
    // Within the error of the fix, the bearing is chance.
    if line.distance > position.horizontalAccuracy ?? 0 { reading.bearing = line.bearing }
    reading.climb = climb.rate(of: position)
    if let goal = settings.goal {
      let altitude = position.seaLevelAltitude ?? position.altitude
      reading.climbLeft = altitude.map { goal - $0 }
      if let notice = goalWatch.take(altitude, at: position.time) { notices.append(notice) }
    }
    (reading.trip, reading.segment) = (track.trip, track.segment)
    return true
  }

  /// A fix without a time of its own, among others whose UTC is the stream's time, was at the time of the one before.
  private mutating func timed(_ position: Position) -> Position {
    var position = position
    if let utc = position.unixTime {
      clock = utc == position.time ? utc : nil
    } else if let clock {
      position.time = clock
    }
    return position
  }

  private mutating func lose(at time: Double, into reading: inout LocationReading) -> Bool {
    guard hasFix != false else { return false }
    let hadFix = hasFix == true
    hasFix = false
    notices.append(.noFix)
    last = nil
    track.lose()
    climb.clear()
    reading = LocationReading()
    reading.time = time
    return hadFix
  }

  /// The same place at the same time: some programs send each fix more than once.
  private func isRepeated(_ position: Position) -> Bool {
    guard let last, let time = position.unixTime else { return false }
    return last.unixTime == time && last.coordinate == position.coordinate && last.altitude == position.altitude
  }
}

/// Parts of a track: a gap begins another segment, a long one or a clock that goes back another trip.
private struct TrackParts: Sendable {
  private(set) var trip = 1
  private(set) var segment = 1
  /// The time of the last fix, and whether it told UTC.
  private var last: (time: Double, hasUTC: Bool)?
  private var lastUTC: Double?
  private var isLost = false

  /// Seconds without a fix after which a segment, and a trip, is over.
  private static let (gap, pause) = (30.0, 1800.0)

  /// Notes that the receiver has no fix.
  mutating func lose() { isLost = true }

  /// Takes a fix; true where it begins another trip.
  mutating func take(_ position: Position) -> Bool {
    defer {
      (last, isLost) = ((position.time, position.unixTime != nil), false)
      lastUTC = position.unixTime ?? lastUTC
    }
    guard let step = step(to: position) else { return false }
    if isLost || step > Self.gap || step < 0 { segment += 1 }
    guard step > Self.pause || step < -Self.gap else { return false }
    trip += 1
    return true
  }

  /// Seconds since the fix before, by the clock that both are of: none where they have no clock in common. nil for the
  /// first fix.
  private func step(to position: Position) -> Double? {
    guard let last else { return nil }
    if let now = position.unixTime, let lastUTC { return now - lastUTC }
    return position.unixTime == nil && !last.hasUTC ? position.time - last.time : 0
  }
}

/// Fixes that were left out for their error, since the last that was good enough.
public struct InexactFixes: Equatable, Sendable {
  /// The accuracy of the best of them in metres, for 95 of 100 fixes; nil where none says it.
  public private(set) var best: Double?
  /// The time of the first of them.
  private var start: Double?
  private var isTold = false
  private var hasGoodFix = false

  /// Seconds of fixes that are left out, of which the user is told: one of three seconds, at a fix a second.
  private static let patience = 2.5

  /// Whether there were such fixes and no others.
  var areAll: Bool { start != nil && !hasGoodFix }

  /// Takes a fix that is left out; a notice where there was none for long.
  fileprivate mutating func take(_ position: Position) -> ReceiverNotice? {
    let start = start ?? position.time
    self.start = start
    if let error = position.horizontalAccuracy { best = min(best ?? error, error) }
    guard !isTold, position.time - start >= Self.patience else { return nil }
    isTold = true
    return .inexact(best: best)
  }

  /// A fix is good enough.
  fileprivate mutating func end() {
    self = InexactFixes()
    hasGoodFix = true
  }
}

/// Waits for an altitude, where a climb is to be told.
private struct GoalWatch: Sendable {
  private var start: Double?
  private var isOver = false

  /// Seconds of fixes without one, of which the user is told: one of three seconds, at a fix a second.
  private static let patience = 2.5

  /// Takes a fix; a notice, once, where none of the first had an altitude.
  mutating func take(_ altitude: Double?, at time: Double) -> ReceiverNotice? {
    guard !isOver, altitude == nil else {
      isOver = true
      return nil
    }
    let start = start ?? time
    self.start = start
    isOver = time - start >= Self.patience
    return isOver ? .noAltitude : nil
  }
}

/// A notice about a receiver.
public enum ReceiverNotice: Equatable, Sendable {
  /// The receiver is there, and has no fix.
  case noFix
  /// The receiver has a fix again.
  case fix
  /// A fix this many metres from the one before, this many seconds later, was left out.
  case jumped(metres: Double, seconds: Double)
  /// Fixes this many metres away have been confirmed by those after them: the receiver is there now.
  case moved(metres: Double)
  /// All fixes of the last seconds were left out for their error; the accuracy of the best in metres, where one tells
  /// it.
  case inexact(best: Double?)
  /// The fixes of the first seconds have no altitude, and a climb was to be told.
  case noAltitude
}

/// Keeps single fixes out that no vehicle could have reached; several that agree with each other are believed.
struct JumpGate {
  enum Verdict: Equatable {
    case passed
    /// Left out; with a notice unless there was one a moment ago.
    case held(ReceiverNotice?)
    /// Believed after all.
    case moved(ReceiverNotice)
  }

  private struct Fix {
    var coordinate: Coordinate
    var time: Double
    var clock: Double?
  }

  /// The highest speed in m/s: receivers for everybody stop at 1000 knots, 514 m/s (the rules for exports of the former
  /// COCOM).
  private static let fastest = 600.0
  /// Fixes that agree before they are believed.
  private static let enough = 3
  /// Seconds between two notices.
  private static let quiet = 60.0

  private var trusted: Fix?
  private var other: (fix: Fix, count: Int)?
  private var told: Double?

  mutating func judge(_ position: Position, at coordinate: Coordinate) -> Verdict {
    let fix = Fix(coordinate: coordinate, time: position.time, clock: position.unixTime)
    guard let before = trusted, let jump = Self.jump(from: before, to: fix) else {
      trusted = fix
      other = nil
      return .passed
    }
    let agrees = other.map { Self.jump(from: $0.fix, to: fix) == nil } == true
    let count = agrees ? (other?.count ?? 0) + 1 : 1
    guard count < Self.enough else {
      trusted = fix
      other = nil
      return .moved(.moved(metres: jump.metres))
    }
    other = (fix, count)
    if let told, abs(fix.time - told) < Self.quiet { return .held(nil) }
    told = fix.time
    return .held(.jumped(metres: jump.metres, seconds: jump.seconds))
  }

  /// How far and in what time; nil for a way that can be.
  private static func jump(from before: Fix, to now: Fix) -> (metres: Double, seconds: Double)? {
    var seconds = now.time - before.time
    if let then = before.clock, let clock = now.clock { seconds = clock - then }
    let metres = Geodesic(from: before.coordinate, to: now.coordinate).distance
    return metres > fastest * max(abs(seconds), 1) ? (metres, seconds) : nil
  }
}
