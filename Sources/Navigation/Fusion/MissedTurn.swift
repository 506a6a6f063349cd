import LodestoneCore
import Glibc

/// A turn that the gyroscope has missed: its rates were clipped or frozen, or rows were lost. The field then stands at
/// another azimuth, and is as strong and as steep as it should be. Iron that turns a field so far changes its strength
/// or inclination as well, but for one that points east or west within a few degrees: such iron turns it by tens of
/// degrees next to never.
struct MissedTurn: Sendable {
  /// The variance of north as long as it is not sure, in rad².
  var variance: Double { seconds > Self.seenSoon ? azimuth * azimuth : 0 }
  /// The field is off as after such a turn.
  var isSuspected: Bool { seconds > 0 }
  /// By which the field is off, in radians, and for how many seconds it has been.
  private var (azimuth, seconds) = (0.0, 0.0)

  /// Radians that noise, delays and iron do not make alone, and that iron on the board hardly makes.
  private static let least = Angle.radians(15)
  static let large = Angle.radians(30)
  /// The largest misfit of the field's strength and inclination in a missed turn, as a share of what the turn changes
  /// of the field: of a small turn, and the share added for one of 60°, which leaves up askew as well.
  private static let (otherwise, askew) = (0.12, 0.12)
  /// Seconds after which it is sure for turns of 60° and more; a smaller one needs more, by the square of the ratio.
  private static let (patience, plain) = (1.0, Angle.radians(60))
  /// Seconds after which it is reckoned with: steel that somebody walks past is gone before.
  private static let seenSoon = 0.5
  /// Radians per second past which a field that comes late is off as well.
  private static let fastest = Angle.radians(60)

  /// A field is that of a board that has turned.
  /// - Parameters:
  ///   - azimuth: against that of the attitude, in radians.
  ///   - off: in strength and inclination, in µT; nil where nobody knows what they should be.
  ///   - noise: the variance of one axis by the sensor's noise, in µT².
  ///   - horizontal: the horizontal part of the expected field, in µT.
  static func isTurn(azimuth: Double, off: CarriedIron.Misfit?, noise: Double, horizontal: Double) -> Bool {
    guard let off, abs(azimuth) > least else { return false }
    let ratio = min(1, abs(azimuth) / plain)
    let allowed = (otherwise + askew * ratio) * 2 * horizontal * abs(sin(azimuth / 2))
    return off.strength * off.strength + off.inclination * off.inclination < allowed * allowed + noise
  }

  /// Takes what the field of a window says; true once it is sure.
  /// - Parameters:
  ///   - now: its azimuth against that of the attitude, in radians.
  ///   - rate: of the board, in radians per second.
  ///   - step: seconds since the window before.
  mutating func isSure(azimuth now: Double, isTurn: Bool, rate: Double, step: Double) -> Bool {
    guard rate < Self.fastest else { return false }
    guard isTurn else {
      seconds = max(0, seconds - step)
      return false
    }
    if cos(now - azimuth) < 0.5 { seconds = 0 }
    (azimuth, seconds) = (now, seconds + step)
    let ratio = min(1, abs(now) / Self.plain)
    return seconds * ratio * ratio > Self.patience
  }
}

/// How often a gyroscope has missed a turn lately. One that does so again and again is left out for a while.
struct MissedTurns: Sendable {
  private var (count, last) = (0.0, 0.0)
  private var areMany = false

  /// Seconds after which a third of them counts still.
  private static let memory = 60.0
  /// Counts from which on they are no chance, and below which they are over.
  private static let (many, few) = (2.2, 0.5)

  mutating func add(at time: Double) { (count, last) = (count(at: time) + 1, time) }

  /// They are many, or have been and are not over.
  mutating func areMany(at time: Double) -> Bool {
    guard count > 0 else { return false }
    areMany = count(at: time) > (areMany ? Self.few : Self.many)
    return areMany
  }

  private func count(at time: Double) -> Double { count * exp(-max(0, time - last) / Self.memory) }
}
