import Calibration
import LodestoneCore
import Glibc

/// The teslameter's reading of one sample, in µT, in the device frame. Of a probe of one axis it has the field along
/// that as x, y and z are no numbers, there is no magnitude, and uncertainty, bounds, peak and minimum are those of the
/// size of x.
public struct FieldReading: Record, Equatable {
  /// When the sample was taken, in seconds.
  public var time: Double
  /// The field with the zero-point subtracted.
  public var difference: Vector3
  /// The length of the difference without what noise adds to it; nil where an axis is saturated, and of a probe of one
  /// axis.
  public var magnitude: Double?
  /// 95 % of magnitudes are within this much of the truth; nil where an axis is saturated.
  public var uncertainty: Double?
  /// The magnitude is smaller than this in 95 of 100 cases; nil where it stands out of the noise, or is saturated.
  public var atMost: Double?
  /// The magnitude is larger than this in 95 of 100 cases: an axis is saturated. Nil where none is.
  public var atLeast: Double?
  /// The largest magnitude since the peak was reset; nil while none stood out of the noise.
  public var peak: Double?
  /// 95 % of peaks are within this much of the truth.
  public var peakUncertainty: Double?
  /// The peak is larger than this: an axis was saturated since the peak was reset. Nil where none was.
  public var peakAtLeast: Double?
  /// The smallest magnitude since the peak was reset; nil before there is one.
  public var minimum: Double?
  /// How far noise alone carries the difference along an axis, seldom more, in µT: a change by more is one of the
  /// field. It is no column.
  public var scatter = 0.0
  /// The field with nothing subtracted.
  public var field: Vector3
  /// Facts that the numbers do not show.
  public var flags: Flags

  /// A reading of nothing yet.
  public init() { self.init(time: 0, difference: .zero, field: .zero, flags: []) }

  /// A reading of a difference; what it amounts to is added after.
  public init(time: Double, difference: Vector3, field: Vector3, flags: Flags) {
    self.time = time
    self.difference = difference
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
    /// The magnitude does not stand out of the noise: it is below `atMost`.
    public static let belowNoise = Flags(rawValue: 4)
    /// The sensor's range was switched before this sample.
    public static let rangeChanged = Flags(rawValue: 8)
    /// The zero-point has drifted by more than the noise: it should be taken again.
    public static let drifting = Flags(rawValue: 16)
    /// The field alternated while the zero-point was taken (mains hum?).
    public static let alternating = Flags(rawValue: 32)
    /// A probe of one axis: x is the field along it, and how strong the field is nobody knows.
    public static let oneAxis = Flags(rawValue: 64)

    /// The word that each flag is printed as, in the order of their bits.
    public static let words = [
      "saturated", "turned", "below-noise", "range-changed", "drifting", "alternating", "one-axis",
    ]

    /// The words of the flags that hold.
    public var names: [String] {
      Self.words.enumerated().filter { rawValue & (1 << $0.offset) != 0 }.map { $0.element }
    }
  }
}

/// Measures a field against a zero-point.
public struct FieldMeter: Sendable {
  /// The zero-point that is subtracted.
  public let zero: ZeroPoint
  /// The standard uncertainty of the sensor's gain, relative. Not statistics: how far the scale itself may be off.
  public let gainUncertainty: Double
  /// The field is calibrated: all of the zero-point is the place's, and turns as the sensor is turned.
  private let isCalibrated: Bool
  private var noise: FieldNoise
  private var drift: FieldDrift
  private var turn: SensorTurn
  private var standstill = UnchangedStrength()
  private var extremes = FieldExtremes()
  private var smoothing: FieldSmoothing?
  /// The largest turn of the sensor that nothing tells, in radians.
  private let unseenTurn: Double

  /// Sensitivity tolerances in data sheets are mostly ±5 %.
  public static let gainTolerance = 0.05
  /// The share of the place's field by which a turn may shift the zero-point unsaid.
  private static let allowedShift = 0.01

  /// Measures against a zero-point.
  /// - Parameters:
  ///   - isCalibrated: hard iron is undone, so that a turn of the sensor turns the whole field.
  ///   - smoothing: a time constant in seconds for the field; nil leaves each sample as it is.
  ///   - stillTo: degrees by which the sensor may be turned unseen, where no gyroscope tells; zero for one that is
  ///     fixed.
  ///   - resolution: that of a sensor whose numbers do not change.
  public init(
    zero: ZeroPoint, gainUncertainty: Double, isCalibrated: Bool = false, smoothing: Double? = nil,
    stillTo: Double = 0, resolution: SensorResolution = .ordinary
  ) {
    unseenTurn = Angle.radians(stillTo)
    self.zero = zero
    self.gainUncertainty = gainUncertainty
    self.isCalibrated = isCalibrated
    self.smoothing = FieldSmoothing(timeConstant: smoothing)
    noise = FieldNoise(zero: zero, resolution: resolution)
    drift = FieldDrift(zero: zero)
    turn = SensorTurn(zero: zero)
  }

  /// The relative standard uncertainty of the gain under a calibration, or without one. A calibration makes the axes
  /// alike; their common gain it learns only as well as the strength of the place's field is known.
  public static func gainUncertainty(of profile: Profile?) -> Double {
    guard let rows = profile?.covariance, rows.count >= 7, rows.allSatisfy({ $0.count >= 7 }) else {
      return gainTolerance
    }
    var variance = 0.0
    for i in 4..<7 {
      for j in 4..<7 { variance += rows[i][j] / 9 }
    }
    let deviation = max(0, variance).squareRoot()
    return deviation > 0 && deviation.isFinite ? min(gainTolerance, deviation) : gainTolerance
  }

  /// Peak and minimum begin again.
  public mutating func resetPeak() { extremes = FieldExtremes() }

  /// Takes how a sample without a field moved.
  public mutating func follow(time: Double, force: Vector3?, rate: RotationRate?, flags: Sample.Flags) {
    turn.add(time: time, field: nil, force: force, rate: rate, rateIsLeast: flags.contains(.rateSaturated))
  }

  /// Reads a corrected field in the device frame, with the specific force in g and the rotation rate where known.
  public mutating func read(
    time: Double, field raw: Vector3, force: Vector3?, rate: RotationRate? = nil, flags sampleFlags: Sample.Flags
  ) -> FieldReading {
    let isSaturated = sampleFlags.contains(.saturated)
    if !isSaturated { noise.add(raw) }
    let mean = isSaturated ? nil : smoothing?.add(raw, noise: zero.noise.length, at: time)
    let field = mean?.field ?? raw
    turn.add(
      time: time, field: isSaturated ? nil : raw, force: force, rate: rate,
      rateIsLeast: sampleFlags.contains(.rateSaturated))
    let isFollowed = isCalibrated && turn.isKnown
    let ambient = isFollowed && turn.isNoticed ? turn.rotation.matrix * zero.field : zero.field
    var reading = FieldReading(time: time, difference: field - ambient, field: field, flags: [])
    if sampleFlags.contains(.rangeChanged) { reading.flags.insert(.rangeChanged) }
    if zero.alternating > 0 { reading.flags.insert(.alternating) }
    let spoiled = isFollowed ? 0 : turn.angle * zero.field.length
    var error = noise.error(age: time - zero.time, share: mean?.noiseShare ?? 1)
    error.lag = mean?.lag ?? 0
    error.systematic = isFollowed ? turn.deviation * zero.field.length : 0
    (error.drift, error.driftDeviation) = drift.since(time)
    if !turn.isCarried { error.unseen = 2 * sin(unseenTurn / 2) * zero.field.length }
    reading.scatter = error.scatter
    let leastShift = Self.allowedShift * zero.field.length
    let isSpoiled = turn.isLost || spoiled > (isSaturated ? leastShift : max(error.bound, leastShift))
    // The change of the Earth's part by a turn too small to be flagged counts in the uncertainty.
    if !isSpoiled, turn.isNoticed { error.unseen += spoiled }
    if isSaturated {
      if isSpoiled { reading.flags.insert(.turned) }
      reading.saturate(error, gain: gainUncertainty)
      extremes.saturate(&reading)
      return reading
    }
    reading.judge(error, gain: gainUncertainty)
    if drift.cameSlowly { reading.flags.remove(.drifting) }
    // Each sample's own difference: the noise of a mean is the same again and again.
    let alone = mean == nil ? error : noise.error(age: time - zero.time, share: 1)
    drift.learn(raw - ambient, noise: alone.power / 3, at: time)
    let isUnchanged = standstill.add(reading, ambient: ambient, noise: error.bound, at: time)
    if isUnchanged && isCalibrated && !turn.isCarried || isSpoiled { reading.flags.insert(.turned) }
    extremes.take(&reading, error, gain: gainUncertainty)
    return reading
  }
}

extension FieldReading {
  /// Takes a bound for the magnitude: an axis is at the end of its range.
  mutating func saturate(_ error: FieldError, gain: Double) {
    flags.insert(.saturated)
    atLeast = max(0, difference.length - error.lower(of: difference, gain: gain))
  }

  /// Finds the magnitude of the difference and its uncertainty, or its bound where it does not stand out of the noise.
  mutating func judge(_ error: FieldError, gain: Double) {
    let length = difference.length
    let magnitude = max(0, length * length - error.power).squareRoot()
    self.magnitude = magnitude
    if length > error.bound {
      uncertainty = error.uncertainty(of: difference, gain: gain)
    } else {
      flags.insert(.belowNoise)
      let atMost = length + error.upper(of: difference)
      self.atMost = atMost
      uncertainty = max(error.bound, atMost - magnitude)
    }
    if error.drift > max(error.bound - error.drift, 0) / 2, error.drift > 3 * error.driftDeviation {
      flags.insert(.drifting)
    }
  }
}
