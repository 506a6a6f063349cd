import ArgumentParser
import Calibration
import LodestoneCore
import Lodestone

/// `lodestone profiles`: what is saved.
struct ProfilesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profiles",
    abstract: "List, show, compare, verify, export, send, import and remove saved calibrations.",
    discussion: """
      Examples:
        lodestone profiles                  those saved
        lodestone profiles show boat.json   how good it is
        lodestone profiles verify ttyUSB0   whether it still fits
        lodestone profiles export --for arduino -o calibration.h
      """,
    subcommands: [
      List.self, Show.self, Compare.self, Verify.self, Export.self, Send.self, Import.self, Remove.self, Path.self,
    ],
    defaultSubcommand: List.self)
}

extension ProfilesCommand {
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List saved calibrations, one line each.")
    @Flag(help: "Earlier ones too, not only the active one.") var all = false
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
      let store = try ProfileStore.required()
      let entries = try worded { () throws(ProfileStoreProblem) in try store.entries() }
      let listed = entries.filter { all || $0.isCurrent }
      if json { return try writeToStandardOutput(JSONValue.array(listed.map(Self.object)).printed) }
      if listed.isEmpty { writeToStandardError("No profiles are saved. lodestone calibrate makes one.\n") }
      try writeToStandardOutput(TextTable.text(of: listed.map(Self.row)))
    }

    private static func row(_ entry: ProfileStore.Entry) -> [String] {
      switch entry.profile {
      case .success(let profile):
        let error = profile.quality.headingErrorDegrees.map { TextTable.number($0, 2) + "°" } ?? "unknown error"
        return [
          profile.device, entry.isCurrent ? "active" : "@\(entry.number)", CalendarTime.text(unixTime: profile.created),
          profile.quality.verdict.rawValue, error, entry.path,
        ]
      case .failure(let problem):
        return [entry.device, "@\(entry.number)", "", "unreadable", "", Failure(problem).message]
      }
    }

    private static func object(_ entry: ProfileStore.Entry) -> JSONValue {
      var (profile, problem): (Profile?, String?)
      switch entry.profile {
      case .success(let read): profile = read
      case .failure(let failure): problem = Failure(failure).message
      }
      return .members(
        ("device", .string(profile?.device ?? entry.device)), ("number", .number(Double(entry.number))),
        ("in_use", .bool(entry.isCurrent)),
        ("created", .orNull(profile.map { CalendarTime.text(unixTime: $0.created) })),
        ("verdict", .orNull(profile?.quality.verdict.rawValue)),
        ("heading_error_deg", .orNull(profile?.quality.headingErrorDegrees)), ("path", .string(entry.path)),
        ("problem", .orNull(problem)))
    }
  }

  struct Path: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the path of a profile's file, or of the folder of all of them.")
    @Argument(
      help: "A device by its address or as lodestone profiles lists it, or DEVICE@NUMBER; the folder without.",
      completion: .profiles)
    var profile: String?

    func run() throws {
      let path = try profile.map { try ProfileSelection.resolve($0).path } ?? ProfileStore.required().folder
      try writeToStandardOutput(path.harmless + "\n")
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove a saved calibration. The one before it becomes active again.")
    @Argument(
      help: "A device as lodestone profiles lists it, or DEVICE@NUMBER for an earlier one.", completion: .profiles)
    var device: String
    @Flag(help: "All calibrations of the device.") var all = false

    func run() throws {
      let store = try ProfileStore.required()
      let chosen = try ProfileSelection.entry(named: device, in: store)
      try worded(to: "remove") { () throws(ProfileStoreProblem) in
        let entries = all ? try store.entries().filter { $0.deviceFolder == chosen.deviceFolder } : [chosen]
        for entry in entries {
          try store.remove(entry)
          writeToStandardError("Removed \(entry.path.harmless)\n")
        }
      }
    }
  }
}

/// Columns of text, two spaces apart. Nothing in a cell can command the terminal.
enum TextTable {
  static func text(of rows: [[String]]) -> String {
    let rows = rows.map { $0.map { $0.harmless } }
    let columns = rows.map { $0.count }.max() ?? 0
    let widths = (0..<columns).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        column + 1 == row.count ? cell : cell + String(repeating: " ", count: widths[column] - cell.count)
      }
      return cells.joined(separator: "  ") + "\n"
    }.joined()
  }

  /// A number with this number of digits after the point.
  static func number(_ value: Double, _ decimals: Int) -> String {
    value.text(decimals: decimals)
  }

  /// Three numbers.
  static func vector(_ v: Vector3, _ decimals: Int) -> String {
    [v.x, v.y, v.z].map { number($0, decimals) }.joined(separator: ", ")
  }
}
