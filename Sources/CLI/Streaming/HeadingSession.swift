import Core
import Drivers
import Geomagnetism
import Navigation

/// The course of a compass: its declination follows the place, and its readings go to everybody who listens.
struct HeadingSession {
  private var compass: Compass
  private let field: LocalField
  private let publisher: Publisher?

  /// A course of `compass` where `field` is.
  init(_ compass: Compass, field: LocalField, publisher: Publisher?) {
    self.compass = compass
    self.field = field
    self.publisher = publisher
  }

  /// True minus magnetic, now; nil while the place is unknown.
  var declination: Declination? { compass.declination }

  /// The reading of one sample, published where that was asked for; nil for a sample without a heading.
  mutating func read(_ sample: Sample) -> Reading? {
    compass.declination = field.earth?.declination
    guard let reading = compass.read(sample) else { return nil }
    publisher?.publish(reading)
    return reading
  }

  /// Takes a position that came along.
  func move(to fix: WirePosition) { field.move(to: fix) }
}
