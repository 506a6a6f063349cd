import Calibration
import LodestoneCore

/// The guided calibration: what to do next, which directions are missing, the live fit and what it is worth.
public enum CalibrationScreen {
  /// Draws the view on a cleared canvas of any size.
  public static func draw(_ view: CalibrationView, into canvas: inout Canvas) {
    let progress = view.progress
    let rate = (view.isAway ? nil : view.rate).map { Figures.fixed($0, decimals: 0) + " Hz" }
    var area = canvas.drawFrame(
      title: "Calibration", device: view.device,
      status: [rate, "\(progress.samples) samples", Figures.duration(progress.seconds)].compactMap { $0 },
      keys: keys(view, isNarrow: canvas.width < 64))
    let roomy = area.height >= 18
    // A pose that is cut off in its middle cannot be held: figures give way to it.
    let most = max(2, area.height - 4)
    var used = canvas.drawParagraph(
      view.instruction, in: area, limit: most, style: view.problem == nil || view.isAway ? .bold : .alarm)
    let explanation = CellText.wrapped(view.explanation, to: area.width)
    let rows = roomy || view.problem != nil || view.progress.reminder != nil ? 2 : 1
    if area.height >= 9, explanation.count <= rows, used + explanation.count <= most {
      used += canvas.drawParagraph(view.explanation, in: area.below(used), limit: 2, style: .dim)
    }
    // A second row is kept for it, so that what is below does not jump.
    if roomy { used = max(used, 2) }
    area = area.below(used + (roomy ? 1 : 0))
    let warnings = warningLines(view, width: area.width).prefix(area.height >= 4 ? 2 : 1)
    let footRows = roomy ? 6 : 2 + warnings.count
    let foot = area.below(max(0, area.height - footRows))
    drawProgress(view, warnings, roomy, on: &canvas, in: foot)
    drawMiddle(
      progress, on: &canvas,
      in: Region(column: area.column, row: area.row, width: area.width, height: max(0, area.height - footRows)))
  }

  /// The keys; in short words where the longer ones of all four do not fit.
  private static func keys(_ view: CalibrationView, isNarrow: Bool) -> [(key: String, effect: String)] {
    let level = view.progress.reminder == .onlyLevel ? [("l", isNarrow ? "level" : "level only")] : []
    return [("space", view.isPaused ? "resume" : "pause"), ("f", isNarrow ? "finish" : "finish now")] + level
      + [("q", isNarrow ? "discard" : "stop and discard")]
  }

  /// The next position, where one is asked for, and the board as it is, one beside the other, so that the hand sees
  /// what is left to do.
  private static func drawPoses(_ next: RestPose?, _ up: Vector3?, on canvas: inout Canvas, in area: Region) {
    let boards = [("next position", next.map { TurningBoard(up: $0.up) }), ("now", TurningBoard(up: up))]
    for (index, (name, board)) in boards.enumerated() {
      guard let board else { continue }
      let half = Region(
        column: area.column + index * (area.width / 2), row: area.row, width: area.width / 2, height: area.height - 1)
      board.draw(on: &canvas, in: half)
      canvas.text(name, centredIn: half, row: half.row + half.height, style: .dim)
    }
  }

  /// The globe, or the next position, beside the figures; in a narrow or low terminal the figures, or nothing.
  private static func drawMiddle(_ progress: CalibrationProgress, on canvas: inout Canvas, in area: Region) {
    let figures = figures(progress)
    let tableWidth = 30
    let beside = area.width - tableWidth - 4
    let globeFits = area.height > DirectionGlobe.leastHeight
    if globeFits, beside >= 4 * DirectionGlobe.leastHeight + 2 {
      let side = min((beside - 2) / 4, area.height - 1)
      let globe = Region(column: area.column, row: area.row, width: side * 4 + 2, height: area.height)
      if progress.phase == .rolls || progress.phase == .rests && progress.nextPose != nil {
        drawPoses(progress.nextPose, progress.up, on: &canvas, in: globe)
      } else {
        DirectionGlobe(met: progress.met, missing: progress.missing, current: progress.fieldDirection)
          .draw(on: &canvas, in: globe)
      }
      let column = max(globe.column + globe.width + 4, area.column + (area.width + globe.width + 4 - 40) / 2)
      let width = min(40, area.column + area.width - column)
      canvas.drawFigures(
        figures, in: Region(column: column, row: area.row, width: width, height: area.height))
    } else {
      canvas.drawFigures(figures.filter { !$0.label.isEmpty }, in: area)
    }
  }

  private static func figures(_ progress: CalibrationProgress) -> [FigureRow] {
    let fit = progress.result
    func field(_ value: Double?, _ decimals: Int, plus: Bool = false) -> String {
      value == nil ? Figures.absent : Figures.fixed(value, decimals: decimals, plus: plus) + " µT"
    }
    let reached = progress.accuracy.map { $0 <= progress.target } ?? false
    return [
      FigureRow(
        label: "Accuracy (95 %)",
        value: progress.accuracy.map { "±\(Figures.fixed($0, decimals: 1))°" } ?? Figures.absent,
        style: reached ? .good : .bold),
      FigureRow(label: "Target (95 %)", value: "±\(Figures.fixed(progress.target, decimals: 1))°"),
      laser(progress),
      FigureRow(label: "Field strength", value: field(fit?.fieldStrength, 2)),
      FigureRow(
        label: "Inclination", value: fit?.inclination.map { Figures.fixed($0, decimals: 1) + "°" } ?? Figures.absent),
      FigureRow(label: "Residual (RMS)", value: field(fit?.quality.residual, 2)),
      FigureRow(label: "", value: ""),
      FigureRow(label: "Hard iron  x", value: field(fit?.correction.hardIron.x, 2, plus: true)),
      FigureRow(label: "           y", value: field(fit?.correction.hardIron.y, 2, plus: true)),
      FigureRow(label: "           z", value: field(fit?.correction.hardIron.z, 2, plus: true)),
    ]
  }

  /// The laser's axis, where rolled shots are asked for; else a row that is left free.
  private static func laser(_ progress: CalibrationProgress) -> FigureRow {
    guard progress.phase == .rolls || !progress.shots.isEmpty else { return FigureRow(label: "", value: "") }
    guard let laser = progress.laser else { return FigureRow(label: "Laser", value: Figures.absent) }
    return FigureRow(label: "Laser, from \(laser.side.rawValue)", value: laser.words)
  }

  /// Directions, rests and warnings, always in the same rows.
  private static func drawProgress(
    _ view: CalibrationView, _ warnings: some Sequence<(text: String, style: Style)>, _ roomy: Bool,
    on canvas: inout Canvas, in area: Region
  ) {
    let progress = view.progress
    var row = area.row + (roomy ? 1 : 0)
    let end = area.row + area.height
    let label = area.width >= 34 ? 12 : 0
    if progress.phase == .circles || progress.circles > 0 {
      let share = progress.circles / progress.circlesNeeded
      let count = Figures.fixed(min(progress.circles, 9.9), decimals: 1) + " of 2"
      if row < end { drawBar("Circles", share, count, label, on: &canvas, in: area, row: row) }
      row += 2
    } else if progress.phase == .rolls || !progress.shots.isEmpty {
      drawMarks(progress, label, on: &canvas, in: area, rows: row..<end)
      row += 2
    } else {
      let share = progress.directions
      if row < end {
        drawBar(
          progress.method == .touchUp ? "Accuracy" : progress.method == .held ? "Positions" : "Directions", share,
          share >= 1 ? "enough" : Figures.percent(share), label, on: &canvas, in: area, row: row)
      }
      row += 1
      if row < end, progress.method != .touchUp { drawRests(progress, label, on: &canvas, in: area, row: row) }
      row += 1
    }
    row += roomy ? 1 : 0
    for warning in warnings where row < end {
      canvas.text(warning.text, column: area.column, row: row, style: warning.style)
      row += 1
    }
  }

  private static func drawBar(
    _ name: String, _ share: Double, _ count: String, _ label: Int, on canvas: inout Canvas, in area: Region, row: Int
  ) {
    canvas.text(label > 0 ? name : "", column: area.column, row: row, style: .dim)
    let bar = min(area.width - label - 9, 48)
    ProgressBar(fraction: share, style: share >= 1 ? .good : .accent)
      .draw(on: &canvas, column: area.column + label, row: row, width: bar)
    canvas.text(count, endingAt: area.column + label + max(bar, 0) + 9, row: row)
  }

  /// A mark for each rest; the next one fills while the board is held still.
  private static func drawRests(
    _ progress: CalibrationProgress, _ label: Int, on canvas: inout Canvas, in area: Region, row: Int
  ) {
    canvas.text(label > 0 ? "Rests" : "", column: area.column, row: row, style: .dim)
    let isFilling = progress.phase == .rests && progress.restProgress < 1
    let column = CountMarks(
      done: progress.rests, wanted: progress.restsNeeded, next: isFilling ? progress.restProgress : 0
    ).draw(on: &canvas, column: area.column + label, row: row)
    canvas.text(
      "\(progress.rests) of \(max(progress.rests, progress.restsNeeded))", column: column + 1, row: row)
  }

  /// A mark for each shot at the last two targets; the next one fills while the board is held still.
  private static func drawMarks(
    _ progress: CalibrationProgress, _ label: Int, on canvas: inout Canvas, in area: Region, rows: Range<Int>
  ) {
    let wanted = CalibrationProgress.shotsNeeded
    let first = max(0, max(progress.shots.count, (progress.nextShot?.mark ?? 0) + 1) - CalibrationProgress.marksNeeded)
    for (row, mark) in zip(rows, first..<first + CalibrationProgress.marksNeeded) {
      canvas.text(label > 0 ? "Mark \(mark + 1)" : "", column: area.column, row: row, style: .dim)
      let done = mark < progress.shots.count ? progress.shots[mark] : 0
      let isFilling = progress.nextShot?.mark == mark && progress.restProgress < 1
      let column = CountMarks(done: done, wanted: wanted, next: isFilling ? progress.restProgress : 0)
        .draw(on: &canvas, column: area.column + label, row: row)
      canvas.text("\(done) of \(max(done, wanted))", column: column + 1, row: row)
    }
  }

  /// Two lines at most: one warning in full, or the beginnings of the two most important.
  private static func warningLines(_ view: CalibrationView, width: Int) -> [(text: String, style: Style)] {
    var lines = view.warnings.map { (text: $0.text, style: $0.style) }
    if let notice = view.notice { lines.insert((notice.harmless, .alarm), at: 0) }
    if lines.count == 1, let line = lines.first {
      return CellText.wrapped("! " + line.text, to: width).prefix(2).map { ($0, line.style) }
    }
    return lines.prefix(2).map { (CellText.fitted("! " + $0.text, to: width), $0.style) }
  }
}
