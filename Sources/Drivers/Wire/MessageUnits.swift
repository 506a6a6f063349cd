import LodestoneCore

/// The quantities of a message in the project's units, for the encoders: a unit that is not said is µT, g or deg/s.
extension WireMessage {
  /// The field in µT.
  var microtesla: Vector3? { field.map { $0 * (fieldUnit ?? .microtesla).microtesla } }

  /// The field as a multiple of a usual one, for wires that carry it without a unit.
  var normalizedField: Vector3? { microtesla.map { $0 / WireScales.usualStrength } }

  /// The specific force in g.
  var gravities: Vector3? { acceleration.map { $0 * (accelerationUnit ?? .g).gravities } }

  /// The rotation rate in deg/s.
  var degreesPerSecond: Vector3? { rotationRate.map { $0 * (rotationRateUnit ?? .degreesPerSecond).degreesPerSecond } }
}

extension AccelerationUnit {
  /// g in one of this unit.
  var gravities: Double {
    switch self {
    case .g: 1
    case .milligravity: 1e-3
    case .metresPerSecondSquared: 1 / Acceleration.standardGravity
    }
  }
}

extension RotationRateUnit {
  /// Degrees per second in one of this unit.
  var degreesPerSecond: Double {
    switch self {
    case .degreesPerSecond: 1
    case .millidegreesPerSecond: 1e-3
    case .radiansPerSecond: 180 / .pi
    }
  }
}
