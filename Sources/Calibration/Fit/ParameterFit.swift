import LodestoneCore

/// The third stage: the parameters that the data carry, on many points, with the weight that their correlation allows.
struct ParameterFit {
  /// The parameters that were solved.
  var kind: CalibrationQuality.Kind
  /// The data that they were solved from.
  var problem: Problem
  /// The minimum at which it ended.
  var estimate: Estimate
  /// The axes it holds for.
  var axes: AxisMap
  /// Angle from up to the field in radians; nil without gravity.
  var angle: Double?
  /// Whether the rests are fewer than settle the rotation by themselves, and count for what they are worth.
  private(set) var restsAreFew = false
  /// The factor of the covariance for stations whose angles are farther off than field and force explain.
  var stationExcess = 1.0
  /// The covariance of the parameters, where it does not come from `problem`.
  var covariance: SymmetricMatrix?
  /// The same by how far parts of the sweep disagree; nil where that was not looked at.
  var scatter: SymmetricMatrix?
  /// The covariance added by a rotation that the data do not tell; nil for none.
  var unknownTurn: SymmetricMatrix?
  /// How it came about; nil for a sweep.
  var method: CalibrationQuality.Method?
  /// The axis that the board was turned about least, of a vector fit.
  var leastTurned: Vector3?
  /// How far an offset that moved went, in µT, where this fit found it.
  var drifted = 0.0
  /// The number of measurements in a row that share one error.
  private(set) var correlation = 1.0
  /// The direction of up in the accelerometer's axes when the board is level.
  var level = Vector3(0, 0, 1)
  /// Whether a level turn did not tell whether the field dips down or up, so that down was taken.
  var signIsOpen = false
  /// How far up may lean in a level turn; nil for another sweep, and without an accelerometer.
  var lean: LevelLean?

  /// Points for the end.
  private static let manyPoints = 3000
  /// Degrees of rotation, one standard deviation, past which it counts as not solved.
  private static let largestRotation = 1.2
  /// Rests that disagree by ten times what rests do are none.
  private static let leastAgreement = 0.01

  /// A fit that begins with what there is.
  init(kind: CalibrationQuality.Kind, problem: Problem, estimate: Estimate, axes: AxisMap) {
    (self.kind, self.problem, self.estimate, self.axes) = (kind, problem, estimate, axes)
  }

  /// Everything that the sweep carries: the rotation with enough rests, a level calibration where the board stayed
  /// level, else hard and soft iron alone.
  /// - Parameters:
  ///   - countsFewRests: false for a fit that leaves out rests too few to settle the rotation.
  ///   - turn: what such rests are added to; nil for what ordinary boards have.
  init(_ norm: NormFit, _ gravity: GravityFinding, isSketch: Bool, countsFewRests: Bool = true, turn: ChipTurn? = nil) {
    kind = .normOnly
    (problem, estimate, axes, angle) = (norm.problem, norm.estimate, gravity.axes, gravity.angle)
    problem.axes = axes.matrix
    takeAll(norm, isSketch: isSketch)
    guard norm.isRound || norm.isWide && gravity.rests.sufficeForRotation(centre: norm.estimate.parameters.hardIron)
    else {
      if !solveLevel(norm, gravity) { finish() }
      return
    }
    if !solvesRotation(norm, gravity, isSketch: isSketch, countsFewRests: countsFewRests, turn) { finish() }
  }

  /// Solves the rotation by rests that settle it; by those that do not, be they few or much alike, as far as they go.
  /// False, and nothing changed, where they tell nothing.
  private mutating func solvesRotation(
    _ norm: NormFit, _ gravity: GravityFinding, isSketch: Bool, countsFewRests: Bool, _ turn: ChipTurn?
  ) -> Bool {
    let centre = norm.estimate.parameters.hardIron
    if gravity.rests.sufficeForRotation(centre: centre), solveRotation(norm, gravity) { return true }
    guard countsFewRests, gravity.doubtfulSpread == nil, gravity.rests.distinct(centre: centre) >= Rests.fewest else {
      return false
    }
    restsAreFew = true
    let moving = turn == nil && !isSketch ? norm.movingZero(axes: axes.matrix) : nil
    if solveRotation(norm, gravity, turn, misalignment: Judgement.misalignment(moving)) { return true }
    restsAreFew = false
    return false
  }

  private mutating func takeAll(_ norm: NormFit, isSketch: Bool) {
    let kept = norm.kept.map { $0.raw }
    let many = kept.spread(over: Self.manyPoints, centre: estimate.parameters.hardIron)
    if let angle { expect(angle: angle) }
    problem.deviation = norm.spreadOfResiduals(many)
    problem.raw = norm.withoutWild(many)
    if !isSketch {
      correlation = max(1, Correlation.time(of: norm.residuals(deviation: problem.deviation), used: norm.used))
    }
    problem.sampleWeight = 1 / max(1, correlation * Double(problem.raw.count) / Double(max(kept.count, 1)))
  }

  private mutating func expect(angle: Double) {
    estimate.parameters.angle = angle
    problem.priors.mean[Parameters.angleIndex] = angle
  }

  /// Hard iron, soft iron, angle, rotation and the accelerometer together; false, and nothing changed, where the rests
  /// do not carry it. Few rests count for what they are worth: what they leave open stays at what ordinary boards have,
  /// and in the covariance.
  private mutating func solveRotation(
    _ norm: NormFit, _ gravity: GravityFinding, _ turn: ChipTurn? = nil, misalignment: Vector3 = .zero
  ) -> Bool {
    let before = self
    problem.priors = Priors(place: norm.settings.place)
    if let angle { problem.priors.mean[Parameters.angleIndex] = angle }
    problem.expectInclination(norm.settings.place, axes: axes)
    problem.rests = gravity.rests.attitudes(centre: estimate.parameters.hardIron)
    problem.fitsForce = true
    problem.priors.expectForce(excess: Self.lengthExcess(problem.rests))
    if restsAreFew { problem.priors.expectOrdinaryBoard(turn, misalignment: misalignment) }
    estimate.parameters.rotation = turn?.rotation ?? estimate.parameters.rotation
    finish()
    if problem.restAgreement(at: estimate.parameters) > Self.leastAgreement,
      let covariance = estimate.equations.matrix.inverse
    {
      let largest = (0..<3).map { covariance[Parameters.rotationIndex + $0, Parameters.rotationIndex + $0] }.max() ?? 1
      if restsAreFew || largest.squareRoot() < Angle.radians(Self.largestRotation) {
        kind = .full
        return true
      }
    }
    self = before
    return false
  }

  /// Root mean square by which the length of the specific force in rests is off 1 g, beyond the hand's tremor, in g.
  private static func lengthExcess(_ rests: [Rest]) -> Double {
    let squares = rests.reduce(0) { sum, rest in
      let off = rest.force.length - 1
      return sum + off * off - rest.tremor * rest.tremor
    }
    return max(squares / Double(max(rests.count, 1)), 0).squareRoot()
  }

  mutating func finish() {
    estimate = problem.solved(from: estimate.parameters, iterations: 12)
  }
}

extension Problem {
  /// The place's inclination as a prior, where the sign of gravity has been settled.
  mutating func expectInclination(_ place: CalibrationSettings.Place?, axes: AxisMap) {
    guard let place else { return }
    let sign: Double = axes.accelerometerIsReversed ? -1 : 1
    priors.expectAngle(Angle.radians(90 + sign * place.inclination))
  }
}

/// How long errors last.
enum Correlation {
  /// The number of measurements in a row that share one error: 1 for white noise (the integrated autocorrelation time).
  static func time(of residuals: [Double], used: [Bool]) -> Double {
    let clipped = zip(residuals, used).map { $0.1 ? max(-3, min(3, $0.0)) : 0 }
    let power = clipped.reduce(0) { $0 + $1 * $1 }
    guard power > 0 else { return 1 }
    var sum = 1.0
    for lag in 1...min(100, max(1, clipped.count / 10)) {
      var product = 0.0
      for index in lag..<clipped.count { product += clipped[index] * clipped[index - lag] }
      let share = product / power
      if share < 0.05 { break }
      sum += 2 * share
    }
    return sum
  }
}
