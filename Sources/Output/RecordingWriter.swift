import LodestoneCore

/// Samples as a recording: CSV that any spreadsheet opens and that every command takes as a device. Comment lines that
/// begin with `#` say where it comes from; then a header with the units in its names; sensors that the device does not
/// have are left out, and behind them a column for each cause. A comment stands before a sample of which an axis is at the
/// end of the sensor's range.
public struct RecordingWriter: Sendable {
  /// The facts in the comment lines.
  public struct Metadata: Sendable {
    /// The device's identity: calibrating from the recording calibrates this device.
    public var device: String
    /// UTC of time zero as seconds since 1970-01-01; nil when unknown.
    public var unixStart: Double?

    /// Facts about a recording.
    public init(device: String, unixStart: Double?) {
      self.device = device
      self.unixStart = unixStart
    }
  }

  /// Which columns there are: those of the first sample.
  private struct Columns {
    var field: Bool
    var acceleration: Bool
    var rotationRate: Bool
    var temperature: Bool
  }

  private var columns: Columns?
  private let causes: RecordedCauses

  /// A recording with nothing in it yet.
  /// - Parameter causes: values that the stream was asked for besides.
  public init(causes: RecordedCauses = RecordedCauses()) { self.causes = causes }

  /// Whether a sample has anything that is recorded: a field, an acceleration or a rotation rate.
  public static func takes(_ sample: Sample) -> Bool {
    sample.field != nil || sample.acceleration != nil || sample.rotationRate != nil
  }

  /// Appends a sample, and before the first one what stands at the top. A sample of which nothing can be recorded is
  /// left out and answered with false.
  @discardableResult
  public mutating func append(_ sample: Sample, metadata: Metadata, to text: inout TextBuffer) -> Bool {
    guard Self.takes(sample) else { return false }
    let columns = columns ?? begin(with: sample, metadata, to: &text)
    if sample.flags.contains(.saturated) {
      text.append(Sample.saturatedComment)
      text.append("\n")
    }
    text.append(sample.time, decimals: 6)
    if columns.field { append(sample.field?.microtesla, decimals: 4, to: &text) }
    if columns.acceleration { append(sample.acceleration?.g, decimals: 6, to: &text) }
    if columns.rotationRate { append(sample.rotationRate?.degreesPerSecond, decimals: 4, to: &text) }
    if columns.temperature {
      text.append(",")
      text.append(sample.temperature, decimals: 2)
    }
    for column in causes.columns {
      text.append(",")
      text.append(sample.causes[column.place], decimals: RecordedCauses.decimals)
    }
    text.append("\n")
    return true
  }

  private mutating func begin(with sample: Sample, _ metadata: Metadata, to text: inout TextBuffer) -> Columns {
    let columns = Columns(
      field: sample.field != nil, acceleration: sample.acceleration != nil, rotationRate: sample.rotationRate != nil,
      temperature: sample.temperature != nil || causes.hasTemperature)
    self.columns = columns
    text.append("# lodestone recording 1\n# device: ")
    text.append(text: metadata.device.withoutHarmful)
    if let start = metadata.unixStart {
      text.append("\n# start: ")
      text.append(utc: start)
    }
    text.append("\ntime_s")
    if columns.field { text.append(",mx_uT,my_uT,mz_uT") }
    if columns.acceleration { text.append(",ax_g,ay_g,az_g") }
    if columns.rotationRate { text.append(",gx_dps,gy_dps,gz_dps") }
    if columns.temperature { text.append(",temperature_C") }
    for column in causes.columns {
      text.append(",")
      text.append(text: column.title)
    }
    text.append("\n")
    return columns
  }

  private func append(_ vector: Vector3?, decimals: Int, to text: inout TextBuffer) {
    for axis in 0..<3 {
      text.append(",")
      text.append(vector?[axis], decimals: decimals)
    }
  }
}
