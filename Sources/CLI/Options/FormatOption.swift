import ArgumentParser
import LodestoneCore
import LodestoneOutput

/// `--format`, the same for every instrument.
struct FormatOption: ParsableArguments {
  @Option(
    name: .customLong("format"),
    help: ArgumentHelp(
      "\(Formats.all.map { $0.name }.listed).",
      valueName: "name"), completion: .list(Formats.all.map { $0.name }))
  var formatName: String?

  @Flag(help: .hidden)
  var json = false

  @Flag(help: .hidden)
  var csv = false

  /// The name of the format, be it given as `--json` or `--csv`.
  var format: String? { formatName ?? (json ? JSONFormat.name : csv ? CSVFormat.name : nil) }

  /// The format asked for, for records of a kind; nil where none was.
  func kind(for schema: RecordSchema) throws(ValidationError) -> (any Format.Type)? {
    guard let format else { return nil }
    let suitable = Formats.all.filter { $0.suits(schema) }
    guard let kind = suitable.first(where: { $0.name == format }) else {
      throw ValidationError("--format \(format): there are \(suitable.map { $0.name }.listed)")
    }
    return kind
  }

  /// Refuses an option that says something of NMEA sentences where none are written.
  /// - Parameter option: as it was typed; nil where it was not.
  func check(
    _ option: String?, for schema: RecordSchema, _ publish: PublishOptions
  ) throws(ValidationError) {
    guard let option else { return }
    let published = publish.publish.isEmpty ? nil : PublishOptions.usualFormat(of: schema)
    guard (try kind(for: schema) ?? published)?.name == NMEAFormat.name else {
      throw ValidationError("\(option) needs --format nmea")
    }
  }
}
