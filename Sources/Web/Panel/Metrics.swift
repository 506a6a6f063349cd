import Glibc
import LodestoneCore

/// Readings as OpenMetrics text: a gauge for each number with its unit at the end of the name, headings as sine and
/// cosine too (a mean of angles means nothing), and for a word a gauge of 1 that carries it.
enum Metrics {
  /// The media type of the answer to Prometheus.
  static let type = "application/openmetrics-text; version=1.0.0; charset=utf-8"

  /// Appends whether the device is there and sends. While it is not, there are no readings: a server of time series
  /// takes whatever is told for what is so now.
  static func append(isPresent: Bool, to text: inout TextBuffer) {
    text.append("# TYPE lodestone_device_present gauge\n")
    text.append("# HELP lodestone_device_present Whether the device is there and sends: 1 or 0.\n")
    text.append("lodestone_device_present ")
    text.append(isPresent ? 1 : 0)
    text.append("\n")
  }

  /// Appends the columns of a row that hold a value. The time is left out: the reader has its own.
  static func append(_ row: borrowing Row, _ schema: RecordSchema, to text: inout TextBuffer) {
    for (index, column) in schema.columns.enumerated().dropFirst() where column.reach != .byName {
      let metric = Metric(instrument: schema.name, column: column)
      switch column.kind {
      case .number, .integer: metric.append(row[index], to: &text)
      case .heading:
        metric.append(row[index], to: &text)
        let radians = row[index].map { Angle.radians($0) }
        metric.part("sine").append(radians.map { sin($0) }, to: &text)
        metric.part("cosine").append(radians.map { cos($0) }, to: &text)
      case .word(let words):
        guard let place = row.integer(index), words.indices.contains(place) else { continue }
        metric.begin(&text)
        text.append(text: "\(metric.name){\(column.name)=\"\(words[place])\"} 1\n")
      case .flags(let words):
        guard let bits = row.integer(index) else { continue }
        metric.begin(&text)
        for (place, word) in words.enumerated() {
          text.append(text: "\(metric.name){flag=\"\(word)\"} \(bits >> place & 1)\n")
        }
      }
    }
  }
}

/// The name of one gauge, and what is said of it.
private struct Metric {
  /// The name with the unit at its end: `lodestone_heading_pitch_degrees`.
  let name: String
  private let unit: String
  private let help: String
  private let instrument: String
  private let column: Column

  init(instrument: String, column: Column, part: String? = nil) {
    self.instrument = instrument
    self.column = column
    unit = part == nil ? column.unit.word : ""
    name = (["lodestone", instrument, column.name] + [part ?? unit].filter { !$0.isEmpty }).joined(separator: "_")
    let words = column.name.split(separator: "_").joined(separator: " ")
    help = "The \(instrument) reading's \(words)\(part.map { ", its \($0)" } ?? "")."
  }

  /// The sine or cosine of an angle.
  func part(_ part: String) -> Metric { Metric(instrument: instrument, column: column, part: part) }

  /// Appends what stands before the values.
  func begin(_ text: inout TextBuffer) {
    text.append(text: "# TYPE \(name) gauge\n")
    if !unit.isEmpty { text.append(text: "# UNIT \(name) \(unit)\n") }
    text.append(text: "# HELP \(name) \(help)\n")
  }

  /// Appends a value; nothing where there is none.
  func append(_ value: Double?, to text: inout TextBuffer) {
    guard let value else { return }
    begin(&text)
    text.append(text: name)
    text.append(" ")
    text.append(value, decimals: 6)
    text.append("\n")
  }
}

extension Column.Unit {
  /// The unit as the end of a metric's name, which has small letters only and no abbreviations.
  fileprivate var word: String {
    switch self {
    case .none: ""
    case .seconds: "seconds"
    case .degrees: "degrees"
    case .degreesPerSecond: "degrees_per_second"
    case .gravities: "gravities"
    case .metres, .distance: "metres"
    case .metresPerSecond: "metres_per_second"
    case .celsius: "celsius"
    case .hertz: "hertz"
    case .perMinute: "per_minute"
    case .litresPerMinute: "litres_per_minute"
    case .volume: "litres"
    case .field: "microtesla"
    }
  }
}
