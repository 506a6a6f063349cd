import LodestoneCore

/// The rotation between magnetometer and accelerometer as a gyroscope beside them shows it, where no rests do: the
/// field turns as the gyroscope says about the axes that the magnetometer really has, and the force about those of the
/// accelerometer.
struct ChipTurn {
  /// ρ of the model, in radians.
  let rotation: Vector3
  /// The standard error about each axis in radians.
  let deviation: Double
  /// The angle from up to the field in radians, with that rotation.
  let angle: Double

  /// The error in radians that is no less in any sweep: a hand goes the same ways past the same iron again and again,
  /// and ten sweeps of one board in a room differed by as much.
  private static let least = Angle.radians(0.35)

  /// Nil without a gyroscope or an accelerometer, where the field does not turn as the gyroscope says, and where force
  /// and gyroscope lie in different axes.
  init?(_ fit: SweepFit) {
    guard let turning = TurningFit(fit.norm.kept, fit.correction),
      let stretch = VectorStretch(fit.sweep.measurements.kept),
      !stretch.gravityTurnsOtherwise(by: turning.gyroscope, reading: turning.reading)
    else { return nil }
    // Turns as the field tells them are those of the board, seen from the magnetometer's axes.
    let turn = (turning.gain + turning.gain.transposed * -1) * 0.5
    var own = turning.gyroscope
    own.gain = (turning.gain + turning.gain.transposed) * 0.5
    let force = ForceTurn.likely(ForceTurn(fit.sweep.measurements.kept, by: own, turning.reading))
    let shown = -Vector3(turn.row2.y, turn.row0.z, turn.row1.x) - force.rotation
    let told = max(turning.gainDeviation, turning.gainDoubt ?? 0)
    let variance = told * told + Self.least * Self.least + force.variance
    let usual = Angle.radians(Judgement.ordinaryMisalignment)
    let believed = usual * usual / (usual * usual + variance)
    (rotation, deviation) = (shown * believed, (variance * believed).squareRoot())
    guard let angle = fit.norm.meanAngle(axes: Matrix3(rotation: rotation) * fit.axes.matrix) else { return nil }
    self.angle = angle
  }
}
