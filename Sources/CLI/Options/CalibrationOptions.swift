import ArgumentParser
import Calibration
import Core
import Drivers
import Instruments

/// Which calibration a device is read with.
struct CalibrationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The calibration to use, instead of the one saved for the device; none for no calibration.", valueName: "file"))
  var profile: String?

  /// The profile in force for a device, which is told what to expect of its field; nil when it has none.
  func load(for stream: any SampleStream) throws -> Profile? {
    let profile = try find(stream.identity)
    if let profile {
      let correction = profile.correction
      stream.expect(
        FieldExpectation(strength: profile.fieldStrength) { field in
          correction.apply(to: MagneticField(microtesla: field)).field.microtesla
        })
    }
    return profile
  }

  private func find(_ device: String) throws -> Profile? {
    if profile == "none" { return nil }
    if let profile { return try worded(ProfileStore.read(profile).get) }
    guard let store = ProfileStore.ofUserIfAny else { return nil }
    return try worded { () throws(ProfileStoreProblem) in try store.current(of: device) }
  }
}
