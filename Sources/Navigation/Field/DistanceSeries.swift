/// A magnet's field at distances that are told: points, each the mean of a second in which the magnet was held still.
public struct DistanceSeries: Sendable {
  /// The points so far, in the order they were taken.
  public private(set) var points: [MagnetDistance.Point] = []
  private var recent: [FieldReading] = []

  /// Seconds that a point is the mean of, and readings of them at the most.
  private static let (window, most) = (1.0, 4096)
  /// Range of the magnitudes in a point at the most: in uncertainties of one, or as a share of their mean.
  private static let (allowedRange, allowedShare) = (4.0, 0.2)

  /// Why there is no point.
  public enum Problem: Error, Equatable, Sendable {
    /// No field was read yet: the zero-point is not taken.
    case noReading
    /// An axis was at the end of the sensor's range.
    case saturated
    /// The magnet does not stand out of the noise.
    case belowNoise
    /// The field changed meanwhile: the magnet was not held still.
    case moving
  }

  /// The settings of the teslameter whose readings it takes. The gain is off by the same share at each distance: the
  /// answer has it once.
  public static var teslameter: Teslameter.Settings {
    var settings = Teslameter.Settings()
    settings.gainUncertainty = 0
    return settings
  }

  /// A series without points.
  public init() {}

  /// The last reading; nil before the first.
  public var last: FieldReading? { recent.last }

  /// Takes a reading.
  public mutating func add(_ reading: FieldReading) {
    recent.removeAll { $0.time < reading.time - Self.window || $0.time > reading.time }
    if recent.count < Self.most { recent.append(reading) }
  }

  /// Takes the field of the last second as that at a distance from the case to the middle of the magnet, in metres.
  @discardableResult
  public mutating func mark(at distance: Double) throws(Problem) -> MagnetDistance.Point {
    guard !recent.isEmpty else { throw .noReading }
    let magnitudes = recent.compactMap { $0.magnitude }
    guard magnitudes.count == recent.count else { throw .saturated }
    let mean = magnitudes.reduce(0, +) / Double(magnitudes.count)
    let range = (magnitudes.max() ?? mean) - (magnitudes.min() ?? mean)
    let uncertainty = recent.compactMap { $0.uncertainty }.max() ?? 0
    guard mean > uncertainty else { throw .belowNoise }
    guard range <= max(Self.allowedRange * uncertainty, Self.allowedShare * mean) else { throw .moving }
    let point = MagnetDistance.Point(distance: distance, magnitude: mean, uncertainty: uncertainty)
    points.append(point)
    return point
  }

  /// Takes the last point back; nil where there is none.
  @discardableResult
  public mutating func removeLast() -> MagnetDistance.Point? { points.popLast() }
}
