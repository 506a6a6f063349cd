import Lodestone
import LodestoneCore
import LodestonePorts
import Navigation

/// The swing of a compass as it is installed: headings held beside known ones, and the deviation that follows.
final class SwingView: PanelView {
  static let events = [
    WebEvent(
      "swing",
      .object(
        [
          (
            "marks",
            .list(
              .object(
                [
                  ("compass_deg", .number("As the compass read it")), ("reference_deg", .number("As it should read")),
                  ("deviation_deg", .number("East positive")),
                ], required: ["compass_deg", "reference_deg", "deviation_deg"]))
          ), ("wanted", .integer("Headings that are needed at least")),
          ("advice", .text("What to do next")),
          (
            "deviation",
            .object(
              [
                ("table", .list(.list(.number()), "Compass heading and deviation, every 15°")),
                ("residual_deg", .number("Root mean square of what is left")),
              ], required: ["table", "residual_deg"], "Null until it can be told", isOptional: true)
          ),
        ], required: ["marks", "wanted", "advice", "deviation"]))
  ]

  static var actions: [ViewAction<SwingView>] {
    [
      ViewAction(
        "swing/mark", "Take the present heading of the compass for a known one",
        body: .object([("reference_deg", .number("Magnetic, -360 to 360"))], required: ["reference_deg"])
      ) { view, body in try view.mark(body?["reference_deg"]?.number) },
      ViewAction("swing/back", "Take the last heading back") { view, _ in view.change { _ = $0.removeLast() } },
      ViewAction("swing/clear", "Begin anew") { view, _ in
        view.change { $0 = Swing() }
        view.context.panel.takeOffIron()
      },
      ViewAction("swing/save", "Keep the deviation beside the calibration") { view, _ in try view.save() },
    ]
  }

  private let context: PanelContext
  private var swing = Swing()
  private var hasChanged = true

  init(_ context: PanelContext) { self.context = context }

  func take(_ sample: DeviceSample, raw: borrowing Sample, at now: MonotonicTime) {}

  func take(_ heading: borrowing HeadingReading, at now: MonotonicTime) {
    if let magnetic = heading.magneticHeading { swing.add(magnetic, at: heading.time) }
    time = heading.time
  }

  private var time = 0.0
  /// Taken off for iron in µT, up to which headings are those of the compass as it is installed.
  private static let noIron = 0.5

  private func change(_ work: (inout Swing) -> Void) {
    work(&swing)
    hasChanged = true
  }

  private func mark(_ degrees: Double?) throws {
    guard let degrees, (-360...360).contains(degrees) else {
      throw Refusal(status: 400, reason: "reference_deg: must be -360 to 360")
    }
    try HandMarks.checkRoom(after: swing.marks.count)
    guard context.panel.leaveIron() < Self.noIron else {
      swing = Swing()
      throw Refusal(
        reason: "iron unknown to the calibration was taken off headings; in a swing it stays: mark this one again")
    }
    do throws(Swing.Problem) {
      _ = try swing.mark(Heading<MagneticNorth>(degrees: degrees), at: time)
      hasChanged = true
    } catch {
      switch error {
      case .noHeading: throw Refusal(reason: "there is no heading yet")
      case .turning: throw Refusal(reason: "the heading moves: hold it for two seconds")
      }
    }
  }

  private func save() throws {
    guard let deviation = try? Deviation(swing.marks) else { throw Refusal(reason: "there is no deviation yet") }
    guard let profile = context.profile, let path = try context.panel.profilePath else {
      throw Refusal(reason: "the device has no saved calibration to keep it beside")
    }
    _ = try SavedDeviation(deviation, headings: swing.marks.count, profile: profile).keep(beside: path)
  }

  func tell(at now: MonotonicTime) {
    guard hasChanged else { return }
    hasChanged = false
    let (advice, deviation) = result
    context.server.publish(
      "swing",
      .members(
        (
          "marks",
          .array(
            swing.marks.map {
              .members(
                ("compass_deg", .number($0.compass)), ("reference_deg", .number($0.reference)),
                ("deviation_deg", .number($0.deviation)))
            })
        ), ("wanted", .integer(Deviation.fewestHeadings)), ("advice", .string(advice)), ("deviation", deviation)))
  }

  private var result: (advice: String, JSONValue) {
    do throws(Deviation.Refusal) {
      let deviation = try Deviation(swing.marks)
      let table = stride(from: 0.0, to: 360, by: 15).map {
        JSONValue.array([.number($0), .number(deviation.degrees(at: $0))])
      }
      return (
        "Enough headings: save the deviation, or add more.",
        .members(("table", .array(table)), ("residual_deg", .number(deviation.residual)))
      )
    } catch {
      switch error {
      case .tooFew(let count):
        return ("Hold a heading you know and enter it: \(Deviation.fewestHeadings - count) more are needed.", .null)
      case .gap(let from, let degrees):
        return ("Add headings between \(Int(from))° and \(Int(from + degrees) % 360)°.", .null)
      case .contradictory(let residual):
        return ("The headings contradict each other by \(Int(residual.rounded()))°: take the last one back.", .null)
      }
    }
  }
}
