import Core

extension Profile {
  /// The profile that a calibration amounts to, for a device, made at a moment (seconds since 1970-01-01 UTC).
  public init(_ result: CalibrationResult, device: String, created: Int) {
    let count = result.parameters.count
    let rows = (0..<count).map { row in Array(result.covariance[(row * count)..<((row + 1) * count)]) }
    self.init(
      device: device, created: created, correction: result.correction, fieldStrength: result.fieldStrength,
      inclination: result.inclination, axes: result.axes.name, noise: result.noise,
      parameters: zip(result.parameterNames, result.parameters).map { Parameter(name: $0, value: $1) },
      covariance: rows, quality: Quality(result.quality))
    accelerometerIsReversed = result.axes.accelerometerIsReversed
  }
}

extension Profile.Quality {
  init(_ quality: CalibrationQuality) {
    self.init(
      verdict: Verdict(quality.verdict), kind: Kind(quality.kind),
      misalignment: quality.misalignment == .solved ? .solved : .unknown,
      headingError: Self.known(quality.headingErrorDegrees),
      headingErrorLevel: Self.known(quality.headingErrorLevelDegrees))
    samples = quality.samples
    rests = quality.rests
    coverage = quality.coveragePercent
    residual = quality.residual
    ignored = quality.ignored.map { Profile.Ignored(from: $0.from, to: $0.to, reason: $0.reason.rawValue) }
  }

  /// An error past half a turn says that the heading is unknown.
  private static func known(_ degrees: Double) -> Double? { degrees <= 180 ? degrees : nil }
}

extension Profile.Quality.Verdict {
  init(_ verdict: CalibrationQuality.Verdict) {
    switch verdict {
    case .good: self = .good
    case .fair: self = .fair
    case .poor: self = .poor
    }
  }
}

extension Profile.Quality.Kind {
  init(_ kind: CalibrationQuality.Kind) {
    switch kind {
    case .full: self = .full
    case .level: self = .level
    case .normOnly: self = .normOnly
    }
  }
}
