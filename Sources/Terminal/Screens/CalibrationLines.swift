/// The guided calibration said line by line, for screen readers, logs and terminals without a cursor.
public enum CalibrationLines {
  /// What is worth saying now that was not true in `previous` (nil at the start): steps, every tenth of the sphere, every
  /// rest, the next pose, and warnings as they begin and end.
  public static func lines(from previous: CalibrationState?, to state: CalibrationState) -> [String] {
    let before = previous ?? CalibrationState()
    var lines: [String] = []
    if previous == nil || state.hasNewInstruction(since: before) {
      lines += [state.instruction, state.explanation].filter { !$0.isEmpty }
    }
    let tenth = tenths(state.coverage)
    if tenth > tenths(before.coverage) {
      lines.append("Directions covered: \(tenth * 10) %" + accuracy(state) + ".")
    }
    if state.rests > before.rests {
      lines.append("Rest \(state.rests) of \(state.restsWanted) taken" + accuracy(state) + ".")
    }
    if state.phase == .rests, !state.isPaused, isNewPose(before, state),
      let pose = state.nextPoseUp.flatMap(RestPose.init)
    {
      lines.append("Next: hold still, \(pose.description).")
    }
    for warning in state.warnings where !before.warnings.contains(where: { $0.isSameKind(as: warning) }) {
      lines.append("Warning: " + warning.text)
    }
    for warning in before.warnings where !state.warnings.contains(where: { $0.isSameKind(as: warning) }) {
      lines.append(warning.ending)
    }
    return lines
  }

  private static func tenths(_ coverage: Double) -> Int {
    coverage.isFinite ? Int((min(max(coverage, 0), 1) * 10 + 1e-9).rounded(.down)) : 0
  }

  /// A pose is said when it is known at last and after each rest, not with every wobble of the hint.
  private static func isNewPose(_ before: CalibrationState, _ state: CalibrationState) -> Bool {
    (before.phase == .rests && before.nextPoseUp == nil) || state.rests > before.rests
  }

  private static func accuracy(_ state: CalibrationState) -> String {
    state.accuracy.map { "; heading accuracy so far ±\(Figures.fixed($0, decimals: 1))°" } ?? ""
  }
}

extension CalibrationState {
  /// The step changed, or the user or a problem stopped it or let it go on.
  fileprivate func hasNewInstruction(since before: CalibrationState) -> Bool {
    problem != before.problem || isPaused != before.isPaused || (phase != before.phase && !isPaused)
  }
}
