import ArgumentParser
import LodestoneCore
import Navigation

/// `--orientation` and `--pointing`: how a compass is held, and what its heading is of.
struct HeldOptions: ParsableArguments {
  @Option(help: "How the device is held; auto derives it from gravity.")
  var orientation: HeldOrientation = .auto

  @Option(help: "What the heading is of once the device is held upright: its top edge or its back.")
  var pointing: Pointing = .auto

  func apply(to settings: inout Compass.Settings) {
    settings.orientation = orientation.fixed
    settings.pointing = pointing
  }
}

/// `--orientation`: one of the seven, or as gravity tells.
enum HeldOrientation: ExpressibleByArgument {
  case auto
  case pinned(Orientation)

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

  /// The orientation, unless gravity shall tell.
  var fixed: Orientation? {
    guard case .pinned(let orientation) = self else { return nil }
    return orientation
  }
}
