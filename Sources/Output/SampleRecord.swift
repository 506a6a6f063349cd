import LodestoneCore

/// A raw sample as a record, so that it can be published in every format: with the names that a recording has, in the
/// chip's own axes. What reads it takes it for the device: an axis at the end of the sensor's range is told, or the
/// number would be taken for the field.
public struct SampleRecord: Record {
  private let sample: Sample

  /// A record of nothing yet.
  public init() { self.init(Sample(time: 0)) }

  /// A record of a sample.
  public init(_ sample: Sample) { self.sample = sample }

  /// When the sample was taken, in seconds.
  public var time: Double { sample.time }

  /// The columns.
  public static let schema: RecordSchema = schema(with: RecordedCauses())

  /// The columns, and one for each cause behind them; the temperature must not be among those.
  public static func schema(with causes: RecordedCauses) -> RecordSchema {
    RecordSchema(
      "sample",
      ["mx", "my", "mz"].map { .field($0) } + ["ax", "ay", "az"].map { .number($0, .gravities, decimals: 6) }
        + ["gx", "gy", "gz"].map { .number($0, .degreesPerSecond, decimals: 4) }
        + [.number("temperature", .celsius, decimals: 2), .flags("flags", ["saturated"], reach: .objects)]
        + causes.columns.map { .number($0.title, .none, decimals: RecordedCauses.decimals) })
  }

  /// Puts a value for each column.
  public func fill(_ row: inout Row) {
    row.put(sample.field?.microtesla)
    row.put(sample.acceleration?.g)
    row.put(sample.rotationRate?.degreesPerSecond)
    row.put(sample.temperature)
    row.put(sample.flags.contains(.saturated) ? 1 : 0)
    for place in 0..<CauseValues.limit { row.put(sample.causes[place]) }
  }
}
