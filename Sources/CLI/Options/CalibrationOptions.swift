import ArgumentParser
import Calibration
import Glibc
import Instruments

/// Which calibration a device is read with.
struct CalibrationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The calibration to use, instead of the one saved for the device; none for no calibration.", valueName: "file"))
  var profile: String?

  /// The profile in force for a device; nil when it has none.
  func load(for device: String) throws -> Profile? {
    if profile == "none" { return nil }
    if let profile { return try ProfileStore.read(profile).mapError { Failure($0) }.get() }
    do throws(ProfileStoreProblem) {
      return try Self.store?.current(of: device)
    } catch {
      throw Failure(error)
    }
  }

  /// Where profiles are kept; nil when neither XDG_DATA_HOME nor HOME says.
  static var store: ProfileStore? {
    ProfileStore.standard { name in getenv(name).map { String(cString: $0) } }
  }
}
