import ArgumentParser
import Calibration
import Lodestone

extension Learning: ChosenWord {}

/// `--learn`: whether the hard iron is learnt from ordinary motion.
struct LearningOptions {
  /// The mode, as it was typed or left out.
  let learn: Learning

  /// Help on the option: see `CalibrationOptions.help`.
  static let help = ArgumentHelp(
    "Follow the hard iron while the board is carried and turned; --learn save saves what was learnt.",
    discussion: """
      For a battery that was changed, or a screw put in, since the calibration. Needs a gyroscope and a full \
      calibration. Headings are corrected once the hard iron is known to have moved, and their accuracy says how well \
      it is known. A new version of the calibration is saved after a minute of that, where the board was tilted too: \
      what only turns level may be part of a vehicle.
      """, valueName: "mode")

  /// `--learn` alone means on.
  static func spelledOut(_ arguments: [String]) -> [String] {
    let words = Learning.allCases.map { $0.rawValue }
    var spelled: [String] = []
    for (index, argument) in arguments.enumerated() {
      spelled.append(argument)
      guard argument == "--learn" else { continue }
      let next = index + 1 < arguments.count ? arguments[index + 1] : nil
      if next.map({ !words.contains($0) }) ?? true { spelled.append(Learning.on.rawValue) }
    }
    return spelled
  }

  /// Refuses to save over a calibration that is not the device's own.
  func validate(_ calibration: CalibrationOptions) throws {
    if learn == .save, calibration.profile != nil {
      throw ValidationError("--learn save: saves a version of the device's own calibration; leave --profile out")
    }
  }

  /// Refuses where nothing could be learnt, or what is learnt not be saved.
  /// - Parameter advice: how the device is calibrated.
  func check(_ profile: Profile?, _ advice: CalibrationAdvice) throws {
    guard learn != .off else { return }
    guard let profile, HardIronLearner(profile) != nil else {
      throw Failure(
        .noInput, "--learn: \(profile == nil ? "the device is not calibrated" : "the calibration is not a full one")",
        hint: "a calibration with rests can be refined: \(advice.words())")
    }
    guard learn == .save else { return }
    let store = try ProfileStore.required()
    try worded(to: "write") { () throws(ProfileStoreProblem) in try store.checkSaving(of: profile.device) }
  }
}
