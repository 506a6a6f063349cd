import Calibration
import LodestoneCore

/// The state of the calibration screen: the library's progress, and the command's additions to it.
public struct CalibrationView: Sendable {
  /// The device's address or name; from outside.
  public var device = ""
  /// How far it has come.
  public var progress: CalibrationProgress
  /// Whether the device is gone or silent, and waited for.
  public var isAway = false
  /// Whether the user has stopped it for a while.
  public var isPaused = false
  /// Samples a second.
  public var rate: Double?
  /// A problem that more turning will not solve, in the command's words; it takes the place of the instruction.
  public var problem: String?
  /// The remedy for the problem, in the command's words.
  public var remedy: String?
  /// A notice about the device, in the command's words.
  public var notice: String?
  /// Whether bytes have come, though they may make no samples yet.
  public var hearsData = false

  /// A view of a progress, without a device.
  public init(_ progress: CalibrationProgress) { self.progress = progress }
}

extension CalibrationView {
  /// The next step, in one sentence.
  package var instruction: String {
    if isAway { return "Waiting for samples from the sensor." }
    if let problem { return problem.harmless }
    if isPaused { return "Paused. Press space to resume." }
    let isKeptStill = progress.reminder == nil && progress.isKeptStill
    switch progress.phase {
    case .rests where isKeptStill, .rolls where isKeptStill: return "Good. Keep still until the bell."
    case .done where progress.refusal == nil && progress.method == .touchUp: return "Done. The calibration is refined."
    case .done where progress.refusal == nil: return "Done. The calibration is complete."
    case .done: return "Finished, but the calibration is refused."
    case .waiting, .sweep, .circles, .rests, .rolls:
      return progress.instruction ?? "Keep turning: bring the mark ◆ to where the globe is still empty."
    }
  }

  /// A second sentence that says why or how.
  package var explanation: String {
    if isAway, progress.phase != .waiting { return "What it has sent so far is kept." }
    if problem != nil { return (remedy ?? "").harmless }
    if isPaused { return "Samples are ignored while paused." }
    if progress.isSpoiled, let words = progress.leftOutWords { return words }
    if let reminder = progress.reminderText { return reminder }
    switch progress.phase {
    case .waiting:
      return hearsData ? "Data arrive; finding out what they are." : "Check that it is connected and sending."
    case .sweep where progress.method == .touchUp:
      return "Only the hard iron is fitted; the rest stays as it was saved."
    case .sweep: return "Point every side at the ground at least once."
    case .circles: return "Stand still for two seconds first. It holds near level only: tilted, headings will be wrong."
    case .rests: return progress.leftOutWords ?? "A second or two in each position; it need not be exact."
    case .rolls: return AimedShot.explanation
    case .done where progress.refusal != nil: return "The reason follows."
    case .done: return "You can put the board down."
    }
  }

  /// Warnings, most important first.
  package var warnings: [SweepWarning] { progress.warnings.sorted { $0.urgency > $1.urgency } }
}

extension CalibrationProgress {
  /// The reminder in a sentence, with the key to press; nil for none.
  var reminderText: String? {
    switch reminder {
    case .alreadyHeld: "This position is counted. Move on to the next one."
    case .stillMoving: "Hold it still for a moment; a rest counts after little more than a second."
    case .onlyLevel: "Only turned level so far. If it can't be tilted (boat, car), press l for a level calibration."
    case .lyingStill, .unsteady, .forceOff, .sameMark, .otherMark, nil: reminderWords
    }
  }
}

extension SweepWarning {
  /// The sentence for the end of the problem.
  var ending: String {
    switch self {
    case .disturbed: "The magnetic disturbance is over."
    case .shaking: "The motion is smooth again."
    case .saturated: "The field is within the sensor's range again."
    case .frozen: "The field changes again."
    case .samplesLost: "No more samples are lost."
    }
  }

  fileprivate var urgency: Int {
    switch self {
    case .saturated: 5
    case .frozen: 4
    case .disturbed: 3
    case .shaking: 2
    case .samplesLost: 1
    }
  }

  var style: Style { self == .saturated || self == .frozen ? .alarm : .warning }
}
