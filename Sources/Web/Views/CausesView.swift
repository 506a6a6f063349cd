import Calibration
import LodestoneCore
import LodestonePorts
import Navigation

/// The causes that the calibration in use takes off the field: their values, and which of them are missing.
final class CausesView: PanelView {
  private enum State: String, CaseIterable { case taken, outside, missing }

  static let events = [
    WebEvent(
      "causes",
      .object(
        [
          (
            "causes",
            .list(
              .object(
                [
                  ("name", .text("As the calibration was told it")),
                  ("value", .number("The last one; null where none has come for two seconds", isOptional: true)),
                  ("from", .number("The calibration holds from this value")), ("to", .number("to this one")),
                  ("field_uT", .number("What the field changes by over that range")),
                  (
                    "state",
                    .word(
                      State.allCases.map { $0.rawValue },
                      "taken: its share is taken off; outside: beyond what was calibrated; missing: it is not told")
                  ),
                ], required: ["name", "value", "from", "to", "field_uT", "state"]))
          )
        ], required: ["causes"]))
  ]

  /// Seconds between two events.
  private static let interval = 0.25

  private let context: PanelContext
  private let causes: [Cause]
  private var last: [(time: Double, value: Double)?]
  private var due: MonotonicTime?

  init(_ context: PanelContext) {
    self.context = context
    causes = context.profile?.causes ?? []
    last = causes.map { _ in nil }
    publish(at: 0)
  }

  func take(_ sample: DeviceSample, raw: borrowing Sample, at now: MonotonicTime) {
    guard !causes.isEmpty else { return }
    let time = raw.time
    for (place, value) in causes.values(in: copy raw).enumerated() { if let value { last[place] = (time, value) } }
    if let due, now < due { return }
    due = now + Self.interval
    publish(at: time)
  }

  private func publish(at time: Double) {
    let states = zip(causes, last).map { cause, last in
      let value = last.flatMap { abs(time - $0.time) <= Cause.life ? $0.value : nil }
      return JSONValue.members(
        ("name", .string(cause.name)), ("value", .orNull(value)), ("from", .number(cause.range.lowerBound)),
        ("to", .number(cause.range.upperBound)), ("field_uT", .number(2 * cause.halfRange * cause.slope.length)),
        ("state", .string(Self.state(of: value, cause).rawValue)))
    }
    context.server.publish("causes", .members(("causes", .array(states))))
  }

  private static func state(of value: Double?, _ cause: Cause) -> State {
    guard let value else { return .missing }
    return cause.isOutside(value) ? .outside : .taken
  }
}
