import LodestoneCore

/// Minute means of the field for magnetic observatories. The sensor lies level with its top edge to the true north, or
/// `--mount` says how it lies. A mean stands at the beginning of its minute; a minute with a gap of more than a tenth
/// of it was not measured, and a sample at the end of the sensor's range counts as missing. Source: "IAGA 2002 Data
/// Exchange Format", NOAA National Centers for Environmental Information; INTERMAGNET Technical Reference Manual 5.1,
/// section on the recovery of missing data.
public struct IAGA2002Format: Format {
  /// `--format iaga2002`.
  public static let name = "iaga2002"
  /// A minute that has begun too late has no mean.
  public static let needs = "whole minutes of fields, and the time of day"
  /// How the means are made, for the header.
  static let interval = "Average 1-minute (00:00-00:59)"
  /// Seconds without a sample that spoil a minute.
  static let longestGap = 6.0
  /// Minutes that were not measured are written as such, up to a day of them.
  private static let longestFill = 1440

  /// The samples of a minute.
  private struct Minute {
    /// Minutes since 1970.
    let number: Int
    private var sum = Vector3.zero
    private var count = 0
    private var last: Double
    private var gap = 0.0

    init(_ number: Int) {
      self.number = number
      last = Double(number) * 60
    }

    mutating func add(_ field: Vector3, at unixTime: Double) {
      sum += field
      count += 1
      gap = max(gap, unixTime - last)
      last = unixTime
    }

    /// The mean field in µT; nil where a part of the minute is missing.
    var mean: Vector3? {
      max(gap, Double(number + 1) * 60 - last) <= IAGA2002Format.longestGap ? sum / Double(count) : nil
    }
  }

  private let facts: StreamFacts
  private let axes: [Int?]
  private let saturated: (column: Int, bit: Int)?
  private var minute: Minute?
  /// Whether minutes before the last one are written too; else they are left out, so that the records are in order.
  var goesBack = false

  /// Records of the field along the device's axes.
  public init(_ schema: RecordSchema, _ facts: StreamFacts) {
    self.facts = facts
    axes = Self.axes(of: schema)
    saturated = Self.saturated(of: schema)
  }

  /// Records with a field.
  public static func suits(_ schema: RecordSchema) -> Bool { axes(of: schema).allSatisfy { $0 != nil } }

  private static func axes(of schema: RecordSchema) -> [Int?] {
    let prefix = schema.index(of: "bx") == nil ? "m" : "b"
    return ["x", "y", "z"].map { schema.index(of: prefix + $0) }
  }

  /// The bit of the flag that a field is only a bound; nil for records that have no such flag.
  private static func saturated(of schema: RecordSchema) -> (column: Int, bit: Int)? {
    for (index, column) in schema.columns.enumerated() {
      if case .flags(let words) = column.kind, let place = words.firstIndex(of: "saturated") {
        return (index, 1 << place)
      }
    }
    return nil
  }

  /// The records at the top of a file.
  public func appendHeader(to text: inout TextBuffer) {
    var station = Observatory()
    station.source = facts.device
    Self.appendHeader(of: station, to: &text)
  }

  /// The records at the top of a station's file.
  static func appendHeader(of station: Observatory, to text: inout TextBuffer) {
    station.appendHeader(comments: ["F is computed from X, Y and Z."], interval: interval, to: &text)
  }

  /// The minute before, where this record begins another.
  public mutating func append(_ row: borrowing Row, to text: inout TextBuffer) {
    guard let time = row[0], let begin = facts.start(of: time), abs(begin + time) < 9e9, let x = row[axes[0]],
      let y = row[axes[1]], let z = row[axes[2]]
    else { return }
    if let saturated, let flags = row.integer(saturated.column), flags & saturated.bit != 0 { return }
    let number = Int(((begin + time) / 60).rounded(.down))
    if !goesBack, let minute, number < minute.number { return }  // a clock that was put back
    if minute?.number != number {
      appendMinutes(before: number, to: &text)
      minute = Minute(number)
    }
    // The device's x points to the right, which is east, its y to the north, its z up.
    minute?.add(Vector3(y, x, -z), at: begin + time)
  }

  /// The last minute, where it is whole.
  public mutating func appendEnd(to text: inout TextBuffer) {
    guard let minute, minute.mean != nil else { return }
    appendMinutes(before: minute.number + 1, to: &text)
    self.minute = nil
  }

  private func appendMinutes(before number: Int, to text: inout TextBuffer) {
    guard let minute else { return }
    Observatory.append(Double(minute.number) * 60, minute.mean, to: &text)
    guard number - minute.number <= Self.longestFill else { return }
    for missing in (minute.number + 1)..<max(number, minute.number + 1) {
      Observatory.append(Double(missing) * 60, nil, to: &text)
    }
  }
}
