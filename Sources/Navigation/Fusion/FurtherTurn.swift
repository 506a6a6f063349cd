import LodestoneCore

/// The turn of a board that turns faster than its gyroscope measures: further than the rates at the end of the range say, and nobody
/// knows how far. The longer it lasts, the more they miss, all the same way.
struct FurtherTurn: Sendable {
  /// The turn by such rates since they came, in radians about each axis of the board.
  private var turn = Vector3.zero
  /// Such rates come just now.
  var goesOn: Bool { turn != .zero }

  /// By how much boards turn further, one standard deviation as a share of what such rates say.
  private static let share = 0.6

  /// The variance about each axis of what is missed so far, in rad².
  var variance: Vector3 { turn.squares * (Self.share * Self.share) }
  /// The variance of it about east, north and up, in an attitude.
  func variance(in attitude: Quaternion) -> Vector3 { (attitude * turn).squares * (Self.share * Self.share) }

  /// Takes such a rate in radians per second, for seconds; returns by how much the variance about each axis grows, in rad².
  mutating func add(_ rate: Vector3, for step: Double) -> Vector3 {
    let before = variance
    turn += rate * step
    return variance - before
  }

  /// The board turns as the gyroscope says again.
  mutating func end() { turn = .zero }
}
