import Core

/// The guided calibration: what to do next, which directions are missing, the live fit and what it is worth.
public enum CalibrationScreen {
  /// Draws the state on a cleared canvas of any size.
  public static func draw(_ state: CalibrationState, into canvas: inout Canvas) {
    let rate = state.rate.map { Figures.fixed($0, decimals: 0) + " Hz" }
    var area = canvas.drawFrame(
      title: "Calibration", device: state.device,
      status: [rate, "\(state.samples) samples", Figures.duration(state.elapsed)].compactMap { $0 },
      keys: [("space", state.isPaused ? "go on" : "pause"), ("f", "finish now"), ("q", "stop and discard")])
    let roomy = area.height >= 18
    var used = canvas.drawParagraph(
      state.instruction, in: area, limit: 2, style: state.problem == nil ? .bold : .alarm)
    if area.height >= 9, CellText.wrapped(state.explanation, to: area.width).count <= (roomy ? 2 : 1) {
      used += canvas.drawParagraph(state.explanation, in: area.below(used), limit: 2, style: .dim)
    }
    area = area.below(used + (roomy ? 1 : 0))
    let warnings = warningLines(state, width: area.width).prefix(area.height >= 4 ? 2 : 1)
    let footRows = roomy ? 6 : 2 + warnings.count
    let foot = area.below(max(0, area.height - footRows))
    drawProgress(state, warnings, roomy, on: &canvas, in: foot)
    drawMiddle(
      state, on: &canvas,
      in: Region(column: area.column, row: area.row, width: area.width, height: max(0, area.height - footRows)))
  }

  /// The globe beside the figures; in a narrow or low terminal the figures, or nothing.
  private static func drawMiddle(_ state: CalibrationState, on canvas: inout Canvas, in area: Region) {
    let figures = figures(state)
    let tableWidth = 30
    let beside = area.width - tableWidth - 4
    let globeFits = area.height > DirectionGlobe.leastHeight
    if globeFits, beside >= 4 * DirectionGlobe.leastHeight + 2 {
      let side = min((beside - 2) / 4, area.height - 1)
      let globe = Region(column: area.column, row: area.row, width: side * 4 + 2, height: area.height)
      DirectionGlobe(directions: state.directions, current: state.fieldDirection).draw(on: &canvas, in: globe)
      let column = max(globe.column + globe.width + 4, area.column + (area.width + globe.width + 4 - 40) / 2)
      let width = min(40, area.column + area.width - column)
      canvas.drawFigures(
        figures, in: Region(column: column, row: area.row, width: width, height: area.height))
    } else {
      canvas.drawFigures(figures.filter { !$0.label.isEmpty }, in: area)
    }
  }

  private static func figures(_ state: CalibrationState) -> [FigureRow] {
    let fit = state.fit
    func field(_ value: Double?, _ decimals: Int, plus: Bool = false) -> String {
      value == nil ? Figures.absent : Figures.fixed(value, decimals: decimals, plus: plus) + " µT"
    }
    let reached = state.accuracy.map { $0 <= state.target } ?? false
    return [
      FigureRow(
        label: "Heading accuracy",
        value: state.accuracy.map { "±\(Figures.fixed($0, decimals: 1))°" } ?? Figures.absent,
        style: reached ? .good : .bold),
      FigureRow(label: "Target", value: "±\(Figures.fixed(state.target, decimals: 1))°"),
      FigureRow(label: "", value: ""),
      FigureRow(label: "Field strength", value: field(fit?.strength, 2)),
      FigureRow(label: "Dip", value: fit?.dip.map { Figures.fixed($0, decimals: 1) + "°" } ?? Figures.absent),
      FigureRow(label: "Residual", value: field(fit?.residual, 2)),
      FigureRow(label: "", value: ""),
      FigureRow(label: "Hard iron  x", value: field(fit?.hardIron.microtesla.x, 2, plus: true)),
      FigureRow(label: "           y", value: field(fit?.hardIron.microtesla.y, 2, plus: true)),
      FigureRow(label: "           z", value: field(fit?.hardIron.microtesla.z, 2, plus: true)),
    ]
  }

  /// Coverage, rests and warnings, always in the same rows.
  private static func drawProgress(
    _ state: CalibrationState, _ warnings: some Sequence<(text: String, style: Style)>, _ roomy: Bool,
    on canvas: inout Canvas, in area: Region
  ) {
    var row = area.row + (roomy ? 1 : 0)
    let end = area.row + area.height
    let label = area.width >= 34 ? 12 : 0
    if row < end {
      canvas.text(label > 0 ? "Directions" : "", column: area.column, row: row, style: .dim)
      let bar = min(area.width - label - 7, 48)
      ProgressBar(fraction: state.coverage, style: state.phase > .sweep ? .good : .accent)
        .draw(on: &canvas, column: area.column + label, row: row, width: bar)
      canvas.text(Figures.percent(state.coverage), endingAt: area.column + label + max(bar, 0) + 7, row: row)
    }
    row += 1
    if row < end {
      canvas.text(label > 0 ? "Rests" : "", column: area.column, row: row, style: .dim)
      let column = CountMarks(done: state.rests, wanted: state.restsWanted)
        .draw(on: &canvas, column: area.column + label, row: row)
      canvas.text("\(state.rests) of \(state.restsWanted)", column: column + 1, row: row)
    }
    row += roomy ? 2 : 1
    for warning in warnings where row < end {
      canvas.text(warning.text, column: area.column, row: row, style: warning.style)
      row += 1
    }
  }

  /// Two lines at most: one warning in full, or the beginnings of the two most important.
  private static func warningLines(_ state: CalibrationState, width: Int) -> [(text: String, style: Style)] {
    if let warning = state.warnings.first, state.warnings.count == 1 {
      return CellText.wrapped("! " + warning.text, to: width).prefix(2).map { ($0, warning.style) }
    }
    return state.warnings.prefix(2).map { (CellText.fitted("! " + $0.text, to: width), $0.style) }
  }
}
