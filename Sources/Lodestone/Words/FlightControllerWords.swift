import LodestoneCore

extension FlightController {
  /// The firmware and the turns that a flight controller has told, in a clause.
  var words: String {
    let name =
      switch firmware {
      case Self.betaflight: "Betaflight"
      case Self.inav: "INAV"
      default: firmware.harmless
      }
    let compass =
      compass.map { " turns its compass by \($0.words)" } ?? " turns its compass as its board does by default"
    let board = board.map { $0.degrees == .zero ? "" : ", and the board by \($0.words)" } ?? ""
    return "\(name)\(version.map { " \($0.harmless)" } ?? "")\(compass)\(board)"
  }
}

extension FlightController.Turn {
  /// The name of the setting, or roll, pitch and yaw.
  fileprivate var words: String {
    let name = Self.presets.first { name in Self(preset: name).map { $0 == self } ?? false }
    let angles = (0..<3).map { number(degrees[$0], 1) }
    return name ?? "roll \(angles[0])°, pitch \(angles[1])°, yaw \(angles[2])°"
  }
}
