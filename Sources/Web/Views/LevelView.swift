import LodestoneCore
import Navigation

/// The inclinometer.
final class LevelView: InstrumentView {
  static let events = [
    WebEvent(
      "level",
      .record(
        LevelReading.schema,
        [
          "pitch": "Top edge above the horizontal", "roll": "Right edge down positive",
          "angle": "How far a standing board is turned in its plane, 0 to 360; null for one that lies",
          "accuracy": "Pitch, and the roll of a lying board or the angle of a standing one, are within this (95 %)",
          "moving": "1 while it moves too much to be read well",
        ]))
  ]

  static var actions: [ViewAction<LevelView>] {
    [
      ViewAction("level/zero", "Take the present tilt for level") { view, _ in view.part.instrument.zero() },
      ViewAction("level/reset", "Back to true level") { view, _ in view.part.instrument.clearZero() },
    ]
  }

  let part: InstrumentPart<Level>

  init(_ context: PanelContext) { part = InstrumentPart("level", .init(), context) }
}
