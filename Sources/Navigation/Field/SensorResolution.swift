import Calibration
import LodestoneCore
import Glibc

/// The resolution of a sensor whose numbers do not change: they show neither its noise nor its step, and it may be
/// stuck.
public struct SensorResolution: Equatable, Sendable {
  /// The least step of the numbers, in µT.
  public var step: Double
  /// The least noise of one axis, one standard deviation in µT.
  public var noise: Double

  /// The step of ordinary magnetometers where they measure the Earth's field, in µT.
  private static let ordinaryStep = 0.15
  /// Powers of ten that are looked at: finer numbers are no decimal ones, but counts times a factor.
  private static let mostDecimals = 4

  /// The resolution of a sensor of which nothing is known.
  public static let ordinary = SensorResolution(step: ordinaryStep, noise: 0)

  /// A resolution by its parts.
  public init(step: Double, noise: Double) { (self.step, self.noise) = (step, noise) }

  /// The resolution of a sensor whose corrected field stands: the step of the numbers that it sends, if that is larger
  /// than an ordinary one, and the noise that its calibration found.
  init(standing field: Vector3, profile: Profile?, mounting: Mounting) {
    var raw: Vector3? = field
    if let profile {
      let correction = profile.correction.mounted(profile.mounting(mounting))
      raw = correction.softIron.inverse.map { $0 * field + correction.hardIron }
    }
    step = max(Self.ordinaryStep, raw.flatMap { Self.decimalStep($0) } ?? 0)
    noise = profile?.noise ?? 0
  }

  /// The largest power of ten that all three numbers are multiples of, at most 1; nil for numbers with more decimals.
  private static func decimalStep(_ numbers: Vector3) -> Double? {
    (0...mostDecimals).lazy.map { pow(10, -Double($0)) }.first { step in
      (0..<3).allSatisfy { abs(remainder(numbers[$0], step)) < 1e-7 }
    }
  }
}
