import LodestoneCore
import Glibc

// The norm and the rests with causes. With v the value of a cause, −1 at one end of its range and 1 at the other,
//
//     m = D b + h + Σ v_i k_i + ε,
//
// so that the norm residual is that of m − Σ v_i k_i, and its derivative by k_i is v_i times that by h. While the board
// is held still the field changes by the causes alone: (m − m̄) − Σ (v_i − v̄_i) k_i is a residual too, whatever the
// attitude, and tells all of k where the cause changes then.

/// The rows and priors that hard iron, soft iron and causes are fitted to.
struct CauseProblem: LeastSquares {
  /// A row: its raw field in µT. The values beside it are in `values`, as many as there are causes.
  var raw: [Vector3]
  var values: [Double]
  let causeCount: Int
  /// Standard deviation of one axis of one measurement, model errors included, in µT.
  var deviation = 1.0
  /// How much a row counts.
  var weight = 1.0
  var rests: CauseRests
  let priors: Priors
  /// One standard deviation of a slope in µT at the end of the range, before anything is known.
  private static let usualSlope = 60.0

  private var size: Int { Parameters.normCount + 3 * causeCount }

  /// The field of a row without the causes.
  @inline(__always)
  func field(_ row: Int, _ state: NormState) -> Vector3 {
    var field = raw[row]
    for index in 0..<causeCount { field = field - state.vectors[index] * values[row * causeCount + index] }
    return field
  }

  /// The norm residuals in standard deviations.
  func residuals(at state: NormState) -> [Double] {
    let model = NormModel(state.parameters, deviation: deviation)
    return raw.indices.map { model.value(field($0, state)) }
  }

  func equations(at state: NormState) -> NormalEquations {
    var result = NormalEquations(size: size)
    addNorms(at: state, to: &result)
    rests.add(state.vectors, to: &result)
    state.addPriors(priors, usual: Self.usualSlope, to: &result)
    return result
  }

  private func addNorms(at state: NormState, to result: inout NormalEquations) {
    let model = NormModel(state.parameters, deviation: deviation)
    var (sums, row) = (RowSums(size: size), ResidualRow(repeating: 0))
    for index in raw.indices {
      let residual = model.residual(field(index, state))
      for i in 0..<Parameters.normCount { row[i] = residual.derivatives[i] }
      for cause in 0..<causeCount {
        let value = values[index * causeCount + cause]
        for axis in 0..<3 { row[Parameters.normCount + 3 * cause + axis] = value * residual.derivatives[axis] }
      }
      row[size] = residual.value
      sums.add(row, weight: Problem.weight(residual.value) * weight)
      result.cost += Problem.loss(residual.value) * weight
    }
    sums.add(to: &result.matrix, &result.gradient)
  }

  func stepped(_ state: NormState, by step: [Double]) -> NormState? { state.stepped(by: step) }

  /// The linear sphere with causes, |m|² = 2 h·m + 2 Σ v_i k_i·m + c + Σ c_i v_i + Σ c_ij v_i v_j, fitted again without
  /// what lies far off; nil where it has no solution.
  var start: NormState? {
    guard let origin = raw.first.map({ first in raw.reduce(first) { $0 + ($1 - first) / Double(raw.count) } }) else {
      return nil
    }
    var isKept = [Bool](repeating: true, count: raw.count)
    var state: NormState?
    for _ in 0..<3 {
      guard let found = linear(origin: origin, isKept) else { break }
      state = found
      let off = raw.indices.map {
        abs((field($0, found) - found.parameters.hardIron).length - found.parameters.strength)
      }
      let limit = 4 * median(off) + 1e-9
      isKept = off.map { $0 < limit }
    }
    return state
  }

  private func linear(origin: Vector3, _ isKept: [Bool]) -> NormState? {
    let pairs = (0..<causeCount).flatMap { i in (i..<causeCount).map { (i, $0) } }
    let linearCount = 3 + 3 * causeCount
    var matrix = SymmetricMatrix(size: linearCount + 1 + causeCount + pairs.count)
    var right = [Double](repeating: 0, count: matrix.size)
    for row in raw.indices where isKept[row] {
      let p = raw[row] - origin
      let v = values[row * causeCount..<(row + 1) * causeCount].map { $0 }
      var factors = [2 * p.x, 2 * p.y, 2 * p.z]
      for value in v { factors += [2 * value * p.x, 2 * value * p.y, 2 * value * p.z] }
      factors.append(1)
      factors += v
      factors += pairs.map { v[$0.0] * v[$0.1] }
      for i in factors.indices {
        right[i] += factors[i] * p.squaredLength
        for j in factors.indices { matrix[i, j] += factors[i] * factors[j] }
      }
    }
    let ridge = 1e-7 * (0..<3).map { matrix[$0, $0] }.reduce(0, +) + 1e-12
    for i in 0..<linearCount { matrix[i, i] += ridge }
    for i in linearCount..<matrix.size { matrix[i, i] += 1e-9 * matrix[linearCount, linearCount] + 1e-12 }
    guard let x = matrix.solve(right) else { return nil }
    func vector(_ first: Int) -> Vector3 { Vector3(x[first], x[first + 1], x[first + 2]) }
    let square = x[linearCount] + vector(0).squaredLength
    guard square > 0, square.isFinite else { return nil }
    var parameters = Parameters()
    parameters.hardIron = vector(0) + origin
    parameters.logStrength = log(square.squareRoot())
    return NormState(parameters: parameters, vectors: (0..<causeCount).map { vector(3 + 3 * $0) })
  }
}

/// How the field changed with the causes while the board was held still: sums over the rows of all rests.
struct CauseRests {
  /// Σ (v_i − v̄_i)(v_j − v̄_j), row by row.
  private var products: [Double]
  /// Σ (v_i − v̄_i)(m − m̄).
  private var fields: [Vector3]
  /// Σ |m − m̄|².
  private var square = 0.0
  private var count = 0.0
  private let causeCount: Int
  /// One over the variance of one axis of one row, times how much a row counts.
  private(set) var weight = 0.0

  /// Standard deviation in µT below which no hand holds still.
  private static let steadiest = 0.1

  init(causeCount: Int) {
    self.causeCount = causeCount
    products = [Double](repeating: 0, count: causeCount * causeCount)
    fields = [Vector3](repeating: .zero, count: causeCount)
  }

  /// Takes a rest in; each row has as many values as there are causes.
  mutating func add(_ raw: ArraySlice<Vector3>, _ values: ArraySlice<Double>) {
    let number = Double(raw.count)
    guard raw.count > 3 else { return }
    let mean = raw.reduce(Vector3.zero, +) / number
    let rows = Array(values)
    let means = (0..<causeCount).map { cause in
      stride(from: cause, to: rows.count, by: causeCount).reduce(0) { $0 + rows[$1] } / number
    }
    for (row, field) in raw.enumerated() {
      let off = field - mean
      let v = (0..<causeCount).map { rows[row * causeCount + $0] - means[$0] }
      square += off.squaredLength
      for i in 0..<causeCount {
        fields[i] += off * v[i]
        for j in 0..<causeCount { products[i * causeCount + j] += v[i] * v[j] }
      }
    }
    count += number - 1
  }

  /// Σ of the squared residuals, without weight.
  private func squares(_ slopes: [Vector3]) -> Double {
    var sum = square
    for i in slopes.indices {
      sum -= 2 * slopes[i].dot(fields[i])
      for j in slopes.indices { sum += products[i * causeCount + j] * slopes[i].dot(slopes[j]) }
    }
    return max(sum, 0)
  }

  /// Weighs the rows by what is left under these slopes. `share` is how much a row counts, for neighbours share errors.
  mutating func weigh(_ slopes: [Vector3], share: Double) {
    guard count > 0 else { return }
    let variance = squares(slopes) / (3 * count)
    weight = share / max(variance, Self.steadiest * Self.steadiest)
  }

  func cost(_ slopes: [Vector3]) -> Double { weight * squares(slopes) }

  func add(_ slopes: [Vector3], to equations: inout NormalEquations) {
    guard weight > 0 else { return }
    equations.cost += cost(slopes)
    for i in slopes.indices {
      let first = Parameters.normCount + 3 * i
      var gradient = -fields[i]
      for j in slopes.indices {
        let product = products[i * causeCount + j]
        gradient += slopes[j] * product
        for axis in 0..<3 { equations.matrix[first + axis, Parameters.normCount + 3 * j + axis] += weight * product }
      }
      for axis in 0..<3 { equations.gradient[first + axis] += weight * gradient[axis] }
    }
  }
}
