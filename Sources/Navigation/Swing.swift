import LodestoneCore

/// A swing: what a compass says beside what is right, heading by heading. Headings come as they are read; a mark takes the
/// mean of the last two seconds, which the boat's small yawing does not spoil.
public struct Swing: Sendable {
  /// The marks so far, in the order they were taken.
  public private(set) var marks: [Deviation.Mark] = []
  private var recent: [(time: Double, degrees: Double)] = []

  /// Seconds that a mark is averaged over.
  public static let window = 2.0
  /// A heading that turns by more degrees than this meanwhile is not held.
  public static let allowedTurn = 6.0
  private static let mostRecent = 4096

  /// No marks yet.
  public init() {}

  /// Why there is no mark.
  public enum Problem: Error, Equatable, Sendable {
    /// The compass says nothing.
    case noHeading
    /// The heading turned by so many degrees meanwhile.
    case turning(Double)
  }

  /// Takes a heading of the compass, at a time in seconds.
  public mutating func add(_ heading: Heading<MagneticNorth>, at time: Double) {
    recent.removeAll { $0.time < time - Self.window || $0.time > time }
    if recent.count < Self.mostRecent { recent.append((time, heading.degrees)) }
  }

  /// Sets a mark: the right magnetic heading of now.
  @discardableResult
  public mutating func mark(_ reference: Heading<MagneticNorth>) throws(Problem) -> Deviation.Mark {
    var mean = CircularMean()
    for entry in recent { mean.add(degrees: entry.degrees) }
    guard let middle = mean.degrees else { throw .noHeading }
    let turns = recent.map { Angle.shortestTurn(from: middle, to: $0.degrees) }
    let turn = (turns.max() ?? 0) - (turns.min() ?? 0)
    guard turn <= Self.allowedTurn else { throw .turning(turn) }
    let mark = Deviation.Mark(compass: middle, reference: reference.degrees)
    marks.append(mark)
    return mark
  }

  /// Takes the last mark back; nil where there is none.
  @discardableResult
  public mutating func removeLast() -> Deviation.Mark? { marks.popLast() }

  /// Takes marks that were made elsewhere.
  public mutating func add(_ marks: some Sequence<Deviation.Mark>) { self.marks += marks }
}
