import LodestoneCore

/// Whether a chip is as warm as when it was calibrated. Zeros and gains go with the temperature; a calibration says
/// nothing of how far.
struct TemperatureWatch: Sendable {
  /// Kelvin past which it is told.
  static let limit = 15.0
  /// Seconds for which it must be so: one odd number is none.
  private static let patience = 2.0

  private let calibrated: Double
  private var since: Double?
  private var isTold = false

  /// A watch over a chip that was calibrated at a temperature in degrees Celsius; nil where that is not known.
  init?(calibrated: Double?) {
    guard let calibrated else { return nil }
    self.calibrated = calibrated
  }

  /// Looks at the temperature of a sample; what is to be said, once.
  mutating func see(_ temperature: Double?, at time: Double) -> InstrumentNotice? {
    guard !isTold, let temperature, Sample.temperatures.contains(temperature) else { return nil }
    guard abs(temperature - calibrated) > Self.limit else {
      since = nil
      return nil
    }
    let begin = since ?? time
    since = begin
    guard time - begin >= Self.patience else { return nil }
    isTold = true
    return .temperature(now: temperature, calibrated: calibrated)
  }
}
