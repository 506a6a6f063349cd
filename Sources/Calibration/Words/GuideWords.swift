// The words of a guided calibration that the terminal and the page share.

extension CalibrationProgress {
  /// The step in a sentence; nil where a screen names its own marks, and for the end.
  package var instruction: String? {
    switch phase {
    case .waiting: "Waiting for samples from the sensor."
    case .sweep where method == .touchUp: "Turn the board forth and back about all axes, by 30° and more, for 20 s."
    case .sweep where directions < 0.9: "Turn the board slowly, in figure-eights, through all directions."
    case .circles where circles >= circlesNeeded:
      "Two circles were not enough: turn it further, level and in one place."
    case .circles: "Turn it slowly, kept level: two full circles."
    case .rests: nextPose?.instruction ?? "Hold the board still in a new position."
    case .rolls: nextShot?.instruction ?? "Hold it still."
    case .sweep, .done: nil
    }
  }

  /// The reminder in a sentence; nil for none, and where a screen says what comes next or which key to press. What is
  /// turned level may be a boat, which nobody picks up.
  package var reminderWords: String? {
    switch reminder {
    case .lyingStill where phase == .circles: "It is not turning. Turn it on, kept level."
    case .lyingStill: "The board is not moving. Pick it up and turn it."
    case .unsteady: "Held, but not still enough to count: rest it against something firm."
    case .forceOff: "This position can't count: the accelerometer does not read 1 g in it. Hold it another way."
    case .sameMark: "That was the same mark again: aim at another one."
    case .otherMark: "That was off the mark: its four shots begin again with this one."
    case .alreadyHeld, .stillMoving, .onlyLevel, nil: nil
    }
  }

  /// A sentence on a sweep that no rest makes good, or on the rests that were left out, and why; nil for neither.
  package var leftOutWords: String? {
    if isSpoiled, isUneven {
      return "The field differs from place to place: start again away from iron, and turn the board about itself."
    }
    if isSpoiled { return "The field was disturbed during the sweep: start again, away from iron and magnets." }
    guard restsLeftOut > 0 else { return nil }
    return "\(restsLeftOut) of the rests \(restsLeftOut == 1 ? "does" : "do") not count: the field differs there. "
      + "Hold still away from iron."
  }
}

extension SweepWarning {
  /// The problem and its remedy, in a line.
  package var text: String {
    switch self {
    case .disturbed: "Magnetic disturbance: keep away from iron and magnets."
    case .shaking: "Shaking: move more slowly and smoothly."
    case .saturated: "Saturated: the field is beyond the sensor's range; move magnets away."
    case .frozen: "The field does not change though the board moves: check that the sensor is measuring."
    case .samplesLost: "Samples were lost: check cable, baud rate and load."
    }
  }
}
