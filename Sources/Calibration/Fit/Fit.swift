import LodestoneCore

/// Fits a calibration to samples of a sweep: `Calibration.fit(samples)`.
/// - Parameter settings: what is known beforehand, the field at the place above all.
public func fit(
  _ samples: some Sequence<Sample>, settings: CalibrationSettings = CalibrationSettings()
) -> CalibrationOutcome {
  Calibrator(settings: settings).fit(samples)
}
