import ArgumentParser
import Lodestone
import LodestonePorts

/// `--profile`: which calibration a device is read with.
struct CalibrationOptions {
  /// The name as it was typed; nil where it was not.
  let profile: String?

  /// Help on the option, which stands at each command: a group of one option would cost each start 4 %.
  static let help = ArgumentHelp(
    "The calibration to use, instead of the one saved for the device; none for no calibration.",
    discussion: "A file, or a device as lodestone profiles lists it.", valueName: "name")

  /// The calibration to use.
  var choice: ProfileChoice {
    switch profile {
    case nil: .saved
    case "none": .none
    case .some(let name): .file(Self.path(of: name))
    }
  }

  /// The file of a name, be it readable or not. What is no saved profile is a path, for the error to name it.
  private static func path(of name: String) -> String {
    if name.hasSuffix(".json") || NodeKind.at(name) != nil { return name }
    return (try? ProfileSelection.entry(named: name, in: .required()))?.path ?? name
  }
}
