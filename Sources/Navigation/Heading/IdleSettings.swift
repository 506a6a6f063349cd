/// A setting of a compass that says something of its field, and nothing of a heading that the device computes itself.
public enum FieldSetting: Sendable {
  /// A calibration.
  case calibration
  /// How the chip sits in the device.
  case mounting
  /// An orientation that is given.
  case orientation
  /// The axis of a device that is held upright.
  case pointing
}

/// Settings that change nothing, because the device tells headings and no field. Told once.
struct IdleSettings: Sendable {
  private let settings: [FieldSetting]
  private var count = 0
  private var isTold: Bool

  /// Headings in a row from which it is told: a field may come more seldom.
  private static let several = 20

  /// The settings that were made.
  init(_ settings: [FieldSetting]) {
    self.settings = settings
    isTold = settings.isEmpty
  }

  /// Takes note of a heading of the device.
  mutating func note() { count += 1 }

  /// The notice, where it is news.
  /// - Parameters:
  ///   - hasField: headings of a field were read, too.
  ///   - atEnd: no more will come.
  mutating func next(hasField: Bool, atEnd: Bool = false) -> InstrumentNotice? {
    guard !isTold, !hasField, count >= (atEnd ? 1 : Self.several) else { return nil }
    isTold = true
    return .settingsIdle(settings)
  }
}
