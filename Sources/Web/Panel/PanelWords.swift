import Calibration
import Instruments
import Lodestone

/// How the panel's facts are worded. The library reports facts; whoever serves the page words them, as it words them
/// elsewhere.
public struct PanelWords: Sendable {
  /// What should be told, as a sentence; nil for what need not be.
  public var notice: @Sendable (Notice, Profile?) -> String?
  /// The calibration in use, in a few words.
  public var calibration: @Sendable (Profile?) -> String
  /// What a guided calibration asks for now, in a sentence.
  public var advice: @Sendable (CalibrationProgress) -> String
  /// What is wrong just now, a sentence each.
  public var warnings: @Sendable (CalibrationProgress) -> [String]
  /// The result of a calibration, and what the device was read with before, a sentence each; the first is the verdict.
  public var verdict: @Sendable (Profile, Profile?) -> [String]
  /// Why a calibration was refused, and what to do.
  public var refusal: @Sendable (CalibrationRefusal) -> (problem: String, hint: String?)
  /// An error in one line.
  public var failure: @Sendable (any Error) -> String

  /// Words for everything.
  public init(
    notice: @escaping @Sendable (Notice, Profile?) -> String?, calibration: @escaping @Sendable (Profile?) -> String,
    advice: @escaping @Sendable (CalibrationProgress) -> String,
    warnings: @escaping @Sendable (CalibrationProgress) -> [String],
    verdict: @escaping @Sendable (Profile, Profile?) -> [String],
    refusal: @escaping @Sendable (CalibrationRefusal) -> (problem: String, hint: String?),
    failure: @escaping @Sendable (any Error) -> String
  ) {
    self.notice = notice
    self.calibration = calibration
    self.advice = advice
    self.warnings = warnings
    self.verdict = verdict
    self.refusal = refusal
    self.failure = failure
  }
}
