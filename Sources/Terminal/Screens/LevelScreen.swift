/// What the level shows: plain values, filled by the command, which also damps them.
public struct LevelState: Sendable {
  /// The device's address or name; from outside.
  public var device = ""
  /// The upper edge above the horizontal, in degrees; nil before the first.
  public private(set) var pitch: Double?
  /// The right edge down positive, in degrees.
  public private(set) var roll: Double?
  /// The end of the scales, in degrees.
  private(set) var limit = 5.0
  /// The board is being moved: what is shown is not its tilt alone.
  public var isMoving = false
  /// The display stands still.
  public var isPaused = false
  /// Samples a second.
  public var rate: Double?
  /// Where the needles of pitch and roll stand, in degrees; nil puts them at the values.
  public var needles: (pitch: Double, roll: Double)?
  /// What there is to say; may come from outside.
  public var note = ""

  /// Nothing yet.
  public init() {}

  /// Takes a new tilt over. The scales widen at once and narrow only when the tilt is well within the smaller one, so that
  /// they do not flicker between two.
  public mutating func show(pitch: Double, roll: Double) {
    (self.pitch, self.roll) = (pitch, roll)
    let tilt = max(abs(pitch), abs(roll))
    let needed = Self.limits.first { tilt <= $0 } ?? 90
    let narrower = Self.limits.first { tilt <= $0 * 0.8 } ?? 90
    limit = needed > limit ? needed : min(limit, narrower)
  }

  private static let limits = [5.0, 30, 90]
}

/// An inclinometer: a bubble for the eye, needles and digits for the number.
public enum LevelScreen {
  /// Draws the state on a cleared canvas of any size.
  public static func draw(_ state: LevelState, into canvas: inout Canvas) {
    let rate = state.rate.map { Figures.fixed($0, decimals: 0) + " Hz" }
    let area = canvas.drawFrame(
      title: "Level", device: state.device,
      status: [state.isPaused ? "PAUSED" : nil, state.isMoving ? "MOVING" : nil, rate].compactMap { $0 },
      keys: [("z", "zero"), ("c", "calibrate"), ("space", state.isPaused ? "resume" : "pause"), ("q", "quit")])
    if !state.note.isEmpty {
      canvas.text(state.note, column: area.column, row: area.row + area.height - 1, style: .dim)
    }
    let side = min((area.width - 37) / 2, area.height)
    guard side >= 5 else { return drawPanel(state, on: &canvas, in: area) }
    BubbleLevel(pitch: state.pitch ?? .nan, roll: state.roll ?? .nan, limit: state.limit)
      .draw(on: &canvas, in: Region(column: area.column, row: area.row, width: side * 2, height: side))
    let column = area.column + side * 2 + 3
    drawPanel(
      state, on: &canvas,
      in: Region(column: column, row: area.row, width: min(40, area.column + area.width - column), height: area.height))
  }

  private static func drawPanel(_ state: LevelState, on canvas: inout Canvas, in area: Region) {
    let half = min(area.height / 2, 11)
    let middle = area.below(max(0, (area.height - 2 * half) / 2))
    let upper = Region(column: middle.column, row: middle.row, width: middle.width, height: half)
    drawAxis("Pitch", state.pitch, needle: state.needles?.pitch, state.limit, on: &canvas, in: upper)
    drawAxis("Roll", state.roll, needle: state.needles?.roll, state.limit, on: &canvas, in: middle.below(half))
  }

  private static func drawAxis(
    _ name: String, _ value: Double?, needle: Double?, _ limit: Double, on canvas: inout Canvas, in area: Region
  ) {
    guard area.height > 0 else { return }
    let text = Figures.fixed(value, decimals: 1, plus: true)
    let end = canvas.text(name, column: area.column, row: area.row, style: .dim)
    let digits = BigDigits(text: value == nil ? "---" : text, style: value == nil ? .dim : .bold)
    var used = 1
    if area.height >= 9, digits.width <= area.width {
      digits.draw(on: &canvas, column: area.column + min(area.width, 36) - digits.width, row: area.row + 1)
      used = (area.height >= 10 ? 2 : 1) + BigDigits.height
    } else {
      canvas.text(text + "°", column: end + 1, row: area.row, style: .bold)
    }
    guard area.height >= used + 2 else { return }
    NeedleScale(value: needle ?? value, limit: limit)
      .draw(on: &canvas, column: area.column, row: area.row + used, width: min(area.width, 36))
    guard area.height >= used + 3 else { return }
    let ends = Region(column: area.column, row: 0, width: min(area.width, 36) - 1, height: 1)
    let label = Figures.fixed(limit, decimals: 0)
    canvas.text("-\(label)°", column: ends.column, row: area.row + used + 2, style: .dim)
    canvas.text("+\(label)°", endingAt: ends.column + ends.width, row: area.row + used + 2, style: .dim)
  }
}
