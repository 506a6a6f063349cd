import LodestoneCore
import Glibc

// A touch-up: the hard iron alone has moved, a battery was changed, a screw was put in. Whatever motion there was
// refines a saved calibration. With a gyroscope that is the vector fit, without one the norm of the samples and the
// angle to gravity at σ = 0.05 rad, a half second counting once. Hard iron is old ± 40 µT, the strength within 2 % and
// the angle to up within 1.5° of the old. The soft iron moves a little with the hard, more the farther that went:
//
//     σ_E² = σ_profile² + (0.2 %)² + (0.03 %/µT · |Δh|)²,    its turns 20° · σ_E.                             (1)
//
// Believing the profile's own 0.3 % said 1.0° where a change of 4 % made 2.9°. Whether more has changed shows in a
// second fit that lets the soft iron free (8 %, 3°): a cost that falls by more than 20 says so, and from 9 on the
// covariance grows. Of the angles to gravity a quarter counts there: a hand pushes with its swing, and a free soft iron
// fits its pushes. Without a gyroscope the norm alone is compared too, which no push reaches: a fall of 12 there tells
// another board. A hard iron far away excuses no more soft iron in that than one that went 40 µT.
//
// A motion shows some parts of the hard iron well and others hardly: turns on a table tell the upright part by the
// strength and the dip alone, to 1 µT. With ± 40 µT each touch-up moved it by that, again and again. So the move that
// was found, D with covariance C, is held against a move of no more than itself,
//
//     Δ = s² (s² + C)⁻¹ D,    s = |Δ|,                                                                        (2)
//
// which keeps a part that is off by less than twice its deviation where it was, unless another part went as far, and
// one that surely moved where it was found. What is stated stays that of ± 40 µT: a move too small to be seen is in it.

/// A saved calibration that is to be refined.
public struct EarlierCalibration: Sendable, Equatable {
  let profile: Profile
  let parameters: Parameters
  let axes: AxisMap
  /// Standard deviations of its fourteen parameters.
  private let deviations: [Double]

  /// From a full calibration; nil for a profile without the parameters of one.
  public init?(_ profile: Profile) {
    guard profile.quality.kind == .full, profile.parameters.count == Parameters.fieldCount,
      profile.parameters.map({ $0.name }) == Parameters.names,
      var parameters = Parameters(values: profile.parameters.map { $0.value })
    else { return nil }
    parameters.force = profile.forceCorrection
    self.profile = profile
    self.parameters = parameters
    axes = AxisMap(of: profile, without: parameters.rotation)
    deviations = profile.covariance.indices.map { profile.covariance[$0][$0].squareRoot() }
  }

  /// Takes off what its causes add; nil where it has none.
  public var causeRemoval: CauseRemoval? { CauseRemoval(profile.causes) }

  /// The priors of the touch-up. `moved` is how far the hard iron has gone, in µT; nil leaves the soft iron free.
  /// `hardIron` is the standard deviation of each axis of its move, in µT.
  func priors(moved: Double?, hardIron: Double = Self.hardIron) -> Priors {
    var priors = Priors(place: nil)
    priors.mean = parameters.values
    for axis in 0..<3 { priors.deviation[axis] = hardIron }
    priors.deviation[3] = Self.strength
    priors.deviation[Parameters.angleIndex] = Angle.radians(Self.angle)
    let own = moved.map { hypot(Self.softIron, Self.softIronByMove * $0) } ?? Self.freeSoftIron
    let turn = moved == nil ? Angle.radians(Self.freeTurn) : Angle.radians(Self.turnBySoftIron) * own
    for index in 4..<Parameters.normCount { priors.deviation[index] = hypot(own, deviations[index]) }
    for axis in 0..<3 {
      let index = Parameters.rotationIndex + axis
      priors.deviation[index] = hypot(turn, deviations[index])
    }
    priors.holdForce()
    return priors
  }

  /// Standard deviation of each axis of a hard iron's move, in µT.
  static let hardIron = 40.0
  /// Standard deviations: shares, degrees.
  private static let (strength, angle) = (0.02, 1.5)
  private static let (softIron, softIronByMove, turnBySoftIron) = (0.002, 0.0003, 20.0)
  private static let (freeSoftIron, freeTurn) = (0.08, 3.0)
}

/// A fit that refines a saved calibration.
struct TouchUp {
  /// Where it ended.
  let parameters: Parameters
  let covariance: SymmetricMatrix
  /// Standard deviation of one axis of what is left over, in µT.
  let noise: Double
  /// The axis of the board that it was turned about least, of length 1; nil without a gyroscope.
  let leastTurned: Vector3?

  /// The fall of the cost with free soft iron that says that it has changed, and from which on the covariance grows.
  private static let (changed, doubtful) = (20.0, 9.0)

  /// Refines by what a sweep holds; throws where the soft iron has changed, and where nothing fits.
  init(_ earlier: EarlierCalibration, _ sweep: Sweep) throws(CalibrationRefusal) {
    let turning = TurningTouchUp(earlier, sweep)
    leastTurned = turning?.leastTurned
    let way: any TouchUpWay = turning ?? NormTouchUp(earlier, sweep)
    var moved = 10.0
    for _ in 0..<2 {
      guard let end = way.fit(moved: moved, weights: nil) else { throw .noSolution }
      moved = (end.parameters.hardIron - earlier.parameters.hardIron).length
    }
    guard let free = way.fit(moved: nil, weights: nil), let end = way.fit(moved: moved, weights: free.weights) else {
      throw .noSolution
    }
    let fall = (end.cost - free.cost) / free.growth
    guard fall <= Self.changed, !way.isContradicted(moved: moved) else { throw .softIronChanged }
    let move = HardIronMove(to: end, from: earlier)
    parameters = way.fit(moved: moved, hardIron: move.deviation, weights: free.weights)?.parameters ?? end.parameters
    covariance = end.covariance.scaled(by: max(1, fall / Self.doubtful))
    noise = end.weights.noise
  }
}

extension ParameterFit {
  /// The parameters found by a touch-up.
  init(_ touchUp: TouchUp, _ norm: NormFit, axes: AxisMap) {
    self.init(kind: .full, problem: norm.problem, estimate: norm.estimate, axes: axes)
    problem.axes = axes.matrix
    problem.deviation = touchUp.noise
    angle = touchUp.parameters.angle
    covariance = touchUp.covariance
    leastTurned = touchUp.leastTurned
    method = .touchUp
  }
}

/// Where a fit of a touch-up ended.
private struct TouchUpEnd {
  var parameters: Parameters
  var covariance: SymmetricMatrix
  var weights: TouchUpWeights
  var cost: Double
  /// The factor by which the covariance was multiplied, as residuals share errors.
  var growth: Double
}

/// How far the hard iron went, as far as that is sure.
private struct HardIronMove {
  /// Standard deviation of each axis of it, in µT.
  let deviation: Double

  /// The least of it: no hard iron stays as it was to less.
  private static let least = 0.05
  private static let rounds = 30

  /// (2), from where a fit ended that let it go anywhere.
  init(to end: TouchUpEnd, from earlier: EarlierCalibration) {
    let found = end.parameters.hardIron - earlier.parameters.hardIron
    var square = found.squaredLength
    for _ in 0..<Self.rounds where square > Self.least * Self.least {
      var sum = SymmetricMatrix(size: 3)
      for row in 0..<3 {
        for column in row..<3 { sum[row, column] = end.covariance[row, column] + (row == column ? square : 0) }
      }
      guard let kept = sum.solve([found.x, found.y, found.z]) else { break }
      square *= square * kept.reduce(0) { $0 + $1 * $1 }
    }
    deviation = max(square.squareRoot(), Self.least)
  }
}

/// The weights of a fit's residuals, so that costs of two fits can be compared.
private struct TouchUpWeights {
  /// In µT.
  var noise: Double
  var sample = 1.0
  var rest = 1.0
}

/// A way to fit a touch-up: by the gyroscope or by the norm.
private protocol TouchUpWay {
  /// The fit with the priors for a hard iron that has moved by `moved` µT, the soft iron free for nil.
  /// - Parameters:
  ///   - hardIron: the standard deviation of each axis of its move, in µT.
  ///   - weights: nil for what the residuals show.
  func fit(moved: Double?, hardIron: Double, weights: TouchUpWeights?) -> TouchUpEnd?
  /// The norm, which no motion of a hand reaches, contradicts the soft iron, the hard iron having moved by `moved` µT.
  func isContradicted(moved: Double) -> Bool
}

extension TouchUpWay {
  /// The fit for a hard iron that may have gone anywhere.
  fileprivate func fit(moved: Double?, weights: TouchUpWeights?) -> TouchUpEnd? {
    fit(moved: moved, hardIron: EarlierCalibration.hardIron, weights: weights)
  }
}

/// By the gyroscope.
private struct TurningTouchUp: TouchUpWay {
  private let earlier: EarlierCalibration
  private let stretch: VectorStretch
  private let field: Vector3
  private var reading = TurnIntegral.Reading.mean

  /// Nil without a gyroscope, and where the field does not turn as it says.
  init?(_ earlier: EarlierCalibration, _ sweep: Sweep) {
    guard let stretch = VectorStretch(sweep.measurements.kept) else { return nil }
    self.stretch = stretch
    self.earlier = earlier
    let turns = TurnIntegral(stretch.turning, by: Gyroscope(), reading: .momentary)
    guard let linear = stretch.linear(turns, axes: earlier.axes.matrix), let direction = linear.field.direction else {
      return nil
    }
    field = direction * earlier.parameters.strength
    let fits = TurnIntegral.Reading.allCases.compactMap { reading in
      fit(moved: 10, hardIron: EarlierCalibration.hardIron, weights: nil, reading: reading).map {
        (reading, $0.weights.noise)
      }
    }
    guard let best = fits.min(by: { $0.1 < $1.1 }) else { return nil }
    reading = best.0
  }

  var leastTurned: Vector3 { stretch.leastTurned }

  func fit(moved: Double?, hardIron: Double, weights: TouchUpWeights?) -> TouchUpEnd? {
    fit(moved: moved, hardIron: hardIron, weights: weights, reading: reading)
  }

  /// The field's directions tell enough.
  func isContradicted(moved: Double) -> Bool { false }

  private func fit(
    moved: Double?, hardIron: Double, weights: TouchUpWeights?, reading: TurnIntegral.Reading
  ) -> TouchUpEnd? {
    VectorFit(
      stretch, axes: earlier.axes, priors: earlier.priors(moved: moved, hardIron: hardIron), reading: reading,
      start: (earlier.parameters, field), fixedNoise: weights?.noise
    ).map {
      TouchUpEnd(
        parameters: $0.parameters, covariance: $0.covariance, weights: TouchUpWeights(noise: $0.noise), cost: $0.cost,
        growth: $0.growth)
    }
  }
}

/// By the norm, and by the angle to the force of a board that hardly moves or moves slowly.
private struct NormTouchUp: TouchUpWay {
  private let earlier: EarlierCalibration
  private var problem: Problem
  /// Radians of the angle between field and apparent gravity, g by which its length may be off, seconds that count
  /// once.
  private static let (angle, length, once) = (0.05, 0.1, 0.5)
  private static let (mostPoints, rounds) = (1000, 3)
  /// Moments that share an error where costs are compared: a hand pushes alike whenever it comes by the same attitude.
  private static let alike = 4.0
  /// The fall of the norm's cost with free soft iron that no board has whose hard iron alone moved.
  private static let otherBoard = 12.0

  init(_ earlier: EarlierCalibration, _ sweep: Sweep) {
    self.earlier = earlier
    let rows = sweep.measurements.kept
    let step = max(1, rows.count / Self.mostPoints)
    let raw = stride(from: 0, to: rows.count, by: step).map { rows[$0].raw }
    problem = Problem(raw: raw, priors: earlier.priors(moved: 0))
    problem.axes = earlier.axes.matrix
    problem.rests = Self.moments(rows)
  }

  /// One mean of field and force each half second.
  private static func moments(_ rows: [SweepPoint]) -> [Rest] {
    var moments: [Rest] = []
    var open: [(row: SweepPoint, force: Vector3)] = []
    for row in rows {
      guard let force = row.force, abs(force.length - 1) < length else { continue }
      if let first = open.first, row.time - first.row.time >= once || row.time < first.row.time {
        moments += moment(open)
        open = []
      }
      open.append((row, force))
    }
    return moments + moment(open)
  }

  /// The middle row of half a second: a mean over a turn would be shorter than the field.
  private static func moment(_ open: [(row: SweepPoint, force: Vector3)]) -> [Rest] {
    guard !open.isEmpty, let up = open[open.count / 2].force.direction else { return [] }
    let (row, force) = open[open.count / 2]
    return [
      Rest(
        raw: row.raw, force: force, up: up, from: row.time, to: row.time, count: 1, scatter: 0, extraDeviation: angle)
    ]
  }

  func fit(moved: Double?, hardIron: Double, weights: TouchUpWeights?) -> TouchUpEnd? {
    var problem = problem
    problem.priors = earlier.priors(moved: moved, hardIron: hardIron)
    var estimate = Estimate(parameters: start)
    var own = weights ?? TouchUpWeights(noise: 0.02 * estimate.parameters.strength)
    for round in 1...Self.rounds {
      (problem.deviation, problem.sampleWeight, problem.restWeight) = (own.noise, own.sample, own.rest)
      estimate = problem.solved(from: estimate.parameters, iterations: 12)
      if weights == nil, round < Self.rounds { own = Self.weights(problem, at: estimate.parameters) }
    }
    guard let covariance = problem.equations(at: estimate.parameters).matrix.inverse else { return nil }
    var compared = problem
    compared.restWeight /= Self.alike
    return TouchUpEnd(
      parameters: estimate.parameters, covariance: covariance, weights: own,
      cost: compared.equations(at: estimate.parameters).cost, growth: 1)
  }

  /// By the norm alone.
  func isContradicted(moved: Double) -> Bool {
    var alone = self
    alone.problem.rests = []
    guard let free = alone.fit(moved: nil, weights: nil),
      let bound = alone.fit(moved: min(moved, EarlierCalibration.hardIron), weights: free.weights)
    else { return false }
    return bound.cost - free.cost > Self.otherBoard
  }

  /// The old parameters about the middle of the sphere that the samples lie on.
  private var start: Parameters {
    var start = earlier.parameters
    if let sphere = Starts.guesses(problem.raw, strength: start.strength).first, sphere.centre.isFinite,
      (sphere.centre - start.hardIron).length < 60
    {
      start.hardIron = sphere.centre
    }
    return start
  }

  /// By what is left over, and how long it lasts; a hand on a long arm is farther off than 0.05 rad.
  private static func weights(_ problem: Problem, at parameters: Parameters) -> TouchUpWeights {
    let model = NormModel(parameters, deviation: 1)
    let residuals = problem.raw.map { model.value($0) }
    let noise = max(1.4826 * median(residuals.map { abs($0) }), 0.02)
    let scaled = residuals.map { $0 / noise }
    return TouchUpWeights(
      noise: noise, sample: 1 / Correlation.time(of: scaled, used: scaled.map { _ in true }),
      rest: problem.rests.isEmpty ? 1 : min(1, problem.restAgreement(at: parameters)))
  }
}
