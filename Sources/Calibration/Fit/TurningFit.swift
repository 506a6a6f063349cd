import LodestoneCore

// A gyroscope's zero and gains from a board that turns. The field stands still in the world, so in the board its
// direction û turns by what the gyroscope should read, ω = (1 + E)·r − b: r is the reading, E gains and axes, b the zero.
// The two chips are sampled and smoothed each in its own way, so that the field comes τ later: as much as 30 ms in phones,
// 6° in a quick turn. Over half a second, to the first order of E and τ,
//
//     Δû − ∫û × r dt = −(∫û dt) × b + ∫û × E·r dt − τ ∫û × dr,                                             (1)
//
// linear in thirteen unknowns. Without τ the others would be off. What it is worth beyond the first order is seen once the
// readings have been put that much later, and all is solved again. A reading is either the rate at its moment or the mean
// since the one before (see the integral of turns): with few readings a second that makes per cents of the gain, so both
// are tried, the better one is kept, and how far the other's gain lies from it is said.

/// A gyroscope's zero and gains as they show in how the field turns.
struct TurningFit: Sendable {
  /// The zero in radians per second.
  private(set) var rate: Vector3
  /// The standard error about each axis in radians per second: what the residuals say, or what the disagreement of parts
  /// of the sweep does where that is more.
  private(set) var deviation: Vector3
  /// The gain matrix for readings less the zero.
  private(set) var gain: Matrix3
  /// The standard error of an element of the gain, told like that of the zero: the root of the mean square of all nine.
  private(set) var gainDeviation: Double

  /// Root mean square by which the gain's elements differ from those under the other thing that a reading may stand for;
  /// nil where that fits nothing.
  private(set) var gainDoubt: Double?
  /// Seconds by which the field is older than the rate beside it, that taken for the rate at its moment.
  private(set) var lag: Double
  /// The standard error of the lag in seconds.
  private(set) var lagDeviation: Double
  /// The meaning of a reading.
  let reading: TurnIntegral.Reading
  /// One standard deviation of what is left over in a stretch, along one axis of the field's direction, without unit.
  private let left: Double

  /// Seconds of a stretch, and between two readings of one at most: nobody knows how a hand turns between those that are rarer,
  /// and at 5 Hz gains came out 5 % too large.
  private static let (span, longestStep) = (0.5, 0.15)
  /// The unknowns of (1): b, E row by row, τ.
  private static let unknowns = 13
  /// One standard deviation of an element of E, and of τ in seconds. Past three of them it is no gyroscope of this board.
  private static let (usualGain, lateness) = (0.05, 0.03)
  /// The number of parts left out in turn to measure their disagreement, and the fewest stretches for that.
  private static let (parts, fewest) = (12, 36)
  /// Standard deviations past which a stretch counts less (Huber).
  private static let limit = 1.5

  /// A moment of a sweep: seconds, the field's direction and the gyroscope's reading in radians per second, in the same
  /// axes.
  typealias Moment = (time: Double, field: Vector3, rate: Vector3)

  /// Nil for too few moments in a row, and for readings that turn otherwise than the field.
  init?(_ moments: [Moment]) {
    let fits = TurnIntegral.Reading.allCases.compactMap { TurningFit(moments, as: $0) }
    guard var best = fits.min(by: { $0.left < $1.left }) else { return nil }
    if let momentary = fits.first(where: { $0.reading == .momentary }) {
      (best.lag, best.lagDeviation) = (momentary.lag, momentary.lagDeviation)
    }
    self = best
    gainDoubt = fits.first { $0.reading != best.reading }.map { Self.difference($0.gain, best.gain) }
  }

  /// Root mean square of the differences of elements.
  private static func difference(_ a: Matrix3, _ b: Matrix3) -> Double {
    ((0..<3).reduce(0) { $0 + (a[$1] - b[$1]).squaredLength } / 9).squareRoot()
  }

  /// Under one meaning of a reading.
  private init?(_ moments: [Moment], as reading: TurnIntegral.Reading) {
    guard let first = Self.fit(moments, reading, rounds: 2), abs(first.values[12]) < 3 * Self.lateness,
      let fit = Self.fit(Self.delayed(moments, by: first.values[12]), reading, rounds: 4)
    else { return nil }
    let x = fit.values
    let gains = Matrix3(Vector3(x[3], x[4], x[5]), Vector3(x[6], x[7], x[8]), Vector3(x[9], x[10], x[11]))
    guard x[3..<12].allSatisfy({ abs($0) < 3 * Self.usualGain }),
      let ungained = (Matrix3.identity + gains).inverse, let formal = fit.whole.matrix.inverse
    else { return nil }
    rate = ungained * Vector3(x[0], x[1], x[2])
    gain = .identity + gains
    let scatter = fit.scatter
    let variances = (0..<13).map { max(formal[$0, $0] * fit.deviation * fit.deviation, scatter[$0]) }
    deviation = Vector3(variances[0].squareRoot(), variances[1].squareRoot(), variances[2].squareRoot())
    gainDeviation = (variances[3..<12].reduce(0, +) / 9).squareRoot()
    self.reading = reading
    left = fit.deviation
    lag = first.values[12] + x[12]
    lagDeviation = variances[12].squareRoot()
  }

  /// The moments, each with the gyroscope's reading of `lateness` seconds before.
  private static func delayed(_ moments: [Moment], by lateness: Double) -> [Moment] {
    var next = 1
    return moments.compactMap { moment in
      let time = moment.time - lateness
      while next < moments.count - 1, moments[next].time < time { next += 1 }
      guard next < moments.count else { return nil }
      let (before, after) = (moments[next - 1], moments[next])
      guard before.time <= time, time <= after.time, after.time > before.time else { return nil }
      let share = (time - before.time) / (after.time - before.time)
      return (moment.time, moment.field, before.rate + (after.rate - before.rate) * share)
    }
  }

  // MARK: Stretches

  /// Both sides of (1) for each half second: three rows, one for each axis of û, of the unknowns' factors with the left side
  /// behind them.
  private static func stretches(_ moments: [Moment], _ reading: TurnIntegral.Reading) -> [ResidualRow] {
    var stretches: [ResidualRow] = []
    var first = 0
    for index in moments.indices.dropFirst() {
      let step = moments[index].time - moments[index - 1].time
      guard step > 0, step < longestStep else {
        first = index
        continue
      }
      guard moments[index].time - moments[first].time >= span else { continue }
      append(moments[first...index], reading, to: &stretches)
      first = index
    }
    return stretches
  }

  private static func append(
    _ moments: ArraySlice<Moment>, _ reading: TurnIntegral.Reading, to stretches: inout [ResidualRow]
  ) {
    let axes = [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)]
    // ∫û dt; ∫û r dt for each axis of r; ∫û × dr.
    var (field, products, late) = (Vector3.zero, [Vector3](repeating: .zero, count: 3), Vector3.zero)
    for (before, here) in zip(moments, moments.dropFirst()) {
      let half = (here.time - before.time) / 2
      field += (before.field + here.field) * half
      let early = reading == .mean ? here.rate : before.rate
      for axis in 0..<3 { products[axis] += (before.field * early[axis] + here.field * here.rate[axis]) * half }
      late += ((before.field + here.field) * 0.5).cross(here.rate - before.rate)
    }
    var left = (moments.last?.field ?? .zero) - (moments.first?.field ?? .zero)
    for axis in 0..<3 { left -= products[axis].cross(axes[axis]) }
    var rows = InlineArray<3, ResidualRow>(repeating: ResidualRow(repeating: 0))
    func set(_ unknown: Int, _ factors: Vector3) { for axis in 0..<3 { rows[axis][unknown] = factors[axis] } }
    for row in 0..<3 {
      set(row, -field.cross(axes[row]))
      for column in 0..<3 { set(3 + 3 * row + column, products[column].cross(axes[row])) }
    }
    set(12, -late)
    set(unknowns, left)
    for axis in 0..<3 { stretches.append(rows[axis]) }
  }

  // MARK: The fit

  /// Weighted sums of squares over some of the stretches.
  private static func sums(_ stretches: [ResidualRow], _ weights: [Double], _ range: Range<Int>) -> RowSums {
    var sums = RowSums(size: unknowns)
    for row in 3 * range.lowerBound..<3 * range.upperBound { sums.add(stretches[row], weight: weights[row / 3]) }
    return sums
  }

  /// How far each stretch is off under the unknowns.
  private static func distances(_ stretches: [ResidualRow], _ x: [Double]) -> [Double] {
    stride(from: 0, to: stretches.count, by: 3).map { first in
      var square = 0.0
      for row in first..<first + 3 {
        let factors = stretches[row]
        var left = factors[unknowns]
        for index in 0..<unknowns { left -= factors[index] * x[index] }
        square += left * left
      }
      return square.squareRoot()
    }
  }

  private struct Fitted {
    var values: [Double]
    /// One standard deviation of what a stretch is off along one axis of the field's direction, without unit.
    var deviation: Double
    let whole: (matrix: SymmetricMatrix, right: [Double])
    let stretches: [ResidualRow]
    /// How much each stretch counts.
    var weights: [Double]

    /// The variance of each unknown by leaving out a part in turn (the jackknife).
    var scatter: [Double] {
      let solutions = (0..<parts).compactMap { part -> [Double]? in
        let bounds = (part * weights.count / parts)..<((part + 1) * weights.count / parts)
        let part = sums(stretches, weights, bounds).equations
        var left = whole
        left.matrix.add(part.matrix.scaled(by: -1))
        for index in left.right.indices { left.right[index] -= part.right[index] }
        return left.matrix.solve(left.right)
      }
      let count = Double(max(solutions.count, 1))
      return (0..<unknowns).map { index in
        let mean = solutions.reduce(0) { $0 + $1[index] } / count
        return solutions.reduce(0) { $0 + ($1[index] - mean) * ($1[index] - mean) } * (count - 1) / count
      }
    }
  }

  /// Solved so often, each time with less weight on what was far off.
  private static func fit(_ moments: [Moment], _ reading: TurnIntegral.Reading, rounds: Int) -> Fitted? {
    let stretches = stretches(moments, reading)
    guard stretches.count >= 3 * fewest else { return nil }
    var weights = [Double](repeating: 1, count: stretches.count / 3)
    var deviation = 0.05
    var fitted: Fitted?
    for _ in 0..<rounds {
      guard let next = solved(stretches, weights, deviation: deviation) else { return nil }
      let off = distances(stretches, next.values)
      // The median length of a vector of three normal components is 1.54 standard deviations.
      deviation = max(median(off) / 1.54, 1e-6)
      weights = off.map { min(1, limit * deviation * 3.0.squareRoot() / max($0, 1e-12)) }
      fitted = next
    }
    return fitted
  }

  private static func solved(_ stretches: [ResidualRow], _ weights: [Double], deviation: Double) -> Fitted? {
    var whole = sums(stretches, weights, weights.indices).equations
    for index in 3..<12 { whole.matrix[index, index] += deviation * deviation / (usualGain * usualGain) }
    whole.matrix[12, 12] += deviation * deviation / (lateness * lateness)
    return whole.matrix.solve(whole.right).map {
      Fitted(values: $0, deviation: deviation, whole: whole, stretches: stretches, weights: weights)
    }
  }
}
