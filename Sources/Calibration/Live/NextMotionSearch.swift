import LodestoneCore

/// Which further measurement would lower the heading's mean variance most: each direction of the field and each way of
/// holding still is tried as one more row of the normal equations (A-optimal design; Fedorov, "Theory of Optimal
/// Experiments", 1972). For a row j of unit weight, tr(G C) falls by jᵀ C G C j / (1 + jᵀ C j).
struct NextMotionSearch {
  let fit: SweepFit
  let covariance: SymmetricMatrix
  let grid: AttitudeGrid
  let correction: Correction
  let angle: Double
  let coverage: Coverage

  /// The best motion; nil when the covariance cannot be carried to heading.
  var best: NextMotion? {
    if fit.gravity.hasForce, coverage.percent > 70 { return restNext() }
    return sweepNext()
  }

  /// The direction of the field whose norm would tell most.
  private func sweepNext() -> NextMotion? {
    guard let inverse = correction.softIron.inverse, let effect = headingEffect() else { return nil }
    let model = NormModel(fit.estimate.parameters, deviation: fit.problem.deviation)
    var best: (direction: Vector3, gain: Double)?
    for direction in DirectionCells.centres {
      let raw = inverse * (direction * fit.estimate.parameters.strength) + correction.hardIron
      let row = model.residual(raw).derivatives
      let gain = gain(of: (0..<Parameters.count).map { $0 < Parameters.normCount ? row[$0] : 0 }, effect: effect)
      if gain > best?.gain ?? 0 { best = (direction, gain) }
    }
    return best.map { .sweep(field: $0.direction) }
  }

  /// The way of holding still that differs most from those already held: level or tilted by 35°, eight ways.
  private func restNext() -> NextMotion? {
    let held = fit.gravity.rests.attitudes(centre: fit.estimate.parameters.hardIron).map { rest in
      (up: rest.up, field: correction.softIron * (rest.raw - correction.hardIron))
    }
    let poses = AttitudeGrid(strength: 1, angle: angle, tilts: [0, 35]).attitudes
    let distances = poses.map { pose in
      held.map { $0.up.angle(to: pose.up) + $0.field.angle(to: pose.field) }.min() ?? .infinity
    }
    guard let farthest = distances.indices.max(by: { distances[$0] < distances[$1] }) else { return nil }
    return .rest(up: poses[farthest].up, field: poses[farthest].field)
  }

  private func gain(of row: [Double], effect: SymmetricMatrix) -> Double {
    let carried = covariance.times(row)
    var own = 1.0
    for (a, b) in zip(row, carried) { own += a * b }
    return effect.quadratic(carried) / own
  }

  /// G: the mean over attitudes of g gᵀ, g the heading's derivatives by the fourteen parameters.
  private func headingEffect() -> SymmetricMatrix? {
    guard let inverse = correction.softIron.inverse,
      let rows = CorrectionCovariance.derivatives(fit.estimate.parameters, correction: correction)
    else { return nil }
    var effect = SymmetricMatrix(size: Parameters.count)
    for attitude in grid.attitudes {
      guard
        let twelve = CorrectionCovariance.headingRow(
          field: attitude.field, up: attitude.up, correction: correction, inverse: inverse)
      else { continue }
      var g = [Double](repeating: 0, count: Parameters.count)
      for (weight, row) in zip(twelve, rows) {
        for index in 0..<Parameters.count { g[index] += weight * row[index] }
      }
      for i in 0..<Parameters.count {
        for j in 0..<Parameters.count { effect[i, j] += attitude.weight * g[i] * g[j] }
      }
    }
    return effect
  }
}
