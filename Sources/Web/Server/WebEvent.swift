/// What the page is told as it happens: the names of the server-sent events.
public enum WebEvent: String, CaseIterable, Sendable {
  /// The device in use, its calibration, and whether it is gone.
  case device
  /// A heading.
  case heading
  /// The teslameter: its zero-point being taken, or a reading.
  case field
  /// What alternates in the field.
  case spectrum
  /// Tilt.
  case level
  /// Acceleration, and gestures that were recognized.
  case motion
  /// Attitude.
  case attitude
  /// How far a calibration has come.
  case calibration
  /// The points of the calibration's sweep.
  case sweep
  /// Something that people should know.
  case notice

  /// The event's place in lists of all events.
  var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
