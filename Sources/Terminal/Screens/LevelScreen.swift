import LodestoneCore
import Navigation

/// The state of the level screen. The numbers are the reading's; the needles move as one with a spring does.
public struct LevelState: ScreenState {
  /// The inclinometer.
  public typealias Device = Level
  /// Its name.
  public static let title = "Level"
  /// The state that all screens share.
  public var status = ScreenStatus()
  /// Upper edge above the horizontal and right edge down positive, in degrees; nil before the first.
  private var tilt: (pitch: Double, roll: Double)?
  /// Within how many degrees it is (95 %); nil where nothing tells.
  private var accuracy: Double?
  /// The end of the scales, in degrees.
  private(set) var limit = 5.0
  /// The board is being moved: what is shown is not its tilt alone.
  public var isMoving = false
  /// Where the needles of pitch and roll stand, in degrees; nil puts them at the values.
  public var needles: (pitch: Double, roll: Double)?
  private var needle = (pitch: DampedNeedle(), roll: DampedNeedle())

  /// A state without a reading.
  public init() {}

  /// The accuracy while it holds, as words: ` ±2.9°`.
  var plusMinus: String { status.isAway ? "" : accuracy.map { " ±\(Figures.fixed($0, decimals: 1))°" } ?? "" }
  /// The last tilt while it holds.
  var current: (pitch: Double, roll: Double)? { status.isAway ? nil : tilt }

  /// Takes a new tilt over. The scales widen at once and narrow only when the tilt is well within the smaller one, so
  /// that they do not flicker between two.
  public mutating func show(pitch: Double, roll: Double) {
    tilt = (pitch, roll)
    let larger = max(abs(pitch), abs(roll))
    let needed = Self.limits.first { larger <= $0 } ?? 90
    let narrower = Self.limits.first { larger <= $0 * 0.8 } ?? 90
    limit = needed > limit ? needed : min(limit, narrower)
  }

  private static let limits = [5.0, 30, 90]
}

extension LevelState {
  /// Zero and calibration.
  public var keys: [ScreenKey] {
    [
      ScreenKey("z", "zero", "take the present tilt for level"),
      ScreenKey("c", "calibrate", "calibrate in two positions: press, turn by 180° on the same spot, press again"),
    ]
  }

  /// Takes a reading, and lets the needles follow it.
  public mutating func take(_ reading: LevelReading, from instrument: Level) {
    (isMoving, accuracy) = (reading.isMoving, reading.accuracy)
    show(pitch: reading.pitch, roll: reading.roll)
    needles = (
      needle.pitch.follow(reading.pitch, at: reading.time), needle.roll.follow(reading.roll, at: reading.time)
    )
  }

  /// Zero, or a position of the calibration.
  public mutating func press(_ key: Character, _ instrument: inout Level) {
    switch key {
    case "z": instrument.zero()
    case "c": takePosition(&instrument)
    default: break
    }
  }

  private mutating func takePosition(_ instrument: inout Level) {
    guard instrument.firstPosition != nil else {
      instrument.takeFirstPosition()
      return status.note("turn the board by 180° on the same spot, then press c")
    }
    guard instrument.isTurned != false else {
      return status.note("the board has not been turned: turn it by 180° on the same spot, then press c")
    }
    guard let found = instrument.takeSecondPosition() else { return }
    func words(_ tilt: (pitch: Double, roll: Double)) -> String {
      "\(Figures.fixed(tilt.pitch, decimals: 2))°, \(Figures.fixed(tilt.roll, decimals: 2))°"
    }
    status.note("board off by \(words(found.board)); surface tilted by \(words(found.surface))")
  }

  /// Draws the level.
  public func draw(into canvas: inout Canvas) { LevelScreen.draw(self, into: &canvas) }
}

/// An inclinometer: a bubble for the eye, needles and digits for the number.
public enum LevelScreen {
  /// Draws the state on a cleared canvas of any size.
  public static func draw(_ state: LevelState, into canvas: inout Canvas) {
    let whole = canvas.drawFrame(state, marks: state.isMoving ? ["MOVING"] : [])
    let area = canvas.drawRemarks(state.status, in: whole)
    let side = min((area.width - 37) / 2, area.height)
    guard side >= 5 else { return drawPanel(state, on: &canvas, in: area) }
    let tilt = state.current
    BubbleLevel(pitch: tilt?.pitch ?? .nan, roll: tilt?.roll ?? .nan, limit: state.limit)
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
    let (tilt, needles) = (state.current, state.current == nil ? nil : state.needles)
    let (accuracy, lower) = (state.plusMinus, middle.below(half))
    drawAxis("Pitch", tilt?.pitch, accuracy, needle: needles?.pitch, state.limit, on: &canvas, in: upper)
    drawAxis("Roll", tilt?.roll, accuracy, needle: needles?.roll, state.limit, on: &canvas, in: lower)
  }

  private static func drawAxis(
    _ name: String, _ value: Double?, _ accuracy: String, needle: Double?, _ limit: Double, on canvas: inout Canvas,
    in area: Region
  ) {
    guard area.height > 0 else { return }
    let text = Figures.fixed(value, decimals: 1, plus: true)
    var end = canvas.text(name, column: area.column, row: area.row, style: .dim)
    let digits = BigDigits(text: value == nil ? "---" : text, style: value == nil ? .dim : .bold)
    var used = 1
    if area.height >= 9, digits.width <= area.width {
      digits.draw(on: &canvas, column: area.column + min(area.width, 36) - digits.width, row: area.row + 1)
      used = (area.height >= 10 ? 2 : 1) + BigDigits.height
    } else {
      end = canvas.text(text + "°", column: end + 1, row: area.row, style: .bold)
    }
    canvas.text(accuracy, column: end, row: area.row, style: .dim)
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
