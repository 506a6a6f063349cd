import Calibration
import LodestoneCore
import LodestoneOutput
import LodestonePorts
import Navigation

/// Two devices side by side, and the difference of their fields: a gradiometer.
final class BesideView: PanelView {
  static let events = [
    WebEvent(
      "beside",
      .object(
        [
          ("time_s", .number("Of the first device's sample")),
          ("first", device), ("second", device),
          ("difference_uT", .vector("Second minus first, each in its device frame", isOptional: true)),
          ("magnitude_uT", .number("Length of the difference", isOptional: true)),
        ], required: ["time_s", "first", "second", "difference_uT", "magnitude_uT"]))
  ]

  private static let device = Shape.object(
    [
      ("name", .text()), ("field_uT", .vector("Corrected, device frame", isOptional: true)),
      ("magnetic_heading_deg", .number(isOptional: true)), ("accuracy_deg", .number("95 %", isOptional: true)),
    ], required: ["name", "field_uT", "magnetic_heading_deg", "accuracy_deg"], "Null where there is none",
    isOptional: true)

  private let context: PanelContext
  private var heading: HeadingReading?
  private var due: MonotonicTime?

  init(_ context: PanelContext) { self.context = context }

  func take(_ heading: borrowing HeadingReading, at now: MonotonicTime) { self.heading = copy heading }

  func take(_ sample: DeviceSample, raw: borrowing Sample, at now: MonotonicTime) {
    if let due, now < due { return }
    due = now + context.interval(atLeast: 0.05)
    let (field, second) = (sample.field?.field.microtesla, context.panel.second)
    var difference: Vector3?
    if let field, let other = second?.field { difference = other - field }
    context.server.publish(
      "beside",
      .members(
        ("time_s", .number(sample.time)), ("first", value(context.facts.device, field, heading)),
        ("second", second.map { value($0.name, $0.field, $0.heading) } ?? .null),
        ("difference_uT", .orNull(difference)), ("magnitude_uT", .orNull(difference?.length))))
  }

  private func value(_ name: String, _ field: Vector3?, _ heading: HeadingReading?) -> JSONValue {
    .members(
      ("name", .string(name)), ("field_uT", .orNull(field)),
      ("magnetic_heading_deg", .orNull(heading?.magneticHeading?.degrees)),
      ("accuracy_deg", .orNull(heading?.accuracy)))
  }
}
