import LodestoneCore

/// Samples as a recording: CSV that any spreadsheet opens and that every command takes as a device. Comment lines that
/// begin with `#` say where it comes from; then a header with the units in its names; sensors that the device does not
/// have are left out, and behind them a column for each cause. A quantity that comes later than the first sample brings
/// another header. A comment stands before a sample of which an axis is at the end of the sensor's range. A probe of
/// one axis has a column of its own, and a field of no known scale is recorded in the counts that came, which are read
/// as such again.
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

  /// The quantities that have columns, one bit each.
  private struct Columns: OptionSet {
    let rawValue: UInt8
    static let (field, probe) = (Columns(rawValue: 1), Columns(rawValue: 2))
    static let (acceleration, rotationRate) = (Columns(rawValue: 4), Columns(rawValue: 8))
    static let temperature = Columns(rawValue: 16)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The quantities of a sample.
    init(_ sample: borrowing Sample) {
      var bits: UInt8 = sample.field == nil ? 0 : 1
      if sample.alongProbe != nil { bits |= 2 }
      if sample.acceleration != nil { bits |= 4 }
      if sample.rotationRate != nil { bits |= 8 }
      if sample.temperature != nil { bits |= 16 }
      rawValue = bits
    }
  }

  /// The quantities of the samples so far.
  private var columns: Columns = []
  /// Whether the field has no known scale, so that its column holds counts.
  private var fieldIsCounts = false
  private let causes: RecordedCauses
  /// Whether a quantity came so late that its column is below a later header.
  public private(set) var hasLaterColumns = false

  /// The size in µT of one of the field's numbers as the device sends them; nil where it sends µT.
  public var countSize: Double?

  /// A recording with nothing in it yet.
  /// - Parameter causes: values that the stream was asked for besides.
  public init(causes: RecordedCauses = RecordedCauses()) { self.causes = causes }

  /// Whether a sample has something that is recorded: a field, as a vector or along a probe, an acceleration or a
  /// rotation rate.
  public static func takes(_ sample: Sample) -> Bool {
    !Columns(sample).isSubset(of: .temperature)
  }

  /// Appends a sample, and before the first one the lines at the top. False for a sample without anything that is
  /// recorded, which is left out.
  @discardableResult
  public mutating func append(_ sample: Sample, metadata: Metadata, to text: inout TextBuffer) -> Bool {
    let quantities = Columns(sample)
    guard !quantities.isSubset(of: .temperature) else { return false }
    if !columns.isSuperset(of: quantities) { addColumns(for: sample, metadata, to: &text) }
    if sample.flags.contains(.saturated) {
      text.append(Sample.saturatedComment)
      text.append("\n")
    }
    text.append(sample.time, decimals: 6)
    if columns.contains(.field) { append(field(of: sample), decimals: 4, to: &text) }
    if columns.contains(.probe) {
      text.append(",")
      text.append(sample.alongProbe, decimals: 4)
    }
    if columns.contains(.acceleration) { append(sample.acceleration?.g, decimals: 6, to: &text) }
    if columns.contains(.rotationRate) { append(sample.rotationRate?.degreesPerSecond, decimals: 4, to: &text) }
    if columns.contains(.temperature) {
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

  /// Appends a header with the columns that a sample needs besides, and before the first one the lines at the top.
  @inline(never)
  private mutating func addColumns(for sample: borrowing Sample, _ metadata: Metadata, to text: inout TextBuffer) {
    let isFirst = columns.isEmpty
    takeColumns(of: sample)
    if isFirst { return appendTop(metadata, to: &text) }
    hasLaterColumns = true
    appendHeader(to: &text)
  }

  /// Gives each quantity of a sample a column.
  public mutating func takeColumns(of sample: borrowing Sample) {
    if !columns.contains(.field), sample.field != nil {
      fieldIsCounts = sample.flags.contains(.unscaled) && countSize != nil
    }
    if columns.isEmpty, causes.hasTemperature { columns.insert(.temperature) }
    columns.formUnion(Columns(sample))
  }

  /// The field in µT, or in counts where its column holds those.
  private func field(of sample: borrowing Sample) -> Vector3? {
    guard fieldIsCounts, let countSize, let field = sample.field else { return sample.field?.microtesla }
    return field.microtesla / countSize
  }

  /// Appends the lines above the rows: where they come from, and the names of the columns.
  public func appendTop(_ metadata: Metadata, to text: inout TextBuffer) {
    text.append("# lodestone recording 1\n# device: ")
    text.append(text: metadata.device.withoutHarmful)
    if let start = metadata.unixStart {
      text.append("\n# start: ")
      text.append(utc: start)
    }
    text.append("\n")
    appendHeader(to: &text)
  }

  private func appendHeader(to text: inout TextBuffer) {
    text.append("time_s")
    if columns.contains(.field) {
      text.append(fieldIsCounts ? ",mx_counts,my_counts,mz_counts" : ",mx_uT,my_uT,mz_uT")
    }
    if columns.contains(.probe) { text.append(",probe_uT") }
    if columns.contains(.acceleration) { text.append(",ax_g,ay_g,az_g") }
    if columns.contains(.rotationRate) { text.append(",gx_dps,gy_dps,gz_dps") }
    if columns.contains(.temperature) { text.append(",temperature_C") }
    for column in causes.columns {
      text.append(",")
      text.append(text: column.title)
    }
    text.append("\n")
  }

  private func append(_ vector: Vector3?, decimals: Int, to text: inout TextBuffer) {
    for axis in 0..<3 {
      text.append(",")
      text.append(vector?[axis], decimals: decimals)
    }
  }
}
