import LodestoneCore

/// The compass's reading of one sample. Absent is nil, never zero.
public struct HeadingReading: Record, Equatable {
  /// The time of its sample in seconds.
  public var time: Double
  /// The true heading; nil while the declination is unknown.
  public var trueHeading: Heading<TrueNorth>?
  /// 95 % of headings are within this many degrees, true ones too where the declination is known; nil where no figure
  /// can be vouched for.
  public var accuracy: Double?
  /// How far to trust it.
  public var quality: Quality
  /// The corrected field in the device frame.
  public var field: MagneticField?
  /// The orientation in which the device is held; `unknown` without gravity.
  public var orientation: Orientation
  /// The deviation of the compass at this heading, as a swing found it, in degrees, east positive; nil where nothing is
  /// known, or where it has been added already.
  public var deviation: Double?
  /// Clockwise positive, in degrees per second, where the device or its gyroscope tells.
  public var rateOfTurn: Double?
  /// Whether the heading axis points out of the back, as that of a screen held upright does; else along the face.
  public var isOfBack = false
  // Angles as they were measured; in degrees below.
  @usableFromInline var measuredHeading: MeasuredAngle?
  @usableFromInline var measuredInclination: MeasuredAngle?
  @usableFromInline var measuredPitch: MeasuredAngle?
  @usableFromInline var measuredRoll: MeasuredAngle?

  /// A reading of nothing yet.
  public init() { self.init(time: 0) }

  /// A reading of nothing yet, at a time.
  public init(time: Double, quality: Quality = .uncalibrated, orientation: Orientation = .unknown) {
    self.time = time
    self.quality = quality
    self.orientation = orientation
  }

  /// The heading of the heading axis against magnetic north; nil where the field gives none.
  @inlinable public var magneticHeading: Heading<MagneticNorth>? {
    @inline(__always) get { measuredHeading.map { Heading(degrees: $0.degrees) } }
    set { measuredHeading = newValue.map { .degrees($0.degrees) } }
  }

  /// The angle of the field below the horizontal, in degrees, down positive; nil without gravity.
  @inlinable public var inclination: Double? {
    get { measuredInclination?.degrees }
    set { measuredInclination = newValue.map { .degrees($0) } }
  }

  /// The heading axis above the horizontal, in degrees; nil without gravity.
  @inlinable public var pitch: Double? {
    get { measuredPitch?.degrees }
    set { measuredPitch = newValue.map { .degrees($0) } }
  }

  /// The roll about the heading axis, right edge down positive, in degrees; nil without gravity.
  @inlinable public var roll: Double? {
    get { measuredRoll?.degrees }
    set { measuredRoll = newValue.map { .degrees($0) } }
  }

  /// Takes angles against gravity as they were measured.
  mutating func set(inclination: MeasuredAngle?, pitch: MeasuredAngle, roll: MeasuredAngle) {
    measuredInclination = inclination
    measuredPitch = pitch
    measuredRoll = roll
  }

  /// Takes an accuracy in degrees that holds more than the one before, and the grade that goes with it.
  mutating func widen(to degrees: Double) {
    let degrees = min(180, degrees)
    accuracy = degrees
    switch quality {
    case .good, .fair, .poor: quality = Quality(accuracy: degrees)
    case .disturbed, .uncalibrated, .device: break
    }
  }

  /// How far to trust a heading.
  public enum Quality: String, CaseIterable, Sendable {
    /// 95 % within 2°: `largest.good`.
    case good
    /// 95 % within 6°: `largest.fair`.
    case fair
    /// Worse than that, or without a figure.
    case poor
    /// The field is not the Earth's alone: too strong, too weak, or inclined as it cannot be. Has an accuracy as long
    /// as the size of the disturbance can be told.
    case disturbed
    /// No calibration: hard and soft iron are still in it.
    case uncalibrated
    /// Computed by the device itself and passed on as its own.
    case device

    /// The largest accuracies, in degrees, of a good and of a fair heading.
    public static let largest = (good: 2.0, fair: 6.0)

    /// The grade of an accuracy in degrees.
    init(accuracy: Double) {
      self = accuracy <= Self.largest.good ? .good : accuracy <= Self.largest.fair ? .fair : .poor
    }
  }
}
