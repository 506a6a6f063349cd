import Drivers
import LodestoneCore
import LodestonePorts

/// An accelerometer of the kernel that is a device of its own, read axis by axis beside the magnetometer it goes with. Its
/// mount matrix turns what it measures into the same axes as the magnetometer's. No more than half of the time goes into
/// it: a driver may wait for a conversion at each axis.
final class IIOAccelerometer {
  /// The chip's name, as the kernel's driver writes it.
  let name: String
  /// Its node's name: `iio:device1`.
  let node: String
  private let device: IIODevice
  private var last: (acceleration: Acceleration, time: Double)?
  private var due = -Double.infinity
  private var isRefused = false

  /// How old a reading may be to go with a field, in seconds.
  private static let longestPairing = 0.1
  /// Samples a second at which a reading that waits for three conversions is short beside those of a compass.
  private static let rate = 400.0
  /// The slowest rate, in Hz, at which the field is not held up for long.
  private static let slowestRate = 50.0
  /// Seconds until it is asked again after it could not be read.
  private static let respite = 5.0

  /// Opens it; nil where there is none, or only one that is slow and cannot be told to be faster.
  init?(beside magnetometer: IIOListing, in roots: SystemRoots) {
    guard let listing = iioAccelerometer(beside: magnetometer, in: roots), let device = try? IIODevice(listing) else {
      return nil
    }
    // Without the right to write it stays as it is.
    try? device.set(rate: Self.rate)
    if let rate = device.rate, rate < Self.slowestRate { return nil }
    name = listing.name
    node = "iio:device\(listing.number)"
    self.device = device
  }

  /// The acceleration that goes with a field of this time; nil where none is known. `now` is the same clock.
  /// - Throws: why it cannot be read, the first time.
  func acceleration(at time: Double, now: () -> Double) throws(PortError) -> Acceleration? {
    let begin = now()
    if begin >= due {
      do throws(PortError) {
        let measurement = try device.measure()
        let end = now()
        due = end + (end - begin)
        last = measurement.acceleration.map { ($0, (begin + end) / 2) }
      } catch {
        (last, due) = (nil, now() + Self.respite)
        guard !isRefused else { return nil }
        isRefused = true
        throw error
      }
    }
    return last.flatMap { abs($0.time - time) < Self.longestPairing ? $0.acceleration : nil }
  }
}
