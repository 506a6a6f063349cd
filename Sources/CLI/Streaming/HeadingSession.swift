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

  /// The reading of one sample, published where that was asked for; false for a sample without a heading.
  @inline(__always)
  mutating func read(_ sample: borrowing Sample, into reading: inout Reading) -> Bool {
    compass.declination = field.earth?.declination
    compass.declinationUncertainty = field.earth?.declinationUncertainty
    guard compass.read(sample, into: &reading) else { return false }
    publisher?.publish(reading)
    return true
  }

  /// Takes a position that came along.
  func move(to fix: WirePosition) { field.move(to: fix) }
}
