import Calibration

extension CalibrationProgress {
  /// The next step, in one sentence; the only one that the page shows.
  var pageAdvice: String {
    if isSpoiled, let leftOutWords { return leftOutWords }
    switch reminder {
    case .onlyLevel: return "Only turned level so far. Tilt it too; for a boat or a car, switch to level."
    case .alreadyHeld where phase == .rolls: return "This shot is counted. \(nextShot?.instruction ?? "")"
    case .alreadyHeld:
      return "This position is counted. Next: \(nextPose?.posture ?? "hold the board another way")."
    case .stillMoving:
      return nextShot?.instruction ?? "Hold it still for a moment: \(nextPose?.posture ?? "any new position")."
    case .sameMark, .otherMark: return Self.joined(reminderWords, nextShot?.instruction)
    case .lyingStill, .unsteady, .forceOff: return reminderWords ?? ""
    case nil: break
    }
    switch phase {
    case .rests where isKeptStill, .rolls where isKeptStill: return "Good. Keep still."
    case .rests: return Self.joined(leftOutWords, instruction)
    case .done: return refusal == nil ? "The calibration is complete." : "The calibration is refused."
    case .waiting, .sweep, .circles, .rolls:
      return instruction ?? "Keep turning: bring the large dot to the rings that are left."
    }
  }

  private static func joined(_ sentences: String?...) -> String {
    sentences.compactMap { $0 }.joined(separator: " ")
  }
}
