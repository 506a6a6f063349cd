import Core

/// What the teslameter's screen shows: plain values, filled by the command.
public struct TeslameterState: Equatable, Sendable {
  /// The steps.
  public enum Phase: Equatable, Sendable {
    /// The ambient field is being averaged; done so far, 0 ... 1.
    case zeroing(progress: Double)
    /// No zero-point: the field moved by so many µT meanwhile.
    case zeroRefused(moving: Double)
    /// The difference to the zero-point is shown.
    case measuring
  }

  /// The magnitude of the difference.
  public enum Magnitude: Equatable, Sendable {
    /// In µT.
    case microtesla(Double)
    /// Not to be told from noise: smaller than this, in µT.
    case below(microtesla: Double)
  }

  /// The device's address or name; from outside.
  public var device = ""
  /// The step.
  public var phase = Phase.zeroing(progress: 0)
  /// The display stands still.
  public var isPaused = false
  /// What numbers are shown in.
  public var unit = FieldUnit.microtesla
  /// Against the zero-point.
  public var magnitude: Magnitude?
  /// Against the zero-point.
  public var difference: MagneticField?
  /// Of the magnitude, in µT (95 %).
  public var uncertainty: Double?
  /// The largest magnitude since the reset, in µT.
  public var peak: Double?
  /// The smallest magnitude since the reset, in µT.
  public var minimum: Double?
  /// As measured, without the zero-point taken off.
  public var raw: MagneticField?
  /// Magnitudes in µT.
  public var history = History()
  /// The sensor is at the end of its range.
  public var isSaturated = false
  /// The sensor was turned by so many degrees since the zero-point; nil while it was not.
  public var turned: Double?
  /// The zero-point no longer holds.
  public var isZeroSpoiled = false
  /// Samples a second.
  public var rate: Double?

  /// Nothing yet.
  public init() {}
}

/// The teslameter: one large reading, its components, and the last minute.
public enum TeslameterScreen {
  /// Draws the state on a cleared canvas of any size.
  public static func draw(_ state: TeslameterState, into canvas: inout Canvas) {
    let rate = state.rate.map { Figures.fixed($0, decimals: 0) + " Hz" }
    let area = canvas.drawFrame(
      title: "Teslameter", device: state.device, status: [state.isPaused ? "PAUSED" : nil, rate].compactMap { $0 },
      keys: [
        ("z", "zero"), ("p", "reset peak"), ("u", "unit"), ("space", state.isPaused ? "go on" : "pause"), ("q", "quit"),
      ])
    var used = drawReading(state, on: &canvas, in: area)
    used += drawNotice(state, on: &canvas, in: area.below(used))
    let roomy = area.height >= 18
    used += drawComponents(state, on: &canvas, in: area.below(used + (roomy ? 1 : 0))) + (roomy ? 2 : 0)
    HistoryPlot(history: state.history, scale: state.unit.microtesla, least: leastAxis(state))
      .draw(on: &canvas, in: area.below(used))
  }

  /// The magnitude, large where there is room, with its unit and uncertainty; the rows used.
  private static func drawReading(_ state: TeslameterState, on canvas: inout Canvas, in area: Region) -> Int {
    let text = magnitude(state)
    let uncertainty = uncertainty(state)
    let style: Style =
      state.magnitude == nil ? .dim : state.isSaturated ? .alarm : state.isZeroSpoiled ? .warning : .bold
    let digits = BigDigits(text: text, style: style)
    if area.height >= 12, digits.width + 12 <= area.width {
      digits.draw(on: &canvas, column: area.column, row: area.row)
      let column = area.column + digits.width + 2
      canvas.text(state.unit.symbol, column: column, row: area.row + 4, style: .bold)
      canvas.text(uncertainty, column: column, row: area.row + 2, style: .dim)
      return BigDigits.height + 1
    }
    guard area.height > 0 else { return 0 }
    let end = canvas.text(text + " " + state.unit.symbol, column: area.column, row: area.row, style: style)
    canvas.text(uncertainty, column: end + 2, row: area.row, style: .dim)
    return 1
  }

  /// One row kept for what the user must know.
  private static func drawNotice(_ state: TeslameterState, on canvas: inout Canvas, in area: Region) -> Int {
    guard area.height > 0 else { return 0 }
    switch state.phase {
    case .zeroing(let progress):
      let end = canvas.text("Zero-point: sensor still, magnet away ", column: area.column, row: area.row, style: .bold)
      ProgressBar(fraction: progress)
        .draw(on: &canvas, column: end, row: area.row, width: min(24, area.column + area.width - end))
    case .zeroRefused(let moving):
      let text =
        "NO ZERO-POINT: the field moves by \(figure(moving, state.unit)) \(state.unit.symbol). Hold still, press z."
      canvas.text(CellText.fitted(text, to: area.width), column: area.column, row: area.row, style: .alarm)
    case .measuring:
      canvas.text(CellText.fitted(flags(state), to: area.width), column: area.column, row: area.row, style: .alarm)
    }
    return 1
  }

  private static func flags(_ state: TeslameterState) -> String {
    var flags: [String] = []
    if state.isSaturated { flags.append("SATURATED: field is larger") }
    if let turned = state.turned { flags.append("SENSOR TURNED by \(Figures.fixed(turned, decimals: 0))°") }
    if state.isZeroSpoiled { flags.append("ZERO SPOILED: press z") }
    return flags.joined(separator: " · ")
  }

  /// Three rows, one a component, with the extremes and the raw field beside them.
  private static func drawComponents(_ state: TeslameterState, on canvas: inout Canvas, in area: Region) -> Int {
    let unit = state.unit
    func row(_ label: String, _ value: Double?, signed: Bool = true) -> FigureRow {
      let text = value.map { figure($0, unit, plus: signed) + " " + unit.symbol } ?? Figures.absent
      return FigureRow(label: label, value: text)
    }
    let (difference, raw) = (state.difference?.microtesla, state.raw?.microtesla)
    let tables = [
      [row("x", difference?.x), row("y", difference?.y), row("z", difference?.z)],
      [
        row("peak", state.peak, signed: false), row("minimum", state.minimum, signed: false),
        row("raw", state.raw?.strength, signed: false),
      ],
      [row("raw x", raw?.x), row("raw y", raw?.y), row("raw z", raw?.z)],
    ]
    let count = min(max((area.width + 4) / 22, 1), 3)
    let width = min((area.width + 4) / count - 4, 26)
    for (index, table) in tables.prefix(count).enumerated() {
      canvas.drawFigures(
        table,
        in: Region(column: area.column + index * (width + 4), row: area.row, width: width, height: min(3, area.height)))
    }
    return min(3, area.height)
  }

  private static func magnitude(_ state: TeslameterState) -> String {
    switch state.magnitude {
    case .microtesla(let value): figure(value, state.unit)
    case .below(let limit): "<" + figure(limit, state.unit)
    case nil: "---"
    }
  }

  /// Nothing beside "less than", which says it all.
  private static func uncertainty(_ state: TeslameterState) -> String {
    guard case .microtesla = state.magnitude, let uncertainty = state.uncertainty else { return "" }
    return "±" + figure(uncertainty, state.unit) + " " + state.unit.symbol
  }

  /// A field in the unit shown, to the nearest 10 nT.
  private static func figure(_ microtesla: Double, _ unit: FieldUnit, plus: Bool = false) -> String {
    Figures.fixed(microtesla / unit.microtesla, decimals: decimals(unit), plus: plus)
  }

  private static func decimals(_ unit: FieldUnit) -> Int {
    switch unit {
    case .nanotesla: 0
    case .microtesla: 2
    case .millitesla: 5
    case .gauss: 4
    case .milligauss: 1
    }
  }

  /// Ten times the uncertainty, half a microtesla at least, so that a still field is a line and not a jungle.
  private static func leastAxis(_ state: TeslameterState) -> Double {
    max(0.5, (state.uncertainty ?? 0) * 10) / state.unit.microtesla
  }
}
