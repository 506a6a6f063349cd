import Calibration
import LodestoneCore
import LodestonePorts
import Navigation

/// What alternates in the field, once a second.
final class SpectrumPart: PanelPart {
  private var series = FieldSeries()
  private let server: WebServer
  private var due: MonotonicTime?

  /// Seconds between two spectra.
  private static let interval = 1.0
  /// Samples of a stretch: few enough that none behind them has to wait.
  private static let most = 256

  init(server: WebServer) { self.server = server }

  func take(_ sample: DeviceSample, at now: MonotonicTime) {
    guard let field = sample.field?.field.microtesla else { return }
    series.add(field, at: sample.time)
    if series.count > 2 * Self.most { series.keep(seconds: 30, most: Self.most) }
    if let due, now < due { return }
    due = now + Self.interval
    series.keep(seconds: 30, most: Self.most)
    guard let spectrum = FieldSpectrum(series) else { return }
    Array(Self.words(spectrum).line.utf8).withUnsafeBytes { server.publish(.spectrum, json: $0) }
  }

  private static func words(_ spectrum: FieldSpectrum) -> JSONValue {
    .members(
      ("nyquist_hz", .number(spectrum.nyquist)),
      ("amplitude_uT", .array(spectrum.amplitudes.map { .number(($0 * 1e4).rounded() / 1e4) })),
      (
        "lines",
        .array(
          spectrum.lines.filter { $0.isSignificant }.map { line in
            .members(
              ("frequency_hz", .number(line.frequency)), ("amplitude_uT", .number(line.amplitude)),
              ("name", .string(line.mains?.words ?? "")))
          })
      ))
  }

  func follow(_ earth: EarthReference?) {}
  func nextNotice() -> InstrumentNotice? { nil }
  func appendMetrics(to text: inout TextBuffer) {}
}
