import Calibration
import LodestoneCore
import LodestonePorts
import Navigation

/// The teslameter: the field against a zero-point.
final class TeslameterView: PanelView {
  static let events = [
    WebEvent(
      "field",
      .record(
        FieldReading.schema,
        [
          "dx": "Difference to the zero-point, device x", "dy": "Device y", "dz": "Device z",
          "magnitude": "Length of the difference", "uncertainty": "Half-width of its 95 % interval",
          "peak": "Largest since the peak was reset", "bx": "Field, device x", "by": "Device y", "bz": "Device z",
          "flags": "What is wrong with the reading",
          "at_most": "Below the noise: the bound that holds instead of a magnitude",
          "at_least": "Saturated: the bound that holds instead of a magnitude",
          "peak_uncertainty": "Half-width of the peak's 95 % interval",
          "peak_at_least": "The bound of the peak where the sensor was saturated",
        ], extra: [("zeroing", .number("Share of the zero-point that is done, 0 to 1; there is no reading meanwhile"))])
    )
  ]

  static var actions: [ViewAction<TeslameterView>] {
    [
      ViewAction("zero", "Take a new zero-point") { view, _ in view.part.instrument.zero() },
      ViewAction("peak", "Reset the peak") { view, _ in view.part.instrument.resetPeak() },
    ]
  }

  private let part: InstrumentPart<Teslameter>

  init(_ context: PanelContext) { part = InstrumentPart("field", .init(), context) }

  func take(_ sample: DeviceSample, raw: borrowing Sample, at now: MonotonicTime) {
    guard !part.take(sample, at: now), case .zeroing(let progress) = part.instrument.phase else { return }
    part.channel.publish(.members(("time_s", .number(sample.time)), ("zeroing", .number(progress))), at: now)
  }

  func follow(_ earth: EarthReference?) { part.instrument.follow(earth) }
  func nextNotice() -> InstrumentNotice? { part.instrument.nextNotice() }
  var request: HandRequest? { part.instrument.isZeroing ? .still : nil }
  func tell(at now: MonotonicTime) { part.channel.flush(at: now) }
  func appendMetrics(to text: inout TextBuffer) { part.channel.appendMetrics(to: &text) }
}
