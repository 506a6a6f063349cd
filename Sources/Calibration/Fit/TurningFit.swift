import LodestoneCore
import Glibc

// A gyroscope's zero and gains from a board that turns. The field stands still in the world: its directions û_k on the board,
// turned back by the gyroscope's attitudes R_k, are one,
//
//     û_k = R_kᵀ c + ε,                                                                                    (1)
//
// for as long as a place is alike. R_k is the integral of turns, by the zero, the gains and axes, and the lag between the two
// chips, each of which is sampled and smoothed in its own way: as much as 30 ms in phones, 6° in a quick turn. Small changes
// turn R_k by φ_k, and move R_kᵀ c by R_kᵀ (c × φ_k): Gauss and Newton's method on thirteen unknowns, with a direction c for
// each window of some seconds, which is taken out of its equations. A gain that is off shows in a window by all that the board
// turns meanwhile, where iron that a hand carries it past is there once; so the windows are longer than it takes to begin: the
// gyroscope as it comes could turn it round in that time, and short ones tell that first. A reading is either the rate at its
// moment or the mean since the one before (see the integral of turns): with few readings a second that makes per cents of the
// gain, so both are tried, the better one is kept, and how far the other's gain lies from it is said.

/// A gyroscope's zero and gains as they show in how the field turns.
struct TurningFit: Sendable {
  /// The zero in radians per second.
  var rate: Vector3 { gyroscope.zero }
  /// The standard error about each axis in radians per second: what the residuals say, or what the disagreement of parts
  /// of the sweep does where that is more.
  private(set) var deviation: Vector3
  /// The gain matrix for readings less the zero.
  var gain: Matrix3 { gyroscope.gain }
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
  /// One standard deviation of what is left over of one axis of the field's direction, without unit.
  private let left: Double
  private let gyroscope: Gyroscope

  /// Seconds between two readings of a window at most: nobody knows how a hand turns between those that are rarer, and at 5 Hz
  /// gains came out 5 % too large.
  private static let longestStep = 0.15
  /// Seconds of a window to begin with, and then.
  private static let (short, long) = (0.75, 6.0)
  /// Rounds with each.
  private static let rounds = 3
  /// One standard deviation of an element of the gain, and of the lag in seconds. Past three of them it is no gyroscope of this
  /// board.
  private static let (usualGain, lateness) = (0.05, 0.03)
  /// The least deviation of the zero, in radians per second: ways that a hand goes again and again are alike in all windows.
  private static let leastZero = Angle.radians(0.1)
  /// Seconds of a sweep that tell enough.
  private static let least = 18.0

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
    var gyroscope = Gyroscope()
    var last: TurningEquations?
    for span in [Self.short, Self.long] {
      let windows = Self.windows(moments, of: span)
      guard windows.reduce(0, { $0 + $1.seconds }) > Self.least else { return nil }
      for _ in 0..<Self.rounds {
        let equations = TurningEquations(windows, by: gyroscope, reading)
        guard let step = equations.step else { return nil }
        gyroscope = gyroscope.adding(step)
        last = equations
        guard Self.isSensible(gyroscope) else { return nil }
      }
    }
    guard let last, let variances = last.variances else { return nil }
    self.gyroscope = gyroscope
    let zero = variances[0..<3].map { hypot($0.squareRoot(), Self.leastZero) }
    deviation = Vector3(zero[0], zero[1], zero[2])
    gainDeviation = (variances[3..<12].reduce(0, +) / 9).squareRoot()
    self.reading = reading
    left = last.left
    (lag, lagDeviation) = (gyroscope.lag, variances[12].squareRoot())
  }

  private static func isSensible(_ gyroscope: Gyroscope) -> Bool {
    abs(gyroscope.lag) < 3 * lateness && gyroscope.values[3..<12].allSatisfy { abs($0) < 3 * usualGain }
  }

  /// The moments cut into windows of about so many seconds, none with a gap in it.
  private static func windows(_ moments: [Moment], of span: Double) -> [TurningWindow] {
    var windows: [TurningWindow] = []
    var first = 0
    func close(before end: Int) {
      if let window = TurningWindow(moments[first..<end], atLeast: span / 2) { windows.append(window) }
    }
    for index in moments.indices.dropFirst() {
      let step = moments[index].time - moments[index - 1].time
      if !(step > 0 && step < longestStep) {
        close(before: index)
        first = index
      } else if moments[index].time - moments[first].time >= span {
        close(before: index + 1)
        first = index
      }
    }
    close(before: moments.count)
    return windows
  }

  /// The deviations of what is expected of the unknowns: zero, gains row by row, lag; nil where nothing is.
  static let priors: [Double?] = [nil, nil, nil] + [Double?](repeating: usualGain, count: 9) + [lateness]
}

/// Some seconds of a sweep in a row.
struct TurningWindow {
  let moments: [TurningFit.Moment]
  /// Times and readings.
  let turning: [(time: Double, rate: Vector3)]
  /// Indices of the moments whose field counts.
  let points: [Int]
  /// The length in seconds.
  let seconds: Double

  /// Fields in a second at most: neighbours are alike.
  private static let density = 20.0
  private static let fewest = 5

  /// Nil for less than so many seconds.
  init?(_ moments: ArraySlice<TurningFit.Moment>, atLeast least: Double) {
    guard let first = moments.first?.time, let last = moments.last?.time, last - first >= least else { return nil }
    self.moments = Array(moments)
    turning = moments.map { ($0.time, $0.rate) }
    seconds = last - first
    let step = max(1, Int(Double(moments.count) / (Self.density * seconds)))
    points = Array(stride(from: 0, to: moments.count, by: step))
    guard points.count >= Self.fewest else { return nil }
  }
}

/// The normal equations of (1) for the gyroscope's thirteen unknowns.
struct TurningEquations {
  /// One standard deviation of what is left over of one axis of the field's direction, without unit.
  let left: Double

  private var whole = SymmetricMatrix(size: Gyroscope.count)
  private var right = [Double](repeating: 0, count: Gyroscope.count)
  private var parts: [Part] = []

  /// One window without its direction.
  private struct Part {
    let matrix: SymmetricMatrix
    let right: [Double]
  }

  /// Standard deviations past which a field counts less (Huber).
  private static let limit = 1.5
  /// The number of parts left out in turn to measure their disagreement, and the fewest.
  private static let (most, fewest) = (12, 4)

  init(_ windows: [TurningWindow], by gyroscope: Gyroscope, _ reading: TurnIntegral.Reading) {
    let turned = windows.map { Turned($0, by: gyroscope, reading) }
    left = max(median(turned.flatMap { $0.offs.map { $0.length } }) / 1.54, 1e-6)
    let growth = max(1, VectorFit.excess(of: turned.flatMap { $0.halves }))
    for window in turned {
      let part = Self.part(window, noise: max(left, window.left), growth: growth)
      parts.append(part)
      whole.add(part.matrix)
      for index in right.indices { right[index] += part.right[index] }
    }
    for (index, (prior, value)) in zip(TurningFit.priors, gyroscope.values).enumerated() {
      guard let prior else { continue }
      whole[index, index] += 1 / (prior * prior)
      right[index] -= value / (prior * prior)
    }
  }

  /// The change of the unknowns; nil where they are not told.
  var step: [Double]? { whole.solve(right) }

  /// The variances of the unknowns: by what is left over, or by leaving out a part in turn (the jackknife) where that is more.
  var variances: [Double]? {
    guard let formal = whole.inverse else { return nil }
    let count = min(Self.most, parts.count)
    guard count >= Self.fewest else { return (0..<Gyroscope.count).map { formal[$0, $0] } }
    let solutions = (0..<count).compactMap { part -> [Double]? in
      var (matrix, right) = (whole, right)
      for window in parts[(part * parts.count / count)..<((part + 1) * parts.count / count)] {
        matrix.add(window.matrix.scaled(by: -1))
        for index in right.indices { right[index] -= window.right[index] }
      }
      return matrix.solve(right)
    }
    let total = Double(max(solutions.count, 1))
    return (0..<Gyroscope.count).map { index in
      let mean = solutions.reduce(0) { $0 + $1[index] } / total
      let scatter = solutions.reduce(0) { $0 + ($1[index] - mean) * ($1[index] - mean) } * (total - 1) / total
      return max(formal[index, index], scatter)
    }
  }

  /// A window under a gyroscope: its attitudes, its direction, and how far its fields are off.
  private struct Turned {
    let attitudes: [TurnIntegral.Attitude]
    /// c: the mean of the field's directions, turned back.
    let direction: Vector3
    /// Measured directions of the field less those that are expected, without unit.
    let offs: [Vector3]
    /// Those of each half second together.
    let halves: [[Vector3]]

    init(_ window: TurningWindow, by gyroscope: Gyroscope, _ reading: TurnIntegral.Reading) {
      let turns = TurnIntegral(window.turning, by: gyroscope, reading: reading, derivingAt: window.points)
      let fields = window.points.map { window.moments[$0].field }
      attitudes = window.points.indices.map { turns.attitude(ofPoint: $0) }
      let mean = zip(attitudes, fields).reduce(Vector3.zero) { $0 + $1.0.matrix * $1.1 } / Double(fields.count)
      direction = mean
      let offs = zip(attitudes, fields).map { $1 - $0.matrix.transposed * mean }
      self.offs = offs
      let half = max(1, offs.count / max(1, Int(window.seconds * 2)))
      halves = stride(from: 0, to: offs.count, by: half).map { Array(offs[$0..<min($0 + half, offs.count)]) }
    }

    /// One standard deviation of one axis.
    var left: Double { median(offs.map { $0.length }) / 1.54 }
  }

  /// The equations of a window whose direction has been solved for and taken out.
  /// - Parameters:
  ///   - noise: of one axis of a field's direction.
  ///   - growth: by how much what is left over of half a second exceeds that of white noise, squared.
  private static func part(_ window: Turned, noise: Double, growth: Double) -> Part {
    // The direction, then the gyroscope.
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
    let (matrix, right) = sums.equations
    return without(direction: matrix, right, share: 1 / (noise * noise * growth))
  }

  /// Equations of a direction and thirteen unknowns without those of the direction, each row multiplied with a share.
  private static func without(direction matrix: SymmetricMatrix, _ right: [Double], share: Double) -> Part {
    let count = Gyroscope.count
    func vector(_ row: Int) -> Vector3 { Vector3(matrix[row, 0], matrix[row, 1], matrix[row, 2]) }
    let inverse = Matrix3(vector(0), vector(1), vector(2)).inverse ?? .identity
    var (rest, changes) = (SymmetricMatrix(size: count), [Double](repeating: 0, count: count))
    let ofDirection = Vector3(right[0], right[1], right[2])
    for i in 0..<count {
      let solved = inverse * vector(3 + i)
      changes[i] = (right[3 + i] - solved.dot(ofDirection)) * share
      for j in 0..<count { rest[i, j] = (matrix[3 + i, 3 + j] - solved.dot(vector(3 + j))) * share }
    }
    return Part(matrix: rest, right: changes)
  }
}
