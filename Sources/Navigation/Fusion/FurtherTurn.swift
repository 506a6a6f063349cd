import LodestoneCore

/// The turn that a gyroscope misses whose rates are at the end of its range. A hand's rate rises, and falls again,
/// about as a parabola does: where it came to the end by the slope s and stays for T seconds, s T² / 6 of the turn is
/// missed, three quarters and more of that of a turn twice as fast as the range. A rate that goes on to rise by a third
/// of s makes as much, whatever T will be.
struct FurtherTurn: Sendable {
  /// The turn that was missed, in radians about each axis of the board, and by how much the variance of that has grown,
  /// in rad².
  struct Missed: Sendable {
    var (turn, variance): (Vector3, Vector3)
  }

  /// Seconds of such rates so far.
  private var seconds = 0.0
  /// The axis of the board that turns fastest, what is taken to be missed about it, and the variance of that.
  private var (axis, missed, open) = (0, 0.0, 0.0)
  /// The last rate, and by how much rates changed before they came to the end and one before that, in rad/s².
  private var (last, slope, earlier) = (Vector3.zero, Vector3.zero, Vector3.zero)
  /// Seconds since the last rate came.
  private var age = 0.0

  /// The deviation of what is missed as a share of itself, and at least as a share of what such rates say; the seconds
  /// after which no parabola tells it, and the deviation then as a share of what they say.
  private static let (share, least, longest, ofRate) = (0.9, 0.05, 0.8, 0.6)
  /// The share of a rate that it changes by at least as it comes to the end: the first ones there are not known for
  /// such.
  private static let change = 0.005

  /// Such rates come just now.
  var goesOn: Bool { seconds > 0 }
  /// The variance of what is missed so far about each axis of the board, in rad².
  var variance: Vector3 { along(open) }

  /// Takes a rate at the end of the range, in radians per second, for seconds.
  mutating func add(_ rate: Vector3, for step: Double) -> Missed {
    if !goesOn { (axis, missed, open) = (Self.largest(rate), 0, 0) }
    seconds += step
    let direction = rate[axis] < 0 ? -1.0 : 1
    // The last change may have been cut short by the end.
    let rise = max(slope[axis] * direction, earlier[axis] * direction)
    let isRising = seconds < Self.longest && rise > 0
    let turn = isRising ? direction * rise * (seconds / 3) * step : 0
    missed += turn
    let said = abs(rate[axis]) * seconds
    let deviation = isRising ? max(Self.share * abs(missed), Self.least * said) : Self.ofRate * said
    let before = open
    open = max(open, deviation * deviation)
    (last, age) = (rate, 0)
    return Missed(turn: along(turn), variance: along(open - before))
  }

  /// Takes a rate within the range, or the same one again where only a field has come.
  mutating func end(_ rate: Vector3, for step: Double) {
    let (fastest, new) = (Self.largest(rate), rate - last)
    age += step
    if abs(new[fastest]) > Self.change * abs(rate[fastest]) { (earlier, slope, age) = (slope, new / age, 0) }
    (last, seconds) = (rate, 0)
  }

  private func along(_ value: Double) -> Vector3 {
    var along = Vector3.zero
    along[axis] = value
    return along
  }

  private static func largest(_ v: Vector3) -> Int {
    let (x, y, z) = (abs(v.x), abs(v.y), abs(v.z))
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2
  }
}
