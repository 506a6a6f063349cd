import LodestoneCore
import Glibc

// Iron on the board that its calibration does not know: a magnet, a battery that was put in since.
//
// In the frame that the gyroscope carries a field is b = c + R v, R the attitude: c of the place, which changes as the
// board is carried, and v of the board, which turns with it. What both have changed by in the last seconds,
// y = b − ⟨b⟩ and X = R − ⟨R⟩, tell v from c. With the means A of Xᵀ X and g of Xᵀ y, the variance s² of one axis of
// y − X v, and N the number of times that tell apart,
//
//     J = (A⁻¹ s²/N + f²)⁻¹,   P = (J + 1/σ²)⁻¹,   v = P J A⁻¹ g,                                                (1)
//
// σ what such iron amounts to, f what errors of gains and of up make of a field as it turns. A gyroscope whose zero is
// off turns the frame evenly: the part of y and X that goes along with such a turn is taken out of A, g and s².
//
// Most boards have no such iron. With the odds that there is any by Bayes,
//
//     ln(p / (1 − p)) = vᵀ P⁻¹ v / 2 − ln |1 + σ² J| / 2 + ln(q / (1 − q)),                                       (2)
//
// p v is taken off the field, and the covariance of what is left is p P + p (1 − p) v vᵀ. The odds q before are small
// while strength and inclination are what they should be; where they stay off, iron on the board is as likely as that
// is far, r = m²/σ² with m² the mean square, until turns say otherwise. What is off by much more is of the place.
//
// So much for what is done. What is stated is more careful: strength and inclination that are off by little, as
// ordinary places make them, may be iron of that size all the same, beyond what a field that changes without a turn
// makes of m². By odds of p' that count this, and P' for a σ'² of some m²,
//
//     ⟨(v − p v)²⟩ = p' (P' + (1 − p)² v vᵀ) + (1 − p') p² v vᵀ.                                                 (3)

/// Follows the hard iron that a board carries unknown to its calibration, by how the field turns with it.
struct CarriedIron: Sendable {
  /// Deviations of a field from what it should be in strength and in inclination, in µT.
  typealias Misfit = (strength: Double, inclination: Double)

  /// To be taken off a field, in µT, in the device's axes.
  private(set) var value = Vector3.zero
  /// The probability that there is any iron.
  private var probability = 0.0
  /// The covariance of the iron that stays in the field, in µT²: as it is expected, and as it is stated.
  private var (covariance, stated) = (Matrix3(diagonal: .zero), Matrix3(diagonal: .zero))
  /// The iron that is expected where there is any, in µT.
  private var suspected = Vector3.zero
  /// The variance of one axis of what it does not explain, in µT².
  private var leftOver = 0.0
  /// The means of the last seconds, and how many there were.
  private var (field, attitude, elapsed) = (Vector3.zero, Matrix3(diagonal: .zero), 0.0)
  /// Means over the turning that is remembered, and its seconds.
  private var (moments, turned) = (Moments(), 0.0)
  private var misfit = LastingMisfit()
  private var sinceLook = 0.0
  /// `value` when `isAnother` was last true, in µT.
  private var before = Vector3.zero

  /// Seconds over which a place is alike, over which turning is remembered, and from one look to the next.
  private static let (span, memory, interval) = (3.0, 60.0, 0.25)
  /// Seconds of turning that tell as much as one independent time.
  private static let correlation = 4.0
  /// The least of X, squared, that counts as turning: 4°.
  private static let leastTurn = 0.01
  /// The variance of such iron on each axis, and the least of what is left over, in µT².
  private static let (usual, least) = (50.0, 0.0225)
  /// Past this no field is the Earth's with iron beside it, in µT².
  private static let largest = 1e6
  /// The variance of gains, and the share of the variance of up that goes along with a turn for each rad² of it: pushes
  /// that come with turns make up unsure.
  private static let (gains, leaning) = (3.6e-5, 20.0)
  /// The share of the variance of up that is new at each time.
  private static let unsteady = 0.01
  /// The variance of a gyroscope's zero, in (rad/s)²: 2.6°/s.
  private static let zero = 0.002
  /// By how much another one differs, in µT.
  private static let another = 1.0
  /// The probability of such iron where nothing hints at it, and that from which on it is known.
  private static let (always, sure) = (exp(-4.0), 0.9)
  /// The mean square of what strength and inclination are off at which iron is half as likely as it may be, in µT², and
  /// the ratio of the variance of such iron to it.
  private static let (hint, hinted) = (0.5, 2.0)
  /// The share of what turns leave over that means of strength and inclination may be off by as places change.
  private static let changing = 0.1
  /// Standard deviations past which a time counts less, squared.
  private static let limit = 27.0

  /// The variance of a field along a direction of the device by what is left, in µT².
  func variance(along direction: Vector3) -> Double { direction.dot(covariance * direction) }

  /// The same as it is stated: (3).
  func statedVariance(along direction: Vector3) -> Double { direction.dot(stated * direction) }

  /// The frame is another one.
  mutating func restart() { elapsed = 0 }

  /// Whether it is known, and another than when this was last so: fields that were usual before are not any more.
  mutating func isAnother() -> Bool {
    guard probability > Self.sure, (value - before).length > Self.another else { return false }
    before = value
    return true
  }

  /// Takes a field, and returns what that has changed `value` by.
  /// - Parameters:
  ///   - whole: in µT, nothing taken off, in the frame.
  ///   - matrix: the attitude.
  ///   - turnedByField: what fields have turned that about the vertical, in radians.
  ///   - lean: the variance of up about an axis, in rad².
  ///   - off: nil where nobody knows what a field should be.
  mutating func add(
    field whole: Vector3, attitude matrix: Matrix3, turnedByField: Double, lean: Double, off: Misfit?, step: Double
  ) -> Vector3 {
    guard whole.squaredLength < Self.largest else {
      restart()
      return .zero
    }
    let back = Matrix3(rotation: Vector3(0, 0, -turnedByField))
    let (new, now) = (back * whole, back * matrix)
    if elapsed == 0 { (field, attitude) = (new, now) }
    elapsed += step
    let share = min(1, step / min(elapsed, Self.span))
    field += (new - field) * share
    attitude = attitude + (now + attitude * -1) * share
    let bent = lean * new.squaredLength
    if let off { misfit.add(off, bent: bent, step: step) }
    let (y, x) = (new - field, now + attitude * -1)
    let turn = x.row0.squaredLength + x.row1.squaredLength + x.row2.squaredLength
    if turn > Self.leastTurn, elapsed > 2 * step {
      turned += step
      let weight = Self.least / (Self.least + Self.unsteady * bent)
      let off = weight * (y - x * suspected).squaredLength
      let counts = min(1, (Self.limit * max(leftOver, Self.least) / max(off, 1e-9)).squareRoot())
      let drift = Vector3(-field.y, field.x, 0) * Self.span
      moments.add(
        y, x, drift: drift, lean: lean, weight: weight, share: counts * min(1, step / min(turned, Self.memory)))
    }
    sinceLook += step
    guard sinceLook > Self.interval else { return .zero }
    sinceLook = 0
    return look(strength: new.length)
  }

  /// (1) and (2).
  private mutating func look(strength: Double) -> Vector3 {
    let count = max(1e-3, min(turned, Self.memory)) / Self.correlation
    let told = moments.withoutDrift(noise: max(leftOver, Self.least) / (count * Self.zero))
    leftOver = told.leftOver(suspected)
    let certainty = count / max(leftOver, Self.least)
    let errors = (Self.gains + Self.leaning * told.lean * told.lean) * strength * strength
    let one = Matrix3.identity
    let data = told.turns * certainty
    guard let damped = (one + data * errors).inverse else { return .zero }
    let information = damped * data
    guard let spread = (information + one * (1 / Self.usual)).inverse else { return .zero }
    let right = damped * (told.changes * certainty)
    suspected = spread * right
    let ratio = misfit.power / Self.usual
    let prior = min(0.5, Self.always + ratio / (1 + ratio * ratio))
    let evidence = (suspected.dot(right) - log((one + information * Self.usual).determinant)) / 2
    probability = Self.probability(evidence, prior)
    let known = value
    value = suspected * probability
    let sure = max(0, probability - Self.always)
    covariance = (spread + .outer(suspected, suspected) * (1 - probability)) * sure
    let square = max(0, (misfit.square ?? 0) - Self.changing * leftOver)
    let careful = Self.probability(evidence, min(0.5, prior + 0.5 * square / (square + Self.hint)))
    let size = max(Self.least, min(Self.usual, Self.hinted * square + Self.usual * sure))
    let (left, among) = (suspected - value, (information + one * (1 / size)).inverse ?? spread)
    stated =
      (among + .outer(left, left)) * max(0, careful - Self.always) + .outer(value, value) * (1 - careful)
    return value - known
  }

  /// The probability of iron, from the evidence, the logarithm of a ratio of likelihoods, and the probability before
  /// it.
  private static func probability(_ evidence: Double, _ prior: Double) -> Double {
    1 / (1 + exp(-evidence) * (1 - prior) / prior)
  }

  /// The means of products of what a field and the attitude changed by.
  private struct Moments: Sendable {
    /// Of Xᵀ X, Xᵀ y and |y|².
    private(set) var (turns, changes, power) = (Matrix3(diagonal: .zero), Vector3.zero, 0.0)
    /// The mean variance of up, in rad².
    var lean: Double { leans / max(weights, 1e-9) }
    private var (leans, weights) = (0.0, 0.0)
    /// Of u, what the field changes by where the frame turns by a radian per second: Xᵀ u, yᵀ u and |u|².
    private var (turnDrift, changeDrift, drift) = (Vector3.zero, 0.0, 0.0)

    mutating func add(_ y: Vector3, _ x: Matrix3, drift u: Vector3, lean now: Double, weight: Double, share: Double) {
      let transposed = x.transposed
      turns = turns + (transposed * x * weight + turns * -1) * share
      changes += (transposed * y * weight - changes) * share
      power += (y.squaredLength * weight - power) * share
      turnDrift += (transposed * u * weight - turnDrift) * share
      changeDrift += (u.dot(y) * weight - changeDrift) * share
      drift += (u.squaredLength * weight - drift) * share
      leans += (now * weight - leans) * share
      weights += (weight - weights) * share
    }

    /// Less what goes along with a drift whose own variance is that of this noise.
    func withoutDrift(noise: Double) -> Moments {
      let part = 1 / (drift + noise)
      var rest = self
      rest.turns = turns + .outer(turnDrift, turnDrift) * -part
      rest.changes -= turnDrift * (changeDrift * part)
      rest.power -= changeDrift * changeDrift * part
      return rest
    }

    /// The variance of one axis that iron leaves unexplained.
    func leftOver(_ v: Vector3) -> Double { max(0, power - 2 * v.dot(changes) + v.dot(turns * v)) / 3 }
  }
}

/// By how much strength and inclination stay off what they should be.
private struct LastingMisfit: Sendable {
  /// The mean square of the two beyond what ordinary places make, in µT².
  var power: Double { max(0, (square ?? 0) - Self.ordinary) }
  /// The mean square of the two, in µT²; nil before the first.
  private(set) var square: Double?

  private var (strength, inclination) = (0.0, 0.0)
  private var (elapsed, weight) = (0.0, 0.0)

  /// Seconds for which it stays, and over which that is remembered.
  private static let (span, memory) = (5.0, 30.0)
  /// The mean square in ordinary places, in µT².
  private static let ordinary = 2.56

  /// - Parameter bent: what the variance of up makes of a field's inclination, in µT²: it counts less then.
  mutating func add(_ off: CarriedIron.Misfit, bent: Double, step: Double) {
    elapsed += step
    let share = min(1, step / min(elapsed, Self.span))
    strength += (off.strength - strength) * share
    inclination += (off.inclination - inclination) * share
    let counted = step / (1 + bent / Self.ordinary)
    weight = min(Self.memory, weight + counted)
    let before = square ?? 0
    square = before + ((strength * strength + inclination * inclination) / 2 - before) * (counted / weight)
  }
}

extension Matrix3 {
  /// The product of a column and a row.
  static func outer(_ a: Vector3, _ b: Vector3) -> Matrix3 { Matrix3(b * a.x, b * a.y, b * a.z) }
}
