import Glibc
import LodestoneCore

/// The worth of one number of each quantity, with the reason: facts for the command to word.
public struct WireScales: Equatable, Sendable {
  /// A usual strength of the Earth's field in µT, to which fields without a scale are set.
  public static let usualStrength = 47.0

  /// The field.
  public var field: Field
  /// The acceleration.
  public var acceleration: Acceleration
  /// The rotation rate.
  public var rotationRate: RotationRate
  /// The axes without a name that were taken for a field's are an acceleration's, by their length.
  public var fieldIsAcceleration = false

  /// Scales for whoever only asks what there is.
  public static let unimportant = WireScales(
    field: Field(microtesla: 1e-6, basis: .absent), acceleration: Acceleration(gravities: 1e-6, basis: .absent),
    rotationRate: RotationRate(degreesPerSecond: 1e-6, basis: .absent))

  /// The scale of the field.
  public struct Field: Equatable, Sendable {
    /// µT in one number; nil where it is not known.
    public var microtesla: Double?
    /// The evidence for the scale.
    public var basis: Basis
    /// The number that stands for no field on each axis: other than zero where a chip tells the middle of its range.
    public var zero = 0.0
    /// Factors by which single axes measure more than `microtesla` says; nil where the three are alike.
    public var axisFactors: Vector3?
    /// The end of the chip's range, in µT; nil where that is not known.
    public var range: Double?

    /// A scale with its basis.
    public init(microtesla: Double?, basis: Basis) {
      self.microtesla = microtesla
      self.basis = basis
    }

    /// Counts of a chip, in the range in which the field is the Earth's.
    /// - Parameter sizes: of the chip's ranges, at least one.
    public init?(countsOf chip: String, sizes: [CountSize], size: FieldSize) {
      func misfit(_ count: CountSize) -> Double {
        abs(Glibc.log(size.strengthOfCounts * count.microtesla.x / WireScales.usualStrength))
      }
      guard let count = sizes.min(by: { misfit($0) < misfit($1) }) else { return nil }
      let one = count.microtesla.x
      self.init(microtesla: one, basis: .chip(chip, range: count.range))
      if count.microtesla != Vector3(one, one, one) { axisFactors = count.microtesla / one }
      range = count.range
    }

    /// Counts of unknown scale whose sphere is made as large as the Earth's field usually is.
    /// - Parameter isSaid: the user or the device says that they are counts.
    public init(countsOfSize size: FieldSize, isSaid: Bool) {
      self.init(
        microtesla: WireScales.usualStrength / (size.radius ?? size.strength),
        basis: .countsScaledToEarth(size, isSaid: isSaid))
    }

    /// Directions are right, and strengths are not measured.
    public var isUnscaled: Bool {
      switch basis {
      case .countsScaledToEarth, .normalized, .calibratedCounts(_, isScaled: false): true
      default: false
      }
    }

    /// The numbers are no field that can be used, as far as is known yet.
    public var isUnclear: Bool {
      switch basis {
      case .ambiguous, .zero, .angles, .damaged: true
      default: false
      }
    }

    /// The factor by which a field in its stated unit must be outside of what the Earth's can be to be told: boards
    /// hold iron.
    static let statedMisfit = 3.0

    /// The basis once a user has stated the unit: with a doubt where the numbers are the Earth's field in another one
    /// alone, and far from it in this.
    package func basis(stated unit: FieldUnit) -> Basis {
      if case .doubted(unit, _, _) = basis { return basis }
      guard case .inferred(let other, let size) = basis, other != unit else { return .stated(unit) }
      let strength = size.strength(in: unit)
      guard MagneticField.earthMisfit(strength * unit.microtesla) > Self.statedMisfit else { return .stated(unit) }
      return .doubted(unit, strength: strength, other: other)
    }

    /// The way in which the scale came about.
    public enum Basis: Equatable, Sendable {
      /// No field.
      case absent
      /// The field is zero on all axes: nothing measures it.
      case zero
      /// The numbers called x, y and z are heading, roll and pitch in degrees, as a BNO055 tells them.
      case angles
      /// The numbers were put together wrongly from the bytes of a chip.
      case damaged(CountFault)
      /// The stream, or the user, says so.
      case stated(FieldUnit)
      /// The stream, or the user, says so, and the field is then far from the Earth's: `strength` is its size in that
      /// unit, and `other` a unit in which it would be the Earth's.
      case doubted(FieldUnit, strength: Double, other: FieldUnit?)
      /// The device was asked what its counts are.
      case told
      /// Counts of a chip that was named, in the range with this full scale in µT, the one in which the field is most
      /// like the Earth's.
      case chip(String, range: Double)
      /// Counts in the scale of the device's calibration, as counts per µT; not scaled where the calibration assumed
      /// the strength of the field.
      case calibratedCounts(Double, isScaled: Bool)
      /// The device's calibration is in counts, with these counts per µT, and this stream has another scale: `times`
      /// times as large, or, where that is nil, a unit that it states.
      case otherScale(Double, times: Double?)
      /// The only unit in which the device's calibration fits.
      case calibrated(FieldUnit)
      /// The only unit in which the field would be the Earth's.
      case inferred(FieldUnit, FieldSize)
      /// Counts, because they are said to be or because they are whole numbers that fit no unit: scaled so that the
      /// sphere they lie on has a usual strength. Directions are right; strengths are not measured.
      case countsScaledToEarth(FieldSize, isSaid: Bool)
      /// Counts that are wanted as such, each as large as a `FieldDisplayUnit.counts`.
      case shownCounts
      /// Counts are wanted, and the numbers have a unit.
      case noCounts
      /// The device sends the field as a multiple of the one it was calibrated in: scaled to a usual strength.
      case normalized
      /// Two units are as likely as one another.
      case ambiguous(FieldUnit, FieldUnit, FieldSize)
    }
  }

  /// The scale of the acceleration.
  public struct Acceleration: Equatable, Sendable {
    /// g in one number; nil where it is not known.
    public var gravities: Double?
    /// The evidence for the scale.
    public var basis: Basis

    /// The way in which the scale came about.
    public enum Basis: Equatable, Sendable {
      /// No acceleration.
      case absent
      /// The stream says so.
      case stated(AccelerationUnit)
      /// The unit in which the median magnitude is near 1 g.
      case inferred(AccelerationUnit, median: Double)
      /// Gravity has been taken off, so that they cannot tell which way is up, and are left out: their median
      /// magnitude, in the numbers of the wire.
      case weightless(size: Double)
      /// Numbers without a unit: the count that is 1 g, by the median magnitude.
      case counts(perGravity: Double)
    }
  }

  /// The scale of the rotation rate.
  public struct RotationRate: Equatable, Sendable {
    /// Degrees per second in one number; nil where it is not known.
    public var degreesPerSecond: Double?
    /// The evidence for the scale.
    public var basis: Basis

    /// The way in which the scale came about.
    public enum Basis: Equatable, Sendable {
      /// No rotation rate.
      case absent
      /// The stream says so.
      case stated(RotationRateUnit)
      /// The unit that agrees with how gravity and field turned; `slope` is radians of turn per number and second.
      case turned(RotationRateUnit, slope: Double)
      /// Counts, with their number per degree per second, from the turns of gravity and field.
      case turnedCounts(perDegreePerSecond: Double)
      /// The more usual unit, where nothing tells.
      case assumed(RotationRateUnit, fastest: Double)
      /// Faster than anything turns in degrees per second: counts of unknown scale.
      case counts
    }
  }
}
