import LodestoneCore
import Glibc

/// By how much a board turns about each of its axes for each degree that its gyroscope says: a regression of the
/// changes of a direction, the field's or the force's, on the changes that the turns about x, y and z make of it. An
/// axis that is read as it should be has 1, one that turns the other way -1, one that reads twice as much 0.5.
struct AxisScales: Sendable {
  /// The sums of the regression: of its regressors' products, of those with the changes, and of the changes' squares.
  private var products = Matrix3(diagonal: .zero)
  private var responses = Vector3.zero
  private var changes = 0.0
  /// Windows that count, old ones less.
  private var count = 0.0
  /// The scales, their standard deviations, and the share of the changes that they leave; nil as long as nothing is
  /// known.
  private var fit: (values: Vector3, deviations: Vector3, left: Double)?

  /// A scale of one axis.
  struct Scale: Equatable, Sendable {
    var value: Double
    /// Its standard deviation.
    var deviation: Double
    /// The part of it that a field which differs from place to place may make, where a hand carries the board to and
    /// fro as it turns it.
    var byPlaces: Double
    /// The scales explain the changes. A direction that comes late, or is smoothed, swings out of phase: none does.
    var isPlain: Bool

    /// As of a sound gyroscope, and sure of that.
    var isRight: Bool { abs(value - 1) < 0.25 && deviation < 0.1 }
    /// Surely less.
    /// - Parameter alone: other axes are right: places are likelier than a fault of this one.
    func isLess(than limit: Double, alone: Bool = false) -> Bool { isPlain && value + margin(alone) < limit }
    /// Surely more.
    func isMore(than limit: Double, alone: Bool = false) -> Bool { isPlain && value - margin(alone) > limit }
    private func margin(_ alone: Bool) -> Double { 4 * (alone ? hypot(deviation, byPlaces) : deviation) }
  }

  /// A weight in rad² of the scale that is expected, 1: a direction that does not feel an axis says nothing of it.
  private static let prior = 0.002
  /// The sum of squares in rad² by which an axis must have turned a direction: past what a bias makes.
  private static let evidence = 0.1
  /// By which a field's direction differs between places that a hand carries a board to within a window, in radians.
  private static let places = 0.02
  /// The share of the changes that may be left where the scales explain them.
  private static let plain = 0.1
  /// Radians past which a window's turn is not the sum of those about its axes.
  private static let largest = Angle.radians(100)

  /// Takes a window.
  /// - Parameters:
  ///   - change: of the direction.
  ///   - mean: of the direction before and after.
  ///   - turn: by the gyroscope, in radians.
  ///   - kept: the share of the past that is left.
  mutating func add(_ change: Vector3, mean: Vector3, turn: Vector3, kept: Double) {
    let angle = turn.length
    guard angle > 0, angle < Self.largest else { return }
    // A chord is the mean of its ends turned by 2 tan(angle / 2).
    let turn = turn * (2 * tan(angle / 2) / angle)
    let parts = Matrix3(
      Vector3(0, mean.z, -mean.y) * turn.x, Vector3(-mean.z, 0, mean.x) * turn.y, Vector3(mean.y, -mean.x, 0) * turn.z)
    products = products * kept + parts * parts.transposed
    responses = responses * kept + parts * change
    changes = changes * kept + change.squaredLength
    count = count * kept + 1
    solve()
  }

  private mutating func solve() {
    let ones = Vector3(1, 1, 1) * Self.prior
    guard count > 3, let inverse = (products + Matrix3(diagonal: ones)).inverse else { return fit = nil }
    let values = inverse * (responses + ones)
    let left = max(0, changes - 2 * values.dot(responses) + values.dot(products * values))
    let variance = left / (2 * count - 3)
    func deviation(_ axis: Int) -> Double { (variance * max(0, inverse[axis][axis])).squareRoot() }
    fit = (values, Vector3(deviation(0), deviation(1), deviation(2)), left / max(changes, 1e-12))
  }

  /// The scale of an axis about which the board has turned enough; nil for another.
  subscript(axis: Int) -> Scale? {
    guard let fit, products[axis][axis] > Self.evidence else { return nil }
    return Scale(
      value: fit.values[axis], deviation: fit.deviations[axis],
      byPlaces: Self.places * (count / products[axis][axis]).squareRoot(), isPlain: fit.left < Self.plain)
  }
}

/// The axes of a gyroscope that turn otherwise than the field or the force. The field is asked first: a push swings a
/// force to and fro with the steps, and a pendulum or a boat in waves keeps it along the board.
struct OddAxes: Sendable {
  /// The fault that the last seconds show.
  private(set) var fault: GyroscopeFault?
  /// A bit for each axis that is wrong now, and for each that was found guilty and has not been seen to be right since.
  private var (wrong, convicted) = (0, 0)

  /// Scales by the field of an axis of a sound gyroscope: its gain, leftover iron and a bias are within.
  private static let sound = 0.7...1.4
  /// Scales by the force of an axis that turns the other way. A hand that swings a board to and fro tilts its force
  /// several times as far the other way as the board turns.
  private static let reversed = -2.0 ... -0.5

  /// An axis was found guilty, and is not cleared yet.
  var areConvicted: Bool { convicted != 0 }

  /// Takes what a window says.
  /// - Parameter field: nil where iron turns it.
  mutating func judge(byField field: AxisScales?, byForce force: AxisScales) {
    var (right, sum) = (0, 0.0)
    for axis in 0..<3 where field?[axis]?.isRight == true || force[axis]?.isRight == true { right |= 1 << axis }
    wrong = 0
    for axis in 0..<3 where right & 1 << axis == 0 {
      let (byField, byForce) = (field?[axis], force[axis])
      let (sound, alone) = (Self.sound, right != 0)
      if let byField,
        byField.isLess(than: sound.lowerBound, alone: alone) || byField.isMore(than: sound.upperBound, alone: alone)
      {
        wrong |= 1 << axis
        sum += byField.value
      } else if let byForce, byForce.isLess(than: Self.reversed.upperBound),
        byForce.value > Self.reversed.lowerBound, byField?.isMore(than: Self.reversed.upperBound) != true
      {
        wrong |= 1 << axis
        sum += byForce.value
      }
    }
    convicted &= ~right
    let mean = sum / Double(max(1, wrong.nonzeroBitCount))
    fault =
      wrong == 0
      ? nil : right != 0 || wrong.nonzeroBitCount == 1 ? .wrongAxes : mean < 0 ? .wrongSign : .scale(1 / mean)
  }

  /// The axes that are wrong now are guilty until they are seen to be right.
  mutating func convict() { convicted |= wrong }
}
