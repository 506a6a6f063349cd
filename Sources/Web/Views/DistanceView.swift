import Calibration
import LodestoneCore
import LodestonePorts
import Navigation

/// A magnet's dipole moment, from its field at several distances: a zero-point of its own, then the distances.
final class DistanceView: PanelView {
  static let events = [
    WebEvent(
      "distance",
      .object(
        [
          ("zeroing", .number("Share of the zero-point that is done, 0 to 1; 1 afterwards")),
          ("field_uT", .number("Of the magnet now; null while an axis is saturated", isOptional: true)),
          (
            "points",
            .list(
              .object(
                [
                  ("distance_mm", .number("From the case to the middle of the magnet")), ("field_uT", .number()),
                  ("uncertainty_uT", .number("95 %")),
                ], required: ["distance_mm", "field_uT", "uncertainty_uT"]))
          ), ("advice", .text("What to do next")),
          (
            "result",
            .object(
              [
                ("moment_Am2", .number("Dipole moment")), ("moment_uncertainty_Am2", .number("95 %")),
                ("depth_mm", .number("From the case to the sensor")), ("depth_uncertainty_mm", .number("95 %")),
              ], required: ["moment_Am2", "moment_uncertainty_Am2", "depth_mm", "depth_uncertainty_mm"],
              "Null until it can be told", isOptional: true)
          ),
        ], required: ["zeroing", "field_uT", "points", "advice", "result"]))
  ]

  static var actions: [ViewAction<DistanceView>] {
    [
      ViewAction("distance/start", "Take a zero-point and begin anew") { view, _ in
        view.meter.zero()
        view.series = DistanceSeries()
      },
      ViewAction(
        "distance/mark", "Take the field of the last second for a distance from the case to the magnet's middle",
        body: .object([("distance_mm", .number("0 to 100000"))], required: ["distance_mm"])
      ) { view, body in try view.mark(body?["distance_mm"]?.number) },
      ViewAction("distance/back", "Take the last distance back") { view, _ in _ = view.series.removeLast() },
    ]
  }

  private let context: PanelContext
  private var meter: Teslameter
  private var reading = FieldReading()
  private var series = DistanceSeries()
  private var due: MonotonicTime?

  init(_ context: PanelContext) {
    self.context = context
    meter = Teslameter(DistanceSeries.teslameter, profile: context.profile, mounting: context.mounting)
  }

  func take(_ sample: DeviceSample, raw: borrowing Sample, at now: MonotonicTime) {
    if meter.read(sample, into: &reading) { series.add(reading) }
    while meter.nextNotice() != nil {}
    if let due, now < due { return }
    due = now + 0.2
    publish()
  }

  private func mark(_ millimetres: Double?) throws {
    guard let millimetres, (0...100_000).contains(millimetres) else {
      throw Refusal(status: 400, reason: "distance_mm: must be 0 to 100000")
    }
    try HandMarks.checkRoom(after: series.points.count)
    do throws(DistanceSeries.Problem) {
      try series.mark(at: millimetres / 1000)
    } catch {
      switch error {
      case .noReading: throw Refusal(reason: "there is no zero-point yet")
      case .saturated: throw Refusal(reason: "the sensor is at the end of its range: move the magnet away")
      case .belowNoise: throw Refusal(reason: "the magnet does not stand out of the noise: bring it nearer")
      case .moving: throw Refusal(reason: "the field moves: hold the magnet still for a second")
      }
    }
  }

  private func publish() {
    let (advice, result) = result
    var zeroing = 1.0
    if case .zeroing(let progress) = meter.phase { zeroing = progress }
    let points = series.points.map { point in
      JSONValue.members(
        ("distance_mm", .number(point.distance * 1000)), ("field_uT", .number(point.magnitude)),
        ("uncertainty_uT", .number(point.uncertainty(under: context.profile))))
    }
    context.server.publish(
      "distance",
      .members(
        ("zeroing", .number(zeroing)), ("field_uT", .orNull(series.last?.magnitude)), ("points", .array(points)),
        ("advice", .string(advice)), ("result", result)))
  }

  private var result: (advice: String, JSONValue) {
    if meter.isZeroing { return ("Keep the sensor still and the magnet away.", .null) }
    do throws(MagnetDistance.Refusal) {
      let found = try MagnetDistance(series.points)
      let (moment, depth) = found.halfWidths(under: context.profile)
      return (
        "Add distances: the farther apart, the better.",
        .members(
          ("moment_Am2", .number(found.moment)), ("moment_uncertainty_Am2", .number(moment)),
          ("depth_mm", .number(found.depth * 1000)),
          ("depth_uncertainty_mm", .number(depth * 1000)))
      )
    } catch {
      switch error {
      case .tooFew:
        let left = max(1, MagnetDistance.fewestPoints - series.points.count)
        let what = "Point the magnet's pole at the sensor, hold it still and enter the distance to its middle"
        return ("\(what): \(left) more.", .null)
      case .notADipole:
        return ("The field does not fall as a magnet's does: move along its axis, away from iron.", .null)
      }
    }
  }
}
