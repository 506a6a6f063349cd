import Geomagnetism
import LodestoneCore

/// How a device is read, whatever the instruments.
public struct SessionOptions: Sendable {
  /// How the chip sits in the device.
  public var mounting = Mounting.aligned
  /// The calibration.
  public var profile = ProfileChoice.saved
  /// The place of the device.
  public var place = PlaceSettings()
  /// An address that positions come from besides the device: `gpsd://host`, or a receiver of NMEA sentences.
  public var location: String?
  /// Whether the hard iron is learnt meanwhile.
  public var learning = Learning.off
  /// Seconds of samples after which it ends.
  public var duration: Double?

  /// The device's own calibration, its chip mounted straight, at an unknown place.
  public init() {}

  /// A place that stays, a calibration and a mounting.
  public init(place: Place?, profile: ProfileChoice = .saved, mounting: Mounting = .aligned) {
    self.place = PlaceSettings(place)
    self.profile = profile
    self.mounting = mounting
  }
}
