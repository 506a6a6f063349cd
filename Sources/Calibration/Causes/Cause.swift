import LodestoneCore

/// A quantity whose value turns the needle in proportion: a motor's current, a throttle, a rudder, the temperature. The
/// hard iron of the calibration holds in the middle of its range.
public struct Cause: Equatable, Sendable {
  /// The column or value of the device that tells it.
  public var name: String
  /// The raw field that one unit of it adds, in µT along the chip's axes.
  public var slope: Vector3
  /// The standard error of the slope along one axis, in µT per unit.
  public var deviation: Double
  /// The values for which this was found.
  public var range: ClosedRange<Double>
  /// Seconds by which its values come later than the field beside them; negative where they come earlier.
  public var lag: Double

  /// A cause by what was found of it.
  public init(name: String, slope: Vector3, deviation: Double, range: ClosedRange<Double>, lag: Double = 0) {
    self.name = name
    self.slope = slope
    self.deviation = deviation
    self.range = range
    self.lag = lag
  }

  /// The value at which the hard iron holds.
  public var middle: Double { (range.lowerBound + range.upperBound) / 2 }
  /// Half of the range, from its middle to either end.
  public var halfRange: Double { (range.upperBound - range.lowerBound) / 2 }
}

/// A cause that a calibration looks for.
public struct SoughtCause: Equatable, Sendable {
  /// The column or value of the device that tells it.
  public var name: String
  /// The values that the calibration is to hold for; nil for those that come.
  public var range: ClosedRange<Double>?

  /// A cause by its name, as in `current_A`.
  public init(_ name: String, range: ClosedRange<Double>? = nil) { (self.name, self.range) = (name, range) }
}

extension [SoughtCause] {
  /// The values of each that samples have, from the lowest to the highest; nil for one that they have none of.
  public func met(in samples: [Sample]) -> [ClosedRange<Double>?] {
    enumerated().map { CauseSeries(samples, CausePlace($0.offset, name: $0.element.name)).range }
  }
}

extension [Cause] {
  /// The value of each that a sample of a stream has that was asked for them in this order; nil for one that it has
  /// not.
  public func values(in sample: Sample) -> [Double?] {
    enumerated().map { CausePlace($0.offset, name: $0.element.name).value(in: sample) }
  }
}

/// The place of a cause's value in a sample.
struct CausePlace: Sendable {
  private let place: Int
  private let isTemperature: Bool

  init(_ place: Int, name: String) {
    self.place = place
    isTemperature = CauseValues.isTemperature(name)
  }

  /// The value in a sample; nil where it has none.
  func value(in sample: Sample) -> Double? {
    let value = sample.causes[place] ?? (isTemperature ? sample.temperature : nil)
    return value.flatMap { $0.isFinite ? $0 : nil }
  }
}
