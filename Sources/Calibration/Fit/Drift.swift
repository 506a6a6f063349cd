import LodestoneCore

// An offset that moves while the sweep is made: what a chip does that warms up, or a battery that shifts. One hard iron is
// then the mean of many, and the last of them, with which headings are read, is off it: by half of how far it moved. So
// the hard iron is let go with time, smoothly or at once,
//
//     h(τ) = h + Σ c_n (P_n(τ) − 1),  n = 1, 2, 3,    or    h(τ) = h − c for τ < τ₀,                           (1)
//
// τ from −1 to 1, P_n Legendre's polynomials, which are 1 at the end: h is the last one. A straight line would end a sixth
// beyond a chip that settles. What a fourth term would do is not known; it is taken to be as large as the third.

/// How an offset moved during a sweep.
struct Drift: Sendable {
  /// How many terms (1) has at most.
  static let count = 3
  /// One standard deviation of a term in µT, before anything is known.
  static let usual = 3.0

  /// The way it went with time.
  enum Course: Sendable {
    /// Smoothly between two times in seconds.
    case smooth(from: Double, to: Double)
    /// At once, at a time in seconds.
    case step(at: Double)

    /// How many terms it has.
    var count: Int {
      switch self {
      case .smooth: Drift.count
      case .step: 1
      }
    }

    /// P_n(τ) − 1 of each term at a time in seconds; for a step −1 before it and 0 after.
    func factors(at time: Double) -> InlineArray<3, Double> {
      switch self {
      case .smooth(let start, let end):
        let t = 2 * (time - start) / max(end - start, 1e-9) - 1
        return [t - 1, 1.5 * t * t - 1.5, (2.5 * t * t - 1.5) * t - 1]
      case .step(let moment): return [time < moment ? -1 : 0, 0, 0]
      }
    }
  }

  /// One course, with c in the unit of the sweep.
  struct Part: Sendable {
    let course: Course
    var terms = [Vector3](repeating: .zero, count: Drift.count)

    /// The hard iron at a time in seconds less that at the end of the sweep.
    func offset(at time: Double) -> Vector3 {
      let factors = course.factors(at: time)
      return terms.indices.reduce(.zero) { $0 + terms[$1] * factors[$1] }
    }

    /// How far it went.
    var distance: Double {
      switch course {
      case .smooth(let start, _): offset(at: start).length
      case .step: terms[0].length
      }
    }

    /// The last term, which stands for those of higher order in the error of the hard iron; zero for a step.
    var left: Vector3 { terms[Drift.count - 1] }
  }

  fileprivate(set) var parts: [Part] = []
  /// The covariance that not knowing the drift adds to that of the parameters, in µT².
  fileprivate(set) var covariance = SymmetricMatrix(size: Parameters.count)
  /// How far the offset went, in µT.
  fileprivate(set) var distance = 0.0

  /// The hard iron at a time in seconds less that at the end of the sweep, in the unit of the sweep.
  func offset(at time: Double) -> Vector3 { parts.reduce(.zero) { $0 + $1.offset(at: time) } }
}

extension Drift.Course {
  /// The factors of the terms there are.
  fileprivate func values(at time: Double) -> [Double] {
    let factors = factors(at: time)
    return (0..<count).map { factors[$0] }
  }
}

extension SweepFit {
  /// How often a drift is taken off and what is left of it looked for.
  private static let driftRounds = 3
  /// Seconds below which a sweep tells of no drift.
  private static let shortest = 5.0

  /// The same sweep with its offset held where it ended; this one where the offset did not move, or nothing tells.
  /// `fitting` makes a fit of its kind.
  func withoutDrift(
    fitting: (FitInput) throws(CalibrationRefusal) -> SweepFit
  ) throws(CalibrationRefusal) -> SweepFit {
    let rows = sweep.measurements.kept
    let isTold = solved.method == .touchUp ? solved.leastTurned == nil : norm.isRound || kind == .level
    guard isTold, let first = rows.first?.time, let last = rows.last?.time,
      last - first >= Self.shortest
    else { return self }
    var (fit, drift) = (self, Drift())
    for _ in 0..<Self.driftRounds {
      let search = DriftSearch(fit, from: first, to: last)
      guard search.isFound else { break }
      drift.set(
        drift.parts + [search.part.divided(by: fit.scale)], search.covariance, scale: fit.scale, from: first)
      var next = input
      next.sweep = input.sweep.without(drift)
      next.drift = drift
      fit = try fitting(next)
    }
    return fit
  }
}

extension Drift {
  /// Holds these courses, in the unit of a sweep that began at this time and was multiplied with `scale`.
  mutating func set(_ parts: [Part], _ covariance: SymmetricMatrix, scale: Double, from start: Double) {
    (self.parts, self.covariance) = (parts, covariance)
    distance = offset(at: start).length * scale
    let left = parts.reduce(Vector3.zero) { $0 + $1.left } * scale
    for i in 0..<3 { for j in 0..<3 { self.covariance[i, j] += left[i] * left[j] } }
  }
}

extension Drift.Part {
  /// The same part in a unit `scale` times as large.
  func divided(by scale: Double) -> Drift.Part {
    var part = self
    for index in part.terms.indices { part.terms[index] = part.terms[index] / scale }
    return part
  }
}

/// A drift by the norm: what a fit leaves over, against time.
private struct DriftSearch {
  /// In µT.
  private(set) var part: Drift.Part
  /// The covariance that not knowing the drift adds to that of the parameters, in µT².
  private(set) var covariance = SymmetricMatrix(size: Parameters.count)
  /// The offset moved, and by an amount that matters.
  private(set) var isFound = false

  private static let (fewRows, manyRows) = (300, 1800)
  /// The mean square of a drift's numbers, in standard deviations, at which it is looked at, and from which on it is one.
  private static let (doubtful, significant) = (4.0, 20.0)
  /// Where the terms begin among the unknowns.
  private static let first = Parameters.normCount
  /// Places tried in the search for a step, and halvings of the interval after that.
  private static let (places, halvings) = (16, 3)

  init(_ fit: SweepFit, from start: Double, to end: Double) {
    let smooth = Drift.Course.smooth(from: start, to: end)
    part = Drift.Part(course: smooth)
    let problem = Self.problem(fit, smooth, rows: Self.fewRows)
    let equations = problem.equations(at: Self.state(fit, smooth))
    guard let inverse = equations.matrix.inverse,
      Self.size(inverse.times(equations.gradient), inverse, smooth.count) > Self.doubtful
    else { return }
    let whole = Self.walked(Self.problem(fit, smooth, rows: Self.manyRows), from: Self.state(fit, smooth))
    // Neighbours that are off alike hold something else than a smooth drift.
    if whole.problem.weight < 1 {
      let step = Self.step(fit, from: start, to: end, deviation: whole.problem.deviation)
      var atOnce = Self.problem(fit, step, rows: Self.manyRows)
      (atOnce.deviation, atOnce.weight) = (whole.problem.deviation, whole.problem.weight)
      let stepped = atOnce.solved(from: Self.state(fit, step), iterations: 8)
      if stepped.cost < whole.end.cost {
        take(step, Self.walked(atOnce, from: stepped.state))
        return
      }
    }
    take(smooth, whole)
  }

  private mutating func take(
    _ course: Drift.Course, _ walked: (problem: CauseProblem, end: Minimum<CauseProblem.State>)
  ) {
    let (equations, slopes) = (walked.end.equations, walked.end.state.slopes)
    guard let all = equations.matrix.inverse, let still = Self.still(equations.matrix) else { return }
    part = Drift.Part(course: course)
    for (index, slope) in slopes.enumerated() { part.terms[index] = slope }
    for i in 0..<Self.first { for j in 0..<Self.first { covariance[i, j] = all[i, j] - still[i, j] } }
    let numbers = slopes.flatMap { [$0.x, $0.y, $0.z] }
    let size = Self.size([Double](repeating: 0, count: Self.first) + numbers, all, course.count)
    isFound = size > Self.significant
  }

  private static func state(_ fit: SweepFit, _ course: Drift.Course) -> CauseProblem.State {
    CauseProblem.State(
      parameters: fit.estimate.parameters, slopes: [Vector3](repeating: .zero, count: course.count))
  }

  /// The end of a walk, with the noise that the residuals show there, and how many of them share an error.
  private static func walked(
    _ problem: CauseProblem, from start: CauseProblem.State
  ) -> (problem: CauseProblem, end: Minimum<CauseProblem.State>) {
    var problem = problem
    var end = problem.solved(from: start, iterations: 8)
    for _ in 0..<2 {
      problem.deviation *= max(1.4826 * median(problem.residuals(at: end.state).map { abs($0) }), 0.02)
      end = problem.solved(from: end.state, iterations: 8)
    }
    let used = [Bool](repeating: true, count: problem.raw.count)
    problem.weight = 1 / max(1, Correlation.time(of: problem.residuals(at: end.state), used: used))
    end = problem.solved(from: end.state, iterations: 8)
    return (problem, end)
  }

  /// The step that leaves least over.
  private static func step(
    _ fit: SweepFit, from start: Double, to end: Double, deviation: Double
  ) -> Drift.Course {
    func cost(_ place: Double) -> Double {
      let course = Drift.Course.step(at: start + (end - start) * place)
      var problem = problem(fit, course, rows: fewRows)
      problem.deviation = deviation
      return problem.solved(from: state(fit, course), iterations: 3).cost
    }
    var width = 1 / Double(places)
    let all = (1..<places).map { place in (place: Double(place) * width, cost: cost(Double(place) * width)) }
    guard var best = all.min(by: { $0.cost < $1.cost }) else { return .step(at: start) }
    for _ in 0..<halvings {
      width /= 2
      for place in [best.place - width, best.place + width] {
        let cost = cost(place)
        if cost < best.cost { best = (place, cost) }
      }
    }
    return .step(at: start + (end - start) * best.place)
  }

  /// The priors of the parameters: from the calibration that is touched up, where there is one.
  private static func priors(of fit: SweepFit) -> Priors {
    guard let earlier = fit.settings.earlier else { return fit.problem.priors }
    return earlier.priors(moved: (fit.estimate.parameters.hardIron - earlier.parameters.hardIron).length)
  }

  private static func problem(_ fit: SweepFit, _ course: Drift.Course, rows: Int) -> CauseProblem {
    let kept = fit.norm.kept
    let step = max(1, kept.count / rows)
    let some = stride(from: 0, to: kept.count, by: step).map { kept[$0] }
    var problem = CauseProblem(
      raw: some.map { $0.raw }, values: some.flatMap { row in course.values(at: row.time) }, causeCount: course.count,
      rests: CauseRests(causeCount: course.count), priors: priors(of: fit))
    problem.weight = 1
    problem.usualSlope = Drift.usual
    problem.deviation = fit.problem.deviation
    return problem
  }

  /// The mean square of the drift among unknowns, in standard deviations.
  private static func size(_ unknowns: [Double], _ covariance: SymmetricMatrix, _ terms: Int) -> Double {
    let count = 3 * terms
    var own = SymmetricMatrix(size: count)
    for i in 0..<count { for j in 0..<count { own[i, j] = covariance[first + i, first + j] } }
    return (own.inverse?.quadratic(Array(unknowns[first..<first + count])) ?? 0) / Double(count)
  }

  /// The covariance of hard iron, soft iron and strength under a drift that is known.
  private static func still(_ matrix: SymmetricMatrix) -> SymmetricMatrix? {
    var known = SymmetricMatrix(size: first)
    for i in 0..<first { for j in 0..<first { known[i, j] = matrix[i, j] } }
    return known.inverse
  }
}
