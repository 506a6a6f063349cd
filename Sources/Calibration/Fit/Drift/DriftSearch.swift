import LodestoneCore

/// A drift by the norm: what a fit leaves over, against time.
struct DriftSearch {
  /// The drift in µT.
  private(set) var part: Drift.Part
  /// The covariance that not knowing the drift adds to that of the parameters, in µT².
  private(set) var covariance = SymmetricMatrix(size: Parameters.count)
  /// Hard iron, soft iron and strength at the end of the sweep.
  private(set) var parameters: Parameters
  /// Whether the offset moved, and by an amount that matters.
  private(set) var isFound = false

  /// Rows for a glance, for the way to the solution, and at its end.
  private static let (fewRows, someRows, manyRows) = (300, 600, 1800)
  /// The mean square of a drift's numbers, in standard deviations, at which it is looked at, and from which on it is
  /// one.
  private static let (doubtful, significant) = (4.0, 20.0)
  /// Rounds in which a step is fitted and then its place found.
  private static let placings = 2
  /// The place of the first term among the unknowns.
  private static let first = Parameters.normCount

  init(_ fit: SweepFit, from start: Double, to end: Double) {
    let smooth = Drift.Course.smooth(from: start, to: end)
    part = Drift.Part(course: smooth)
    parameters = fit.estimate.parameters
    func problem(_ rows: [SweepPoint], _ course: Drift.Course) -> DriftProblem {
      DriftProblem(rows, course, priors: Self.priors(of: fit), deviation: fit.problem.deviation)
    }
    let glance = problem(fit.norm.kept.evenly(Self.fewRows), smooth)
    let equations = glance.equations(at: glance.start(at: parameters))
    guard let inverse = equations.matrix.inverse,
      Self.size(inverse.times(equations.gradient), inverse, smooth.count) > Self.doubtful
    else { return }
    let all = fit.norm.kept.evenly(Self.manyRows)
    let some = all.evenly(Self.someRows)
    let coarse = Self.walked(problem(some, smooth), from: glance.start(at: parameters))
    let whole = Self.weighed(problem(all, smooth), by: coarse)
    // Neighbours that are off alike hold something else than a smooth drift.
    if whole.weight < 1, var step = coarse.problem.step(at: parameters) {
      var stepped = coarse.end
      for round in 0..<Self.placings {
        var atOnce = problem(some, step)
        atOnce.deviation = coarse.problem.deviation
        stepped = atOnce.solved(from: round == 0 ? atOnce.start(at: parameters) : stepped.state, iterations: 8)
        step = atOnce.placed(at: stepped.state) ?? step
      }
      if stepped.cost < coarse.end.cost {
        let end = Self.walked(problem(some, step), from: stepped.state)
        step = problem(all, step).placed(at: end.end.state) ?? step
        take(step, Self.weighed(problem(all, step), by: end).solved(from: end.end.state, iterations: 8))
        return
      }
    }
    take(smooth, whole.solved(from: coarse.end.state, iterations: 8))
  }

  private mutating func take(_ course: Drift.Course, _ end: Minimum<NormState>) {
    let (equations, terms) = (end.equations, end.state.vectors)
    guard let all = equations.matrix.inverse, let still = Self.still(equations.matrix) else { return }
    part = Drift.Part(course: course)
    parameters = end.state.parameters
    for (index, term) in terms.enumerated() { part.terms[index] = term }
    for i in 0..<Self.first { for j in 0..<Self.first { covariance[i, j] = all[i, j] - still[i, j] } }
    let numbers = terms.flatMap { [$0.x, $0.y, $0.z] }
    let size = Self.size([Double](repeating: 0, count: Self.first) + numbers, all, course.count)
    isFound = size > Self.significant
  }

  /// A problem with the noise that its residuals show at the end of its walk.
  private typealias Walk = (problem: DriftProblem, end: Minimum<NormState>)

  private static func walked(_ problem: DriftProblem, from start: NormState) -> Walk {
    var walk = (problem: problem, end: problem.solved(from: start, iterations: 8))
    for _ in 0..<2 {
      walk.problem.deviation *= max(1.4826 * median(walk.problem.residuals(at: walk.end.state).map { abs($0) }), 0.02)
      walk.end = walk.problem.solved(from: walk.end.state, iterations: 4)
    }
    return walk
  }

  /// The problem of all rows with the noise that fewer of them showed, and how many share an error where those ended.
  private static func weighed(_ problem: DriftProblem, by coarse: Walk) -> DriftProblem {
    var problem = problem
    problem.deviation = coarse.problem.deviation
    let residuals = problem.residuals(at: coarse.end.state)
    problem.weight = 1 / max(1, Correlation.time(of: residuals, used: residuals.map { _ in true }))
    return problem
  }

  /// The priors of the parameters: from the calibration that is touched up, where there is one.
  private static func priors(of fit: SweepFit) -> Priors {
    guard let earlier = fit.settings.earlier else { return fit.problem.priors }
    return earlier.priors(moved: (fit.estimate.parameters.hardIron - earlier.parameters.hardIron).length)
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

extension [SweepPoint] {
  /// Every n-th of the rows, so that at least `count` remain where there are that many.
  fileprivate func evenly(_ count: Int) -> [SweepPoint] {
    let step = Swift.max(1, self.count / count)
    return step == 1 ? self : stride(from: 0, to: self.count, by: step).map { self[$0] }
  }
}
