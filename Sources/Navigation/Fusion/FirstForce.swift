import LodestoneCore

/// The force of the first seconds, in the frame that the gyroscope carries: a board may be shaken as it begins, and one
/// sample then says nothing of up.
struct FirstForce: Sendable {
  /// In g.
  private(set) var mean = Vector3.zero
  /// The mean square of what it differs from that about one axis, in g².
  private var spread = 0.0
  /// The mean square of what its length differs from 1 g.
  private var stretch = 0.0
  /// The mean square of the rate that the board turns at, in (rad/s)².
  private var turning = 0.0
  /// In seconds.
  private(set) var elapsed = 0.0

  /// In g: hands that hold still shake less.
  private static let calm = 0.03
  /// The share of that density that a board that is shaken less has.
  private static let least = 0.3
  /// Seconds of calm after which up is known.
  private static let calmTime = 0.25
  /// Seconds for which pushes of a hand are alike, and those of which nothing is seen yet.
  private static let (alike, unseen) = (0.3, 0.05)
  /// The ratio of the square of what pushes across to that of what pushes along.
  private static let acrossShare = 0.36
  /// In radians for each rad/s: what a board leans that sways in a swell.
  private static let sway = 0.3
  /// The largest rate at which a swell turns a board, in rad/s.
  private static let fastest = Angle.radians(12)
  /// The rate at which an unknown bias of the gyroscope tilts up, in rad/s.
  private static let drift = Angle.radians(0.7)

  /// Takes the mean force of a window in g and the rate of the board in rad/s, `step` seconds after the one before.
  mutating func add(_ force: Vector3, rate: Vector3, step: Double) {
    elapsed += step
    let share = min(1, step / elapsed)
    let off = force - mean
    mean += off * share
    spread += ((1 - share) * off.squaredLength / 2 - spread) * share
    let along = force.length - 1
    stretch += (along * along - stretch) * share
    turning += (rate.squaredLength - turning) * share
  }

  /// The variance of up about one axis as far as the board so far shows it, in rad²: one that sways is pushed as well.
  var variance: Double {
    let pushed = spread * min(1, Self.alike / elapsed) + Self.acrossShare * stretch
    return pushed * (1 + Self.unseen / elapsed) + swaying * swaying
  }

  /// By how much one standard deviation of up grows from then on, in rad/s, before more is seen.
  var drift: Double { Self.drift + swaying }
  private var swaying: Double { Self.sway * min(turning.squareRoot(), Self.fastest) }

  /// Its frame has been turned.
  mutating func turn(_ turn: Quaternion) { mean = turn * mean }

  /// The board is hardly shaken.
  var isCalm: Bool { elapsed >= Self.calmTime && spread < Self.calm * Self.calm }

  /// One standard deviation of up about one axis, in radians, where the board is shaken.
  /// - Parameter shaking: the density of the noise of a force that shakes by 0.3 g, in rad² s.
  func deviation(shaking: Double) -> Double {
    (shaking * max(Self.least, min(1, spread / 0.09)) / elapsed).squareRoot()
  }
}
