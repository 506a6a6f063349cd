import Calibration
import LodestoneCore

/// Where a receiver is, how far it has come, and whether it climbs.
public struct Location: Instrument {
  /// What it reads.
  public static let needs: DeviceParts = .position
  /// Places.
  public typealias Reading = LocationReading

  /// What its user may choose.
  public struct Settings: InstrumentSettings {
    /// Where distance and bearing count from; nil for the first fix.
    public var origin: Coordinate?

    /// From the first fix.
    public init() {}
  }

  /// Positions are what it reads.
  public static var readsPositions: Bool { true }

  /// Where distance and bearing count from; nil before the first fix.
  public private(set) var origin: Coordinate?
  private var gate = JumpGate()
  private var climb = ClimbRate()
  private var last: Position?
  private var firstSample: Double?
  private var isSilent = true
  private var hasFix: Bool?
  private var notices: [ReceiverNotice] = []

  /// Seconds of samples without a position after which the device is no receiver.
  private static let patience = 10.0

  /// A location.
  public init(_ settings: Settings = Settings(), profile: Profile? = nil, mounting: Mounting = .aligned) {
    origin = settings.origin
  }

  /// Counts distance and bearing from the last fix on; nothing without one.
  public mutating func countFromHere() { origin = last?.coordinate ?? origin }

  /// What the receiver lacks, or has again.
  public mutating func nextNotice() -> InstrumentNotice? {
    notices.isEmpty ? nil : .receiver(notices.removeFirst())
  }

  /// No reading: a sample does not tell where it was taken.
  public mutating func read(_ sample: borrowing DeviceSample, into reading: inout LocationReading) -> Bool {
    let time = sample.time
    let first = firstSample ?? time
    firstSample = first
    if isSilent, time - first >= Self.patience {
      isSilent = false
      notices.append(.noPositions)
    }
    return false
  }

  /// The reading of a position. None for one that was told before, nor for one that is too far from the last to be true;
  /// one without any value where the fix is lost.
  public mutating func read(_ position: Position, into reading: inout LocationReading) -> Bool {
    isSilent = false
    guard let coordinate = position.coordinate else { return lose(at: position.time, into: &reading) }
    if hasFix == false { notices.append(.fix) }
    hasFix = true
    guard !isRepeated(position) else { return false }
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
    return true
  }

  private mutating func lose(at time: Double, into reading: inout LocationReading) -> Bool {
    guard hasFix != false else { return false }
    let hadFix = hasFix == true
    hasFix = false
    notices.append(.noFix)
    last = nil
    climb.clear()
    reading = LocationReading()
    reading.time = time
    return hadFix
  }

  /// The same in every number, its time included: some programs send each fix more than once.
  private func isRepeated(_ position: Position) -> Bool {
    guard var last, position.unixTime != nil else { return false }
    last.time = position.time
    return last == position
  }
}

/// What the user of a receiver should know.
public enum ReceiverNotice: Equatable, Sendable {
  /// It is there, and does not know where it is.
  case noFix
  /// It knows again.
  case fix
  /// A fix so many metres from the one before, so many seconds later, was left out.
  case jumped(metres: Double, seconds: Double)
  /// Fixes so many metres away have been confirmed by those after them: the receiver is there now.
  case moved(metres: Double)
  /// The device sends samples, and no positions.
  case noPositions
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

  /// In m/s: receivers for everybody stop at 1000 knots, 514 m/s (the rules for exports of the former COCOM).
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
