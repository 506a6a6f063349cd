import LodestoneCore

// The norm with an offset that moves, (1) in Drift. The offset hardly moves within a sixty-fourth of a sweep, so the rows
// are taken in stretches of time with one offset each. In a stretch the residual of m − f·c by h is that of m by h + f·c,
// and its derivative by c_n is f_n times that by h: normal equations of the ten parameters of the norm serve,
//
//     A_ij = Σ_s f_i f_j N_s,    N_s the sum of one stretch's rows, f = 1 for the ten,                          (1)
//
// and the many unknowns of a drift cost nothing for each row.

/// The rows and priors that hard iron, soft iron and a drift are fitted to.
struct DriftProblem: LeastSquares {
  /// Rows that share one offset.
  private struct Stretch {
    let rows: Range<Int>
    let factors: InlineArray<3, Double>
  }

  /// Where a fit is: the norm's ten parameters, and the terms of the drift in µT.
  struct State {
    var parameters: Parameters
    var terms: [Vector3]
  }

  /// Raw fields in µT, in the order of time.
  let raw: [Vector3]
  private let times: [Double]
  private let stretches: [Stretch]
  private let course: Drift.Course
  /// Standard deviation of one axis of one measurement, model errors included, in µT.
  var deviation: Double
  /// How much a row counts.
  var weight = 1.0
  private let priors: Priors

  /// Into how many stretches a sweep is cut.
  private static let most = 128

  init(_ rows: [SweepPoint], _ course: Drift.Course, priors: Priors, deviation: Double) {
    (self.course, self.priors, self.deviation) = (course, priors, deviation)
    raw = rows.map { $0.raw }
    times = rows.map { $0.time }
    stretches = Self.cut(rows, course).map { range in
      let time = rows[range].reduce(0) { $0 + $1.time } / Double(max(range.count, 1))
      return Stretch(rows: range, factors: course.factors(at: time))
    }
  }

  private static func cut(_ rows: [SweepPoint], _ course: Drift.Course) -> [Range<Int>] {
    switch course {
    case .smooth:
      let count = min(most, rows.count)
      return (0..<count).map { ($0 * rows.count / count)..<(($0 + 1) * rows.count / count) }
    case .step(let moment):
      let place = rows.firstIndex { $0.time >= moment } ?? rows.count
      return [0..<place, place..<rows.count]
    }
  }

  /// The state with no drift yet.
  func start(at parameters: Parameters) -> State {
    State(parameters: parameters, terms: [Vector3](repeating: .zero, count: course.count))
  }

  /// The norm's model in one stretch.
  private func model(_ state: State, in stretch: Stretch) -> NormModel {
    var parameters = state.parameters
    for (index, term) in state.terms.enumerated() { parameters.hardIron += term * stretch.factors[index] }
    return NormModel(parameters, deviation: deviation)
  }

  /// The norm residuals in standard deviations.
  func residuals(at state: State) -> [Double] {
    stretches.flatMap { stretch in
      let model = model(state, in: stretch)
      return raw[stretch.rows].map { model.value($0) }
    }
  }

  func equations(at state: State) -> NormalEquations {
    var result = NormalEquations(size: Parameters.normCount + 3 * course.count)
    for stretch in stretches { add(norms(of: stretch, at: state), stretch.factors, to: &result) }
    result.matrix.mirror()
    addPriors(at: state, to: &result)
    return result
  }

  /// The normal equations of the ten parameters from one stretch.
  private func norms(of stretch: Stretch, at state: State) -> NormalEquations {
    let model = model(state, in: stretch)
    var sums = NormSums()
    for row in stretch.rows {
      let residual = model.residual(raw[row])
      sums.cost += Problem.loss(residual.value)
      sums.add(residual, weight: Problem.weight(residual.value))
    }
    var own = NormalEquations(size: Parameters.normCount)
    sums.add(to: &own, weight: weight)
    return own
  }

  /// (1), the upper half.
  private func add(_ own: NormalEquations, _ factors: InlineArray<3, Double>, to result: inout NormalEquations) {
    let count = Parameters.normCount
    result.cost += own.cost
    for i in result.gradient.indices {
      let (row, factor) = i < count ? (i, 1) : ((i - count) % 3, factors[(i - count) / 3])
      result.gradient[i] += factor * own.gradient[row]
      for j in i..<result.gradient.count {
        result.matrix[i, j] +=
          j < count
          ? factor * own.matrix[row, j] : factor * factors[(j - count) / 3] * own.matrix[row, (j - count) % 3]
      }
    }
  }

  private func addPriors(at state: State, to result: inout NormalEquations) {
    for (index, value) in state.parameters.values.prefix(Parameters.normCount).enumerated() {
      result.addPrior(index, pull: value - priors.mean[index], deviation: priors.deviation[index])
    }
    for (index, term) in state.terms.enumerated() {
      for axis in 0..<3 {
        result.addPrior(Parameters.normCount + 3 * index + axis, pull: term[axis], deviation: Drift.usual)
      }
    }
  }

  func stepped(_ state: State, by step: [Double]) -> State? {
    var state = state
    state.parameters = state.parameters.adding(Array(step.prefix(Parameters.normCount)))
    for index in state.terms.indices {
      let first = Parameters.normCount + 3 * index
      state.terms[index] += Vector3(step[first], step[first + 1], step[first + 2])
    }
    return state.parameters.isSensible && state.terms.allSatisfy { $0.isFinite } ? state : nil
  }
}

extension DriftProblem {
  /// The place between two stretches at which a step lowers the cost most, by one step of Gauss and Newton's from no drift
  /// at all; nil for too few stretches. Sums up to a place serve all that lie behind it.
  func step(at parameters: Parameters) -> Drift.Course? {
    let state = start(at: parameters)
    let parts = stretches.map { norms(of: $0, at: state) }
    let count = Parameters.normCount
    var (before, both) = (NormalEquations(size: count), NormalEquations(size: count + 3))
    for part in parts { add(part, [0, 0, 0], to: &both) }
    both.matrix.mirror()
    addPriors(at: State(parameters: parameters, terms: [.zero]), to: &both)
    var best: (place: Int, gain: Double)?
    for place in parts.indices.dropLast() {
      before.add(parts[place])
      guard let gain = Self.gain(of: before, in: both), gain > best?.gain ?? 0 else { continue }
      best = (stretches[place].rows.upperBound, gain)
    }
    return best.map { .step(at: times[$0.place]) }
  }

  /// The place at which the rows before and after a step of this size fit best.
  func placed(at state: State) -> Drift.Course? {
    guard case .step = course, let first = stretches.first, let last = stretches.last else { return nil }
    let (before, after) = (model(state, in: first), model(state, in: last))
    var (gain, best) = (0.0, (place: 0, gain: 0.0))
    for place in raw.indices.dropLast() {
      gain += Problem.loss(after.value(raw[place])) - Problem.loss(before.value(raw[place]))
      if gain > best.gain { best = (place + 1, gain) }
    }
    return best.place > 0 ? .step(at: times[best.place]) : nil
  }

  /// By how much the cost falls with a step after the rows of `before`.
  private static func gain(of before: NormalEquations, in both: NormalEquations) -> Double? {
    let count = Parameters.normCount
    var equations = both
    for i in 0..<3 {
      equations.gradient[count + i] = -before.gradient[i]
      for j in 0..<count {
        equations.matrix[count + i, j] = -before.matrix[i, j]
        equations.matrix[j, count + i] = -before.matrix[i, j]
      }
      for j in 0..<3 { equations.matrix[count + i, count + j] += before.matrix[i, j] }
    }
    return equations.matrix.solve(equations.gradient).map { zip($0, equations.gradient).reduce(0) { $0 + $1.0 * $1.1 } }
  }
}
