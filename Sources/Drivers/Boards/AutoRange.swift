import LodestoneCore

/// Decides when a magnetometer should change its range: up before an axis saturates, down once a finer range would do
/// for some time. The caller configures the chip, and marks the next sample with `Sample.Flags.rangeChanged`.
public struct AutoRange: Sendable {
  /// The share of the range that an axis may use before the next one up is taken.
  public static let upperShare = 0.85
  /// The share of the next range down that no axis may exceed before it is taken. The gap to `upperShare` is the
  /// hysteresis.
  public static let lowerShare = 0.6
  /// The number of measurements in a row that must fit the next range down.
  public static let patience = 20

  /// Full scales in µT, ascending.
  private let ranges: [Double]
  private var index: Int
  private var fitting = 0

  /// Ranges in µT as the chip offers them, and the one in force.
  public init(ranges: [Double], current: Double) {
    self.ranges = ranges.sorted()
    index = self.ranges.firstIndex { $0 >= current } ?? max(0, ranges.count - 1)
  }

  /// The range to change to after this measurement, in µT; nil to stay. Counts on the change being made.
  public mutating func change(after measurement: Measurement) -> Double? {
    guard ranges.indices.contains(index) else { return nil }
    let field = measurement.field?.microtesla
    let peak = field.map { max(abs($0.x), abs($0.y), abs($0.z)) }
    if measurement.saturated || peak.map({ $0 > Self.upperShare * ranges[index] }) == true { return up(peak ?? 0) }
    return down(peak)
  }

  private mutating func up(_ peak: Double) -> Double? {
    fitting = 0
    guard index + 1 < ranges.count else { return nil }
    let enough = ranges[(index + 1)...].firstIndex { peak <= Self.upperShare * $0 }
    index = enough ?? ranges.count - 1
    return ranges[index]
  }

  private mutating func down(_ peak: Double?) -> Double? {
    guard let peak, index > 0, peak < Self.lowerShare * ranges[index - 1] else {
      fitting = 0
      return nil
    }
    fitting += 1
    guard fitting >= Self.patience else { return nil }
    fitting = 0
    index -= 1
    return ranges[index]
  }
}
