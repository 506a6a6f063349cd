import LodestoneCore
import Glibc

/// The hard iron of a calibrated board by a few seconds of turning: the vector fit with the soft iron of the
/// calibration, and a field b₀ of its own, so that another place does no harm.
struct LearningWindow {
  /// A moment of it: seconds, the raw field in µT, nil where none came or it was saturated, the force in g, and the
  /// gyroscope's reading in radians per second.
  typealias Moment = (time: Double, raw: Vector3?, force: Vector3?, rate: Vector3)

  /// The hard iron in µT, in the chip's axes.
  private(set) var hardIron: Vector3
  /// The covariance of the hard iron, 3 × 3, in µT².
  private(set) var covariance = SymmetricMatrix(size: 3)
  /// The field in the board's first attitude, in µT.
  private(set) var field: Vector3
  /// Standard deviation of one axis of what is left over, in µT.
  private(set) var noise = 0.0
  /// How the board was tilted.
  private(set) var tilts = Tilts()
  /// The gyroscope as it showed itself.
  private(set) var gyroscope: LearningGyroscope

  private let softIron: Matrix3
  private var equations = SymmetricMatrix(size: Self.count)

  /// Hard iron, b₀, then the gyroscope's zero, gains and lag.
  private static let count = VectorColumns.shared
  private static let (fieldIndex, gyroscopeIndex) = (VectorColumns.field, VectorColumns.gyroscope)
  private static let (rounds, mostPoints, fewest) = (4, 250, 24)
  /// Radians by which the board must have turned.
  private static let leastTurn = 10 * Double.pi / 180
  /// The difference of fields within the seconds of a window, in µT.
  private static let place = 0.15

  /// Nil where the board hardly turned, and where the field does not turn as the gyroscope says.
  /// - Parameters:
  ///   - softIron: D, from the field on the board to a raw one.
  ///   - hardIron: where to begin.
  init?(_ moments: [Moment], softIron: Matrix3, hardIron: Vector3, gyroscope: LearningGyroscope) {
    (self.softIron, self.hardIron, self.gyroscope) = (softIron, hardIron, gyroscope)
    let seen = moments.indices.filter { moments[$0].raw != nil }
    let step = max(1, seen.count / Self.mostPoints)
    let points = stride(from: 0, to: seen.count, by: step).map { seen[$0] }
    guard points.count >= Self.fewest, let first = points.first, let raw = moments[first].raw else { return nil }
    let turning = moments.map { (time: $0.time, rate: $0.rate) }
    let turns = TurnIntegral(turning, by: gyroscope.value, reading: .momentary)
    let toFirst = turns.matrix(at: first)
    guard Self.angle(turns, points) >= Self.leastTurn, let inverse = softIron.inverse else { return nil }
    field = toFirst * (inverse * (raw - hardIron))
    var rows: [Row] = []
    for round in 0..<Self.rounds {
      let turns = TurnIntegral(turning, by: self.gyroscope.value, reading: .momentary, derivingAt: points)
      rows = points.enumerated().compactMap { point, index in
        moments[index].raw.map { row(turns.attitude(ofPoint: point), raw: $0, time: moments[index].time) }
      }
      noise = max(median(rows.map { $0.off.length }) / 1.54, 0.01)
      let right = collect(rows)
      guard let change = equations.solve(right) else { return nil }
      take(change)
      if round > 1, Vector3(change[0], change[1], change[2]).length < 0.01 { break }
    }
    guard self.hardIron.isFinite, field.isFinite, self.gyroscope.isSensible, let all = equations.inverse else {
      return nil
    }
    follow(moments, points, turns)
    let growth = max(1, VectorFit.excess(of: Self.halves(rows)))
    for i in 0..<3 {
      for j in 0..<3 { covariance[i, j] = all[i, j] * growth }
      covariance[i, i] += Self.place * Self.place
      self.gyroscope.deviation[i] = (all[Self.gyroscopeIndex + i, Self.gyroscopeIndex + i] * growth).squareRoot()
    }
  }

  /// The largest turn from the first attitude, in radians.
  private static func angle(_ turns: TurnIntegral, _ points: [Int]) -> Double {
    guard let first = points.first else { return 0 }
    let back = turns.matrix(at: first).transposed
    return points.reduce(0) { largest, index in
      let turn = back * turns.matrix(at: index)
      let cosine = (turn.row0.x + turn.row1.y + turn.row2.z - 1) / 2
      return max(largest, acos(max(-1, min(1, cosine))))
    }
  }

  /// Notes where up was: the mean force, for accelerations cancel, turned with the board.
  private mutating func follow(_ moments: [Moment], _ points: [Int], _ turns: TurnIntegral) {
    let attitudes = points.map { turns.matrix(at: $0) }
    let mean = zip(points, attitudes).reduce(Vector3.zero) { $0 + $1.1 * (moments[$1.0].force ?? .zero) }
    guard let up = mean.direction else { return }
    for attitude in attitudes { tilts.add(attitude.transposed * up) }
  }

  // MARK: Rows

  /// The residual m − h − D Rᵀ b₀ of a moment, and how it changes.
  private struct Row {
    var time: Double
    var off: Vector3
    var columns: VectorColumns
  }

  private func row(_ attitude: TurnIntegral.Attitude, raw: Vector3, time: Double) -> Row {
    let carried = softIron * attitude.matrix.transposed
    let off = raw - hardIron - carried * field
    var columns = VectorColumns()
    columns.set(attitude, carried: carried, field: field)
    columns[Self.count] = off
    return Row(time: time, off: off, columns: columns)
  }

  /// The normal equations of rows, priors included; their right side.
  private mutating func collect(_ rows: [Row]) -> [Double] {
    var sums = RowSums(size: Self.count)
    for row in rows {
      let weight = Problem.weight(row.off.length / (noise * 3.0.squareRoot())) / (noise * noise)
      sums.add(row.columns, weight: weight)
    }
    var right: [Double]
    (equations, right) = sums.equations
    for (index, (off, deviation)) in gyroscope.priors.enumerated() {
      let place = Self.gyroscopeIndex + index
      equations[place, place] += 1 / (deviation * deviation)
      right[place] -= off / (deviation * deviation)
    }
    for i in 0..<Self.fieldIndex { equations[i, i] += 1e-6 }
    return right
  }

  private mutating func take(_ change: [Double]) {
    hardIron += Vector3(change[0], change[1], change[2])
    field += Vector3(change[3], change[4], change[5])
    gyroscope.value = gyroscope.value.adding(Gyroscope.widened(change[Self.gyroscopeIndex...]))
  }

  /// The residuals of rows, half a second each.
  private static func halves(_ rows: [Row]) -> [[Vector3]] {
    var (halves, end) = ([[Vector3]](), -Double.infinity)
    for row in rows {
      if row.time >= end {
        halves.append([])
        end = row.time + 0.5
      }
      halves[halves.count - 1].append(row.off)
    }
    return halves
  }
}

/// A gyroscope, and how sure it is known, from one window to the next.
struct LearningGyroscope: Sendable {
  /// The gyroscope as it is taken to be.
  var value = Gyroscope()
  /// Standard error of the zero about each axis, in radians per second.
  var deviation: Vector3
  private let gainDeviation: Double
  private let lagDeviation: Double
  /// Where it stood before the window, which is what is expected in it.
  private var expected = Gyroscope()
  private var expectedDeviation: Vector3

  /// Radians per second that a zero nobody measured may be off, and that one moves within a window.
  private static let (unmeasured, wander) = (2 * Double.pi / 180, 0.05 * Double.pi / 180)
  /// The standard deviation of an unmeasured lag, in seconds.
  private static let lateness = 0.02

  /// The one of a calibrated board.
  init(_ profile: Profile) {
    let degree = Double.pi / 180
    value.zero = (profile.gyroscopeZero?.rate ?? .zero) * degree
    value.gain = profile.gyroscopeGain?.matrix ?? .identity
    value.lag = profile.fieldLag?.seconds ?? 0
    let known = profile.gyroscopeZero.map { $0.deviation * degree }
    // Chips warm up, and a zero is another one the day after.
    deviation = known.map { Vector3(1, 1, 1) * max(0.5 * degree, $0.length) } ?? Vector3(1, 1, 1) * Self.unmeasured
    gainDeviation = profile.gyroscopeGain?.deviation ?? GyroscopeGain.unmeasured.deviation
    lagDeviation = profile.fieldLag?.deviation ?? Self.lateness
    (expected, expectedDeviation) = (value, deviation)
  }

  /// Begins a window with what is known by now; gains and lag are not carried along, for a field that changes turns
  /// them.
  mutating func next(from profile: LearningGyroscope) {
    (value.gain, value.lag) = (profile.value.gain, profile.value.lag)
    for axis in 0..<3 { deviation[axis] = hypot(min(deviation[axis], Self.unmeasured), Self.wander) }
    (expected, expectedDeviation) = (value, deviation)
  }

  /// The distance of each of the ten unknowns from what is expected, and its standard deviation.
  var priors: [(off: Double, deviation: Double)] {
    let off = value.zero - expected.zero
    let gains = zip(value.values[3..<12], expected.values[3..<12]).map { $0 - $1 }
    return [(off.x, expectedDeviation.x), (off.y, expectedDeviation.y), (off.z, expectedDeviation.z)]
      + [0, 4, 8, 1, 2, 5].map { (gains[$0], gainDeviation) } + [(value.lag - expected.lag, lagDeviation)]
  }

  /// No board's is farther off than this.
  var isSensible: Bool { value.zero.length < GyroscopeZero.largest * .pi / 180 && abs(value.lag) < 0.2 }
}

/// How a board was tilted: the directions on it that were up.
struct Tilts {
  private var count = 0.0
  private var sum = Vector3.zero

  mutating func add(_ up: Vector3) {
    count += 1
    sum += up
  }

  mutating func add(_ more: Tilts) {
    count += more.count
    sum += more.sum
  }

  /// The root mean square distance of the directions from their mean: about the angle in radians.
  var spread: Double { count > 0 ? max(0, 1 - (sum / count).squaredLength).squareRoot() : 0 }
}
