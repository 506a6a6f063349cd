import LodestoneCore
import Navigation

/// Acceleration, shakes and movements.
final class MotionView: InstrumentView {
  static let events = [
    WebEvent(
      "motion",
      .record(
        MotionReading.schema,
        [
          "gravity_x": "Gravity, device x", "gravity_y": "Device y", "gravity_z": "Device z",
          "user_x": "Acceleration without gravity, device x", "user_y": "Device y", "user_z": "Device z",
          "orientation": "How the device is held", "event": "What was recognized with this sample; all are sent",
          "direction": "Of the event", "peak": "Of the event", "duration": "Of the event",
          "steps": "Since the stream began", "cadence": "Steps a minute; null while nobody walks",
        ]))
  ]

  let part: InstrumentPart<Motion>

  init(_ context: PanelContext) {
    part = InstrumentPart("motion", .init(), context, keeps: { $0.event != nil })
  }
}
