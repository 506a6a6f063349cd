import LodestoneCore
import Navigation

/// The state of the heading's line and rose.
public struct HeadingState: ScreenState {
  /// The compass.
  public typealias Device = Compass
  /// Its name.
  public static let title = "Compass"
  /// The state that all screens share.
  public var status = ScreenStatus()
  /// The last reading; nil before the first.
  public var reading: HeadingReading?
  /// The unit of the fields shown.
  public var unit = FieldDisplayUnit.microtesla
  /// The strength that the calibration or the model expects, in µT.
  public var expectedStrength: Double?
  /// The inclination that the calibration or the model expects, in degrees.
  public var expectedInclination: Double?
  /// The declination, true minus magnetic, in degrees, east positive.
  public var declination: Double?

  /// A state without a reading.
  public init() {}

  /// Takes a reading, and the declination that it was made with.
  public mutating func take(_ reading: HeadingReading, from compass: Compass) {
    self.reading = reading
    declination = compass.declination?.degrees
  }

  /// Draws a compass rose.
  public func draw(into canvas: inout Canvas) { HeadingScreen.draw(self, into: &canvas) }

  /// The last reading while it holds.
  private var current: HeadingReading? { status.isAway ? nil : reading }
  var magnetic: Double? { current?.magneticHeading?.degrees }
  var trueNorth: Double? { current?.trueHeading?.degrees }
  var accuracy: Double? { current?.accuracy }
  var quality: HeadingReading.Quality? { current?.quality }
  var pitch: Double? { current?.pitch }
  var roll: Double? { current?.roll }
  var strength: Double? { current?.field?.strength }
  var inclination: Double? { current?.inclination }

  /// A field of the Earth's strength, in the unit shown.
  func field(_ microtesla: Double) -> String {
    Figures.fixed(microtesla / unit.microtesla, decimals: unit.decimals(uncertainty: 1))
  }

  var orientation: Orientation { current?.orientation ?? .unknown }

  /// Against true north where that is known.
  var shown: Double? { trueNorth ?? magnetic }

  var qualityStyle: Style {
    switch quality {
    case .good: .good
    case .fair: .fair
    case .device: .plain
    case .poor, .uncalibrated: .warning
    case .disturbed: .alarm
    case nil: .dim
    }
  }
}

/// Headings in one line that is written over again and again.
public enum HeadingLine {
  /// The line, at most `width` columns, in the order that `--format text` has: the heading first, then what there is
  /// room for.
  public static func line(_ state: HeadingState, width: Int) -> String {
    var parts: [String] = []
    parts.append(Figures.padded(Figures.direction(state.magnetic), to: 5) + "° magnetic")
    if let trueNorth = state.trueNorth { parts.append(Figures.padded(Figures.direction(trueNorth), to: 5) + "° true") }
    if let accuracy = state.accuracy { parts.append("±" + Figures.fixed(accuracy, decimals: 1) + "°") }
    if let quality = state.quality { parts.append(quality.rawValue) }
    if let strength = state.strength { parts.append(state.field(strength) + " " + state.unit.symbol) }
    if let pitch = state.pitch, let roll = state.roll {
      parts.append("pitch \(Figures.padded(Figures.fixed(pitch, decimals: 1, plus: true), to: 5))°")
      parts.append("roll \(Figures.padded(Figures.fixed(roll, decimals: 1, plus: true), to: 6))°")
    }
    if state.orientation != .unknown { parts.append(state.orientation.rawValue) }
    parts += state.status.remarks.map { $0.harmless }
    var line = CellText.fitted(parts[0], to: width)
    for part in parts.dropFirst() where CellText.columns(line) + 2 + CellText.columns(part) <= width {
      line += "  " + part
    }
    return line
  }

  /// Bytes that write a line over the one before: back to the first column, the line with every character one column
  /// wide, the rest of the row wiped.
  public static func overwriting(with line: String) -> [UInt8] {
    Array("\r".utf8) + Array(CellText.narrowed(line.harmless).utf8) + Array("\u{1B}[K".utf8)
  }
}

/// A compass rose with the heading in large digits.
public enum HeadingScreen {
  /// Draws the state on a cleared canvas of any size.
  public static func draw(_ state: HeadingState, into canvas: inout Canvas) {
    let area = canvas.drawFrame(state)
    let side = min((area.width - 37) / 2, area.height - 1)
    guard side >= 5 else { return drawPanel(state, on: &canvas, in: area) }
    CompassRose(heading: state.shown, style: state.qualityStyle == .good ? .accent : state.qualityStyle)
      .draw(on: &canvas, in: Region(column: area.column, row: area.row, width: side * 2, height: side + 1))
    let column = area.column + side * 2 + 3
    let width = min(40, area.column + area.width - column)
    let spare = max(0, (side + 1 - 19) / 2)
    drawPanel(
      state, on: &canvas, in: Region(column: column, row: area.row, width: width, height: area.height).below(spare))
  }

  /// The heading and, below it, all that belongs to it.
  private static func drawPanel(_ state: HeadingState, on canvas: inout Canvas, in area: Region) {
    let digits = BigDigits(
      text: state.shown == nil ? "---" : Figures.direction(state.shown), style: state.shown == nil ? .dim : .bold)
    var used = 0
    if area.height >= 12, digits.width <= area.width {
      digits.draw(on: &canvas, column: area.column + min(34, area.width) - digits.width, row: area.row)
      used = BigDigits.height + 1
    }
    let rows = figures(state)
    canvas.drawFigures(rows, in: area.below(used))
    used += rows.count + 1
    for note in state.status.remarks where used < area.height {
      let limit = note == state.status.obstacle ? 6 : 2
      used += canvas.drawParagraph("! " + note.harmless, in: area.below(used), limit: limit, style: .warning)
    }
  }

  private static func figures(_ state: HeadingState) -> [FigureRow] {
    func degrees(_ value: Double?, plus: Bool = false) -> String {
      value == nil ? Figures.absent : Figures.fixed(value, decimals: 1, plus: plus) + "°"
    }
    let north = state.trueNorth == nil ? "magnetic" : "true"
    let heading = state.shown.map { Figures.direction($0) + "° " + cardinal($0) } ?? Figures.absent
    var rows = [
      FigureRow(label: "Heading, \(north)", value: heading, style: .bold),
      FigureRow(label: "Accuracy", value: state.accuracy.map { "±\(degrees($0))" } ?? Figures.absent),
      FigureRow(label: "Quality", value: state.quality?.rawValue ?? Figures.absent, style: state.qualityStyle),
    ]
    if state.trueNorth != nil {
      let magnetic = Figures.direction(state.magnetic)
      rows.append(FigureRow(label: "Magnetic", value: magnetic == Figures.absent ? magnetic : magnetic + "°"))
      rows.append(FigureRow(label: "Declination", value: degrees(state.declination, plus: true)))
    }
    rows += [
      FigureRow(label: "Pitch", value: degrees(state.pitch, plus: true)),
      FigureRow(label: "Roll", value: degrees(state.roll, plus: true)),
      FigureRow(label: "Field strength", value: strength(state)),
      FigureRow(
        label: "Inclination",
        value: compared(
          state.inclination.map { degrees($0) }, state.expectedInclination.map { Figures.fixed($0, decimals: 1) })),
      FigureRow(label: "Held", value: state.orientation.rawValue),
    ]
    return rows
  }

  private static func strength(_ state: HeadingState) -> String {
    compared(
      state.strength.map { state.field($0) + " " + state.unit.symbol }, state.expectedStrength.map { state.field($0) })
  }

  private static func compared(_ measured: String?, _ expected: String?) -> String {
    guard let measured else { return Figures.absent }
    return expected.map { "\(measured) of \($0)" } ?? measured
  }

  /// The point of sixteen a heading is nearest to.
  private static func cardinal(_ degrees: Double) -> String {
    let names = ["N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"]
    guard degrees.isFinite else { return "" }
    return names[Int((Angle.wrapped(degrees: degrees) / 22.5).rounded()) % 16]
  }
}
