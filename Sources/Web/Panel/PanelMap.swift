import LodestoneCore

extension InstrumentPanel {
  /// The events and actions of the panel: its own, and those of each view.
  static let map: SiteMap = {
    let kinds: [any PanelView.Type] = [CompassView.self] + InstrumentPanel.kinds
    return SiteMap(
      events: [deviceEvent] + kinds.flatMap { $0.events } + [PageNotice.event],
      actions: actions + kinds.flatMap { $0.declaredActions })
  }()

  private static let deviceEvent = WebEvent(
    "device",
    .object(
      [
        ("name", .text("The device's address")), ("calibration", .text("The calibration in use, for people")),
        ("gone", .flag("Unplugged, silent, or nothing it sends is understood; it is waited for")),
        (
          "playback",
          .object(
            [
              ("position_s", .number("Since its first sample")),
              ("duration_s", .number("Of the whole; null where it is not known", isOptional: true)),
              ("paused", .flag()), ("ended", .flag("The last state stays")),
            ], required: ["position_s", "duration_s", "paused", "ended"], "Of a recording; null for a device",
            isOptional: true)
        ),
      ], required: ["name", "calibration", "gone", "playback"]))

  private static let actions = [
    WebAction(
      path: "device", summary: "Open a device beside the present one, and show it from its first usable sample on",
      body: .object(
        [
          (
            "address",
            .text("As `devices` lists it, sim:, or a recording below --recordings by its name there: june/ride.csv")
          )
        ], required: ["address"])),
    WebAction(
      path: "playback", summary: "Pause a recording, or restart it, from its beginning paused or running",
      body: .object([("paused", .flag()), ("restart", .flag())])),
    WebAction(
      path: "devices",
      summary: "The devices attached, as `lodestone devices --json`, and the recordings below --recordings",
      isCommand: false, answer: .list(Shape([("type", .string("object"))]))),
    WebAction(
      path: "recording.csv",
      summary: "The last five minutes, at most \(RecentSamples.mostRows) rows, as a recording for every command",
      isCommand: false, type: "text/csv"),
    WebAction(
      path: "metrics", summary: "The readings for Prometheus; none while the device is gone", isCommand: false,
      type: "application/openmetrics-text", isAtRoot: true),
  ]
}
