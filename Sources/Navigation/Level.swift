import Calibration
import LodestoneCore
import Glibc

/// An inclinometer: how far a board is tilted, and how it is rolled when it stands upright.
public struct Level: Instrument {
  /// The parts that it reads.
  public static let needs: DeviceParts = [.acceleration, .forceAlone]
  /// Tilts.
  public typealias Reading = LevelReading

  /// Settings that the user may choose.
  public struct Settings: InstrumentSettings {
    /// Takes the tilt of the first second for level.
    public var zeroesAtStart = false

    /// Level is level.
    public init() {}
  }

  /// The result of two readings of one place, the board turned about by 180° in between.
  public struct TwoPositions: Equatable, Sendable {
    /// The board's reading on a level table: pitch and roll in degrees.
    public var board: (pitch: Double, roll: Double)
    /// How the table is tilted, as seen from the first position.
    public var surface: (pitch: Double, roll: Double)
    /// Up on a level table, of length 1, in the device frame.
    let level: Vector3

    /// Halfway between the two is up on a level table; the surface is tilted by what the first is away from that. nil
    /// for directions that are opposite.
    /// - Parameters:
    ///   - first: up in the first position, of length 1, in the device frame.
    ///   - second: up in the second.
    public init?(first: Vector3, second: Vector3) {
      guard let middle = (first + second).direction else { return nil }
      level = middle
      board = Level.tilt(middle)
      surface = Level.tilt(Level.zeroing(middle) * first)
    }

    /// Equal in all.
    public static func == (a: TwoPositions, b: TwoPositions) -> Bool {
      a.board == b.board && a.surface == b.surface && a.level == b.level
    }
  }

  /// Up in the first of two positions, of length 1, in the device frame; nil unless it has been taken.
  public private(set) var firstPosition: Vector3?

  /// Whether the field has changed since the first position as it does by half a turn; nil where there is no field.
  public var isTurned: Bool? {
    guard let firstField, let field else { return nil }
    return (field - firstField).length > Self.leastChange * max(field.length, firstField.length)
  }

  private let mounting: Mounting
  private var tracker: AttitudeTracker
  private var fault = FaultNotice()
  private var accuracy: LevelAccuracy
  private var mean = MeanForce()
  private var stillness = Stillness(lengths: Self.possibleRest)
  /// The length in g of the force of the board at rest, as its accelerometer measures it.
  private var restLength = 1.0
  private var lastTime = -Double.infinity
  /// The last up, of length 1.
  private var up: Vector3?
  /// The last field, in µT or counts, and that of the first position.
  private var field: Vector3?
  private var firstField: Vector3?
  /// Turns the up that was taken for level to that of a level board.
  private var zeroing = Quaternion.identity
  /// The up that was taken for level, of length 1; nil where none was.
  private var zeroedUp: Vector3?
  private var start: Double?
  private var startSum = Vector3.zero
  private var zeroesAtStart: Bool

  /// How far from its length at rest a force is one of a board in motion, in g.
  private static let motionLimit = 0.03
  /// Lengths in g that an accelerometer may measure at rest: with a zero of 50 mg and a gain of 5 %.
  private static let possibleRest = 0.9...1.1
  /// The angle from the horizontal, in radians, within which a face has no edge that is up.
  private static let flatLimit = Angle.radians(20)
  /// Half a turn changes the field by twice its horizontal part, whatever the hard iron: far more than this share of
  /// the whole. What a board that stays there measures changes by its noise.
  private static let leastChange = 0.05
  /// A board whose up lies this far below its face, or farther, lies face down.
  private static let faceDown = -0.5

  /// An inclinometer.
  public init(_ settings: Settings = Settings(), profile: Profile? = nil, mounting: Mounting = .aligned) {
    self.mounting = mounting
    tracker = AttitudeTracker(profile: profile, mounting: mounting)
    accuracy = LevelAccuracy(profile)
    zeroesAtStart = settings.zeroesAtStart
  }

  /// Goes on under a calibration with another hard iron.
  public mutating func follow(_ profile: Profile) {
    tracker.follow(profile, mounting: mounting)
    accuracy = LevelAccuracy(profile)
  }

  /// Takes the present tilt for level.
  public mutating func zero() {
    if let up { zero(at: up) }
  }

  private mutating func zero(at up: Vector3) { (zeroing, zeroedUp) = (Self.zeroing(up), up) }

  /// Takes the tilt as it is.
  public mutating func clearZero() { (zeroing, zeroedUp) = (.identity, nil) }

  /// Takes the first of two positions; after turning the board by 180° on the same spot, `takeSecondPosition` tells the
  /// errors of board and surface apart.
  public mutating func takeFirstPosition() { (firstPosition, firstField) = (up, field) }

  /// Takes the second position, and what the board reads on a level table for its zero; nil without a first one.
  public mutating func takeSecondPosition() -> TwoPositions? {
    guard let first = firstPosition, let second = up else { return nil }
    firstPosition = nil
    guard let found = TwoPositions(first: first, second: second) else { return nil }
    zero(at: found.level)
    return found
  }

  /// A gyroscope that cannot be used, told once.
  public mutating func nextNotice() -> InstrumentNotice? { fault.next(tracker) }

  /// The tilt after a sample; false without an accelerometer, and while the zero is being taken.
  public mutating func read(_ sample: borrowing DeviceSample, into reading: inout LevelReading) -> Bool {
    // The gyroscope is read beside field and force that belong together.
    if sample.forceAlone == nil { tracker.add(sample) }
    guard !tracker.isOld, let force = sample.anyForce, force.isFinite, let up = up(force, at: sample.time) else {
      return false
    }
    self.up = up
    let isStill = stillness.add(force, at: sample.time)
    if isStill { restLength = mean.value.length }
    if let now = sample.field?.field { field = now.microtesla }
    guard !collectsZero(up, at: sample.time) else { return false }
    let tilt = Self.tilt(zeroing * up)
    reading = LevelReading(time: sample.time, pitch: tilt.pitch, roll: tilt.roll)
    if hypot(up.x, up.y) > sin(Self.flatLimit) {
      reading.angle = Angle.wrapped(degrees: Angle.degrees(atan2(up.x, up.y)))
    }
    reading.isMoving = !isStill && abs(force.length - restLength) > Self.motionLimit
    // At rest the force tells by how much a gyroscope leans it.
    let variance =
      isStill ? LevelAccuracy.atRest(up, force: mean.value) : tracker.estimate?.tiltVariance ?? mean.variance
    reading.accuracy = accuracy.degrees(up: up, level: zeroedUp, variance: variance)
    return true
  }

  /// Up, of length 1: from the gyroscope where there is one, else the smoothed force.
  private mutating func up(_ force: Vector3, at time: Double) -> Vector3? {
    mean.add(force, step: time - lastTime, restLength: restLength)
    lastTime = time
    if let estimate = tracker.estimate { return estimate.attitude.conjugate * Vector3(0, 0, 1) }
    return mean.value.direction
  }

  private mutating func collectsZero(_ now: Vector3, at time: Double) -> Bool {
    guard zeroesAtStart else { return false }
    let begin = min(start ?? time, time)
    start = begin
    startSum += now
    guard time - begin >= 1 else { return true }
    if let mean = startSum.direction { zero(at: mean) }
    zeroesAtStart = false
    return false
  }

  /// Pitch and roll in degrees of a board with this up.
  private static func tilt(_ up: Vector3) -> (pitch: Double, roll: Double) {
    (Angle.degrees(asin(max(-1, min(1, up.y)))), Angle.degrees(atan2(-up.x, up.z)))
  }

  /// The shortest rotation of an up to that of a level board. One that lies face down is turned over about its top edge
  /// first, so that a raised top edge is a positive pitch there too.
  private static func zeroing(_ up: Vector3) -> Quaternion {
    let over = up.z < faceDown ? Quaternion(w: 0, v: Vector3(0, 1, 0)) : .identity
    return Quaternion(from: over * up, to: Vector3(0, 0, 1)) * over
  }
}

/// A tilt at one moment.
public struct LevelReading: Record, Equatable {
  /// When its sample was taken, in seconds.
  public var time: Double
  /// The top edge above the horizontal, in degrees.
  public var pitch: Double
  /// The right edge down positive, in degrees.
  public var roll: Double
  /// How far a board that stands upright is turned in its plane, in degrees, 0 with the top edge up, 90 with the right
  /// edge up; nil for one that lies.
  public var angle: Double?
  /// Pitch, and the roll of a board that lies or the angle of one that stands, are within this many degrees (95 %).
  public var accuracy: Double?
  /// The board is pushed or shaken: its force is not gravity alone.
  public var isMoving = false

  /// A reading of nothing yet.
  public init() { self.init(time: 0, pitch: 0, roll: 0) }

  /// A tilt in degrees.
  public init(time: Double, pitch: Double, roll: Double) {
    self.time = time
    self.pitch = pitch
    self.roll = roll
  }

  /// The kind of record.
  public static let schema = RecordSchema("level", of: LevelReading.self, line: LevelLine.self)

  /// Lists each column with its value.
  public func list<Columns: RecordColumns & ~Copyable>(in columns: inout Columns) {
    columns.add(.number("pitch", .degrees, decimals: 2), pitch)
    columns.add(.number("roll", .degrees, decimals: 2), roll)
    columns.add(.heading("angle", decimals: 2), angle)
    columns.add(.integer("moving"), isMoving ? 1 : 0)
    columns.add(.number("accuracy", .degrees, decimals: 2), accuracy)
  }
}

/// One line for people.
public struct LevelLine: RecordLine {
  private let places: [Int?]

  /// A writer for rows of this kind.
  public init(_ schema: RecordSchema, units: DisplayUnits) {
    places = ["pitch", "roll", "angle", "moving", "accuracy"].map { schema.index(of: $0) }
  }

  /// Appends `pitch 1.2°   roll -0.3°   angle 0.0°   ±2.9°`.
  public func append(_ row: borrowing Row, to text: inout TextBuffer) {
    text.append("pitch ")
    text.append(row[places[0]], decimals: 1, absent: "-")
    text.append("°   roll ")
    text.append(row[places[1]], decimals: 1, absent: "-")
    text.append("°")
    if let angle = row[places[2]] {
      text.append("   angle ")
      text.append(headingDegrees: angle, decimals: 1)
      text.append("°")
    }
    if let accuracy = row[places[4]] {
      text.append("   ±")
      text.append(accuracy, decimals: 1)
      text.append("°")
    }
    if row.integer(places[3]) == 1 { text.append("   moving") }
  }
}
