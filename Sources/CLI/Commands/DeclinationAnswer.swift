import LodestoneCore
import Geomagnetism
import Lodestone

/// The field at a place and date, ready to be written.
struct DeclinationAnswer {
  let place: Place
  let date: DecimalYear
  let field: EarthField
  /// The model's name and title.
  let model, title: String
  let isExtrapolated: Bool
}

// MARK: For programs

extension DeclinationAnswer {
  /// The names of the question's values, as the columns of a table and the keys of an object.
  static let questionNames: [StaticString] = ["date", "latitude_deg", "longitude_deg", "altitude_m"]

  /// The numbers of an answer with their decimals, in the order of `numbers`; `model` and `zone` follow.
  private static let columns: [(name: StaticString, decimals: Int)] = [
    ("declination_deg", 4), ("inclination_deg", 4), ("horizontal_nT", 2), ("north_nT", 2), ("east_nT", 2),
    ("down_nT", 2), ("total_nT", 2), ("declination_deg_per_year", 5), ("inclination_deg_per_year", 5),
    ("horizontal_nT_per_year", 3), ("north_nT_per_year", 3), ("east_nT_per_year", 3), ("down_nT_per_year", 3),
    ("total_nT_per_year", 3), ("declination_uncertainty_deg", 3),
  ]

  private var numbers: InlineArray<15, Double> {
    let (now, change) = (field.elements, field.yearlyChange)
    return [
      now.declination, now.inclination, now.horizontal, now.north, now.east, now.down, now.total,
      change.declination, change.inclination, change.horizontal, change.north, change.east, change.down, change.total,
      field.declinationUncertainty,
    ]
  }

  private var question: InlineArray<4, Double> { [date.value, place.latitude, place.longitude, place.altitude] }

  /// The header of a table.
  static func appendHeader(to text: inout TextBuffer) {
    for name in questionNames {
      text.append(name)
      text.append(",")
    }
    for column in columns {
      text.append(column.name)
      text.append(",")
    }
    text.append("model,zone\n")
  }

  /// A row of a table.
  func appendRow(to text: inout TextBuffer) {
    for index in question.indices {
      text.append(exactly: question[index])
      text.append(",")
    }
    appendValues(to: &text)
  }

  /// A row without its first four columns.
  func appendValues(to text: inout TextBuffer) {
    let numbers = self.numbers
    for index in numbers.indices {
      text.append(numbers[index], decimals: Self.columns[index].decimals)
      text.append(",")
    }
    text.append(text: model)
    text.append(",")
    text.append(text: field.zone.rawValue)
    text.append("\n")
  }

  /// An object on one line.
  func appendJSON(to text: inout TextBuffer) {
    let (question, numbers) = (self.question, self.numbers)
    text.append("{")
    for index in question.indices {
      appendKey(Self.questionNames[index], to: &text)
      text.append(exactly: question[index], absent: "null")
      text.append(",")
    }
    for index in numbers.indices {
      appendKey(Self.columns[index].name, to: &text)
      text.append(numbers[index], decimals: Self.columns[index].decimals, absent: "null")
      text.append(",")
    }
    text.append("\"model\":\"")
    text.append(text: model)
    text.append("\",\"zone\":\"")
    text.append(text: field.zone.rawValue)
    text.append("\"}\n")
  }

  private func appendKey(_ name: StaticString, to text: inout TextBuffer) {
    text.append("\"")
    text.append(name)
    text.append("\":")
  }
}

// MARK: For people

extension DeclinationAnswer {
  /// A few lines to read.
  func appendProse(to text: inout TextBuffer) {
    let (now, change) = (field.elements, field.yearlyChange)
    text.append(text: "\(place.words), \(date.words): \(title)\n\n")
    let declination = side(now.declination, 2, "°", " E", " W")
    row(
      "Declination", "\(declination) ± \(min(Quantile.normal * field.declinationUncertainty, 180).text(decimals: 2))°",
      "\(side(change.declination, 2, "°", " E", " W")) a year", &text)
    row(
      "Inclination", side(now.inclination, 2, "°", " down", " up"),
      "\(side(change.inclination, 2, "°", " down", " up")) a year", &text)
    for (name, value, slope) in [
      ("Horizontal", now.horizontal, change.horizontal), ("North", now.north, change.north),
      ("East", now.east, change.east), ("Down", now.down, change.down), ("Total", now.total, change.total),
    ] {
      row(name, "\(value.text(decimals: 1)) nT", "\(slope > 0 ? "+" : "")\(slope.text(decimals: 1)) nT a year", &text)
    }
    if let advice = field.advice { text.append(text: "\n\(advice)\n") }
  }

  private func row(_ name: String, _ value: String, _ change: String, _ text: inout TextBuffer) {
    let padded = value + String(repeating: " ", count: max(22 - value.count, 1))
    text.append(text: name + String(repeating: " ", count: max(13 - name.count, 1)) + padded + change + "\n")
  }
}

/// A magnitude, and in words on which side of zero it lies.
private func side(_ value: Double, _ decimals: Int, _ unit: String, _ positive: String, _ negative: String) -> String {
  let magnitude = value.magnitude.text(decimals: decimals)
  let isZero = !magnitude.contains { ("1"..."9").contains($0) }
  return magnitude + unit + (isZero ? "" : value < 0 ? negative : positive)
}

extension Place {
  /// `48.2° N, 16.37° E, 200 m`.
  fileprivate var words: String {
    "\(latitude.magnitude.exactText())° \(latitude < 0 ? "S" : "N"), "
      + "\(longitude.magnitude.exactText())° \(longitude < 0 ? "W" : "E"), \(altitude.exactText()) m"
  }
}
