import ArgumentParser
import Calibration
import Drivers
import LodestoneCore
import LodestoneOutput

/// `lodestone supported`: what the registries hold, as the tables of the README. Not in the help.
struct SupportedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "supported", abstract: "Print what is supported as tables in Markdown.",
    discussion: """
      Examples:
        lodestone supported
        lodestone supported chips
      """, shouldDisplay: false)

  /// A table, by the comment that stands before it in the README.
  enum Table: String, ChosenWord {
    case chips, bridges, protocols, formats
  }

  @Argument(help: "One table; all of them without.")
  var table: Table?

  func run() throws {
    for table in table.map({ [$0] }) ?? Table.allCases {
      try writeToStandardOutput("<!-- \(table.rawValue) -->\n\n\(table.text)\n<!-- end -->\n")
    }
  }
}

extension SupportedCommand.Table {
  /// The table in Markdown.
  var text: String {
    switch self {
    case .chips: Self.markdown(["chip", "name", "measures", "sketches"], Chips.all.map(Self.row))
    case .bridges: Self.markdown(["bridge", "USB"], Bridges.all.map(Self.row))
    case .protocols: Self.sentence(Protocols.all.map { $0.name })
    case .formats:
      Self.markdown(
        ["what", "names"],
        [
          ["`--format`", Self.list(Formats.all.map { $0.name })],
          ["`--publish`", Self.list(Sinks.all.map { $0.scheme + ":" })],
          ["`profiles export --for`", Self.list(Exports.all.map { $0.name })],
          ["`profiles import --from`", Self.list(Exports.imports.map { $0.name })],
        ])
    }
  }

  private static func row(_ chip: any Chip.Type) -> [String] {
    let kinds: [(Senses, String)] = [(.field, "field"), (.acceleration, "acceleration"), (.rotationRate, "rotation")]
    let measures = kinds.filter { chip.senses.contains($0.0) }.map { $0.1 }.joined(separator: ", ")
    let names = [chip.name] + chip.aliases
    let sketches = Sketch.all.filter { sketch in names.contains { sketch.name.hasPrefix($0 + "-") } }
    return [chip.part, list(names), measures, list(sketches.map { $0.name })]
  }

  private static func row(_ bridge: any Bridge.Type) -> [String] {
    let names = [bridge.name] + bridge.otherNames
    return [
      list(names),
      bridge.identifiers.map { $0.vendor.hexadecimal + ":" + $0.product.hexadecimal }.joined(separator: ", "),
    ]
  }

  private static func list(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }

  private static func sentence(_ names: [String]) -> String { list(names) + "\n" }

  private static func markdown(_ heading: [String], _ rows: [[String]]) -> String {
    ([heading, heading.map { _ in "---" }] + rows).map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
  }
}
