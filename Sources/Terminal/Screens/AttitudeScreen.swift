import LodestoneCore
import Navigation

/// The state of the attitude screen.
public struct AttitudeState: ScreenState {
  /// Fused attitudes.
  public typealias Device = Attitude
  /// Its name.
  public static let title = "Attitude"
  /// The state that all screens share.
  public var status = ScreenStatus()
  /// The last reading; nil before the first.
  public var reading: AttitudeReading?

  /// A state without a reading.
  public init() {}

  /// Takes a reading.
  public mutating func take(_ reading: AttitudeReading, from instrument: Attitude) { self.reading = reading }

  /// Draws the board and its angles.
  public func draw(into canvas: inout Canvas) { AttitudeScreen.draw(self, into: &canvas) }

  /// The last reading while it holds.
  var current: AttitudeReading? { status.isAway ? nil : reading }
}

/// A board that turns as the real one does, and its angles.
public enum AttitudeScreen {
  /// Draws the state on a cleared canvas of any size.
  public static func draw(_ state: AttitudeState, into canvas: inout Canvas) {
    let whole = canvas.drawFrame(state)
    let area = canvas.drawRemarks(state.status, in: whole)
    let panel = 30
    let width = area.width - panel - 3
    guard width >= 16, area.height >= 6 else { return canvas.drawFigures(figures(state.current), in: area) }
    let board = Region(column: area.column, row: area.row, width: min(width, area.height * 5 / 2), height: area.height)
    self.board(state.current).draw(on: &canvas, in: board)
    let column = board.column + board.width + 3
    let rows = figures(state.current)
    let spare = max(0, (area.height - rows.count) / 2)
    let right = Region(
      column: column, row: area.row, width: min(40, area.column + area.width - column), height: area.height)
    canvas.drawFigures(rows, in: right.below(spare))
  }

  /// A frame against north has north away from the person; one that begins where the board was shows it as it lay.
  private static func board(_ reading: AttitudeReading?) -> TurningBoard {
    guard let reading, let attitude = reading.attitude else { return TurningBoard(attitude: nil) }
    switch reading.frame {
    case .arbitrary, .corrected: return TurningBoard(attitude: attitude)
    case .magnetic, .trueNorth:
      return TurningBoard(attitude: eastNorthUp * attitude, letters: ["E", "N", "W", "S"])
    }
  }

  /// The rotation from a frame whose x points north and y west to one whose x points east and y north.
  private static let eastNorthUp = Quaternion(from: Vector3(1, 0, 0), to: Vector3(0, 1, 0))

  private static func figures(_ reading: AttitudeReading?) -> [FigureRow] {
    func degrees(_ value: Double?, sign: String = "") -> String {
      value == nil ? Figures.absent : sign + Figures.fixed(value, decimals: 1, plus: sign.isEmpty) + "°"
    }
    let angles = reading?.attitude?.yawPitchRoll
    let heading = reading?.trueHeading?.degrees ?? reading?.magneticHeading?.degrees
    var rows = [
      FigureRow(label: "Yaw", value: degrees(angles?.x), style: .bold),
      FigureRow(label: "Pitch", value: degrees(angles?.y), style: .bold),
      FigureRow(label: "Roll", value: degrees(angles?.z), style: .bold),
      FigureRow(label: "Yaw accuracy", value: degrees(reading?.yawAccuracy, sign: "±")),
      FigureRow(label: "Tilt accuracy", value: degrees(reading?.inclinationAccuracy, sign: "±")),
      FigureRow(label: "Frame", value: reading?.frame.rawValue ?? Figures.absent),
      FigureRow(
        label: "Rotation",
        value: reading?.rate.map { Figures.fixed($0.length, decimals: 1) + " °/s" } ?? Figures.absent),
      FigureRow(label: "At rest", value: angles == nil ? Figures.absent : reading?.isAtRest == true ? "yes" : "no"),
      FigureRow(label: "Field accuracy", value: reading?.fieldAccuracy?.rawValue ?? Figures.absent),
    ]
    if let heading {
      let label = reading?.trueHeading == nil ? "Heading, magnetic" : "Heading, true"
      rows.insert(FigureRow(label: label, value: Figures.direction(heading) + "°"), at: 3)
    }
    if let own = reading?.device?.magnetic?.degrees ?? reading?.device?.trueNorth?.degrees {
      rows.append(FigureRow(label: "Device's own heading", value: Figures.direction(own) + "°"))
    }
    return rows
  }
}
