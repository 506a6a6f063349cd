import LodestoneCore
import Instruments

/// How a session reads its device, whatever the instrument.
public struct SessionOptions: Sendable {
  /// How the chip sits in the device.
  public var mounting = Mounting.aligned
  /// The calibration.
  public var profile = ProfileChoice.saved
  /// Where the device is.
  public var place = PlaceSettings()
  /// An address that positions come from besides the device: `gpsd://host`, or a receiver of NMEA sentences.
  public var location: String?
  /// Seconds of samples after which it ends.
  public var duration: Double?

  /// The device's own calibration, its chip mounted straight, at an unknown place.
  public init() {}
}
