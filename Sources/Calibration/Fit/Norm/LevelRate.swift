import LodestoneCore
import Glibc

// Nobody drives, and no hand turns, quite evenly. A vehicle's force leans by more where it goes round faster: in
// proportion to the rate where it keeps its speed, and to its square where it keeps to its circle. A board that is
// turned on the spot leans alike at any rate. So up is held against the rate of the turn, by least squares beside what
// goes with the heading, up to its second harmonic: a table that leans, and iron that the circle did not quite show.

/// The change of up, as the force shows it, with the rate of a level turn.
struct LevelRate {
  /// The lean at twice the mean rate beyond that at the mean one, in radians.
  let lean: Double
  /// The standard error about each axis in radians.
  let deviation: Double

  /// Seconds to either side of a moment in which its rate is measured, and to its neighbours at most.
  private static let (aside, gap) = (1.0, 1.0)
  /// The rate, as a share of the mean, below which a board may as well stand and be held otherwise.
  private static let slow = 0.3
  /// Moments that tell, the share of the rate's changes that must be no noise, and their root mean square, as a share
  /// of the rate, from which on a turn is not even.
  private static let (fewest, leastShare, leastChange) = (40, 0.3, 0.02)

  /// From moments of a turn in the order of time, and the centre of the circle of their fields; nil for one that is
  /// even, and for too few moments.
  init?(_ moments: [Rest], centre: Vector3, up: Vector3) {
    guard let (a, b) = up.plane else { return nil }
    let angles = moments.map { moment in
      let field = moment.raw - centre
      return atan2(field.dot(b), field.dot(a))
    }
    let rates = Self.rates(moments.map { $0.from }, angles)
    let mean = rates.reduce(0) { $0 + abs($1.rate) } / Double(max(rates.count, 1))
    let told = rates.filter { abs($0.rate) > Self.slow * mean }
    guard told.count >= Self.fewest, mean > 0 else { return nil }
    let headings = told.map { angles[$0.moment] }
    func apart(_ values: [Double]) -> [Double]? { Self.left(of: values, beside: headings) }
    guard let rate = apart(told.map { $0.rate / mean }), let before = apart(told.map { $0.before / mean }),
      let after = apart(told.map { $0.after / mean }), let ahead = apart(told.map { moments[$0.moment].up.dot(a) }),
      let right = apart(told.map { moments[$0.moment].up.dot(b) })
    else { return nil }
    let square = Self.sum(rate, rate)
    // Noise is in the rates before and after a moment alike, but not the same.
    let share = Self.sum(before, after) / square
    guard share > Self.leastShare, square * share > Self.leastChange * Self.leastChange * Double(told.count) else {
      return nil
    }
    let slopes = [ahead, right].map { Self.sum($0, rate) / square }
    let variances = zip([ahead, right], slopes).map { up, slope in
      Self.variance(of: zip(up, rate).map { ($0 - slope * $1) * $1 }) / (square * square)
    }
    lean = hypot(slopes[0], slopes[1]) / share
    deviation = ((variances[0] + variances[1]) / 2).squareRoot() / share
  }

  /// The rate at a moment, and before and after it, in radians per second.
  private typealias Rate = (moment: Int, rate: Double, before: Double, after: Double)

  /// The rates of the moments that have others on both sides.
  private static func rates(_ times: [Double], _ angles: [Double]) -> [Rate] {
    var turned = [0.0]
    for (before, after) in zip(angles, angles.dropFirst()) {
      turned.append((turned.last ?? 0) + remainder(after - before, 2 * .pi))
    }
    return times.indices.compactMap { index in
      var (first, last) = (index, index)
      while first > 0, times[index] - times[first] < aside, times[first] - times[first - 1] < gap { first -= 1 }
      while last + 1 < times.count, times[last] - times[index] < aside, times[last + 1] - times[last] < gap {
        last += 1
      }
      let (back, on) = (times[index] - times[first], times[last] - times[index])
      guard back >= aside, on >= aside else { return nil }
      let (before, after) = (turned[index] - turned[first], turned[last] - turned[index])
      return (index, (before + after) / (back + on), before / back, after / on)
    }
  }

  /// Values without their mean and what goes with the heading; nil where that cannot be told.
  private static func left(of values: [Double], beside headings: [Double]) -> [Double]? {
    let rows = headings.map { [1, cos($0), sin($0), cos(2 * $0), sin(2 * $0)] }
    var (matrix, right) = (SymmetricMatrix(size: 5), [Double](repeating: 0, count: 5))
    for (row, value) in zip(rows, values) {
      for i in row.indices {
        right[i] += row[i] * value
        for j in row.indices { matrix[i, j] += row[i] * row[j] }
      }
    }
    guard let x = matrix.solve(right) else { return nil }
    return zip(rows, values).map { $1 - sum($0, x) }
  }

  private static func sum(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }

  /// The variance of the sum of values about zero of which neighbours are alike.
  private static func variance(of values: [Double]) -> Double {
    let square = sum(values, values)
    let size = max((square / Double(max(values.count, 1))).squareRoot(), 1e-12)
    let scaled = values.map { $0 / size }
    return square * Correlation.time(of: scaled, used: scaled.map { _ in true })
  }
}
