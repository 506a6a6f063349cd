import LodestoneCore
import Glibc

// The vector fit: one stretch of motion with a gyroscope, no rests, no gravity. With b₀ the field in the board's first
// attitude and R_k the gyroscope's (see the integral of turns), a chip reads
//
//     m_k = h + D R_kᵀ b₀ + ε,    D = S⁻¹ = U⁻¹ Pᵀ R(ρ)ᵀ,                                                    (1)
//
// three numbers a sample where the norm has one: ten seconds of turning by ±45° tell hard and soft iron, and the
// rotation between magnetometer and gyroscope besides. With β = R_kᵀ b₀ and d = D β the residual m − h − d changes by
//
//     −dh + U⁻¹ dU d + D (dρ × β) − D R_kᵀ db₀ − D R_kᵀ (b₀ × φ_k),                                           (2)
//
// φ_k the turn by the gyroscope's own unknowns. Gauss and Newton's method with robust weights from the linear (h, b₀)
// under the best of all axis maps; priors for what the motion leaves open. The dip is that of the mean of R_k f_k, for
// a hand's accelerations cancel.

/// Hard and soft iron from how the field turns with the board.
struct VectorFit {
  /// Where the parameters of both chips ended: h, U, ρ, the strength and the angle from up to the field.
  private(set) var parameters = Parameters()
  /// The covariance of the parameters that `parameters` holds, those not fitted with their priors' variance.
  private(set) var covariance = SymmetricMatrix(size: Parameters.count)
  /// The same by how far eight parts of the time disagree; nil where readings are not rare, and where a part cannot be
  /// left out.
  private(set) var parts: SymmetricMatrix?
  /// Standard deviation of one axis of what is left over, in µT, neighbours counted apart.
  private(set) var noise = 0.0
  /// The axes it holds for.
  private(set) var axes: AxisMap

  /// The cost at the end, as far as the last step promised, as if what is left over were white.
  var cost: Double { equations.cost }
  /// By how much slow residuals exceed white noise, squared: what the covariance was multiplied with, at least 1.
  private(set) var growth = 1.0
  /// How far the offset went during the stretch, in µT.
  var drifted: Double { drift?.distance ?? 0 }
  /// The axes and readings it was fitted under.
  private(set) var reading: TurnIntegral.Reading
  private var fixedNoise: Double?
  private(set) var gyroscope = Gyroscope()
  /// How the hard iron came to be what it is at the end of the stretch; nil for one that stayed.
  private(set) var drift: Drift.Part?
  private(set) var field = Vector3.zero
  private var equations = Equations()

  /// h, b₀, the gyroscope's zero, gains and lag, U, ρ, and the terms of a drift.
  var count: Int { drift == nil ? Self.driftIndex : Self.driftIndex + 3 * Drift.count }
  private static let (fieldIndex, gyroscopeIndex) = (VectorColumns.field, VectorColumns.gyroscope)
  private static let (stretchIndex, rotationIndex) = (VectorColumns.shared, VectorColumns.shared + 6)
  private static let driftIndex = VectorColumns.shared + 9
  private static let rounds = 4
  /// The way to the solution goes by one of so many moments at most, where enough remain; the last steps by all.
  private static let (thinned, enough, wholeRounds) = (5, 200, 2)
  /// A step that lowers the cost by less is the last on the way.
  private static let little = 1.0
  /// By how much slow residuals exceed white noise, squared, where something was not as it is fitted.
  private static let slow = 2.0
  /// Standard deviations of the gyroscope's zero in radians per second, its gains and its lag in seconds.
  private static let (zero, gain, lateness) = (2 * Double.pi / 180, 0.02, 0.02)

  /// Fits under one meaning of a reading; nil where the field does not turn as the gyroscope says.
  /// - Parameters:
  ///   - start: where to begin, with the field in the first attitude.
  ///   - fixedNoise: the noise to weigh with, in µT, so that costs can be compared; nil for what is left over.
  init?(
    _ stretch: VectorStretch, axes: AxisMap, priors: Priors, reading: TurnIntegral.Reading,
    start: (parameters: Parameters, field: Vector3), fixedNoise: Double? = nil
  ) {
    self.init(approaching: stretch, axes: axes, priors: priors, reading: reading, start: start, fixedNoise: fixedNoise)
    guard let settled = settled(stretch, priors) else { return nil }
    self = settled
  }

  /// The way to the solution alone, which tells the better reading.
  init?(
    approaching stretch: VectorStretch, axes: AxisMap, priors: Priors, reading: TurnIntegral.Reading,
    start: (parameters: Parameters, field: Vector3), fixedNoise: Double? = nil
  ) {
    self.axes = axes
    self.reading = reading
    self.fixedNoise = fixedNoise
    parameters = start.parameters
    field = start.field
    noise = fixedNoise ?? 0.03 * start.field.length
    guard approach(stretch.points, in: stretch, priors, rounds: Self.rounds) else { return nil }
  }

  /// The fit under another meaning of a reading; nil where the field does not turn so.
  func reread(_ reading: TurnIntegral.Reading, _ stretch: VectorStretch, _ priors: Priors) -> VectorFit? {
    var fit = self
    fit.reading = reading
    return fit.approach(stretch.points, in: stretch, priors, rounds: Self.rounds) ? fit : nil
  }

  /// The fit at the end of its way with what moved let go, or left out, and its covariance; nil for what no board is.
  func settled(_ stretch: VectorStretch, _ priors: Priors) -> VectorFit? {
    var (fit, points) = (self, stretch.points)
    guard fit.arrive(points, in: stretch, priors) else { return nil }
    // Where something moved, it is the offset, or what disturbed the field for a while is left out, then what is far
    // off.
    if fit.excess(stretch) > Self.slow {
      let drifting = fit.lettingGo(points, in: stretch, priors)
      if let drifting, drifting.excess(stretch) < Self.slow {
        fit = drifting
        guard fit.arrive(points, in: stretch, priors) else { return nil }
      } else {
        points = fit.quietest(points, in: stretch, priors)
        guard fit.approach(points, in: stretch, priors, rounds: 1), fit.arrive(points, in: stretch, priors) else {
          return nil
        }
        let residuals = fit.residuals(stretch)
        points = stretch.points.filter { residuals[$0].length < 4 * fit.noise * 3.0.squareRoot() }
        guard points.count * 2 > stretch.points.count, fit.arrive(points, in: stretch, priors) else { return nil }
        if let drifting, drifting.excess(stretch) < fit.excess(stretch, points) {
          (fit, points) = (drifting, stretch.points)
          guard fit.arrive(points, in: stretch, priors) else { return nil }
        }
      }
    }
    guard fit.isSensible, let all = fit.equations.matrix.inverse else { return nil }
    fit.growth = max(1, fit.excess(stretch, points))
    let scatter = stretch.isSparse ? fit.scatter(points, in: stretch, priors) : nil
    fit.finish(all.scaled(by: fit.growth), scatter, up: stretch.up(by: fit.gyroscope, reading: reading))
    return fit
  }

  /// No board is farther off than this.
  private var isSensible: Bool {
    noise < 0.05 * field.length && gyroscope.zero.length < GyroscopeZero.largest * .pi / 180 && abs(gyroscope.lag) < 0.1
      && gyroscope.values[3..<12].allSatisfy { abs($0) < 5 * Self.gain } && parameters.stretch.determinant > 0.2
      && parameters.rotation.length < 0.5
  }

  /// The way to the fit with an offset that moves.
  private func lettingGo(_ points: [Int], in stretch: VectorStretch, _ priors: Priors) -> VectorFit? {
    guard let first = stretch.moments.first?.time, let last = stretch.moments.last?.time else { return nil }
    var fit = self
    fit.drift = Drift.Part(course: .smooth(from: first, to: last))
    return fit.approach(points, in: stretch, priors, rounds: Self.rounds) ? fit : nil
  }

  // MARK: Steps

  /// Goes so many steps by a few of the points, or until they gain little.
  private mutating func approach(_ points: [Int], in stretch: VectorStretch, _ priors: Priors, rounds: Int) -> Bool {
    let every = max(1, min(Self.thinned, points.count / Self.enough))
    let some = stride(from: 0, to: points.count, by: every).map { points[$0] }
    for _ in 0..<rounds {
      guard let gain = step(some, in: stretch, priors) else { return false }
      if gain < Self.little { break }
    }
    return true
  }

  /// Goes the last steps, by all points.
  private mutating func arrive(_ points: [Int], in stretch: VectorStretch, _ priors: Priors) -> Bool {
    for _ in 0..<Self.wholeRounds where step(points, in: stretch, priors) == nil { return false }
    return true
  }

  /// One step, and what it lowers the cost by; nil where it leads to no board.
  private mutating func step(_ points: [Int], in stretch: VectorStretch, _ priors: Priors) -> Double? {
    guard collect(points, in: stretch, priors), let step = equations.matrix.solve(equations.right) else { return nil }
    take(step)
    guard parameters.stretch.determinant > 0.05, parameters.hardIron.isFinite, abs(gyroscope.lag) < 0.5 else {
      return nil
    }
    let gain = zip(step, equations.right).reduce(0) { $0 + $1.0 * $1.1 }
    equations.cost -= gain
    return gain
  }

  private mutating func take(_ step: [Double]) {
    func vector(_ index: Int) -> Vector3 { Vector3(step[index], step[index + 1], step[index + 2]) }
    parameters.hardIron += vector(0)
    field += vector(Self.fieldIndex)
    gyroscope = gyroscope.adding(Gyroscope.widened(step[Self.gyroscopeIndex..<Self.stretchIndex]))
    parameters.diagonal += vector(Self.stretchIndex)
    parameters.offDiagonal += vector(Self.stretchIndex + 3)
    parameters.rotation += vector(Self.rotationIndex)
    for index in 0..<Drift.count { drift?.terms[index] += vector(Self.driftIndex + 3 * index) }
  }

  // MARK: Rows

  /// The constants of (2), prepared once.
  struct Model {
    let d: Matrix3
    let inverseStretch: Matrix3
    let jacobian: Matrix3

    init?(_ fit: VectorFit) {
      let correction = fit.parameters.correction(axes: fit.axes.matrix)
      guard let d = correction.softIron.inverse, let inverseStretch = fit.parameters.stretch.inverse else { return nil }
      (self.d, self.inverseStretch) = (d, inverseStretch)
      jacobian = GravityModel.leftJacobian(fit.parameters.rotation)
    }
  }

  /// (2) at one moment, and the factors of a drift; the residual behind them.
  @inline(__always)
  func fill(
    _ columns: inout VectorColumns, _ attitude: TurnIntegral.Attitude, _ off: Vector3,
    _ factors: InlineArray<3, Double>?, _ model: Model
  ) {
    let toBoard = attitude.matrix.transposed
    let beta = toBoard * field
    let d = model.d * beta
    columns.set(attitude, carried: model.d * toBoard, field: field)
    columns[count] = off
    let u = model.inverseStretch.transposed
    let first = Self.stretchIndex
    columns[first] = -(u.row0 * d.x)
    columns[first + 1] = -(u.row1 * d.y)
    columns[first + 2] = -(u.row2 * d.z)
    columns[first + 3] = -(u.row0 * d.y + u.row1 * d.x)
    columns[first + 4] = -(u.row0 * d.z + u.row2 * d.x)
    columns[first + 5] = -(u.row1 * d.z + u.row2 * d.y)
    let turned = model.jacobian.transposed
    for axis in 0..<3 { columns[Self.rotationIndex + axis] = -(model.d * turned[axis].cross(beta)) }
    guard let factors else { return }
    for index in 0..<Drift.count {
      let (place, factor) = (Self.driftIndex + 3 * index, factors[index])
      columns[place] = Vector3(factor, 0, 0)
      columns[place + 1] = Vector3(0, factor, 0)
      columns[place + 2] = Vector3(0, 0, factor)
    }
  }

  // MARK: Equations

  struct Equations {
    var matrix = SymmetricMatrix(size: 0)
    var right: [Double] = []
    var cost = 0.0
  }

  /// The normal equations at some moments, and the noise that they are weighed with; false where there is no model.
  private mutating func collect(_ points: [Int], in stretch: VectorStretch, _ priors: Priors) -> Bool {
    guard let model = Model(self) else { return false }
    let turns = TurnIntegral(stretch.turning, by: gyroscope, reading: reading, derivingAt: points)
    let attitudes = points.map { turns.matrix(at: $0) }
    let offs = zip(points, attitudes).map { index, attitude in
      hardIronTaken(stretch.moments[index]) - model.d * (attitude.transposed * field)
    }
    noise = fixedNoise ?? max(median(offs.map { $0.length }) / 1.54, 0.01)
    var (sums, columns, cost) = (RowSums(size: count), VectorColumns(), 0.0)
    for (point, off) in offs.enumerated() {
      let far = off.length / (noise * 3.0.squareRoot())
      cost += 3 * Problem.loss(far)
      let factors = drift?.course.factors(at: stretch.moments[points[point]].time)
      fill(&columns, turns.attitude(ofPoint: point, matrix: attitudes[point]), off, factors, model)
      sums.add(columns, weight: Problem.weight(far) / (noise * noise))
    }
    let (matrix, right) = sums.equations
    equations = Equations(matrix: matrix, right: right, cost: cost)
    addPriors(priors, to: &equations)
    return true
  }

  /// The field of a moment without the hard iron of then.
  func hardIronTaken(_ moment: VectorStretch.Moment) -> Vector3 {
    let raw = moment.raw - parameters.hardIron
    return drift.map { raw - $0.offset(at: moment.time) } ?? raw
  }

  func addPriors(_ priors: Priors, to sums: inout Equations) {
    func expect(_ index: Int, off: Double, deviation: Double) {
      sums.matrix[index, index] += 1 / (deviation * deviation)
      sums.right[index] -= off / (deviation * deviation)
      sums.cost += off * off / (deviation * deviation)
    }
    let values = parameters.values
    for axis in 0..<3 { expect(axis, off: values[axis] - priors.mean[axis], deviation: priors.deviation[axis]) }
    for index in 0..<9 {  // U, then ρ, which the angle stands between.
      let place = index < 6 ? 4 + index : Parameters.rotationIndex + index - 6
      expect(Self.stretchIndex + index, off: values[place] - priors.mean[place], deviation: priors.deviation[place])
    }
    let own = gyroscope.values
    for (index, value) in [own[0], own[1], own[2]].enumerated() {
      expect(Self.gyroscopeIndex + index, off: value, deviation: Self.zero)
    }
    for (index, value) in [own[3], own[7], own[11], own[4], own[5], own[8]].enumerated() {
      expect(Self.gyroscopeIndex + 3 + index, off: value, deviation: Self.gain)
    }
    expect(Self.gyroscopeIndex + 9, off: gyroscope.lag, deviation: Self.lateness)
    for (index, term) in (drift?.terms ?? []).enumerated() {
      for axis in 0..<3 { expect(Self.driftIndex + 3 * index + axis, off: term[axis], deviation: Drift.usual) }
    }
    // The strength, along b₀.
    let length = max(field.length, 1e-9)
    let (along, deviation) = (field / length, length * priors.deviation[3])
    let off = length * (log(length) - priors.mean[3])
    sums.cost += off * off / (deviation * deviation)
    for i in 0..<3 {
      sums.right[Self.fieldIndex + i] -= along[i] * off / (deviation * deviation)
      for j in 0..<3 {
        sums.matrix[Self.fieldIndex + i, Self.fieldIndex + j] += along[i] * along[j] / (deviation * deviation)
      }
    }
  }

  // MARK: What is left over

  /// Residuals of all moments in µT.
  func residuals(_ stretch: VectorStretch) -> [Vector3] { residuals(stretch, at: stretch.moments.indices) }

  /// The median length of the residuals, in µT.
  func left(_ stretch: VectorStretch) -> Double { median(residuals(stretch, at: stretch.points).map { $0.length }) }

  private func residuals(_ stretch: VectorStretch, at points: some Sequence<Int>) -> [Vector3] {
    let turns = TurnIntegral(stretch.turning, by: gyroscope, reading: reading)
    let correction = parameters.correction(axes: axes.matrix)
    guard let d = correction.softIron.inverse else { return [] }
    return points.map { index in
      let beta = turns.matrix(at: index).transposed * field
      return hardIronTaken(stretch.moments[index]) - d * beta
    }
  }

  /// By how much half-second means of what is left are larger, squared, than white noise would have them.
  private func excess(_ stretch: VectorStretch, _ points: [Int]? = nil) -> Double {
    var isKept = [Bool](repeating: points == nil, count: stretch.moments.count)
    for point in points ?? [] { isKept[point] = true }
    var all = residuals(stretch, at: stretch.points)[...]
    return Self.excess(
      of: stretch.halves.map { half in
        defer { all = all.dropFirst(half.count) }
        return zip(half, all).filter { isKept[$0.0] }.map { $0.1 }
      })
  }

  // MARK: The end

  private mutating func finish(_ all: SymmetricMatrix, _ scatter: SymmetricMatrix?, up: Vector3?) {
    let length = field.length
    let along = field / length
    parameters.logStrength = log(length)
    var byField = Vector3.zero
    if let up {
      let (sine, cosine) = (along.cross(up).length, along.dot(up))
      parameters.angle = atan2(sine, cosine)
      byField = (up - along * cosine) * (-1 / (length * max(sine, 1e-3)))
    }
    var rows: [[Double]] = []
    func row(_ values: [(Int, Double)]) {
      var row = [Double](repeating: 0, count: count)
      for (index, value) in values { row[index] = value }
      rows.append(row)
    }
    for axis in 0..<3 { row([(axis, 1)]) }
    row((0..<3).map { (Self.fieldIndex + $0, along[$0] / length) })
    for index in 0..<6 { row([(Self.stretchIndex + index, 1)]) }
    row((0..<3).map { (Self.fieldIndex + $0, byField[$0]) })
    for axis in 0..<3 { row([(Self.rotationIndex + axis, 1)]) }
    for _ in 0..<Parameters.forceCount { row([]) }
    covariance = all.transformed(by: rows)
    parts = scatter?.transformed(by: rows)
    if let left = drift?.left { for i in 0..<3 { for j in 0..<3 { covariance[i, j] += left[i] * left[j] } } }
    for index in Parameters.forceIndex..<Parameters.count { covariance[index, index] = 1e-12 }
  }
}
