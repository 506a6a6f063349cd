import LodestoneCore

// The field alone finds a map for any gyroscope, turned as it may be: it tells how the magnetometer's axes lie in the
// gyroscope's. That those are the accelerometer's, in which headings are, only the force can tell: under the same turns
// gravity must stand still in the world.

/// The best vector fit of a sweep: under the axis map that the turning proves, and the meaning of a reading that leaves
/// less over.
struct VectorFinding {
  let fit: VectorFit
  /// The axis of the board, of length 1, that it was turned about least.
  let leastTurned: Vector3
  /// The force does not turn as the gyroscope says, which lies in other axes than the accelerometer: the fit's axes are
  /// not those of the force, and it must not be used.
  let isOfOtherAxes: Bool

  /// Another map than the axes as they come must leave so much less over.
  private static let neededGain = 0.6

  /// Nil without a gyroscope, where the field does not turn as it says, and for turns about one axis alone.
  init?(_ norm: NormFit) {
    guard let stretch = VectorStretch(norm.sweep.measurements.kept), !stretch.hasOneAxis,
      let axes = Self.axes(stretch, norm.settings)
    else { return nil }
    let priors = Priors(place: norm.settings.place)
    var start = Parameters()
    start.hardIron = axes.hardIron
    var ways: [VectorFit] = []
    for reading in TurnIntegral.Reading.allCases {
      // The one ends not far from the other.
      let way =
        ways.last?.reread(reading, stretch, priors)
        ?? VectorFit(approaching: stretch, axes: axes.map, priors: priors, reading: reading, start: (start, axes.field))
      if let way { ways.append(way) }
    }
    leastTurned = stretch.leastTurned
    for way in ways.map({ (fit: $0, left: $0.left(stretch)) }).sorted(by: { $0.left < $1.left }) {
      guard let settled = way.fit.settled(stretch, priors) else { continue }
      fit = settled
      isOfOtherAxes = stretch.gravityTurnsOtherwise(by: settled.gyroscope, reading: settled.reading)
      return
    }
    return nil
  }

  /// The linear solution under the best map.
  private static func axes(
    _ stretch: VectorStretch, _ settings: CalibrationSettings
  ) -> (map: AxisMap, hardIron: Vector3, field: Vector3)? {
    let turns = TurnIntegral(stretch.turning, by: Gyroscope(), reading: .momentary)
    func solved(_ map: AxisMap) -> (map: AxisMap, hardIron: Vector3, field: Vector3, left: Double)? {
      stretch.linear(turns, axes: map.matrix).map { (map, $0.hardIron, $0.field, $0.left) }
    }
    let maps = settings.findsAxes ? AxisMap.positive : [.identity]
    let all = maps.compactMap { solved(AxisMap(matrix: $0, basis: .gyroscope)) }
    guard let best = all.min(by: { $0.left < $1.left }),
      var chosen = solved(settings.knownAxes ?? AxisMap(matrix: .identity, basis: .gyroscope))
    else { return nil }
    if best.left < neededGain * chosen.left { chosen = best }
    guard let up = stretch.up(by: Gyroscope(), reading: .momentary) else {
      return (chosen.map, chosen.hardIron, chosen.field)
    }
    // A map and its negation turn alike: the field then points the other way.
    let before = chosen.map.matrix
    chosen.map.settleSign(
      meanAngle: Angle.degrees(chosen.field.angle(to: up)), inclination: settings.place?.inclination)
    let isTurned = chosen.map.matrix != before
    return (chosen.map, chosen.hardIron, isTurned ? -chosen.field : chosen.field)
  }
}

extension VectorFit {
  /// By how much means of residuals are larger, squared, than white noise would have them: residuals of half a second
  /// each, in µT. 1 where there are too few.
  static func excess(of halves: [[Vector3]]) -> Double {
    let halves = halves.filter { $0.count >= 2 }
    guard halves.count >= 4 else { return 1 }
    var (white, whiteCount, slow) = (0.0, 0.0, 0.0)
    for half in halves {
      let mean = half.reduce(Vector3.zero, +) / Double(half.count)
      slow += mean.squaredLength * Double(half.count)
      for residual in half { white += (residual - mean).squaredLength }
      whiteCount += Double(half.count - 1)
    }
    guard white > 0 else { return 1 }
    return slow / Double(halves.count) / (white / whiteCount)
  }
}

extension ParameterFit {
  /// The parameters found by a vector fit.
  init(_ finding: VectorFinding, _ norm: NormFit, hasForce: Bool, movingZero: MovingZero?) {
    let fit = finding.fit
    let force = ForceTurn.likely(ForceTurn(norm.sweep.measurements.kept, by: fit.gyroscope, fit.reading))
    var estimate = Estimate(parameters: fit.parameters)
    estimate.parameters.rotation -= force.rotation
    self.init(kind: hasForce ? .full : .normOnly, problem: norm.problem, estimate: estimate, axes: fit.axes)
    problem.axes = fit.axes.matrix
    problem.deviation = fit.noise
    angle = hasForce ? fit.parameters.angle : nil
    (covariance, scatter) = (fit.covariance, fit.parts)
    drifted = fit.drifted
    unknownTurn = Judgement.unknownTurn(
      Vector3(1, 1, 1) * force.variance.squareRoot(), hasForce: hasForce, movingZero: movingZero)
    leastTurned = finding.leastTurned
    method = .gyroscope
  }

  /// Turns the fit of a norm as its gyroscope shows.
  mutating func align(by turn: ChipTurn, movingZero: MovingZero?) {
    (kind, method, angle) = (.full, .gyroscope, turn.angle)
    (estimate.parameters.rotation, estimate.parameters.angle) = (turn.rotation, turn.angle)
    for axis in 0..<3 { problem.priors.mean[Parameters.rotationIndex + axis] = turn.rotation[axis] }
    problem.priors.mean[Parameters.angleIndex] = turn.angle
    unknownTurn = Judgement.unknownTurn(Vector3(1, 1, 1) * turn.deviation, hasForce: true, movingZero: movingZero)
  }
}
