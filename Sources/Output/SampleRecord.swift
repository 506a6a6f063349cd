import LodestoneCore

/// A raw sample as a record, so that it can be published in every format: with the names and decimals of a recording,
/// in the chip's own axes. A program that reads it takes it for the device, so an axis at the end of the sensor's range
/// is flagged: the number alone would be taken for the field.
public struct SampleRecord: Record {
  private let sample: Sample

  /// A record of nothing yet.
  public init() { self.init(Sample(time: 0)) }

  /// A record of a sample.
  public init(_ sample: Sample) { self.sample = sample }

  /// The time of the sample in seconds.
  public var time: Double { sample.time }

  /// The columns.
  public static let schema: RecordSchema = schema(with: RecordedCauses())

  /// The columns, and one for each cause behind them; the temperature must not be among those.
  public static func schema(with causes: RecordedCauses) -> RecordSchema {
    RecordSchema("sample", of: SampleRecord.self).with(
      causes.columns.map { .number($0.title, .none, decimals: RecordedCauses.decimals) })
  }

  /// Lists each column with its value.
  public func list<Columns: RecordColumns & ~Copyable>(in columns: inout Columns) {
    func field(_ name: String, reach: Column.Reach = .all) -> Column { .field(name, decimals: 4, reach: reach) }
    func gravities(_ name: String) -> Column { .number(name, .gravities, decimals: 6) }
    func rate(_ name: String) -> Column { .number(name, .degreesPerSecond, decimals: 4) }
    columns.add(field("mx"), field("my"), field("mz"), sample.field?.microtesla)
    columns.add(gravities("ax"), gravities("ay"), gravities("az"), sample.acceleration?.g)
    columns.add(rate("gx"), rate("gy"), rate("gz"), sample.rotationRate?.degreesPerSecond)
    columns.add(.number("temperature", .celsius, decimals: 2), sample.temperature)
    columns.add(field("probe", reach: .objects), sample.alongProbe)
    columns.add(.flags("flags", ["saturated"], reach: .objects), sample.flags.contains(.saturated) ? 1 : 0)
  }

  /// Puts the value of each column, and those of the causes, whose names are the stream's.
  public func fill(_ row: inout Row) {
    row.putList(of: self)
    for place in 0..<CauseValues.limit { row.put(sample.causes[place]) }
  }
}
