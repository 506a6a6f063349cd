import ArgumentParser

/// `--talker`: who speaks in `--format nmea`.
struct TalkerOption {
  /// The talker as it was typed; nil where it was not.
  let talker: String?

  /// Help on the option: see `CalibrationOptions.help`.
  static let help = ArgumentHelp("The talker of NMEA sentences. (default: HC)", valueName: "letters")

  func validate() throws {
    if let talker, !Self.isTalker(talker) {
      throw ValidationError("--talker \(talker): must be two capital letters")
    }
  }

  /// Two capital letters or digits.
  static func isTalker(_ text: String) -> Bool {
    text.utf8.count == 2 && text.utf8.allSatisfy { (65...90).contains($0) || (48...57).contains($0) }
  }

  /// The option as it was typed; nil where it was not.
  var typed: String? { talker.map { "--talker \($0)" } }

  /// The talker that was given or set; else that of a magnetic compass.
  func chosen() throws -> String { try talker ?? UserSettings.current()[.talker]?.text ?? "HC" }
}
