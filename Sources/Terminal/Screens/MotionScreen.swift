import LodestoneCore
import Navigation

/// The state of the motion screen: forces over the last seconds, and the gestures recognized in them.
public struct MotionState: ScreenState {
  /// Forces and gestures.
  public typealias Device = Motion
  /// Its name.
  public static let title = "Motion"
  /// The state that all screens share.
  public var status = ScreenStatus()
  /// The force that is drawn.
  public private(set) var shown = Force.movement
  /// The last reading; nil before the first.
  private var reading: MotionReading?
  /// The recognized events, the newest first, each with its time in seconds.
  private(set) var events: [(time: Double, event: MotionReading.Event, orientation: Orientation)] = []
  private var histories: [Force: [History]] = [:]

  /// A force that can be drawn.
  public enum Force: CaseIterable, Sendable {
    /// The force beside gravity.
    case movement
    /// Gravity alone.
    case gravity
    /// Both together.
    case measured

    var name: String {
      switch self {
      case .movement: "Movement, gravity off"
      case .gravity: "Gravity"
      case .measured: "As measured"
      }
    }

    func value(_ reading: MotionReading) -> Vector3 {
      switch self {
      case .movement: reading.userAcceleration
      case .gravity: reading.gravity
      case .measured: reading.gravity + reading.userAcceleration
      }
    }
  }

  /// Seconds of forces that are kept, and how many things that were recognized.
  private static let (span, mostEvents) = (10.0, 20)

  /// A state without a reading.
  public init() {}

  /// The last reading while it holds.
  var current: MotionReading? { status.isAway ? nil : reading }

  /// The force shown, in g, along x, y and z.
  var curves: [(name: String, history: History)] {
    let empty = History(span: Self.span)
    return ["x", "y", "z"].enumerated().map { ($1, histories[shown]?[$0] ?? empty) }
  }
}

extension MotionState {
  /// The keys for the force that is drawn.
  public var keys: [ScreenKey] {
    [ScreenKey("f", "filter", "show movement without gravity, gravity alone, or both as measured")]
  }

  /// Takes a reading, with what was recognized in it.
  public mutating func take(_ reading: MotionReading, from instrument: Motion) {
    self.reading = reading
    for force in Force.allCases {
      let value = force.value(reading)
      for axis in 0..<3 {
        histories[force, default: Array(repeating: History(span: Self.span), count: 3)][axis]
          .append(value[axis], at: reading.time)
      }
    }
    if let event = reading.event {
      events = Array(([(reading.time, event, reading.orientation)] + events).prefix(Self.mostEvents))
    }
  }

  /// The next force.
  public mutating func press(_ key: Character, _ instrument: inout Motion) {
    guard key == "f" else { return }
    let all = Force.allCases
    shown = all[((all.firstIndex(of: shown) ?? 0) + 1) % all.count]
  }

  /// Draws forces and events.
  public func draw(into canvas: inout Canvas) { MotionScreen.draw(self, into: &canvas) }
}

/// Three strips of acceleration, and beside them what was recognized.
public enum MotionScreen {
  /// Draws the state on a cleared canvas of any size.
  public static func draw(_ state: MotionState, into canvas: inout Canvas) {
    let panel = 38
    let isWide = canvas.width >= panel + 38
    let whole = canvas.drawFrame(state, marks: isWide ? [] : [state.shown.name])
    let area = canvas.drawRemarks(state.status, in: whole)
    guard isWide else { return drawNarrow(state, on: &canvas, in: area) }
    let left = Region(column: area.column, row: area.row, width: area.width - panel - 3, height: area.height)
    canvas.text(state.shown.name + ", in g", column: left.column, row: left.row, style: .dim)
    drawStrips(state, on: &canvas, in: left.below(1))
    let right = Region(column: left.column + left.width + 3, row: area.row, width: panel, height: area.height)
    let values = zip(["x", "y", "z"], values(state)).map { FigureRow(label: $0, value: $1 + " g", style: .bold) }
    canvas.drawFigures(values + [FigureRow(label: "Held", value: held(state))], in: right)
    drawEvents(state, on: &canvas, in: right.below(5))
  }

  /// One row of figures, the strips, and the last event below them.
  private static func drawNarrow(_ state: MotionState, on canvas: inout Canvas, in area: Region) {
    let figures = zip(["x", "y", "z"], values(state)).map { "\($0) \($1)" }.joined(separator: "  ")
    let room = CellText.fitted(figures + " g   " + held(state), to: area.width)
    if area.height > 0 { canvas.text(room, column: area.column, row: area.row, style: .bold) }
    guard area.height > 1 else { return }
    let foot = area.row + area.height - 1
    canvas.text(CellText.fitted(lastEvents(state), to: area.width), column: area.column, row: foot, style: .accent)
    var middle = area.below(1)
    middle.height -= 1
    drawStrips(state, on: &canvas, in: middle)
  }

  private static func drawStrips(_ state: MotionState, on canvas: inout Canvas, in area: Region) {
    HistoryPlot(curves: state.curves, least: 0.4).draw(on: &canvas, in: area)
  }

  private static func drawEvents(_ state: MotionState, on canvas: inout Canvas, in area: Region) {
    guard area.height > 1 else { return }
    canvas.text("Recognized", column: area.column, row: area.row, style: .dim)
    let list = area.below(1)
    guard !state.events.isEmpty else {
      _ = canvas.drawParagraph(hint, in: list, limit: 2, style: .plain)
      return
    }
    for (row, event) in state.events.enumerated() where row < list.height {
      let time = Figures.padded(Figures.fixed(event.time, decimals: 1), to: 5) + " s "
      let words = CellText.fitted(time + words(event), to: list.width)
      canvas.text(words, column: list.column, row: list.row + row, style: row == 0 ? .bold : .plain)
    }
  }

  /// The newest on the left.
  private static func lastEvents(_ state: MotionState) -> String {
    guard !state.events.isEmpty else { return hint }
    return state.events.map { Figures.fixed($0.time, decimals: 1) + " s " + words($0) }.joined(separator: "   ")
  }

  private static let hint = "None yet: shake the board, or push it to one side."

  private static func words(_ event: (time: Double, event: MotionReading.Event, orientation: Orientation)) -> String {
    let (kind, peak) = (event.event.kind, event.event.peak.map { Figures.fixed($0, decimals: 2) + " g" })
    let place = kind == .orientation ? event.orientation.rawValue : event.event.direction?.rawValue
    return [kind == .orientation ? "held" : kind.rawValue, place, peak].compactMap { $0 }.joined(separator: " ")
  }

  private static func held(_ state: MotionState) -> String { state.current?.orientation.rawValue ?? Figures.absent }

  /// The force shown, axis by axis.
  private static func values(_ state: MotionState) -> [String] {
    let force = state.current.map { state.shown.value($0) }
    return (0..<3).map { Figures.padded(Figures.fixed(force?[$0], decimals: 2, plus: true), to: 5) }
  }
}
