import Calibration
import LodestoneCore
import Glibc

/// Whether a calibration fits fresh data, looked at once: strength and inclination of the corrected field against what
/// the profile found, and how much its strength changes as the device turns. A magnet that came onto the board shows in
/// the mean while the device lies still, and in the spread while it is turned.
public struct CalibrationCheck: Sendable {
  /// Samples that held a field.
  public private(set) var samples = 0
  private var strength = Moments()
  private var inclination = Moments()
  private var directions = Vector3.zero
  private var trusted = 0
  private var disturbed = 0
  private var rest = Stillness()

  private let profile: Profile
  /// Samples below which there are no findings: the spread of ten is known to a quarter.
  public static let fewestSamples = 10
  /// Directions whose mean is longer than this are too much alike to speak for others.
  private static let sameDirection = 0.9

  /// A check of a calibration, with no samples yet.
  public init(_ profile: Profile) { self.profile = profile }

  /// Takes a sample and what a compass that uses the profile made of it.
  public mutating func add(_ sample: DeviceSample, _ reading: HeadingReading) {
    guard let field = sample.field?.field, field.strength.isFinite else { return }
    samples += 1
    strength.add(field.strength)
    directions += field.microtesla.direction ?? .zero
    switch reading.quality {
    case .good, .fair: trusted += 1
    case .disturbed: disturbed += 1
    default: break
    }
    let isStill = sample.force.map { rest.add($0, at: sample.time) } ?? false
    if isStill, let measured = reading.inclination { inclination.add(measured) }
  }

  /// The findings from the samples so far; nil below `fewestSamples`.
  public var findings: Findings? {
    guard samples >= Self.fewestSamples else { return nil }
    let expected = profile.fieldStrength
    // Noise of the raw axes, as the correction scales it, belongs to no change of the field.
    let noise = (profile.noise ?? 0) * cbrt(abs(profile.correction.softIron.determinant))
    return Findings(
      samples: samples, strength: strength.mean, strengthShare: strength.mean / expected - 1,
      spreadShare: max(0, strength.variance - noise * noise).squareRoot() / expected,
      inclination: inclination.count > 0 ? inclination.mean : nil,
      inclinationDegrees: inclination.count > 0 ? profile.inclination.map { inclination.mean - $0 } : nil,
      trustedShare: Double(trusted) / Double(samples), disturbedShare: Double(disturbed) / Double(samples),
      wasTurned: directions.length < Self.sameDirection * Double(samples))
  }

  /// The agreement of fresh data with a calibration.
  public struct Findings: Equatable, Sendable {
    /// Samples looked at.
    public var samples: Int
    /// Mean length of the corrected field, in µT.
    public var strength: Double
    /// The mean length less the profile's strength, as a share of the latter.
    public var strengthShare: Double
    /// Standard deviation of the length beyond the sensor's noise, as a share of the profile's strength.
    public var spreadShare: Double
    /// Mean inclination at rest, in degrees, down positive; nil without gravity or rest.
    public var inclination: Double?
    /// The mean inclination less the profile's, in degrees; nil where either is unknown.
    public var inclinationDegrees: Double?
    /// Share of the samples whose heading is good or fair.
    public var trustedShare: Double
    /// Share of the samples whose heading is disturbed.
    public var disturbedShare: Double
    /// The field came from several directions, so that the findings hold for more than one attitude.
    public var wasTurned: Bool

    /// Strength, its spread and inclination are what the calibration makes constant, within the limits of
    /// `CalibrationHealth`.
    public var fits: Bool {
      max(abs(strengthShare), spreadShare) <= CalibrationHealth.strengthLimit
        && abs(inclinationDegrees ?? 0) <= CalibrationHealth.inclinationLimit
    }
  }
}

/// Mean and variance of a series, by Welford's recurrence.
private struct Moments: Sendable {
  private(set) var count = 0
  private(set) var mean = 0.0
  private var squares = 0.0

  /// The variance of the values, not of their mean.
  var variance: Double { count > 0 ? squares / Double(count) : 0 }

  mutating func add(_ value: Double) {
    count += 1
    let off = value - mean
    mean += off / Double(count)
    squares += off * (value - mean)
  }
}
