import Lodestone
import LodestoneCore
import LodestonePorts
import Navigation

/// The edge of the device whose direction is the heading.
enum HeadingEdge: String, CaseIterable {
  /// The edge that is up, or was last, as gravity tells.
  case auto
  case top, right, bottom, left

  /// How a device is held that has this edge at the top of its screen; nil for `auto`.
  var orientation: Orientation? {
    switch self {
    case .auto: nil
    case .top: .portrait
    case .right: .landscapeLeft
    case .bottom: .portraitUpsideDown
    case .left: .landscapeRight
    }
  }

  /// The edge at the top of a screen that is held so.
  init?(_ orientation: Orientation) {
    guard let edge = Self.allCases.first(where: { $0 != .auto && $0.orientation == orientation }) else { return nil }
    self = edge
  }
}

/// Headings. They come from the panel's session, which reads a compass.
final class CompassView: PanelView {
  static let events = [
    WebEvent(
      "heading",
      .record(
        HeadingReading.schema,
        [
          "magnetic_heading": "Clockwise from magnetic north, 0 to 360",
          "true_heading": "Clockwise from true north; null while the place is unknown",
          "accuracy": "95 % of headings are within this much", "quality": "How far to trust it",
          "field": "Strength of the corrected field", "inclination": "Of the field below the horizontal",
          "pitch": "Heading axis above the horizontal", "roll": "About the heading axis, right side down positive",
          "orientation": "How the device is held", "bx": "Corrected field, device x", "by": "Device y",
          "bz": "Device z",
        ])),
    WebEvent(
      "compass",
      .object(
        [
          ("axis", .word(HeadingEdge.allCases.map { $0.rawValue }, "The heading axis that was chosen")),
          ("edge", .word(["top", "right", "bottom", "left"], "The edge that it is now")),
          ("back", .flag("The edge points up: the heading is where the back of the device points")),
          ("smoothing_s", .number("Time constant of the smoothing; 0 for none")),
          ("declination_deg", .number("Added to magnetic headings; null while the place is unknown", isOptional: true)),
          ("place", PanelSettings.placeShape),
        ], required: ["axis", "edge", "back", "smoothing_s", "declination_deg", "place"])),
  ]

  static var actions: [ViewAction<CompassView>] {
    [
      ViewAction(
        "settings", "Choose heading axis, smoothing and place; what is left out stays as it is",
        body: .object([
          ("axis", .word(HeadingEdge.allCases.map { $0.rawValue })),
          ("smoothing_s", .number("0 to 60; 0 for none")), ("place", PanelSettings.placeShape),
        ])
      ) { view, body in view.context.panel.choose(try PanelSettings.Change(body)) }
    ]
  }

  private let context: PanelContext
  private let channel: ReadingChannel<HeadingReading>
  private var told: JSONValue?

  init(_ context: PanelContext) {
    self.context = context
    channel = ReadingChannel("heading", context)
  }

  func take(_ sample: DeviceSample, raw: borrowing Sample, at now: MonotonicTime) {}

  /// Publishes a heading.
  func take(_ reading: borrowing HeadingReading, at now: MonotonicTime) { channel.publish(reading, at: now) }

  func tell(at now: MonotonicTime) { channel.flush(at: now) }

  /// Publishes how the compass reads headings, where that has changed.
  func tell(_ compass: Compass, _ settings: PanelSettings) {
    let state = JSONValue.members(
      ("axis", .string(settings.axis.rawValue)),
      ("edge", .string((HeadingEdge(compass.headingEdge) ?? .top).rawValue)), ("back", .bool(compass.pointsBack)),
      ("smoothing_s", .number(settings.smoothing)), ("declination_deg", .orNull(compass.declination?.degrees)),
      ("place", PanelSettings.value(of: context.panel.place.place)))
    guard state != told else { return }
    told = state
    context.server.publish("compass", state)
  }

  func appendMetrics(to text: inout TextBuffer) { channel.appendMetrics(to: &text) }
}
