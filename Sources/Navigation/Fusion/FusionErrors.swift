import LodestoneCore

/// The covariance of six errors: of the attitude about east, north and up, in rad², and of the gyroscope's bias about
/// the device's axes, in (rad/s)².
struct FusionErrors: Sendable {
  /// The errors that an observation shows.
  struct Change: Sendable {
    /// The error of the attitude, in radians.
    var turn: Vector3
    /// The error of the gyroscope's bias, in radians per second.
    var bias: Vector3

    mutating func add(_ more: Change) {
      turn += more.turn
      bias += more.bias
    }
  }

  /// The covariance of the gyroscope's bias.
  private(set) var bias: Matrix3
  private var turn = Matrix3.identity
  /// Rows are the attitude's, columns the bias's.
  private var both = Matrix3(diagonal: .zero)
  /// The variance that the bias is taken to have had about each axis before anything was learned of it.
  private var assumed: Double
  /// The same at first, and that of most gyroscopes.
  private var (first, usual): (Double, Double)

  /// Errors of a gyroscope whose bias has the first deviation as far as is known, and the other in most, in rad/s.
  init(biasDeviation: Double, usual: Double = .infinity) {
    first = biasDeviation * biasDeviation
    assumed = first
    self.usual = min(first, usual * usual)
    bias = .identity * assumed
  }

  /// One standard deviation of the bias about each axis, in rad/s.
  var biasDeviation: Vector3 {
    Vector3(bias.row0.x.squareRoot(), bias.row1.y.squareRoot(), bias.row2.z.squareRoot())
  }
  /// The bias about each axis is known to this, in rad/s.
  func isBiasKnown(to limit: Double) -> Bool { largestBiasVariance < limit * limit }
  /// One standard deviation of the bias about the axis that is known least, in rad/s.
  var largestBiasDeviation: Double { largestBiasVariance.squareRoot() }
  private var largestBiasVariance: Double { max(bias.row0.x, bias.row1.y, bias.row2.z) }

  /// The mean of the two about horizontal axes.
  var tiltVariance: Double { (turn.row0.x + turn.row1.y) / 2 }
  /// The larger variance of the two about horizontal axes, in rad².
  var largestTiltVariance: Double { max(turn.row0.x, turn.row1.y) }
  /// The variance of the attitude about east (0), north (1) or up (2), in rad².
  func variance(about axis: Int) -> Double { turn[axis][axis] }
  /// About the vertical.
  var yawVariance: Double { turn.row2.z }
  /// The variance of the azimuth that a field of this slope, the tangent of its inclination, is seen at.
  func azimuthVariance(slope: Double) -> Double {
    let h = Vector3(0, slope, 1)
    return h.dot(turn * h)
  }

  /// The share of an azimuth that is seen by which north is turned.
  func azimuthGain(slope: Double, noise: Double) -> Double {
    let h = Vector3(0, slope, 1)
    let column = turn * h
    return max(0, min(1, column.z / (h.dot(column) + noise)))
  }

  /// Nothing is known of the attitude but up.
  mutating func begin(tiltDeviation: Double) {
    let tilt = tiltDeviation * tiltDeviation
    turn = Matrix3(diagonal: Vector3(tilt, tilt, 10))
    both = Matrix3(diagonal: .zero)
  }

  /// A board that nobody has moved yet turns as if its bias were this: it is one of those that have about as much, or
  /// else this deviation. What has been learned of the bias before stays.
  mutating func begin(bias value: Vector3, least: Double) {
    guard bias.row0.x >= assumed else { return }
    usual = max(least * least, Self.unexpected * value.squaredLength)
    (first, assumed) = (usual, usual)
    bias = .identity * usual
  }

  /// The bias is another one, with this deviation about each axis, in radians per second.
  mutating func begin(bias value: Vector3, deviation: Double) {
    assumed = max(assumed, Self.unexpected * value.squaredLength)
    first = max(first, assumed)
    bias = .identity * (deviation * deviation)
    both = Matrix3(diagonal: .zero)
  }

  /// North has been set.
  mutating func begin(yawDeviation: Double) {
    turn.row2 = Vector3(0, 0, yawDeviation * yawDeviation)
    (turn.row0.z, turn.row1.z) = (0, 0)
    both.row2 = .zero
  }

  /// Lets time pass: equation (1), and what wanders, in squares per second.
  mutating func age(by step: Double, attitude: Quaternion, turn wander: Vector3, bias biasWander: Double) {
    let drift = attitude.matrix * -step
    let carried = drift * bias
    let mixed = drift * both.transposed
    turn = turn + mixed + mixed.transposed + carried * drift.transposed
    turn = turn + Matrix3(diagonal: wander * step)
    both = both + carried
    bias = bias + Matrix3(diagonal: Vector3(1, 1, 1) * (biasWander * step))
  }

  /// The attitude has turned by nobody knows what, with this covariance.
  mutating func turn(covariance: Matrix3) { turn = turn + covariance }

  /// North is less sure by this variance.
  mutating func doubt(north variance: Double) { turn.row2.z += variance }

  /// Takes what the bias is thought to be, in radians per second. Where that is more than what was assumed of such
  /// gyroscopes would show by now, or next to nothing of it, the assumption was wrong: what it has made of all that was
  /// seen since is taken back, a little at each time.
  mutating func expect(bias value: Vector3) -> Change {
    var change = Change(turn: .zero, bias: .zero)
    let learned = 3 * assumed - bias.row0.x - bias.row1.y - bias.row2.z
    let square = value.squaredLength
    let shown = Self.unexpected * square
    let largest = max(first, min(shown, Self.growth * assumed))
    let now = max(usual, min(largest, assumed + shown - Self.small * learned))
    guard now > assumed ? learned > 0 && square > learned : now < assumed / Self.growth else { return change }
    let noise = assumed * now / (assumed - now)
    assumed = now
    for axis in 0..<3 {
      change.add(learn(bias: axis, off: -value[axis] - change.bias[axis], noise: noise))
    }
    return change
  }

  /// The ratio of the variance that a large bias is taken to have had about each axis to its square, and that by which
  /// what was assumed grows at each time.
  private static let (unexpected, growth) = (1.25, 1.1)
  /// The share of what would show by now by which too large an assumption shrinks at each time.
  private static let small = 0.12

  /// Takes how far up is seen off about east (0) or north (1).
  mutating func learn(lean axis: Int, off: Double, noise: Double) -> Change {
    learn(turn: turn[axis], bias: both[axis], scale: 1 / (turn[axis][axis] + noise), off: off)
  }

  /// Takes what the bias is seen off about an axis.
  mutating func learn(bias axis: Int, off: Double, noise: Double) -> Change {
    let column = Vector3(both.row0[axis], both.row1[axis], both.row2[axis])
    return learn(turn: column, bias: bias[axis], scale: 1 / (bias[axis][axis] + noise), off: off)
  }

  /// Takes the azimuth that north is seen at: equation (2). The tilt is none of its business: its variance stays.
  /// - Parameter tellsBias: else that of the bias stays as well.
  mutating func learn(azimuth: Double, slope: Double, noise: Double, tellsBias: Bool = true) -> Change {
    let h = Vector3(0, slope, 1)
    let column = turn * h
    let biases = both.transposed * h
    let before = (turn: turn, bias: bias)
    var change = learn(turn: column, bias: biases, scale: 1 / (h.dot(column) + noise), off: azimuth)
    (turn.row0.x, turn.row0.y) = (before.turn.row0.x, before.turn.row0.y)
    (turn.row1.x, turn.row1.y) = (before.turn.row1.x, before.turn.row1.y)
    if !tellsBias { (bias, change.bias) = (before.bias, .zero) }
    return change
  }

  /// Kalman's update by one number: the covariances of all errors with it, and one over its variance.
  private mutating func learn(turn t: Vector3, bias b: Vector3, scale: Double, off: Double) -> Change {
    turn = turn + Matrix3.outer(t, t) * -scale
    both = both + Matrix3.outer(t, b) * -scale
    bias = bias + Matrix3.outer(b, b) * -scale
    return Change(turn: t * (off * scale), bias: b * (off * scale))
  }
}
