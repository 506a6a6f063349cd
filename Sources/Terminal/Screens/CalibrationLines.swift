import Calibration

/// The guided calibration said line by line, for screen readers, logs and terminals without a cursor. Nothing is said
/// twice in a row.
public struct CalibrationLines: Sendable {
  private var told: CalibrationView?
  private var instruction: [String] = []

  /// Nothing said yet.
  public init() {}

  /// The lines that are new now: steps, every tenth of the directions, every rest and the next pose, reminders, and
  /// warnings as they begin and end.
  public mutating func lines(for view: CalibrationView) -> [String] {
    let (now, before) = (view.progress, told?.progress ?? CalibrationProgress())
    var lines = achievements(from: before, to: now)
    lines += news(in: view)
    if now.reminder != before.reminder, !view.isAway, let words = now.plainReminder { lines.append(words) }
    for warning in view.warnings where !before.warnings.contains(warning) { lines.append("Warning: " + warning.text) }
    for warning in before.warnings.subtracting(now.warnings).sorted(by: { $0.rawValue < $1.rawValue }) {
      lines.append(warning.ending)
    }
    told = view
    return lines
  }

  private func achievements(from before: CalibrationProgress, to now: CalibrationProgress) -> [String] {
    var lines: [String] = []
    let (tenth, tenthBefore) = (Self.tenths(now.directions), Self.tenths(before.directions))
    if tenth > tenthBefore {
      let name = now.method == .touchUp ? "Accuracy" : "Directions"
      lines.append(tenth == 10 ? "\(name): enough." : "\(name): \(tenth * 10) %.")
    }
    if now.rests > before.rests, let mark = now.shots.indices.last {
      let laser = now.laser.map { "; laser \($0.words) from the \($0.side.rawValue) (95 %)" } ?? ""
      let wanted = max(now.shots[mark], CalibrationProgress.shotsNeeded)
      lines.append("Mark \(mark + 1): \(now.shots[mark]) of \(wanted)\(laser).")
    } else if now.rests > before.rests, now.phase == .rests || now.phase == .rolls || now.phase == .done {
      lines.append("Rest \(now.rests) of \(max(now.rests, now.restsNeeded)) counted\(Self.accuracy(now)).")
    }
    let isNews = now.isSpoiled ? !before.isSpoiled : now.restsLeftOut > before.restsLeftOut
    if isNews, now.phase == .rests, let words = now.leftOutWords { lines.append(words) }
    let halves = Self.tenths(now.circles / 5)
    if halves > Self.tenths(before.circles / 5), now.phase == .circles {
      lines.append("Turned \(Figures.fixed(Double(halves) / 2, decimals: 1)) of 2 circles\(Self.accuracy(now)).")
    }
    return lines
  }

  /// The instruction where it is another than the one that was said last.
  private mutating func news(in view: CalibrationView) -> [String] {
    let progress = view.progress
    guard view.problem != nil || view.isPaused || progress.phase != .rests || progress.nextPose != nil else {
      return []
    }
    var now = view
    now.progress.restProgress = 0
    now.progress.reminder = nil
    if progress.phase == .sweep { now.progress.directions = 0 }
    let isNextPose =
      (progress.phase == .rests || progress.phase == .rolls) && told?.progress.phase == progress.phase
      && view.problem == nil
    let said = [now.instruction] + (isNextPose ? [] : [now.explanation].filter { !$0.isEmpty })
    guard said.first != instruction.first else { return [] }
    instruction = said
    return said
  }

  private static func tenths(_ share: Double) -> Int {
    share.isFinite ? Int((min(max(share, 0), 1) * 10 + 1e-9).rounded(.down)) : 0
  }

  private static func accuracy(_ progress: CalibrationProgress) -> String {
    progress.accuracy.map { "; heading accuracy so far ±\(Figures.fixed($0, decimals: 1))° (95 %)" } ?? ""
  }
}

extension CalibrationProgress {
  /// The reminder without a key to press; nil for none.
  fileprivate var plainReminder: String? {
    reminder == .onlyLevel
      ? "Only turned level so far. If it can't be tilted (boat, car), stop and use calibrate --level." : reminderText
  }
}
