import LodestoneCore

// Instruments that are never swept, only held: survey and cave compasses, borehole probes, gimbals. Each station is one
// mean of field and force; between them there is nothing, or a motion that tells nothing. What moves tells of
// directions, what is held tells of gravity too, to a few mg: so both chips are fitted together, twelve numbers each.

/// The stations of an instrument that was held in positions.
struct HeldPositions {
  /// Stations below which no recording is taken for one of held positions.
  static let fewest = 8
  /// Stations from which on a calibration may be good, and with which nothing is missing.
  static let (enough, plenty) = (12, 24)
  /// Seconds that one is held at least.
  private static let shortest = 0.6
  /// Share of the rows that lie in stations where there is nothing between them.
  private static let leastShare = 0.85
  /// Seconds between two rows past which no rest can be seen.
  private static let slow = 0.15
  /// Changes of the force in g, and of the field by its strength, within one station of slow rows.
  private static let (sameForce, sameField) = (0.05, 0.1)

  /// Means over each station, in the order of time.
  var stations: [Rest]

  /// The stations of a recording; nil where it is none of held positions.
  /// - Parameter isTold: its user says that positions were held, so that what lies between them is no sweep.
  init?(_ sweep: Sweep, isTold: Bool) {
    let rows = sweep.rows.kept
    let fewest = isTold ? Self.fewest : Sanity.fewest
    guard rows.count >= fewest, rows.contains(where: { $0.force != nil }) else { return nil }
    var finder = RestFinder(forceRange: 0.05, shortest: Self.shortest)
    let step = max(1, rows.count / 500)
    let some = stride(from: 0, to: rows.count, by: step).map { rows[$0].raw }
    guard let sphere = Starts.guesses(some, strength: Sanity.span(rows) / 2).first else { return nil }
    if isTold, Self.isSlow(rows) {
      stations = Self.stations(of: rows, strength: sphere.radius)
      if stations.isEmpty || stations.count > Rests.most { return nil }
      return
    }
    finder.strength = sphere.radius
    finder.noise = Self.noise(rows)
    let start = rows.first?.time ?? 0
    var found: [Rest] = []
    for row in rows { if let rest = finder.add(row, time: row.time - start) { found.append(rest) } }
    if let last = finder.finish() { found.append(last) }
    let share = Double(found.reduce(0) { $0 + $1.count }) / Double(rows.count)
    guard found.count <= Rests.most, !found.isEmpty,
      isTold || share >= Self.leastShare && Self.areHeld(found, centre: sphere.centre)
    else { return nil }
    stations = found
  }

  /// Seconds between two rests, and degrees from one to the next, that part them: a board that creeps rests all the
  /// time.
  private static let (pause, jump) = (0.15, 8.0)
  /// Degrees within which all attitudes of a level turn lie.
  private static let level = 15.0

  /// Whether rests are positions of an instrument, and no slow turn.
  private static func areHeld(_ found: [Rest], centre: Vector3) -> Bool {
    let jumps = zip(found, found.dropFirst()).count { before, after in
      after.from - before.to > pause || before.up.angle(to: after.up) > Angle.radians(jump)
        || (before.raw - centre).angle(to: after.raw - centre) > Angle.radians(jump)
    }
    let isTilted = found.contains { rest in found.contains { $0.up.angle(to: rest.up) > Angle.radians(level) } }
    return jumps + 1 >= fewest && isTilted && distinct(found, centre: centre) >= fewest
  }

  private static func isSlow(_ rows: [SweepPoint]) -> Bool {
    median(zip(rows, rows.dropFirst()).map { $1.time - $0.time }) > slow
  }

  /// The stations of rows that come too seldom for rests: those after each other in one attitude. A lone row is one
  /// too, unless most stations have more: then it was taken on the way between two.
  private static func stations(of rows: [SweepPoint], strength: Double) -> [Rest] {
    var groups: [[SweepPoint]] = []
    for row in rows {
      guard let force = row.force else { continue }
      if let first = groups.last?.first, let held = first.force, (force - held).length < sameForce,
        (row.raw - first.raw).length < sameField * strength
      {
        groups[groups.count - 1].append(row)
      } else {
        groups.append([row])
      }
    }
    let areLone = 2 * groups.count { $0.count == 1 } > groups.count
    return groups.filter { areLone || $0.count > 1 }.compactMap { Rest($0, start: rows.first?.time ?? 0) }
  }

  private static func distinct(_ found: [Rest], centre: Vector3) -> Int {
    found.reduce(into: Rests()) { $0.add($1) }.distinct(centre: centre)
  }

  /// Standard deviation of one axis of one row, from the second differences: jumps from station to station are few.
  private static func noise(_ rows: [SweepPoint]) -> Double {
    let squares = zip(zip(rows, rows.dropFirst()), rows.dropFirst(2)).map { pair, last in
      (last.raw - pair.1.raw * 2 + pair.0.raw).squaredLength / 18
    }
    return median(squares).squareRoot()
  }

  /// The stations as rows of a sweep.
  var points: [SweepPoint] {
    stations.map { SweepPoint(time: $0.from, raw: $0.raw, force: $0.force, rate: $0.rate, temperature: $0.temperature) }
  }
}

extension Rest {
  /// The mean of rows in one attitude; nil where their force is not gravity.
  /// - Parameter start: of the recording, in seconds.
  fileprivate init?(_ rows: [SweepPoint], start: Double) {
    let count = Double(rows.count)
    let forces = rows.compactMap { $0.force }
    let force = forces.reduce(.zero, +) / Double(max(forces.count, 1))
    guard let up = force.direction, abs(force.length - 1) < 0.15, let first = rows.first, let last = rows.last else {
      return nil
    }
    let raw = rows.reduce(Vector3.zero) { $0 + $1.raw } / count
    let squares = rows.reduce(0) { $0 + ($1.raw - raw).squaredLength }
    let (rates, temperatures) = (rows.compactMap { $0.rate }, rows.compactMap { $0.temperature })
    self.init(
      raw: raw, force: force, up: up, from: first.time - start, to: last.time - start, count: rows.count,
      scatter: (squares / (3 * max(count - 1, 1))).squareRoot(),
      rate: rates.isEmpty ? nil : rates.reduce(.zero, +) / Double(rates.count),
      temperature: temperatures.isEmpty ? nil : temperatures.reduce(0, +) / Double(temperatures.count))
  }
}

// MARK: The fit

// Three residuals a station: the norm, the length of the force and the angle between the two, with σ_m of a station's
// field and σ_a of its force taken from what is left, for no noise of a chip but what no linear model holds is in them:
//
//     σ² = (Σ w r² + n₀ s²) / (N − Σ h + n₀),                                                                (1)
//
// h the leverage of a residual (N − Σ h are the degrees of freedom), w its robust weight, and s = 0.2 µT, 2 mg with the
// weight of n₀ = 4 stations.

extension ParameterFit {
  private static let (usualField, usualForce, usualStations) = (0.2, 0.002, 4.0)

  /// All parameters of both chips from stations.
  init(held norm: NormFit, _ gravity: GravityFinding) {
    self.init(kind: .full, problem: norm.problem, estimate: norm.estimate, axes: gravity.axes)
    method = .held
    let stations = gravity.rests.all
    problem.raw = stations.map { $0.raw }
    problem.sampleWeight = 1
    problem.axes = axes.matrix
    problem.rests = stations
    problem.fitsForce = true
    problem.priors = Priors(place: norm.settings.place)
    problem.priors.expectInstrument()
    problem.expectInclination(norm.settings.place, axes: axes)
    estimate.parameters.angle = gravity.angle ?? estimate.parameters.angle
    angle = estimate.parameters.angle
    (problem.deviation, problem.stationForce) = (0.01 * norm.strength, 0.005)
    for _ in 0..<5 {
      finish()
      guard let left = Leftover(problem, at: estimate) else { break }
      (problem.deviation, problem.stationForce) = (left.field, left.force)
      stationExcess = left.angleExcess
    }
    finish()
  }

  /// (1).
  private struct Leftover {
    let field: Double
    let force: Double
    /// By how much the angles are farther off than field and force explain: squared, at least 1.
    let angleExcess: Double

    init?(_ problem: Problem, at estimate: Estimate) {
      guard let covariance = estimate.equations.matrix.inverse, let before = problem.stationForce else { return nil }
      let norm = NormModel(estimate.parameters, deviation: problem.deviation)
      let gravity = GravityModel(estimate.parameters, axes: problem.axes)
      var (fields, forces, angles) = (Sum(), Sum(), Sum())
      for station in problem.rests {
        let byNorm = norm.residual(station.raw)
        fields.add(byNorm.value, (0..<Parameters.normCount).map { byNorm.derivatives[$0] }, 0, covariance)
        let rest = problem.residual(of: station, under: gravity)
        let first = Parameters.forceIndex
        forces.add(rest.length, (0..<Parameters.forceCount).map { rest.lengthDerivatives[$0] }, first, covariance)
        angles.add(rest.angle, (0..<Parameters.count).map { rest.angleRow[$0] }, 0, covariance)
      }
      field = problem.deviation * fields.excess(usual: usualField / problem.deviation)
      force = before * forces.excess(usual: usualForce / before)
      let excess = angles.excess(usual: 1)
      angleExcess = max(1, excess * excess)
    }
  }

  /// Sums of (1) over one kind of residual, in standard deviations.
  private struct Sum {
    private var squares = 0.0
    private var freedom = 0.0

    mutating func add(_ residual: Double, _ row: [Double], _ first: Int, _ covariance: SymmetricMatrix) {
      let weight = Problem.weight(residual)
      var leverage = 0.0
      for (i, a) in row.enumerated() {
        for (j, b) in row.enumerated() { leverage += a * covariance[first + i, first + j] * b }
      }
      squares += weight * residual * residual
      freedom += max(0, 1 - weight * leverage)
    }

    func excess(usual: Double) -> Double {
      ((squares + usualStations * usual * usual) / (freedom + usualStations)).squareRoot()
    }
  }
}
