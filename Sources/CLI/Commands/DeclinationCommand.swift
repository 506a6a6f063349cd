import ArgumentParser
import LodestoneCore
import Geomagnetism
import Lodestone

/// `lodestone declination`: the elements of the Earth's field for a place and date, or for a table of them.
struct DeclinationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "declination", abstract: "Declination and the rest of the Earth's field for a place and date.",
    discussion: """
      Examples:
        lodestone declination --at 48.2,16.37   now; the place of lodestone config needs no --at
        lodestone declination --at 48.2,16.37,200 --date 2026.7 --format json
        lodestone declination --input points.csv --output field.csv

      Answers come from the World Magnetic Model, or for dates before 2020 from the International Geomagnetic Reference \
      Field. The ± of declination holds for 95 of 100 places; declination_uncertainty_deg, for programs, is one \
      standard deviation. Neither includes iron nearby.

      A table is CSV with a header that names the columns date, latitude_deg, longitude_deg and altitude_m, in any order.
      """)

  @Option(parsing: .unconditional, help: ArgumentHelp("Where, in degrees and metres.", valueName: "lat,lon[,alt]"))
  var at: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("Decimal year or ISO date. (default: today)", valueName: "date"))
  var date: String?

  @Option(help: "wmm2025, wmm2020 or igrf14. (default: the best one for the date)")
  var model: ModelName?

  @Flag(help: "Accept dates outside the model's life.")
  var extrapolate = false

  @Option(help: "text, json or csv. (default: text, csv for a table)")
  var format: Format?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Table of places and dates; - for standard input.", valueName: "points.csv"), completion: .file()
  )
  var input: String?

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: ArgumentHelp("Where to write. (default: standard output)", valueName: "file"), completion: .file())
  var output: String?

  @Flag(name: [.short, .long], help: .quiet)
  var quiet = false

  /// The form of the answer.
  enum Format: String, ChosenWord {
    case text, json, csv
  }

  /// A model by its name.
  struct ModelName: ExpressibleByArgument {
    let model: FieldModel

    init?(argument: String) {
      guard let model = FieldModel.named(argument) else { return nil }
      self.model = model
    }

    static var allValueStrings: [String] { FieldModel.all.map { $0.name } }
  }

  func run() throws {
    switch (at, input) {
    case (_?, _?):
      throw Failure(.usage, "--at and --input exclude each other", hint: "leave one out: a table has places of its own")
    case (nil, let input?): try answerTable(input)
    case (let at, nil):
      guard let place = try at ?? UserSettings.current()[.at]?.text else {
        throw Failure(.usage, "no place given", hint: "--at 48.2,16.37 for one place, --input points.csv for a table")
      }
      try answer(Place(argument: place))
    }
  }

  private func answer(_ place: Place) throws {
    guard let date = try date.map({ text throws(Failure) in try DecimalYear(argument: text) }) ?? .today else {
      throw Failure.wrongClock()
    }
    let answer: DeclinationAnswer
    do {
      answer = try question.answer(place, date)
    } catch {
      throw Failure(.usage, error.words, hint: error.hint)
    }
    var text = TextBuffer(capacity: 1024)
    switch format ?? .text {
    case .text: answer.appendProse(to: &text)
    case .json: answer.appendJSON(to: &text)
    case .csv:
      DeclinationAnswer.appendHeader(to: &text)
      answer.appendRow(to: &text)
    }
    var file = try OutputFile(path: output)
    try file.write(&text)
    try file.finish()
    warn(extrapolated: answer.isExtrapolated ? 1 : 0)
  }

  private func answerTable(_ path: String) throws {
    guard format != .text else {
      throw Failure(.usage, "a table is written as csv or json, not as text", hint: "--format csv or --format json")
    }
    let date = try date.map { text throws(Failure) in try DecimalYear(argument: text) }
    var table = try DeclinationTable(path: path, date: date)
    var file = try OutputFile(path: output)
    let extrapolated = try table.answer(question, asJSON: format == .json, into: &file)
    try file.finish()
    warn(extrapolated: extrapolated)
  }

  private var question: DeclinationQuestion { DeclinationQuestion(model: model?.model, extrapolating: extrapolate) }

  private func warn(extrapolated: Int) {
    guard extrapolated > 0, !quiet else { return }
    let what = extrapolated == 1 ? "a date is" : "\(extrapolated) dates are"
    writeToStandardError("Warning: \(what) outside the model's life; the answer is extrapolated and less certain\n")
  }
}

/// The model that answers.
struct DeclinationQuestion {
  /// The one asked for; nil for the best for each date.
  var model: FieldModel?
  /// Whether dates outside the model's life are answered too.
  var extrapolating = false

  /// The model's answer for a place and date.
  func answer(_ place: Place, _ date: DecimalYear) throws(FieldModel.Problem) -> DeclinationAnswer {
    let model = self.model ?? FieldModel.nearest(to: date)
    let field = try model.evaluate(at: place, date: date, extrapolating: extrapolating)
    return DeclinationAnswer(
      place: place, date: date, field: field, model: model.name, title: model.title,
      isExtrapolated: !model.covers(date))
  }
}
