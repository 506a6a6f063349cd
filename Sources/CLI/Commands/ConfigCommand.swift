import ArgumentParser
import LodestoneCore

/// `lodestone config`: what a user has set once for all commands.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show the active settings and where each comes from.",
    discussion: """
      Examples:
        lodestone config   the active settings
        mkdir -p ~/.config/lodestone
        lodestone config --example > ~/.config/lodestone/config.toml

      Settings stand in ~/.config/lodestone/config.toml or in variables of the environment. An option of a command beats \
      the variable, the variable beats the file.
      """)

  @Flag(help: "Print a file to start with instead.")
  var example = false

  @Flag(help: "Print a JSON object instead.")
  var json = false

  func validate() throws {
    if example, json { throw ValidationError("--example and --json are different things: choose one") }
  }

  func run() throws {
    if example { return try writeToStandardOutput(Self.exampleFile) }
    let settings = try UserSettings.current()
    let devices = settings.devices.sorted { $0.key < $1.key }
    if json {
      let members = UserSetting.allCases.map { setting in
        let value = settings[setting]
        return JSONValue.Member(
          key: setting.rawValue,
          value: value.map { .members(("value", .string($0.text.withoutPasswords)), ("from", .string($0.origin))) }
            ?? .null)
      }
      let names = devices.map { JSONValue.Member(key: $0.key, value: .string($0.value.withoutPasswords)) }
      return try writeToStandardOutput(
        JSONValue.object(members + [JSONValue.Member(key: "devices", value: .object(names))]).printed)
    }
    let rows = UserSetting.allCases.map { setting in
      let value = settings[setting]
      return [
        setting.rawValue, value?.text.withoutPasswords ?? "-",
        value.map { "from " + $0.origin } ?? "not set: " + setting.meaning,
      ]
    }
    try writeToStandardOutput(
      TextTable.text(of: rows + devices.map { ["device " + $0.key, $0.value.withoutPasswords, ""] }))
  }

  /// Every setting as a comment, so that what is wanted needs only a character less.
  private static var exampleFile: String {
    let lines = UserSetting.allCases.map { "# \($0.meaning); \($0.variable)\n# \($0.rawValue) = \($0.example)\n" }
    return lines.joined() + "\n# names for devices: lodestone heading --device boat\n[devices]\n"
      + "# boat = \"usb:serial=00D2A5E1\"\n"
  }
}
