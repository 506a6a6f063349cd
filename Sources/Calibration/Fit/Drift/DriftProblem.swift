import LodestoneCore

// The norm with an offset that moves, (1) in Drift. The offset hardly moves within a sixty-fourth of a sweep, so the
// rows are taken in stretches of time with one offset each. In a stretch the residual of m − f·c by h is that of m by h
// + f·c, and its derivative by c_n is f_n times that by h: normal equations of the ten parameters of the norm serve,
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

  /// Into how many stretches a sweep is cut at most, and how many rows one has.
  private static let (most, length) = (128, 8)

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
      let count = min(most, max(rows.count / length, 1))
      return (0..<count).map { ($0 * rows.count / count)..<(($0 + 1) * rows.count / count) }
    case .step(let moment):
      let place = rows.firstIndex { $0.time >= moment } ?? rows.count
      return [0..<place, place..<rows.count]
    }
  }

  /// The state with no drift yet.
  func start(at parameters: Parameters) -> NormState {
    NormState(parameters: parameters, vectors: [Vector3](repeating: .zero, count: course.count))
  }

  /// The norm's model in one stretch.
  private func model(_ state: NormState, in stretch: Stretch) -> NormModel {
    var parameters = state.parameters
    for (index, term) in state.vectors.enumerated() { parameters.hardIron += term * stretch.factors[index] }
    return NormModel(parameters, deviation: deviation)
  }

  /// The norm residuals in standard deviations.
  func residuals(at state: NormState) -> [Double] {
    stretches.flatMap { stretch in
      let model = model(state, in: stretch)
      return raw[stretch.rows].map { model.value($0) }
    }
  }

  func equations(at state: NormState) -> NormalEquations {
    var result = equations { totals(of: $0, at: state) }
    state.addPriors(priors, usual: Drift.usual, to: &result)
    return result
  }

  /// The sums of one stretch.
  private func totals(of stretch: Stretch, at state: NormState) -> NormTotals {
    NormSums(raw[stretch.rows], model(state, in: stretch)).totals(weight: weight)
  }

  /// (1) without priors: the sums of all stretches with each factor and with each product of two.
  private func equations(_ totals: (Stretch) -> NormTotals) -> NormalEquations {
    let (count, terms) = (Parameters.normCount, course.count)
    var plain = NormTotals()
    var once = [NormTotals](repeating: NormTotals(), count: terms)
    var twice = [NormTotals](repeating: NormTotals(), count: terms * terms)
    for stretch in stretches {
      let own = totals(stretch)
      plain.add(own, times: 1)
      for n in 0..<terms {
        once[n].add(own, times: stretch.factors[n])
        for m in n..<terms {
          twice[n * terms + m].add(
            own, times: stretch.factors[n] * stretch.factors[m], first: NormTotals.hardIron)
        }
      }
    }
    var result = NormalEquations(size: count + 3 * terms)
    plain.add(to: &result)
    for n in 0..<terms {
      for axis in 0..<3 {
        let row = count + 3 * n + axis
        result.gradient[row] = once[n][axis, count]
        for j in 0..<count { result.matrix[j, row] = once[n][axis, j] }
        for m in n..<terms {
          for other in 0..<3 { result.matrix[row, count + 3 * m + other] = twice[n * terms + m][axis, other] }
        }
      }
    }
    result.matrix.mirror()
    return result
  }

  func stepped(_ state: NormState, by step: [Double]) -> NormState? { state.stepped(by: step) }
}

extension DriftProblem {
  /// The place between two stretches at which a step lowers the cost most, by one step of Gauss and Newton's from no
  /// drift at all; nil for too few stretches. Sums up to a place serve all that lie behind it.
  func step(at parameters: Parameters) -> Drift.Course? {
    let state = start(at: parameters)
    let parts = stretches.map { totals(of: $0, at: state) }
    var (before, both) = (NormTotals(), NormalEquations(size: Parameters.normCount + 3))
    for part in parts { part.add(to: &both) }
    NormState(parameters: parameters, vectors: [.zero]).addPriors(priors, usual: Drift.usual, to: &both)
    var best: (place: Int, gain: Double)?
    for place in parts.indices.dropLast() {
      before.add(parts[place], times: 1)
      guard let gain = Self.gain(of: before, in: both), gain > best?.gain ?? 0 else { continue }
      best = (stretches[place].rows.upperBound, gain)
    }
    return best.map { .step(at: times[$0.place]) }
  }

  /// The place at which the rows before and after a step of this size fit best.
  func placed(at state: NormState) -> Drift.Course? {
    guard case .step = course, let first = stretches.first, let last = stretches.last else { return nil }
    let (before, after) = (model(state, in: first), model(state, in: last))
    var (gain, best) = (0.0, (place: 0, gain: 0.0))
    for place in raw.indices.dropLast() {
      gain += Problem.loss(after.value(raw[place])) - Problem.loss(before.value(raw[place]))
      if gain > best.gain { best = (place + 1, gain) }
    }
    return best.place > 0 ? .step(at: times[best.place]) : nil
  }

  /// The amount by which the cost falls with a step after the rows of `before`.
  private static func gain(of before: NormTotals, in both: NormalEquations) -> Double? {
    let count = Parameters.normCount
    var equations = both
    for i in 0..<3 {
      equations.gradient[count + i] = -before[i, count]
      for j in 0..<count {
        equations.matrix[count + i, j] = -before[i, j]
        equations.matrix[j, count + i] = -before[i, j]
      }
      for j in 0..<3 { equations.matrix[count + i, count + j] += before[i, j] }
    }
    return equations.matrix.solve(equations.gradient).map { zip($0, equations.gradient).reduce(0) { $0 + $1.0 * $1.1 } }
  }
}
