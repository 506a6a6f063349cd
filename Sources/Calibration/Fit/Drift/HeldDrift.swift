import LodestoneCore

// An offset that moves while positions are held. A dozen stations tell little more than there are unknowns, so the
// drift of (1) in Drift is sought by the norm and the angle together, and what offsets seldom do is held against it.
// With r a residual, j its derivative by the hard iron and f_n = P_n(τ) − 1, its derivative by the drift's c_n is f_n
// j: the fit's normal equations grow by nine rows,
//
//     | A  B | |Δp|     |  Σ r ∂r/∂p   |
//     | Bᵀ C | |Δc| = − | Σ r f j + c/s²|                                                                          (1)
//
// and each step of c is followed by a fit of the stations without it.

extension SweepFit {
  /// Rounds in which a drift is taken off and the rest of it looked for.
  private static let rounds = 4

  /// The fit of stations, their offset held where it ended.
  static func held(_ input: FitInput, _ held: HeldPositions) throws(CalibrationRefusal) -> SweepFit {
    let still = try SweepFit(input, held)
    let stations = held.stations
    guard stations.count >= HeldPositions.enough, let first = stations.first?.from, let last = stations.last?.to else {
      return still
    }
    var (fit, drift) = (still, Drift())
    var search = HeldDrift(part: Drift.Part(course: .smooth(from: first, to: last)))
    for _ in 0..<rounds {
      guard search.step(from: fit) else { return still }
      drift.set([search.part.divided(by: fit.scale)], search.covariance, scale: fit.scale, from: first)
      var input = input
      input.drift = drift
      // Stations that make no fit without it do not bear the drift out.
      guard let next = try? SweepFit(input, held.without(drift)) else { return still }
      fit = next
    }
    return search.isFound ? fit : still
  }
}

extension Rest {
  /// Seconds.
  fileprivate var middle: Double { (from + to) / 2 }
}

extension HeldPositions {
  /// The stations with their offset held where it ended.
  fileprivate func without(_ drift: Drift) -> HeldPositions {
    var held = self
    for index in stations.indices { held.stations[index].raw -= drift.offset(at: stations[index].middle) }
    return held
  }
}

/// A drift by stations, found step by step.
private struct HeldDrift {
  /// In µT.
  private(set) var part: Drift.Part
  /// The covariance that not knowing the drift adds to that of the parameters, in µT².
  private(set) var covariance = SymmetricMatrix(size: Parameters.count)
  /// The offset moved, and by an amount that matters.
  private(set) var isFound = false

  /// The mean square of a drift's numbers, in standard deviations, from which on it is one. Six real instruments that
  /// do not drift show up to 2.5 and 1 µT, for they are not linear: more than `apparent` µT need less.
  private static let (likely, significant, apparent) = (2.5, 4.5, 1.5)
  /// One standard deviation of each term in µT, before anything is known.
  private static let usual = [Drift.usual, 0.7, 0.3]
  /// Where the terms begin among the unknowns, and how many numbers they are.
  private static let (first, count) = (Parameters.count, 3 * Drift.count)

  init(part: Drift.Part) { self.part = part }

  /// Goes one step (1) from a fit of the stations without the drift so far; false where the equations have no solution.
  mutating func step(from fit: SweepFit) -> Bool {
    let equations = equations(fit)
    guard let all = equations.matrix.inverse, let known = fit.estimate.equations.matrix.inverse else { return false }
    let step = all.times(equations.gradient)
    for index in 0..<Self.count { part.terms[index / 3][index % 3] -= step[Self.first + index] }
    for i in 0..<Self.first { for j in 0..<Self.first { covariance[i, j] = all[i, j] - known[i, j] } }
    var own = SymmetricMatrix(size: Self.count)
    for i in 0..<Self.count { for j in 0..<Self.count { own[i, j] = all[Self.first + i, Self.first + j] } }
    let numbers = part.terms.flatMap { [$0.x, $0.y, $0.z] }
    let size = (own.inverse?.quadratic(numbers) ?? 0) / Double(Self.count)
    isFound = size > (part.distance > Self.apparent ? Self.likely : Self.significant)
    return true
  }

  private typealias Equations = (matrix: SymmetricMatrix, gradient: [Double])

  /// (1) where a fit stands.
  private func equations(_ fit: SweepFit) -> Equations {
    let known = fit.estimate.equations
    var equations = (
      matrix: SymmetricMatrix(size: Self.first + Self.count),
      gradient: known.gradient + [Double](repeating: 0, count: Self.count)
    )
    for i in 0..<Self.first { for j in 0..<Self.first { equations.matrix[i, j] = known.matrix[i, j] } }
    let (problem, parameters) = (fit.problem, fit.estimate.parameters)
    let norm = NormModel(parameters, deviation: problem.deviation)
    let gravity = GravityModel(parameters, axes: problem.axes)
    for station in problem.rests {
      let factors = part.course.factors(at: station.middle)
      let byNorm = norm.residual(station.raw)
      add(byNorm.value, (0..<Parameters.normCount).map { byNorm.derivatives[$0] }, factors, to: &equations)
      let rest = problem.residual(of: station, under: gravity)
      add(rest.angle, (0..<Self.first).map { rest.angleRow[$0] }, factors, to: &equations)
    }
    for index in 0..<Self.count {
      let weight = 1 / (Self.usual[index / 3] * Self.usual[index / 3])
      equations.matrix[Self.first + index, Self.first + index] += weight
      equations.gradient[Self.first + index] += weight * part.terms[index / 3][index % 3]
    }
    return equations
  }

  /// Adds the rows and columns of the terms for one residual with its derivatives by the parameters.
  private func add(
    _ residual: Double, _ row: [Double], _ factors: InlineArray<3, Double>, to equations: inout Equations
  ) {
    let weight = Problem.weight(residual)
    let own = (0..<Self.count).map { row[$0 % 3] * factors[$0 / 3] }
    for (i, a) in own.enumerated() {
      let place = Self.first + i
      equations.gradient[place] += weight * a * residual
      for (j, b) in row.enumerated() {
        equations.matrix[place, j] += weight * a * b
        equations.matrix[j, place] += weight * a * b
      }
      for (j, b) in own.enumerated() { equations.matrix[place, Self.first + j] += weight * a * b }
    }
  }
}
