import Glibc

/// A flight controller that sends its sensors' values turned by its settings: its firmware, and those turns.
public struct FlightController: Equatable, Sendable {
  /// Four letters: `BTFL` or `INAV` for those that are known here.
  public var firmware: String
  /// The version, as in `4.5.1`; nil where it was not told.
  public var version: String?
  /// The turn of board and compass that makes them the vehicle's; nil where it was not told.
  public var board: Turn?
  /// The turn of the compass against the board; nil where it was not told, as for a board's own default.
  public var compass: Turn?

  /// A firmware of which nothing more is known.
  public init(firmware: String) { self.firmware = firmware }

  /// The letters of Betaflight.
  public static let betaflight = "BTFL"
  /// The letters of INAV.
  public static let inav = "INAV"

  /// A rotation by roll about forward, then pitch about left, then yaw about up, right-handed, in degrees. Axes are x
  /// forward, y left, z up.
  public struct Turn: Equatable, Sendable {
    /// Roll, pitch and yaw.
    public var degrees: Vector3

    /// A turn by its angles.
    public init(degrees: Vector3) { self.degrees = degrees }

    /// The angles of a rotation, each within ±180°.
    public init(_ matrix: Matrix3) {
      let pitch = asin(max(-1, min(1, -matrix.row2.x)))
      // With the nose straight up or down, roll and yaw turn about one axis: all of it is taken for the yaw.
      let isSteep = abs(matrix.row2.x) > 1 - 1e-9
      let roll = isSteep ? 0 : atan2(matrix.row2.y, matrix.row2.z)
      let yaw = isSteep ? atan2(-matrix.row0.y, matrix.row1.y) : atan2(matrix.row1.x, matrix.row0.x)
      degrees = Vector3(Angle.degrees(roll), Angle.degrees(pitch), Angle.degrees(yaw))
    }

    /// The rotation.
    public var matrix: Matrix3 {
      let axes = [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)]
      return (0..<3).reduce(.identity) { Matrix3(rotation: axes[$1] * Angle.radians(degrees[$1])) * $0 }
    }
  }
}

// MARK: Settings

extension FlightController.Turn {
  /// The names of the eight turns of `align_mag`, in the order of their numbers from 1.
  public static let presets = [
    "CW0", "CW90", "CW180", "CW270", "CW0FLIP", "CW90FLIP", "CW180FLIP", "CW270FLIP",
  ]

  /// The turn of `align_mag` by its number, 1 to 8: clockwise as seen from above, after half a turn about the left axis
  /// for those with FLIP. Nil for another number.
  public init?(preset: Int) {
    guard (1...8).contains(preset) else { return nil }
    self.init(degrees: Vector3(0, preset > 4 ? 180 : 0, 0 - 90 * Double((preset - 1) % 4)))
  }

  /// A preset by its name, as in `CW270FLIP`.
  public init?(preset name: String) {
    guard let index = Self.presets.firstIndex(of: name) else { return nil }
    self.init(preset: index + 1)
  }
}

extension FlightController {
  /// The turn that single angles for the compass make, in degrees: Betaflight takes them right-handed since 2026.6;
  /// before, and in INAV, they are the angles of the axes instead of the vector, which are the same with the other
  /// sign. Source: betaflight/betaflight, src/main/sensors/compass.c and its change 14849; iNavFlight/inav,
  /// src/main/sensors/compass.c.
  public func compassTurn(angles: Vector3) -> Turn { Turn(degrees: takesVectorAngles ? angles : .zero - angles) }

  /// The angles to set for a turn of the compass, in degrees.
  public func compassAngles(of turn: Turn) -> Vector3 { takesVectorAngles ? turn.degrees : .zero - turn.degrees }

  /// The turn that angles for the board make, in degrees: of the axes, in every firmware.
  public static func boardTurn(angles: Vector3) -> Turn { Turn(degrees: .zero - angles) }

  private var takesVectorAngles: Bool {
    let numbers = (version ?? "").split(separator: ".").compactMap { Int($0) }
    guard firmware == Self.betaflight, numbers.count >= 2 else { return firmware == Self.betaflight && version == nil }
    // Its versions by the calendar count years since 2000: 26.6.0.
    return numbers[0] > 26 || (numbers[0] == 26 && numbers[1] >= 6)
  }
}
