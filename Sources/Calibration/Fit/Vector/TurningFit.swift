import LodestoneCore
import Glibc

// A gyroscope's zero and gains from a board that turns. The field stands still in the world: its directions û_k on the
// board, turned back by the gyroscope's attitudes R_k, are one,
//
//     û_k = R_kᵀ c + ε,                                                                                    (1)
//
// for as long as a place is alike. R_k is the integral of turns, by the zero, the gains and axes, and the lag between
// the two chips, each of which is sampled and smoothed in its own way: as much as 30 ms in phones, 6° in a quick turn.
// Small changes turn R_k by φ_k, and move R_kᵀ c by R_kᵀ (c × φ_k): Gauss and Newton's method on thirteen unknowns,
// with a direction c for each window of some seconds, which is taken out of its equations. A gain that is off shows in
// a window by all that the board turns meanwhile, where iron that a hand carries it past is there once; so the windows
// are longer than it takes to begin: the gyroscope as it comes could turn it round in that time, and short ones tell
// that first. A reading is either the rate at its moment or the mean since the one before (see the integral of turns):
// with few readings a second that makes per cents of the gain, so both are tried, the better one is kept, and how far
// the other's gain lies from it is said.

/// A gyroscope's zero and gains as they show in how the field turns.
struct TurningFit: Sendable {
  /// The zero in radians per second.
  var rate: Vector3 { gyroscope.zero }
  /// The standard error about each axis in radians per second: what the residuals say, or what the disagreement of
  /// parts of the sweep does where that is more.
  private(set) var deviation: Vector3
  /// The gain matrix for readings less the zero.
  var gain: Matrix3 { gyroscope.gain }
  /// The standard error of an element of the gain, told like that of the zero: the root of the mean square of all nine.
  private(set) var gainDeviation: Double

  /// Root mean square by which the gain's elements differ from those under the other thing that a reading may stand
  /// for; nil where that fits nothing.
  private(set) var gainDoubt: Double?
  /// Seconds by which the field is older than the rate beside it, that taken for the rate at its moment.
  private(set) var lag: Double
  /// The standard error of the lag in seconds.
  private(set) var lagDeviation: Double
  /// The meaning of a reading.
  let reading: TurnIntegral.Reading
  /// One standard deviation of what is left over of one axis of the field's direction, without unit.
  private let left: Double
  let gyroscope: Gyroscope

  /// Seconds of a window to begin with, and then.
  private static let (short, long) = (0.75, 6.0)
  /// Rounds with each.
  private static let rounds = 3
  /// One standard deviation of an element of the gain, and of the lag in seconds.
  private static let (usualGain, lateness) = (0.05, 0.03)
  /// Past these it is no gyroscope of this board, nor past the second where the field does not turn as it says to
  /// within so many radians: a driver that was written for another chip makes a gain a sixth off, and no driver turns
  /// the axes.
  private static let (largestGain, usualLimit, closely, latest) = (0.3, 0.15, 0.05, 0.09)
  /// The least deviation of the zero, in radians per second: ways that a hand goes again and again are alike in all
  /// windows.
  private static let leastZero = Angle.radians(0.1)
  /// Seconds of a sweep that tell enough.
  private static let least = 18.0

  /// From the points of a sweep, with a correction for their fields. Nil for too few moments in a row, and for readings
  /// that turn otherwise than the field.
  init?(_ points: some Sequence<SweepPoint>, _ correction: Correction) {
    let moments = points.compactMap { point -> TurningWindow.Moment? in
      let field = correction.softIron * (point.raw - correction.hardIron)
      guard let rate = point.rate, let direction = field.direction else { return nil }
      return (point.time, direction, rate)
    }
    self.init(moments)
  }

  /// Nil for too few moments in a row, and for readings that turn otherwise than the field.
  init?(_ moments: [TurningWindow.Moment]) {
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
  private init?(_ moments: [TurningWindow.Moment], as reading: TurnIntegral.Reading) {
    var gyroscope = Gyroscope()
    var (last, hasStrayed) = (TurningEquations?.none, false)
    for span in [Self.short, Self.long] {
      let windows = TurningWindow.all(of: moments, lasting: span)
      guard windows.reduce(0, { $0 + $1.seconds }) > Self.least else { return nil }
      for _ in 0..<Self.rounds {
        let equations = TurningEquations(windows, by: gyroscope, reading)
        guard let step = equations.step else { return nil }
        gyroscope = gyroscope.adding(step)
        last = equations
        guard Self.isSensible(gyroscope) else { return nil }
        hasStrayed = hasStrayed || gyroscope.values[3..<12].contains { abs($0) > Self.usualLimit }
      }
    }
    guard let last, let variances = last.variances, !hasStrayed || last.left < Self.closely else { return nil }
    self.gyroscope = gyroscope
    let zero = variances[0..<3].map { hypot($0.squareRoot(), Self.leastZero) }
    deviation = Vector3(zero[0], zero[1], zero[2])
    gainDeviation = (variances[3..<12].reduce(0, +) / 9).squareRoot()
    self.reading = reading
    left = last.left
    (lag, lagDeviation) = (gyroscope.lag, variances[12].squareRoot())
  }

  private static func isSensible(_ gyroscope: Gyroscope) -> Bool {
    abs(gyroscope.lag) < latest
      && (0..<9).allSatisfy { abs(gyroscope.values[3 + $0]) < ($0.isMultiple(of: 4) ? largestGain : usualLimit) }
  }

  /// The deviations of what is expected of the unknowns: zero, gains row by row, lag; nil where nothing is.
  static let priors: [Double?] = [nil, nil, nil] + [Double?](repeating: usualGain, count: 9) + [lateness]
}

/// The normal equations of (1) for the gyroscope's thirteen unknowns.
struct TurningEquations {
  /// One standard deviation of what is left over of one axis of the field's direction, without unit.
  let left: Double

  private var sums: WindowedEquations

  /// Standard deviations past which a field counts less (Huber).
  private static let limit = 1.5

  init(_ windows: [TurningWindow], by gyroscope: Gyroscope, _ reading: TurnIntegral.Reading) {
    let turned = windows.map { TurnedWindow($0, by: gyroscope, reading) }
    left = max(median(turned.flatMap { $0.offs.map { $0.length } }) / 1.54, 1e-6)
    let growth = max(1, VectorFit.excess(of: turned.flatMap { $0.halves }))
    sums = WindowedEquations(zip(TurningFit.priors, gyroscope.values).map { ($0, $1) })
    for window in turned {
      let noise = max(left, window.left)
      sums.add(Self.rows(window, noise: noise), share: 1 / (noise * noise * growth))
    }
  }

  /// The change of the unknowns; nil where they are not told.
  var step: [Double]? { sums.solution }

  /// The variances of the unknowns; nil where they are not told.
  var variances: [Double]? { sums.variances }

  /// The rows of a window: its direction, then the gyroscope.
  /// - Parameter noise: of one axis of a field's direction.
  private static func rows(_ window: TurnedWindow, noise: Double) -> RowSums {
    var sums = RowSums(size: 3 + Gyroscope.count)
    for (attitude, off) in zip(window.attitudes, window.offs) {
      let back = attitude.matrix.transposed
      let weight = min(1, limit * noise * 3.0.squareRoot() / max(off.length, 1e-12))
      for axis in 0..<3 {
        var row = ResidualRow(repeating: 0)
        let toAxis = back[axis]
        (row[0], row[1], row[2]) = (toAxis.x, toAxis.y, toAxis.z)
        let turned = toAxis.cross(window.direction)
        for unknown in 0..<Gyroscope.count { row[3 + unknown] = turned.dot(attitude.turns[unknown]) }
        row[3 + Gyroscope.count] = off[axis]
        sums.add(row, weight: weight)
      }
    }
    return sums
  }
}
