import LodestoneCore

// An offset that moves while the sweep is made: what a chip does that warms up, or a battery that shifts. One hard iron
// is then the mean of many, and the last of them, with which headings are read, is off it: by half of how far it moved.
// So the hard iron is let go with time, smoothly or at once,
//
//     h(τ) = h + Σ c_n (P_n(τ) − 1),  n = 1, 2, 3,    or    h(τ) = h − c for τ < τ₀,                           (1)
//
// τ from −1 to 1, P_n Legendre's polynomials, which are 1 at the end: h is the last one. A straight line would end a
// sixth beyond a chip that settles. What a fourth term would do is not known; it is taken to be as large as the third.

/// How an offset moved during a sweep.
struct Drift: Sendable {
  /// The most terms that (1) has.
  static let count = 3
  /// One standard deviation of a term in µT, before anything is known.
  static let usual = 3.0

  /// The way it went with time.
  enum Course: Sendable {
    /// Smoothly between two times in seconds.
    case smooth(from: Double, to: Double)
    /// A step at a time in seconds.
    case step(at: Double)

    /// The number of its terms.
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

extension SweepFit {
  /// The fit of a sweep, its offset held where it ended, and of one that did not go all round the fit without that. The
  /// norm alone tells a drift of a sweep that did.
  static func swept(_ input: FitInput) throws(CalibrationRefusal) -> (fit: SweepFit, still: SweepFit?) {
    let first = try SweepFit(normOf: input)
    let isRound = first.norm.isRound
    let moved = isRound ? try first.withoutDrift(fitting: Self.norm).withGravity : first.withGravity
    // Gravity has a say: rests that tell the rotation beside what was left out must tell it under a drift too.
    if let explained = first.explained(leavingOut: moved.norm.leftOut)?.withGravity,
      explained.kind == .full || moved.kind != .full
    {
      return (explained, nil)
    }
    if isRound { return (moved, nil) }
    return (try moved.withoutDrift { input throws(CalibrationRefusal) in try SweepFit(input) }, moved)
  }

  private static func norm(_ input: FitInput) throws(CalibrationRefusal) -> SweepFit { try SweepFit(normOf: input) }

  /// The share of a sweep left out as disturbed past which an offset that moved is asked whether it explains that.
  private static let muchLeftOut = 0.15
  /// The ratio of the noise that remains with such a drift to that of the rest alone: a field that changed in the world
  /// leaves more.
  private static let asQuiet = 1.2

  /// The first stage of the same sweep with a drift that explains most of the share that was left out as disturbed; nil
  /// where none does, and where little was.
  private func explained(leavingOut share: Double) -> SweepFit? {
    guard share > Self.muchLeftOut else { return nil }
    var input = input
    input.cutsDisturbances = false
    input.earlier = norm.estimate.parameters
    guard let whole = try? SweepFit(normOf: input), whole.norm.isRound,
      let moved = try? whole.withoutDrift(fitting: Self.norm), moved.norm.isRound,
      moved.input.cutsDisturbances, moved.norm.leftOut < share / 4,
      moved.norm.problem.deviation < Self.asQuiet * norm.problem.deviation
    else { return nil }
    return moved
  }

  /// Rounds in which a drift is taken off and the rest of it looked for.
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
      next.cutsDisturbances = true
      next.earlier = search.parameters
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
  /// The part in a unit `scale` times as large.
  func divided(by scale: Double) -> Drift.Part {
    var part = self
    for index in part.terms.indices { part.terms[index] = part.terms[index] / scale }
    return part
  }
}
