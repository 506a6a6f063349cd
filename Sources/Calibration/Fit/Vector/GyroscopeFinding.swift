import LodestoneCore
import Glibc

/// A gyroscope's errors as a sweep shows them: its zero, from the rests or from how the field turned, whichever tells
/// it better, and its gains from that alone. A hand that holds the board still turns it a little, each time another
/// way, so the error of the mean comes from how far the rests disagree.
struct GyroscopeFinding {
  /// Nil without a gyroscope, for one that keeps sending the same while the board turns, for a mean that no gyroscope's
  /// zero is, and where the sweep tells too little.
  let zero: GyroscopeZero?
  /// Nil where the sweep tells too little.
  let gain: GyroscopeGain?
  /// Nil where the sweep tells too little.
  let lag: FieldLag?

  /// Rests below which their disagreement says nothing.
  private static let fewestRests = 4
  /// The least rate of a turning board, in degrees per second.
  private static let leastTurn = 5.0
  /// The least mean turn of rests, in degrees per second, and in standard errors, that is none of a hand's.
  private static let (leastTurnOn, certainty) = (0.2, 4.0)
  /// The error about each axis that no zero is free of, in degrees per second: a hand may turn the same way each time.
  private static let leastDeviation = 0.05
  /// The error in degrees per second past which a zero from turning is worth nothing.
  private static let largestDeviation = 1.5
  /// The error that no element of a gain is free of: what the field's own axes are off by, and ways that a hand goes
  /// again and again past the same iron, are alike in all of a sweep.
  private static let leastGainDeviation = 0.002
  /// The error past which gains are worth no more than those of a gyroscope nobody measured.
  private static let largestGainDeviation = 0.02
  /// The error of the lag in seconds past which it tells nothing.
  private static let largestLagDeviation = 0.005

  init(_ fit: SweepFit) {
    let turning = Self.turning(of: fit)
    let rests = fit.gravity.rests
    let isStill = !Self.turnsOn(rests, centre: fit.correction.hardIron)
    let zeros = [
      isStill ? Self.zero(of: rests, in: fit.sweep) : nil, turning.flatMap { Self.zero(of: $0, in: fit.sweep) },
    ]
    zero = zeros.compactMap { $0 }.min { $0.deviation.length < $1.deviation.length }
    gain = turning.flatMap { Self.gain(of: $0, in: fit) }
    lag = turning.flatMap { Self.lag(of: $0, in: fit.sweep) }
  }

  /// How the field turned; nil for a sweep that is still being made, whose points are not all there.
  private static func turning(of fit: SweepFit) -> TurningFit? {
    fit.input.sketch == nil ? TurningFit(fit.norm.kept, fit.correction) : nil
  }

  private static func zero(of turning: TurningFit, in sweep: Sweep) -> GyroscopeZero? {
    let (rate, deviation) = (turning.rate * (180 / .pi), turning.deviation * (180 / .pi))
    guard rate.length <= GyroscopeZero.largest, hasTurned(sweep, beyond: rate),
      max(deviation.x, deviation.y, deviation.z) <= largestDeviation
    else { return nil }
    return GyroscopeZero(rate: rate, deviation: deviation, temperature: sweep.temperature)
  }

  private static func lag(of turning: TurningFit, in sweep: Sweep) -> FieldLag? {
    guard turning.lagDeviation <= largestLagDeviation,
      hasTurned(sweep, beyond: turning.rate * (180 / .pi))
    else {
      return nil
    }
    return FieldLag(seconds: turning.lag, deviation: turning.lagDeviation)
  }

  /// The variances of the field's own axes: how they are skewed, and how they lie against the force's where rests told
  /// that. The common scale turns no direction.
  private static func axes(of fit: SweepFit) -> (skews: Double, turns: Double?) {
    guard let covariance = fit.estimate.equations.matrix.inverse else { return (0, nil) }
    func mean(_ range: Range<Int>) -> Double { range.reduce(0) { $0 + covariance[$1, $1] } / Double(range.count) }
    return (
      mean(7..<Parameters.normCount), fit.kind == .full ? mean(Parameters.rotationIndex..<Parameters.forceIndex) : nil
    )
  }

  /// Where rests did not solve the rotation between field and force, a gyroscope that is turned against the field may
  /// lie as the accelerometer does: gains alone are sure then. A touch-up's little motion leaves a part of them and of
  /// the skew open by more than its parts disagree: it tells none. The standard error of an element is how far the
  /// sweep's parts disagree, what hangs on the meaning of a reading, or how well the field's own directions are known,
  /// whichever is the most.
  private static func gain(of turning: TurningFit, in fit: SweepFit) -> GyroscopeGain? {
    guard fit.solved.method != .touchUp else { return nil }
    let axes = axes(of: fit)
    let (told, doubt) = (turning.gainDeviation, turning.gainDoubt ?? 0)
    let own = (axes.turns.map { ($0 + axes.skews) / 2 } ?? axes.skews).squareRoot()
    let deviation = max(hypot(told, leastGainDeviation), doubt, own)
    guard deviation <= largestGainDeviation, hasTurned(fit.sweep, beyond: turning.rate * (180 / .pi)) else {
      return nil
    }
    let (off, back) = (turning.gain + .identity * -1, turning.gain.transposed + .identity * -1)
    let gains = drawn((off + back) * 0.5, deviation: max(told, doubt, axes.skews.squareRoot()))
    let isTurned = fit.kind == .full && fit.solved.method != .gyroscope
    let turn = isTurned ? (off + back * -1) * 0.5 : Matrix3(diagonal: .zero)
    return GyroscopeGain(matrix: .identity + gains + turn, deviation: deviation)
  }

  /// Errors of gains and skews, drawn towards none as James and Stein have it: most chips are trimmed to some tenths of
  /// a per cent, and one that is off by no more than the standard error of that is likelier right.
  /// - Parameters:
  ///   - off: a symmetric matrix: the gain less one.
  ///   - deviation: the standard error of an element.
  private static func drawn(_ off: Matrix3, deviation: Double) -> Matrix3 {
    let square = (off.row0.squaredLength + off.row1.squaredLength + off.row2.squaredLength) / 6
    return off * max(0, 1 - deviation * deviation / max(square, 1e-12))
  }

  /// Whether the field tells that a board goes on turning the same way while it seems to rest, as on a turntable, or
  /// level in a hand that goes round evenly: its rate is no zero.
  private static func turnsOn(_ rests: Rests, centre: Vector3) -> Bool {
    let turns = rests.all.compactMap { $0.turn(centre: centre) }
    guard turns.count >= fewestRests else { return false }
    let count = Double(turns.count)
    let mean = turns.reduce(0, +) / count
    let variance = turns.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count * (count - 1))
    return abs(mean) > max(leastTurnOn, certainty * variance.squareRoot())
  }

  private static func zero(of rests: Rests, in sweep: Sweep) -> GyroscopeZero? {
    let still = rests.all.filter { $0.rate != nil }
    let rates = still.compactMap { $0.rate.map { $0 * (180 / .pi) } }
    guard rates.count >= fewestRests else { return nil }
    let weights = still.map { $0.to - $0.from }
    let total = weights.reduce(0, +)
    let mean = zip(rates, weights).reduce(Vector3.zero) { $0 + $1.0 * ($1.1 / total) }
    guard total > 0, mean.length <= GyroscopeZero.largest, hasTurned(sweep, beyond: mean) else { return nil }
    var variance = Vector3.zero
    for (rate, weight) in zip(rates, weights) {
      let (off, share) = (rate - mean, weight / total)
      for axis in 0..<3 { variance[axis] += share * share * off[axis] * off[axis] }
    }
    let unbiased = Double(rates.count) / Double(rates.count - 1)
    var deviation = Vector3.zero
    for axis in 0..<3 { deviation[axis] = max((variance[axis] * unbiased).squareRoot(), leastDeviation) }
    guard max(deviation.x, deviation.y, deviation.z) <= GyroscopeZero.largestDeviation else { return nil }
    let temperatures = zip(still, weights).compactMap { rest, weight in rest.temperature.map { ($0 * weight, weight) } }
    let time = temperatures.reduce(0) { $0 + $1.1 }
    return GyroscopeZero(
      rate: mean, deviation: deviation,
      temperature: time > 0 ? temperatures.reduce(0) { $0 + $1.0 } / time : nil)
  }

  /// Whether the gyroscope has felt the sweep at all.
  private static func hasTurned(_ sweep: Sweep, beyond zero: Vector3) -> Bool {
    var (sum, count) = (0.0, 0.0)
    for rate in sweep.measurements.kept.lazy.compactMap({ $0.rate }) {
      sum += (rate * (180 / .pi) - zero).squaredLength
      count += 1
    }
    return count > 0 && sum / count > leastTurn * leastTurn
  }
}
