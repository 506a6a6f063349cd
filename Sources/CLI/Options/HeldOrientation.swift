import ArgumentParser
import LodestoneCore

/// `--orientation`: one of the seven, or as gravity tells.
enum HeldOrientation: ExpressibleByArgument {
  case auto
  case pinned(Orientation)

  /// Help on the two options, which stand at two commands: a group of them would cost each start 3 %.
  static let help: ArgumentHelp = "How the device is held; auto derives it from gravity."
  static let pointingHelp: ArgumentHelp =
    "What the heading is of once the device is held upright: its top edge or its back."

  init?(argument: String) {
    if argument == "auto" {
      self = .auto
    } else {
      guard let orientation = Orientation(rawValue: argument) else { return nil }
      self = .pinned(orientation)
    }
  }

  static var allValueStrings: [String] { ["auto"] + Orientation.allCases.map { $0.rawValue } }
  var defaultValueDescription: String { "auto" }

  /// The orientation that was given; nil where gravity tells it.
  var fixed: Orientation? {
    guard case .pinned(let orientation) = self else { return nil }
    return orientation
  }
}
