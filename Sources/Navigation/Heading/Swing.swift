import LodestoneCore

/// A swing: what a compass says beside what is right, heading by heading. Headings come as they are read; a mark takes
/// the mean of the last seconds, which the boat's small yawing does not spoil. What is right is typed, or comes as a
/// stream from a second compass or a receiver: then a mark is set wherever both are held and no mark is near.
public struct Swing: Sendable {
  /// The marks so far, in the order they were taken.
  public private(set) var marks: [Deviation.Mark] = []
  private var compass: HeldHeading
  private var reference: HeldHeading

  /// Seconds that a typed mark, or one by a second compass, is averaged over.
  public static let window = 2.0
  /// Seconds that a receiver's course is averaged over, which follows a turn by a second or two.
  public static let courseWindow = 5.0
  /// The least speed, in metres per second, at which a course is the heading of what moves straight.
  public static let leastSpeed = 2.0
  /// A heading that turns by more degrees than this meanwhile is not held.
  public static let allowedTurn = 6.0
  /// The least angle between marks by a stream, in degrees.
  public static let spacing = 10.0
  /// With no wider gap between marks the circle is complete, in degrees.
  public static let completeGap = 45.0

  /// No marks yet; each will be averaged over `window` seconds.
  public init(window: Double = Swing.window) {
    compass = HeldHeading(window: window)
    reference = HeldHeading(window: window)
  }

  /// Why there is no mark.
  public enum Problem: Error, Equatable, Sendable {
    /// The compass says nothing.
    case noHeading
    /// The heading turned by this many degrees meanwhile.
    case turning(Double)
  }

  /// Takes a heading of the compass, at a time in seconds.
  public mutating func add(_ heading: Heading<MagneticNorth>, at time: Double) {
    compass.add(heading.degrees, at: time)
  }

  /// Sets a mark: the right magnetic heading at a time.
  @discardableResult
  public mutating func mark(
    _ reference: Heading<MagneticNorth>, at time: Double
  ) throws(Problem) -> Deviation.Mark {
    let mark = Deviation.Mark(compass: try compass.mean(at: time), reference: reference.degrees)
    marks.append(mark)
    return mark
  }

  /// Takes a right magnetic heading of a stream. Returns the mark that it makes; nil where one of the two turns, has
  /// not been held for long enough, or is near a mark.
  public mutating func follow(_ reference: Heading<MagneticNorth>, at time: Double) -> Deviation.Mark? {
    self.reference.add(reference.degrees, at: time)
    guard self.reference.isFull(at: time), compass.isFull(at: time), let right = try? self.reference.mean(at: time),
      !marks.contains(where: { abs(Angle.shortestTurn(from: $0.reference, to: right)) < Self.spacing })
    else { return nil }
    return try? mark(Heading(degrees: right), at: time)
  }

  /// Forgets what is right: it may have jumped, or cannot be believed for now.
  public mutating func loseReference() { reference.forget() }

  /// Marks stand all around.
  public var isComplete: Bool {
    marks.count >= Deviation.fewestHeadings
      && Deviation.gap(marks.map { Angle.wrapped(degrees: $0.compass) }).map { $0.degrees <= Self.completeGap } ?? false
  }

  /// Takes the last mark back; nil where there is none.
  @discardableResult
  public mutating func removeLast() -> Deviation.Mark? { marks.popLast() }

  /// Takes marks that were made elsewhere.
  public mutating func add(_ marks: some Sequence<Deviation.Mark>) { self.marks += marks }
}

/// The last headings of a compass, averaged where it is held.
private struct HeldHeading: Sendable {
  /// Seconds that are averaged over.
  let window: Double
  private var recent: [(time: Double, degrees: Double)] = []
  private static let most = 4096
  /// The part of a window that must have been seen, 0 to 1.
  private static let share = 0.7

  init(window: Double) { self.window = window }

  mutating func add(_ degrees: Double, at time: Double) {
    recent.removeAll { $0.time < time - window || $0.time > time }
    if recent.count < Self.most { recent.append((time, degrees)) }
  }

  mutating func forget() { recent = [] }

  /// Most of the window up to now has been seen.
  func isFull(at time: Double) -> Bool {
    guard let first = recent.first(where: { $0.time >= time - window }) else { return false }
    return time - first.time >= Self.share * window
  }

  /// The mean of the window up to now, in degrees.
  func mean(at time: Double) throws(Swing.Problem) -> Double {
    let held = recent.filter { $0.time >= time - window }
    var mean = CircularMean()
    for entry in held { mean.add(degrees: entry.degrees) }
    guard let middle = mean.degrees else { throw .noHeading }
    let turns = held.map { Angle.shortestTurn(from: middle, to: $0.degrees) }
    let turn = (turns.max() ?? 0) - (turns.min() ?? 0)
    guard turn <= Swing.allowedTurn else { throw .turning(turn) }
    return middle
  }
}
