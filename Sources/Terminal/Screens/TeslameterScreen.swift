import LodestoneCore
import Glibc
import Navigation

/// The state of the teslameter screen.
public struct TeslameterState: ScreenState {
  /// The teslameter.
  public typealias Device = Teslameter
  /// Its name.
  public static let title = "Teslameter"
  /// h, since p is for the peak.
  public static let pauseKey = ScreenKey("h", "hold", "freeze or resume the display")
  /// The steps.
  public enum Phase: Equatable, Sendable {
    /// The ambient field is being averaged; done so far, 0 ... 1.
    case zeroing(progress: Double)
    /// No zero-point, and why; it is tried again.
    case zeroRefused(ZeroPoint.Refusal)
    /// The difference to the zero-point is shown.
    case measuring
  }

  /// The state that all screens share.
  public var status = ScreenStatus()
  /// The step.
  public var phase = Phase.zeroing(progress: 0)
  /// The unit of the numbers shown.
  public var unit = FieldDisplayUnit.microtesla
  /// The last reading; nil before the first.
  public var reading: FieldReading?
  /// Magnitudes, or fields along a probe, in µT.
  public var history = History()
  /// The uncertainty includes unseen turns.
  public var includesTurns = false

  /// A state without a reading.
  public init() {}

  /// The last reading while it holds.
  var current: FieldReading? { status.isAway ? nil : reading }
  /// The sensor is at the end of its range.
  var isSaturated: Bool { current?.flags.contains(.saturated) == true }
  /// The sensor was turned, so that the zero-point no longer holds.
  var isZeroSpoiled: Bool { current?.flags.contains(.turned) == true }
}

extension TeslameterState {
  /// Zero, peak and unit.
  public var keys: [ScreenKey] {
    [
      ScreenKey("z", "zero", "take the zero-point again: sensor still, magnet away"),
      ScreenKey("p", "reset peak", "reset peak and minimum"), ScreenKey("u", "unit", "show another unit"),
    ]
  }

  /// Takes a reading and adds it to the history.
  public mutating func take(_ reading: FieldReading, from instrument: Teslameter) {
    self.reading = reading
    if let value = reading.value ?? reading.atLeast { history.append(value, at: reading.time) }
  }

  /// Follows the zero-point while it is taken.
  public mutating func watch(_ instrument: Teslameter) {
    if case .zeroRefused = phase { return }
    if case .zeroing(let progress) = instrument.phase { phase = .zeroing(progress: progress) }
  }

  /// A zero-point that was taken or refused is a step of the screen's.
  public mutating func take(_ notice: InstrumentNotice, from instrument: Teslameter) -> Bool {
    switch notice {
    case .zeroRefused(let refusal, _):
      if case .measuring = instrument.phase {
        phase = .measuring
        status.note("old zero-point holds: \(TeslameterScreen.words(refusal, unit))")
      } else {
        phase = .zeroRefused(refusal)
      }
    case .zeroed(let zero):
      phase = .measuring
      if let field = zero.turnField, !includesTurns { status.note(TeslameterScreen.turnHint(field, unit)) }
      if zero.missedStrength != nil { status.note("the field is not the calibration's: is a magnet or iron near?") }
      if zero.isStrong, unit != .counts {
        status.note("far stronger than the Earth's field: is a magnet or iron near?")
      }
      history.clear()
    default: return false
    }
    return true
  }

  /// Zero, peak or unit.
  public mutating func press(_ key: Character, _ instrument: inout Teslameter) {
    switch key {
    case "z":
      instrument.zero()
      phase = .zeroing(progress: 0)
    case "p": instrument.resetPeak()
    case "u": unit = unit.next
    default: break
    }
  }

  /// Draws the teslameter.
  public func draw(into canvas: inout Canvas) { TeslameterScreen.draw(self, into: &canvas) }
}

extension FieldReading {
  /// The large number: the magnitude, or the field along a probe with its sign; nil where an axis is saturated.
  fileprivate var value: Double? {
    flags.contains(.oneAxis) ? (flags.contains(.saturated) ? nil : difference.x) : magnitude
  }
}

extension FieldDisplayUnit {
  /// The one after this, round and round; counts stay counts.
  fileprivate var next: FieldDisplayUnit {
    guard case .unit(let unit) = self else { return self }
    let all = FieldUnit.shown
    let index = all.firstIndex(of: unit) ?? 0
    return .unit(all[(index + 1) % all.count])
  }
}

/// The teslameter: one large reading, its components, and the last minute.
public enum TeslameterScreen {
  /// Draws the state on a cleared canvas of any size.
  public static func draw(_ state: TeslameterState, into canvas: inout Canvas) {
    let area = canvas.drawFrame(state)
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
      state.current == nil ? .dim : state.isSaturated ? .alarm : state.isZeroSpoiled ? .warning : .bold
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

  /// One row kept for what the user must know, more where something is in the way; the rows used.
  private static func drawNotice(_ state: TeslameterState, on canvas: inout Canvas, in area: Region) -> Int {
    guard area.height > 0 else { return 0 }
    if let text = obstacle(state) {
      return canvas.drawParagraph(text.harmless, in: area, limit: max(1, min(4, area.height - 8)), style: .alarm)
    }
    switch state.phase {
    case .zeroing(let progress):
      let end = canvas.text("Zero-point: sensor still, magnet away ", column: area.column, row: area.row, style: .bold)
      ProgressBar(fraction: progress)
        .draw(on: &canvas, column: end, row: area.row, width: min(24, area.column + area.width - end))
    case .zeroRefused(let refusal):
      let text = "NO ZERO-POINT: \(words(refusal, state.unit))"
      canvas.text(CellText.fitted(text, to: area.width), column: area.column, row: area.row, style: .alarm)
    case .measuring:
      canvas.text(CellText.fitted(flags(state), to: area.width), column: area.column, row: area.row, style: .alarm)
    }
    return 1
  }

  /// The obstacle to readings; nil while they come, and while a zero-point is under way.
  private static func obstacle(_ state: TeslameterState) -> String? {
    let status = state.status
    if status.isAway {
      return (["waiting for \(status.device)"] + (status.obstacle.map { [$0] } ?? [])).joined(separator: ": ")
    }
    if case .zeroing(let progress) = state.phase, progress > 0 { return nil }
    return status.obstacle
  }

  /// Why there is no zero-point, and what helps.
  fileprivate static func words(_ refusal: ZeroPoint.Refusal, _ unit: FieldDisplayUnit) -> String {
    switch refusal {
    case .moving(let wander, _): "the field moves by \(figure(wander, unit)) \(unit.symbol). Hold still, press z."
    case .saturated: "sensor at the end of its range. Move the magnet away."
    case .tooFewSamples, .ended, .oneAxis: "too few samples. Press z to try again."
    }
  }

  /// The field that a turn of the sensor by 1° looks like at most, where no gyroscope tells it, in µT.
  fileprivate static func turnHint(_ field: Double, _ unit: FieldDisplayUnit) -> String {
    "1° of turn looks like \(figure(field, unit, decimals: unit.decimals(uncertainty: field))) \(unit.symbol) (no gyroscope)"
  }

  private static func flags(_ state: TeslameterState) -> String {
    var flags: [String] = []
    if state.isSaturated { flags.append("SATURATED: field is larger") }
    if state.isZeroSpoiled { flags.append("sensor was turned: press z to zero again") }
    let others = state.current?.flags ?? []
    if others.contains(.drifting) { flags.append("zero-point has drifted: press z to zero again") }
    if others.contains(.alternating) { flags.append("field alternates (mains?)") }
    if others.contains(.oneAxis), flags.isEmpty { flags.append("a probe of one axis: the field along it") }
    if let note = state.status.notes.last, flags.isEmpty { flags.append(note.harmless) }
    return flags.joined(separator: " · ")
  }

  /// Three rows, one a component, with the extremes and the raw field beside them.
  private static func drawComponents(_ state: TeslameterState, on canvas: inout Canvas, in area: Region) -> Int {
    let unit = state.unit
    func row(_ label: String, _ value: Double?, signed: Bool = true) -> FigureRow {
      let shown = value.flatMap { $0.isFinite ? figure($0, unit, plus: signed) + " " + unit.symbol : nil }
      let text = shown ?? Figures.absent
      return FigureRow(label: label, value: text)
    }
    let (difference, raw) = (state.current?.difference, state.current?.field)
    let tables = [
      [row("x", difference?.x), row("y", difference?.y), row("z", difference?.z)],
      [
        peak(state.current, unit), row("minimum", state.current?.minimum, signed: false),
        row("raw", raw.flatMap { $0.isFinite ? $0.length : nil }, signed: false),
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
    guard let reading = state.current else { return "---" }
    if let bound = reading.atLeast { return ">" + bounded(bound, state.unit) }
    let digits = state.unit.decimals(uncertainty: reading.uncertainty)
    if let limit = reading.atMost { return "<" + figure(limit, state.unit, decimals: digits) }
    return reading.value.map { figure($0, state.unit, decimals: digits) } ?? "---"
  }

  /// Nothing beside "less than" and "more than", which say it all.
  private static func uncertainty(_ state: TeslameterState) -> String {
    guard let reading = state.current, reading.atMost == nil, let uncertainty = reading.uncertainty else { return "" }
    let digits = state.unit.decimals(uncertainty: uncertainty)
    return "±" + figure(uncertainty, state.unit, decimals: digits) + " " + state.unit.symbol
  }

  /// A peak, or the bound that it is.
  private static func peak(_ reading: FieldReading?, _ unit: FieldDisplayUnit) -> FigureRow {
    let text =
      reading?.peakAtLeast.map { ">" + bounded($0, unit) }
      ?? reading?.peak.map { figure($0, unit, decimals: unit.decimals(uncertainty: reading?.peakUncertainty)) }
    return FigureRow(label: "peak", value: text.map { $0 + " " + unit.symbol } ?? Figures.absent)
  }

  /// Three digits of a bound, rounded down.
  private static func bounded(_ microtesla: Double, _ unit: FieldDisplayUnit) -> String {
    let digits = unit.decimals(uncertainty: microtesla / 10)
    let scale = pow(10, Double(digits))
    return Figures.fixed((microtesla / unit.microtesla * scale).rounded(.down) / scale, decimals: digits)
  }

  /// A field in the unit shown, to the nearest 10 nT.
  private static func figure(
    _ microtesla: Double, _ unit: FieldDisplayUnit, plus: Bool = false, decimals digits: Int? = nil
  ) -> String {
    Figures.fixed(microtesla / unit.microtesla, decimals: digits ?? decimals(unit), plus: plus)
  }

  private static func decimals(_ unit: FieldDisplayUnit) -> Int {
    switch unit {
    case .unit(let unit): max(0, unit.decimals - 1)
    case .counts: 1
    }
  }

  /// Ten times the uncertainty, half a microtesla at least, so that a still field is a line and not a jungle.
  private static func leastAxis(_ state: TeslameterState) -> Double {
    max(0.5, (state.current?.uncertainty ?? 0) * 10) / state.unit.microtesla
  }
}
