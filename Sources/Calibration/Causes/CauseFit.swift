import LodestoneCore
import Glibc

/// The effect of causes on the field of a sweep, found before everything else and taken off it.
struct CauseFit: Sendable {
  /// The causes that have an effect.
  private(set) var causes: [Cause]
  /// The causes without an effect that shows, with the most that they may add over their range, in µT.
  private(set) var withoutEffect: [(name: String, microtesla: Double)] = []
  /// The covariance of the hard iron at the worst ends of the ranges, row by row, in the unit of the samples, squared.
  private(set) var hardIron = Matrix3(diagonal: .zero)
  private var series: [CauseSeries] = []

  /// Finds the effect of each cause; throws what makes that impossible.
  init(_ samples: [Sample], _ settings: CalibrationSettings) throws(CalibrationRefusal) {
    var sought = Array(settings.causes.enumerated())
    causes = []
    while !sought.isEmpty {
      let search = try CauseSearch(samples, sought, settings)
      let quiet = search.withoutEffect
      guard !quiet.isEmpty else {
        (causes, hardIron, series) = (search.causes, search.hardIron, search.series)
        return
      }
      withoutEffect += quiet
      sought.removeAll { cause in quiet.contains { $0.name == cause.element.name } }
    }
  }

  /// Degrees of heading that are open at the worst ends alone, as a prediction counts them.
  func headingError(_ result: CalibrationResult) -> Double {
    let horizontal = result.fieldStrength * cos(Angle.radians(result.inclination ?? 65))
    let softIron = result.correction.softIron
    let open = (softIron * hardIron * softIron.transposed).trace / 3
    return 1.5 * Angle.degrees(open.squareRoot() / max(horizontal, 1))
  }

  /// The samples without what the causes add. A field without the values that belong to it is left out.
  func removed(from samples: [Sample]) -> [Sample] {
    guard !causes.isEmpty else { return samples }
    var last: (raw: MagneticField, corrected: MagneticField)?
    return samples.map { sample in
      var sample = sample
      guard let raw = sample.field else { return sample }
      if let last, last.raw == raw {
        sample.field = last.corrected  // repeated by a loop that is faster than the chip
        return sample
      }
      sample.field = field(raw, at: sample.time)
      last = sample.field.map { (raw, $0) }
      return sample
    }
  }

  private func field(_ raw: MagneticField, at time: Double) -> MagneticField? {
    var field = raw.microtesla
    for (cause, series) in zip(causes, series) {
      guard let value = series.value(at: time + cause.lag) else { return nil }
      field = field - cause.slope * (value - cause.middle)
    }
    return MagneticField(microtesla: field)
  }
}

/// One search for the effects of causes.
private struct CauseSearch {
  private(set) var causes: [Cause] = []
  private(set) var withoutEffect: [(name: String, microtesla: Double)] = []
  private(set) var hardIron = Matrix3(diagonal: .zero)
  private(set) var series: [CauseSeries] = []

  private let rows: [SweepPoint]
  private let interval: Double
  private var ranges: [ClosedRange<Double>] = []
  private var lags: [Double]
  /// The factor from raw values to µT.
  private var scale = 1.0

  /// Rows that are fitted, in the end and while lags are tried.
  private static let (manyRows, someRows) = (1800, 450)
  /// Seconds that a column may come early and late, and from one try to the next.
  private static let (early, late, step) = (-0.1, 0.4, 0.05)
  /// The amount by which the cost must fall for a column to count as late.
  private static let lagEvidence = 9.0
  /// The least variance of a cause for that of its own noise: with less, the noise makes its effect look smaller.
  private static let leastVariance = 50.0
  /// Share of the range asked for that must be met.
  private static let leastRange = 0.4
  /// Standard deviations of a slope below which there is no effect.
  private static let significance = 2.0

  init(
    _ samples: [Sample], _ sought: [(offset: Int, element: SoughtCause)], _ settings: CalibrationSettings
  ) throws(CalibrationRefusal) {
    let sweep = Sweep(samples)
    interval = sweep.interval
    lags = [Double](repeating: 0, count: sought.count)
    for (place, cause) in sought {
      let values = CauseSeries(samples, CausePlace(place, name: cause.name))
      ranges.append(try Self.range(of: values, cause))
      series.append(values)
    }
    let series = series
    rows = sweep.measurements.kept.filter { row in series.allSatisfy { $0.value(at: row.time) != nil } }
    guard rows.count >= Sanity.fewest else {
      throw .tooFewSamples(count: rows.count, needed: Sanity.fewest)
    }
    try search(sought.map { $0.element.name }, settings)
  }

  /// The range that a cause is looked at in; throws where it does not vary enough.
  private static func range(
    of values: CauseSeries, _ cause: SoughtCause
  ) throws(CalibrationRefusal) -> ClosedRange<Double> {
    guard let found = values.range else { throw .causeMissing(cause.name) }
    let width = found.upperBound - found.lowerBound
    guard width > 0, values.variance >= leastVariance * values.noiseVariance else {
      throw .causeConstant(cause.name, range: found)
    }
    guard let wanted = cause.range else { return found }
    let met = min(found.upperBound, wanted.upperBound) - max(found.lowerBound, wanted.lowerBound)
    guard met >= leastRange * (wanted.upperBound - wanted.lowerBound) else {
      throw .causeNarrow(cause.name, range: found, wanted: wanted)
    }
    return wanted
  }

  // MARK: The search

  private mutating func search(_ names: [String], _ settings: CalibrationSettings) throws(CalibrationRefusal) {
    var some = problem(Self.someRows, settings)
    guard var state = some.start else { throw .noSolution }
    if !settings.unitIsKnown {
      let strength = settings.place?.fieldStrength ?? 48
      scale = strength / state.parameters.strength
      some = problem(Self.someRows, settings)
      guard let scaled = some.start else { throw .noSolution }
      state = scaled
    }
    some.deviation = Self.spread(some, state)
    for _ in 0..<2 {
      state = some.solved(from: state, iterations: 12).state
      some.deviation = Self.spread(some, state)
    }
    if isTimed {
      for index in lags.indices { findLag(of: index, from: state, deviation: some.deviation, settings) }
    }
    var whole = problem(Self.manyRows, settings)
    whole.deviation = Self.spread(whole, state)
    let every = Double(whole.raw.count) / Double(max(rows.count, 1))
    for round in 0..<3 {
      whole.rests.weigh(state.vectors, share: min(1, interval / 0.1))
      state = whole.solved(from: state, iterations: 12).state
      whole.deviation = Self.spread(whole, state)
      if round == 0 { whole.leaveOutDisturbances(at: state, interval: interval / max(every, 1e-6)) }
    }
    let residuals = whole.residuals(at: state)
    whole.weight = 1 / Correlation.time(of: residuals, used: residuals.map { abs($0) < 6 })
    let end = whole.solved(from: state, iterations: 6)
    guard let covariance = end.equations.matrix.inverse else { throw .noSolution }
    conclude(names, whole, end.state, covariance)
  }

  /// Whether stamps are times, and no count of rows.
  private var isTimed: Bool {
    guard rows.count > 2 else { return false }
    let step = (rows[rows.count - 1].time - rows[0].time) / Double(rows.count - 1)
    return step > 1e-6 && step < 0.5
  }

  private static func spread(_ problem: CauseProblem, _ state: NormState) -> Double {
    var problem = problem
    problem.deviation = 1
    return max(1.4826 * median(problem.residuals(at: state).map { abs($0) }), 0.02)
  }

  /// The problem of a number of rows, evenly taken, with the values that belong to them.
  private func problem(_ count: Int, _ settings: CalibrationSettings) -> CauseProblem {
    let step = max(1, rows.count / count)
    let taken = stride(from: 0, to: rows.count, by: step).map { rows[$0] }
    var problem = CauseProblem(
      raw: taken.map { $0.raw * scale }, values: taken.flatMap { values(at: $0.time) }, causeCount: series.count,
      rests: CauseRests(causeCount: series.count), priors: Priors(place: settings.place))
    if count == Self.manyRows { addRests(to: &problem.rests) }
    return problem
  }

  /// The values at the moment of a field, from −1 to 1 over the range of each cause.
  private func values(at time: Double) -> [Double] {
    series.indices.map { index in
      let (range, series) = (ranges[index], series[index])
      let value = series.value(at: time + lags[index]) ?? series.value(at: time) ?? range.lowerBound
      return 2 * (value - range.lowerBound) / (range.upperBound - range.lowerBound) - 1
    }
  }

  /// Rests as the accelerometer alone shows them: the field may change.
  private func addRests(to rests: inout CauseRests) {
    guard isTimed, let start = rows.first?.time else { return }
    var finder = RestFinder()
    finder.strength = 1e9
    var found: [Rest] = []
    for row in rows { if let rest = finder.add(row, time: row.time - start) { found.append(rest) } }
    if let last = finder.finish() { found.append(last) }
    var next = 0
    for rest in found {
      while next < rows.count, rows[next].time - start < rest.from { next += 1 }
      let first = next
      while next < rows.count, rows[next].time - start < rest.to { next += 1 }
      let inside = rows[first..<next]
      rests.add(
        ArraySlice(inside.map { $0.raw * scale }), ArraySlice(inside.flatMap { values(at: $0.time) }))
    }
  }

  /// The shift in time that makes the values of a cause fit best, the others left as they are.
  private mutating func findLag(
    of index: Int, from state: NormState, deviation: Double, _ settings: CalibrationSettings
  ) {
    func cost(_ lag: Double) -> Double {
      var copy = self
      copy.lags[index] = lag
      var problem = copy.problem(Self.someRows, settings)
      problem.deviation = deviation
      return problem.solved(from: state, iterations: 5).cost
    }
    let tries = Int(((Self.late - Self.early) / Self.step).rounded()) + 1
    let costs = (0..<tries).map { cost(Self.early + Double($0) * Self.step) }
    guard let best = costs.indices.min(by: { costs[$0] < costs[$1] }),
      cost(0) - costs[best] > Self.lagEvidence
    else { return }
    var shift = 0.0
    if best > 0, best + 1 < tries {
      let (before, after) = (costs[best - 1] - costs[best], costs[best + 1] - costs[best])
      if before + after > 0 { shift = 0.5 * (before - after) / (before + after) }
    }
    lags[index] = Self.early + (Double(best) + shift) * Self.step
  }

  // MARK: What came of it

  private mutating func conclude(
    _ names: [String], _ problem: CauseProblem, _ state: NormState, _ covariance: SymmetricMatrix
  ) {
    func share(_ i: Int, _ j: Int) -> Matrix3 {
      let (row, column) = (Parameters.normCount + 3 * i, Parameters.normCount + 3 * j)
      func line(_ axis: Int) -> Vector3 {
        Vector3(covariance[row + axis, column], covariance[row + axis, column + 1], covariance[row + axis, column + 2])
      }
      return Matrix3(line(0), line(1), line(2))
    }
    for (index, name) in names.enumerated() {
      let own = share(index, index)
      let variance = own.row0.x + own.row1.y + own.row2.z
      let half = (ranges[index].upperBound - ranges[index].lowerBound) / 2
      let slope = state.vectors[index]
      if slope.length < Self.significance * variance.squareRoot() {
        withoutEffect.append((name, 2 * (slope.length + Self.significance * variance.squareRoot()) / scale))
      }
      causes.append(
        Cause(
          name: name, slope: slope / (half * scale), deviation: (variance / 3).squareRoot() / (half * scale),
          range: ranges[index], lag: lags[index]))
    }
    let means = series.indices.map { index in
      stride(from: index, to: problem.values.count, by: series.count).reduce(0) { $0 + problem.values[$1] }
        / Double(max(problem.raw.count, 1))
    }
    // The hard iron of the whole fit is that of the mean values; from there an end is (±1 − v̄) slopes away.
    for corner in 0..<(1 << series.count) {
      let ways = means.indices.map { (corner >> $0 & 1 == 0 ? -1.0 : 1.0) - means[$0] }
      var sum = Matrix3(diagonal: .zero)
      for i in ways.indices { for j in ways.indices { sum = sum + share(i, j) * (ways[i] * ways[j]) } }
      sum = sum * (1 / (scale * scale))
      if sum.trace > hardIron.trace { hardIron = sum }
    }
  }
}

extension Matrix3 {
  fileprivate var trace: Double { row0.x + row1.y + row2.z }
}

extension CauseProblem {
  /// Leaves out runs of rows in which the field changed by itself.
  fileprivate mutating func leaveOutDisturbances(at state: NormState, interval: Double) {
    var isKept = [Bool](repeating: true, count: raw.count)
    for run in Disturbance.runs(residuals(at: state), interval: interval) { for row in run { isKept[row] = false } }
    guard isKept.filter({ $0 }).count * 3 >= raw.count * 2 else { return }
    let (raw, values) = (raw, values)
    self.raw = raw.indices.filter { isKept[$0] }.map { raw[$0] }
    self.values = values.indices.filter { isKept[$0 / causeCount] }.map { values[$0] }
  }
}
