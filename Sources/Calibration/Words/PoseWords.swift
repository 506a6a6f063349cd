import LodestoneCore

extension RestPose {
  /// The instruction, in a sentence: the turn, then how to hold the board.
  package var instruction: String {
    turn.map { "With the board, turn yourself \($0). Then hold it still: \(posture)." } ?? "Hold it still: \(posture)."
  }

  /// How to hold the board: which side is up, and which edge or corner is raised besides.
  package var posture: String {
    let (side, raised, degrees) = description
    let up = side.upward
    guard let first = raised.first else { return up }
    let tilt = "\(Int((degrees / 5).rounded()) * 5)°"
    if raised.count == 2, let corner = Self.corner(first, raised[1]) {
      return "\(up), \(corner) corner raised \(tilt)"
    }
    return "\(up), \(first.raised) \(tilt)"
  }

  /// How far to turn, for the person with the board; nil for not at all.
  private var turn: String? {
    let side = turnDegrees < 0 ? "left" : "right"
    switch Angle.wrapped(degrees: abs(turnDegrees)) {
    case 0: return nil
    case 45: return "an eighth of a turn to the \(side)"
    case 90: return "a quarter turn to the \(side)"
    case 180: return "half a turn"
    case let degrees: return "\(Int(degrees.rounded()))° to the \(side)"
    }
  }

  private static func corner(_ first: DeviceSide, _ second: DeviceSide) -> String? {
    let isCorner = (first == .top || first == .bottom) && (second == .left || second == .right)
    return isCorner ? "\(first.rawValue) \(second.rawValue)" : nil
  }
}

extension DeviceSide {
  fileprivate var upward: String {
    switch self {
    case .face: "face up"
    case .back: "face down"
    case .top: "top edge up"
    case .bottom: "bottom edge up"
    case .left: "left edge up"
    case .right: "right edge up"
    }
  }

  fileprivate var raised: String {
    switch self {
    case .face: "its face turned up"
    case .back: "its face turned down"
    case .top, .bottom, .left, .right: "\(rawValue) edge raised"
    }
  }
}
