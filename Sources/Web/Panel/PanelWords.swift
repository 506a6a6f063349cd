import Calibration

/// How errors and results of a calibration are worded: as the program does elsewhere that serves the page.
public struct PanelWords: Sendable {
  /// The calibration in use, in a few words.
  public var calibration: @Sendable (Profile?) -> String
  /// The result of a calibration, and what the device was read with before, a sentence each; the first is the verdict.
  public var verdict: @Sendable (Profile, Profile?) -> [String]
  /// Why a calibration was refused, and what to do.
  public var refusal: @Sendable (CalibrationRefusal) -> (problem: String, hint: String?)
  /// An error in one line.
  public var failure: @Sendable (any Error) -> String

  /// Words for everything.
  public init(
    calibration: @escaping @Sendable (Profile?) -> String,
    verdict: @escaping @Sendable (Profile, Profile?) -> [String],
    refusal: @escaping @Sendable (CalibrationRefusal) -> (problem: String, hint: String?),
    failure: @escaping @Sendable (any Error) -> String
  ) {
    self.calibration = calibration
    self.verdict = verdict
    self.refusal = refusal
    self.failure = failure
  }
}
