import ArgumentParser
import LodestoneCore
import LodestoneOutput

/// `--format` of a command that writes records of a kind: help and completions list the formats that have a place for
/// it.
struct FormatOption<Kind: Record>: ParsableArguments {
  @Option(
    name: .customLong("format"),
    help: ArgumentHelp("\(Self.names.listed).", valueName: "name"), completion: .list(Self.names))
  var formatName: String?

  @Flag(help: .hidden)
  var json = false

  @Flag(help: .hidden)
  var csv = false

  func validate() throws {
    guard json || csv else { return }
    let given = [
      ("--format \(formatName ?? "")", formatName), ("--json", json ? JSONFormat.name : nil),
      ("--csv", csv ? CSVFormat.name : nil),
    ]
    .filter { $0.1 != nil }
    guard Set(given.map { $0.1 }).count < 2 else {
      throw ValidationError("\(given.map { $0.0 }.listed): choose one format")
    }
  }

  /// The name of the format, be it given as `--json` or `--csv`.
  var format: String? { formatName ?? (json ? JSONFormat.name : csv ? CSVFormat.name : nil) }

  /// The names of the formats for records of the kind.
  private static var names: [String] { suitable(for: Kind.schema).map { $0.name } }

  private static func suitable(for schema: RecordSchema) -> [any Format.Type] {
    Formats.all.filter { $0.suits(schema) }
  }

  /// The format, other than text, that the end of a file's name says; nil for none.
  static func named(by path: String) -> String? {
    names.first { $0 != TextFormat.name && path.lowercased().hasSuffix("." + $0) }
  }

  /// The format asked for; nil where none was.
  /// - Parameter schema: of other records that the command writes instead.
  func kind(for schema: RecordSchema = Kind.schema) throws(ValidationError) -> (any Format.Type)? {
    guard let format else { return nil }
    let suitable = Self.suitable(for: schema)
    guard let kind = suitable.first(where: { $0.name == format }) else {
      throw ValidationError("--format \(format): there are \(suitable.map { $0.name }.listed)")
    }
    return kind
  }

  /// Refuses an option that says something of NMEA sentences where none are written.
  /// - Parameter option: as it was typed; nil where it was not.
  func check(_ option: String?, _ publish: PublishOptions<Kind>) throws(ValidationError) {
    guard let option else { return }
    let published = publish.publish.isEmpty ? nil : PublishOptions<Kind>.usualFormat(of: Kind.schema)
    guard (try kind() ?? published)?.name == NMEAFormat.name else {
      throw ValidationError("\(option) needs --format nmea")
    }
  }
}
