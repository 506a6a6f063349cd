import Core
import Glibc

/// What the teslameter says about one sample, in µT, in the device frame.
public struct FieldReading: Equatable, Sendable {
  /// Of the sample, in seconds.
  public var time: Double
  /// The field with the zero-point subtracted.
  public var difference: Vector3
  /// The length of `difference`.
  public var magnitude: Double
  /// 95 % of magnitudes are within this much of the truth.
  public var uncertainty: Double
  /// The largest magnitude since the peak was reset.
  public var peak: Double
  /// The smallest.
  public var minimum: Double
  /// The field with nothing subtracted.
  public var field: Vector3
  /// What is wrong with it.
  public var flags: Flags

  /// A reading by its parts.
  public init(
    time: Double, difference: Vector3, magnitude: Double, uncertainty: Double, peak: Double, minimum: Double,
    field: Vector3, flags: Flags
  ) {
    self.time = time
    self.difference = difference
    self.magnitude = magnitude
    self.uncertainty = uncertainty
    self.peak = peak
    self.minimum = minimum
    self.field = field
    self.flags = flags
  }

  /// Facts that the numbers do not show.
  public struct Flags: OptionSet, Sendable, Hashable {
    /// One bit a flag.
    public let rawValue: UInt8
    /// From bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// An axis is at the end of the sensor's range: the magnitude is a lower bound.
    public static let saturated = Flags(rawValue: 1)
    /// The sensor itself was turned since the zero-point, so that the Earth's field is no longer subtracted.
    public static let turned = Flags(rawValue: 2)
    /// The magnitude does not stand out of the noise: it is below `uncertainty`.
    public static let belowNoise = Flags(rawValue: 4)
    /// The sensor's range was switched before this sample.
    public static let rangeChanged = Flags(rawValue: 8)

    /// Every flag with the word it is printed as.
    public static let words: [(flag: Flags, word: StaticString)] = [
      (.saturated, "saturated"), (.turned, "turned"), (.belowNoise, "below-noise"), (.rangeChanged, "range-changed"),
    ]
  }
}

/// Measures a field against a zero-point.
public struct Teslameter: Sendable {
  /// What is subtracted.
  public let zero: ZeroPoint
  /// The standard uncertainty of the sensor's gain, relative. Not statistics: how far the scale itself may be off.
  public let gainUncertainty: Double
  private var peak: Double?
  private var minimum: Double?
  private var turnedFor = 0

  /// Sensitivity tolerances in data sheets are mostly ±5 %. A calibration in the Earth's field makes the axes alike
  /// but learns their common gain only as well as the strength of that field is known.
  public static let gainTolerance = 0.05
  /// A turn of this many degrees is told from the accelerometer's noise.
  public static let noticedTurn = 2.0

  /// Measures against a zero-point.
  public init(zero: ZeroPoint, gainUncertainty: Double) {
    self.zero = zero
    self.gainUncertainty = gainUncertainty
  }

  /// Peak and minimum begin anew.
  public mutating func resetPeak() {
    peak = nil
    minimum = nil
  }

  /// Reads a corrected field in the device frame, with up (length 1) where known.
  public mutating func read(time: Double, field: Vector3, up: Vector3?, flags sampleFlags: Sample.Flags) -> FieldReading
  {
    let difference = field - zero.field
    let magnitude = difference.length
    var flags: FieldReading.Flags = []
    if sampleFlags.contains(.saturated) { flags.insert(.saturated) }
    if sampleFlags.contains(.rangeChanged) { flags.insert(.rangeChanged) }
    if isTurned(up) { flags.insert(.turned) }
    let uncertainty = self.uncertainty(of: difference, magnitude: magnitude)
    if magnitude < uncertainty { flags.insert(.belowNoise) }
    peak = max(peak ?? magnitude, magnitude)
    minimum = min(minimum ?? magnitude, magnitude)
    return FieldReading(
      time: time, difference: difference, magnitude: magnitude, uncertainty: uncertainty, peak: peak ?? magnitude,
      minimum: minimum ?? magnitude, field: field, flags: flags)
  }

  /// The half-width of the 95 % interval of a magnitude.
  ///
  /// Along the difference the noise of one sample and of the zero-point's mean add up, and so does the gain. Near zero
  /// the direction is noise itself: there the bound is the 95 % point of the length of three-axis noise (2.80 σ, from
  /// the Maxwell distribution; 1.96 σ where one axis makes nearly all of it), so that a reading of nothing stays below it.
  private func uncertainty(of difference: Vector3, magnitude: Double) -> Double {
    let factor = 1 + 1 / Double(zero.samples)
    let noise = zero.noise
    let bound = max(2.80 * (noise.squaredLength / 3).squareRoot(), 1.96 * max(noise.x, noise.y, noise.z))
    guard magnitude > bound * factor.squareRoot() else { return bound * factor.squareRoot() }
    let along = noise.times(difference / magnitude)
    let gain = gainUncertainty * magnitude
    return 1.96 * (along.squaredLength * factor + gain * gain).squareRoot()
  }

  /// Turned for a few samples in a row, so that one knock is no turn.
  private mutating func isTurned(_ up: Vector3?) -> Bool {
    guard let up, let before = zero.up else { return false }
    turnedFor = Angle.degrees(up.angle(to: before)) > Self.noticedTurn ? min(turnedFor + 1, 1000) : 0
    return turnedFor >= 5
  }
}
