import Drivers
import LodestoneCore
import LodestonePorts

/// An accelerometer or gyroscope of the kernel that is a device of its own, or a part of one, read axis by axis beside
/// the magnetometer it goes with. Its mount matrix turns what it measures into the same axes as the magnetometer's. It
/// never takes all the time: a driver may wait for a conversion at each axis.
final class IIONeighbour {
  /// The chip's name, as the kernel's driver writes it.
  let name: String
  /// Its node's name: `iio:device1`.
  let node: String
  /// The shortest time that a reading took, in seconds; 0 before the first.
  var duration: Double { readings > 0 ? shortest : 0 }
  private let kind: Kind
  private let device: IIODevice
  private var last: (measurement: Measurement, time: Double)?
  private var (readings, shortest) = (0, Double.infinity)
  /// Seconds from one reading to the next, as a mean over a few.
  private var usualStep: Double
  /// The time of the last reading, and of the next.
  private var (readTime, due) = (-Double.infinity, -Double.infinity)
  /// The time from which a device that could not be read may be asked again.
  private var allowed = -Double.infinity
  private var isRefused = false

  /// The quantity it is read for, and how.
  struct Kind: Sendable {
    let sense: Senses
    /// Seconds until the next reading, as a multiple of what one takes.
    let pause: Double
    /// How far from a field in time a reading may be to go with it, in seconds.
    let longestPairing: Double
    /// The longest usual step between readings at which they are worth having, in seconds; nil for any.
    let longestStep: Double?
    /// Whether a reading goes with every field of its time, and not with one alone.
    let isHeld: Bool

    /// Half of the time at most goes into forces, which hold for a while.
    static let accelerometer = Kind(
      sense: .acceleration, pause: 1, longestPairing: 0.1, longestStep: nil, isHeld: true)
    /// A quarter goes into rates, which are of their moment: in the hand, headings by fewer than 25 a second are worse
    /// than those without.
    static let gyroscope = Kind(
      sense: .rotationRate, pause: 3, longestPairing: 0.025, longestStep: 0.045, isHeld: false)
  }

  /// Samples a second at which a reading that waits for three conversions is short beside those of a compass.
  private static let rate = 400.0
  /// The slowest rate, in Hz, at which the field is not held up for long.
  private static let slowestRate = 50.0
  /// Seconds until it is asked again after it could not be read.
  private static let respite = 5.0
  /// The number of readings after which it is known how long one takes.
  private static let trials = 3

  /// Opens it; nil where there is none, or only one that is slow and cannot be told to be faster.
  init?(_ kind: Kind, beside magnetometer: IIOListing, in roots: SystemRoots) {
    guard let listing = iioNeighbour(kind.sense, beside: magnetometer, in: roots), let device = try? IIODevice(listing)
    else { return nil }
    // Without the right to write it stays as it is.
    try? device.set(rate: Self.rate)
    // An accelerometer with a rate of its own is read without waiting for it.
    let waits = kind.sense == .rotationRate || listing.rate != nil
    if waits, let rate = device.rate, rate < Self.slowestRate { return nil }
    name = listing.name
    node = "iio:device\(listing.number)"
    self.kind = kind
    usualStep = kind.longestStep ?? 0
    self.device = device
  }

  /// The measurement that goes with a field of this time; nil where none is known. `now` is the same clock.
  /// - Parameter room: the seconds until other things are to be done; nil where it is to leave time of itself.
  /// - Throws: why it cannot be read, the first time.
  func measurement(at time: Double, room: Double?, now: () -> Double) throws(PortError) -> Measurement? {
    let begin = now()
    let isDue = room.map { readings < Self.trials || shortest <= $0 } ?? (begin >= due)
    if isDue, begin >= allowed {
      do throws(PortError) {
        take(try device.measure(), from: begin, to: now())
      } catch {
        (last, allowed) = (nil, now() + Self.respite)
        guard !isRefused else { return nil }
        isRefused = true
        throw error
      }
    }
    defer { if !kind.isHeld { last = nil } }
    return last.flatMap { abs($0.time - time) < kind.longestPairing ? $0.measurement : nil }
  }

  private func take(_ measurement: Measurement, from begin: Double, to end: Double) {
    let middle = (begin + end) / 2
    let step = middle - readTime
    if step.isFinite { usualStep += (step - usualStep) / 8 }
    last = usualStep <= kind.longestStep ?? .infinity ? (measurement, middle) : nil
    (readings, shortest) = (readings + 1, min(shortest, end - begin))
    (readTime, due) = (middle, end + kind.pause * (end - begin))
  }
}
