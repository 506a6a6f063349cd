import ArgumentParser
import Calibration
import LodestoneCore
import Navigation

/// The result of a swing, for people, spreadsheets and programs.
struct SwingReport {
  private let deviation: Deviation
  private let marks: [Deviation.Mark]

  /// `--format` of a swing.
  enum Format: String, ChosenWord {
    case text, csv, json
  }

  init(_ deviation: Deviation, _ marks: [Deviation.Mark]) {
    self.deviation = deviation
    self.marks = marks
  }

  /// The whole report.
  func text(_ format: Format) -> String {
    switch format {
    case .text: words
    case .csv: table
    case .json: document.line
    }
  }

  /// The card for the chart table.
  func card(of compass: String) -> DeviationCard {
    DeviationCard(
      title: "Deviation of \(compass)", subtitle: summary,
      table: deviation.table.map { .init(compass: $0.compass, deviation: $0.deviation) },
      marks: marks.map { .init(compass: $0.compass, deviation: $0.deviation) })
  }

  private var summary: String {
    let parts = zip(Deviation.names, deviation.coefficients).map { "\($0) \(Self.signed($1))" }
    let rest = ["residual \(deviation.residual.text(decimals: 2))°", "\(marks.count) headings"]
    return (parts + rest).joined(separator: "  ·  ")
  }

  private static let meanings = [
    "constant", "greatest on east and west", "greatest on north and south", "greatest between them",
    "greatest on the cardinal points",
  ]

  private var words: String {
    var text = "Deviation by \(marks.count) headings, east positive\n"
    let rows = zip(zip(Deviation.names, Self.meanings), zip(deviation.coefficients, deviation.uncertainties))
    for ((name, meaning), (value, uncertainty)) in rows {
      text += "  \(name) \(Self.right(value.text(decimals: 2, plus: true), 6))° ±\(uncertainty.text(decimals: 2))°"
      text += "   \(meaning)\n"
    }
    text += "  ± hold 95 %; residual: \(deviation.residual.text(decimals: 2))°\n\ncompass   deviation   magnetic\n"
    for (compass, degrees) in deviation.table {
      text += "   \(Self.heading(compass))  \(Self.right(DeviationCard.deviation(degrees), 10))"
      text += "       \(Self.heading(compass + degrees))\n"
    }
    return text
  }

  private var table: String {
    var text = "compass_heading_deg,deviation_deg,magnetic_heading_deg\n"
    for (compass, degrees) in deviation.table {
      let magnetic = (compass + degrees).headingText(decimals: 2)
      text += "\(compass.text(decimals: 0)),\(degrees.text(decimals: 2)),\(magnetic)\n"
    }
    return text
  }

  private var document: JSONValue {
    let named = { (values: [Double]) in
      JSONValue.object(zip(Deviation.names, values).map { .init(key: $0, value: Self.rounded($1)) })
    }
    return .members(
      ("headings", .integer(marks.count)), ("coefficients_deg", named(deviation.coefficients)),
      ("uncertainties_deg", named(deviation.uncertainties)), ("residual_deg", Self.rounded(deviation.residual)),
      (
        "table",
        .array(
          deviation.table.map { compass, degrees in
            .members(
              ("compass_heading_deg", .number(compass)), ("deviation_deg", Self.rounded(degrees)),
              ("magnetic_heading_deg", Self.roundedHeading(compass + degrees)))
          })
      ))
  }

  private static func rounded(_ value: Double) -> JSONValue { .number((value * 100).rounded() / 100) }

  /// Rounded first and wrapped then.
  private static func roundedHeading(_ degrees: Double) -> JSONValue {
    .number(Angle.wrapped(degrees: (degrees * 100).rounded() / 100))
  }

  private static func signed(_ value: Double) -> String { value.text(decimals: 1, plus: true) + "°" }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// Three digits.
  static func heading(_ degrees: Double) -> String {
    let turned = Int(Angle.wrapped(degrees: degrees).rounded()) % 360
    return turned.padded(to: 3) + "°"
  }
}
