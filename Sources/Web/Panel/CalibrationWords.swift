import Calibration
import LodestoneCore

// The page's words for a guided calibration.

extension CalibrationProgress {
  /// The next step, in one sentence; the only one that the page shows.
  var pageAdvice: String {
    switch reminder {
    case .lyingStill where phase == .circles: return "It is not turning. Turn it on, kept level."
    case .lyingStill: return "The board is not moving. Pick it up and turn it."
    case .onlyLevel: return "Only turned level so far. Tilt it too; for a boat or a car, switch to level."
    case .alreadyHeld where phase == .rolls: return "This shot is counted. \(nextShot?.instruction ?? "")"
    case .alreadyHeld:
      return "This position is counted. Next: \(nextPose.map { $0.pageWords } ?? "hold the board another way")."
    case .stillMoving:
      return nextShot?.instruction
        ?? "Hold it still for a moment: \(nextPose.map { $0.pageWords } ?? "any new position")."
    case .unsteady: return "Held, but not still enough to count: rest it against something firm."
    case .forceOff: return "This position can't count: the accelerometer does not read 1 g in it. Hold it another way."
    case .sameMark, .otherMark:
      return [reminder?.shotWords, nextShot?.instruction].compactMap { $0 }.joined(separator: " ")
    case nil: break
    }
    switch phase {
    case .waiting: return "Waiting for samples from the device."
    case .sweep where method == .touchUp:
      return "Turn the board forth and back about all axes, by 30° and more, for 20 s."
    case .sweep where directions < 0.9: return "Turn the board slowly, in figure-eights, through all directions."
    case .sweep: return "Keep turning: bring the large dot to the rings that are left."
    case .circles where circles >= circlesNeeded:
      return "Two circles were not enough: turn it further, level and in one place."
    case .circles: return "Turn it slowly, kept level: two full circles."
    case .rests where isKeptStill, .rolls where isKeptStill: return "Good. Keep still."
    case .rests:
      let next = nextPose.map { $0.pageInstruction } ?? "Hold the board still in a new position."
      return [leftOutWords, next].compactMap { $0 }.joined(separator: " ")
    case .rolls: return nextShot.map { $0.instruction } ?? "Hold it still."
    case .done: return refusal == nil ? "The calibration is complete." : "The calibration is refused."
    }
  }
}

extension RestPose {
  /// The turn, then how to hold the board.
  var pageInstruction: String {
    guard let turn = pageTurn else { return "Hold it still: \(pageWords)." }
    return "Turn yourself \(turn), then hold it still: \(pageWords)."
  }

  private var pageTurn: String? {
    let side = turnDegrees < 0 ? "left" : "right"
    switch abs(turnDegrees) {
    case ..<1: return nil
    case 44...46: return "an eighth of a turn to the \(side)"
    case 89...91: return "a quarter turn to the \(side)"
    case 179...181: return "half a turn"
    default: return "\(Int(abs(turnDegrees).rounded()))° to the \(side)"
    }
  }

  /// Which side is up, and which edge or corner is raised besides.
  var pageWords: String {
    let (side, raised, degrees) = description
    guard let first = raised.first else { return side.pageUp }
    let tilt = "\(Int((degrees / 5).rounded()) * 5)°"
    let isCorner = raised.count == 2 && ["top", "bottom"].contains(first.rawValue)
    if isCorner { return "\(side.pageUp), the \(first.rawValue) \(raised[1].rawValue) corner raised \(tilt)" }
    return "\(side.pageUp), the \(first.rawValue)\(first == .face || first == .back ? "" : " edge") raised \(tilt)"
  }
}

extension DeviceSide {
  fileprivate var pageUp: String {
    switch self {
    case .face: "face up"
    case .back: "face down"
    default: "\(rawValue) edge up"
    }
  }
}

extension SweepWarning {
  /// The problem, and what to do.
  var pageWords: String {
    switch self {
    case .disturbed: "Magnetic disturbance: keep away from iron and magnets."
    case .shaking: "Shaking: move more slowly and smoothly."
    case .saturated: "The field is beyond the sensor's range: move magnets away."
    case .frozen: "The field does not change though the board moves: check that the sensor is measuring."
    case .samplesLost: "Samples were lost: check the cable and the baud rate."
    }
  }
}
