import LodestoneCore

extension Profile {
  /// The profile that a calibration amounts to, for a device, made at a moment (seconds since 1970-01-01 UTC).
  public init(_ result: CalibrationResult, device: String, created: Int) {
    let count = result.parameters.count
    let rows = (0..<count).map { row in Array(result.covariance[(row * count)..<((row + 1) * count)]) }
    self.init(
      device: device, created: created, correction: result.correction, fieldStrength: result.fieldStrength,
      inclination: result.inclination, axes: result.axes.name, noise: result.noise,
      parameters: zip(result.parameterNames, result.parameters).map { Parameter(name: $0, value: $1) },
      covariance: rows, quality: result.quality)
    accelerometerIsReversed = result.axes.accelerometerIsReversed
    signIsAssumed = result.signIsAssumed
    forceCorrection = result.forceCorrection
    forceIsUsed = result.forceIsUsed
    laser = result.laser
    gyroscopeZero = result.gyroscopeZero
    gyroscopeGain = result.gyroscopeGain
    fieldLag = result.fieldLag
    temperature = result.temperature
    causes = result.causes
    countsPerMicrotesla = result.countsPerMicrotesla
    countsPerGravity = result.countsPerGravity
    strengthIsAssumed = result.strengthIsAssumed
    flightController = result.flightController
  }
}
