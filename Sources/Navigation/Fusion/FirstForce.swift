import LodestoneCore

/// The force of the first seconds, in the frame that the gyroscope carries: a board may be shaken as it begins, and one
/// sample then says nothing of up.
struct FirstForce: Sendable {
  /// In g.
  private(set) var mean = Vector3.zero
  /// The mean square of what it differs from that about one axis, in g².
  private var spread = 0.0
  /// In seconds.
  private(set) var elapsed = 0.0

  /// In g: hands that hold still shake less.
  private static let calm = 0.03
  /// The share of that density that a board that is shaken less has.
  private static let least = 0.3
  /// Seconds of calm after which up is known.
  private static let calmTime = 0.25

  /// Takes the mean force of a window in g, `step` seconds after the one before.
  mutating func add(_ force: Vector3, step: Double) {
    elapsed += step
    let share = min(1, step / elapsed)
    let off = force - mean
    mean += off * share
    spread += ((1 - share) * off.squaredLength / 2 - spread) * share
  }

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
