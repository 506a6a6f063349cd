import ArgumentParser
import Calibration
import Instruments
import Lodestone

/// Which calibration a device is read with.
struct CalibrationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The calibration to use, instead of the one saved for the device; none for no calibration.", valueName: "file"))
  var profile: String?

  /// Which calibration to use.
  var choice: ProfileChoice {
    switch profile {
    case nil: .saved
    case "none": .none
    case .some(let path): .file(path)
    }
  }

  /// The calibration of a stream's device; nil when it has none.
  func load(for stream: any SampleStream) throws -> Profile? { try choice.load(for: stream) }
}
