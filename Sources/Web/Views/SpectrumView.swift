import Calibration
import LodestoneCore
import LodestonePorts
import Navigation

/// The alternating parts of the field, once a second.
final class SpectrumView: PanelView {
  static let events = [
    WebEvent(
      "spectrum",
      .object(
        [
          ("nyquist_hz", .number("Half the sampling rate")),
          ("amplitude_uT", .list(.number(), "From 0 to the Nyquist limit")),
          (
            "lines",
            .list(
              .object([
                ("frequency_hz", .number()), ("amplitude_uT", .number("Half of the longer axis of its ellipse")),
                ("amplitude_minor_uT", .number("Half of the shorter")),
                ("amplitude_uncertainty_uT", .number("Half-width of the 95 % interval of both", isOptional: true)),
                ("name", .text("What it may be")),
              ]), "Those that stand out of the noise")
          ), ("saturated", .flag("The sensor was at the end of its range: nothing can be said")),
          (
            "hidden_mains_hz",
            .list(.number(), "Mains whose hum looks like a field that changes slowly at this rate, and is no line")
          ),
        ], required: ["nyquist_hz", "amplitude_uT", "lines", "saturated", "hidden_mains_hz"]))
  ]

  private var series = FieldSeries()
  private let server: WebServer
  private let gainUncertainty: Double
  private var due: MonotonicTime?
  /// The time at which an axis was last at the end of the sensor's range, in seconds of the stream.
  private var saturated = -Double.infinity

  /// Seconds between two spectra.
  private static let interval = 1.0
  /// Samples of a stretch: few enough that none behind them has to wait.
  private static let most = 256

  init(_ context: PanelContext) {
    server = context.server
    gainUncertainty = FieldMeter.gainUncertainty(of: context.profile)
  }

  func take(_ sample: DeviceSample, raw: borrowing Sample, at now: MonotonicTime) {
    guard let field = sample.field?.field.microtesla else { return }
    series.add(field, at: sample.time)
    if sample.flags.contains(.saturated) { saturated = sample.time }
    if series.count > 2 * Self.most { series.keep(seconds: 30, most: Self.most) }
    if let due, now < due { return }
    due = now + Self.interval
    series.keep(seconds: 30, most: Self.most)
    guard let begin = series.begin, let spectrum = FieldSpectrum(series, gainUncertainty: gainUncertainty) else {
      return
    }
    server.publish("spectrum", Self.value(spectrum, isSaturated: saturated >= begin))
  }

  private static func value(_ spectrum: FieldSpectrum, isSaturated: Bool) -> JSONValue {
    let (amplitudes, lines) = isSaturated ? ([], []) : (spectrum.amplitudes, spectrum.lines)
    return .members(
      ("nyquist_hz", .number(spectrum.nyquist)),
      ("amplitude_uT", .array(amplitudes.map { .number(($0 * 1e4).rounded() / 1e4) })),
      (
        "lines",
        .array(
          lines.filter { $0.isSignificant }.map { line in
            .members(
              ("frequency_hz", .number(line.frequency)), ("amplitude_uT", .number(line.amplitude)),
              ("amplitude_minor_uT", .number(line.minorAmplitude)),
              ("amplitude_uncertainty_uT", .orNull(line.amplitudeUncertainty)),
              ("name", .string(line.words ?? "")))
          })
      ), ("saturated", .bool(isSaturated)), ("hidden_mains_hz", .array(spectrum.hiddenMains.map { .number($0) })))
  }
}
