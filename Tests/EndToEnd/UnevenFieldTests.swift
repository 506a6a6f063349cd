import Glibc
import LodestoneCore
import Support
import Testing

/// `lodestone calibrate` on a sweep at arm's length beside a piece of iron.
@Suite(.waiting) struct UnevenFieldTests {
  /// The field in µT of a piece of iron half a metre from the shoulder, at a place in metres.
  private static func iron(at place: Vector3) -> Vector3 {
    let (moment, way) = (Vector3(0.25, 0, 0.15), place - Vector3(0.5, 0, 0.1))
    let unit = way / way.length
    return (unit * (3 * unit.dot(moment)) - moment) / (way.length * way.length * way.length)
  }

  /// Forty seconds of turning about all axes at 50 Hz, the board 0.4 m from the shoulder, with a noise of 0.3 µT.
  private static var rows: [String] {
    var attitude = Matrix3.identity
    return (0..<2000).map { index in
      let time = Double(index) / 50
      let rate = Vector3(2.2 * sin(1.7 * time), 2 * sin(2.3 * time + 1), 1.6 * cos(0.9 * time) + 0.6)
      attitude = attitude * Matrix3(rotation: rate / 50)
      let earth = Vector3(0, 20, -44) + iron(at: attitude * Vector3(0, 0.4, 0))
      let field = attitude.transposed * earth + Vector3(12, -20, 8) + noise(index)
      let force = attitude.transposed * Vector3(0, 0, 1)
      return [time, field.x, field.y, field.z, force.x, force.y, force.z].map { "\($0)" }.joined(separator: ",")
    }
  }

  private static func noise(_ index: Int) -> Vector3 {
    func number(_ axis: Double) -> Double {
      let large = sin(12.9898 * Double(index) + 78.233 * axis) * 43_758.5453
      return large - large.rounded(.down) - 0.5
    }
    return Vector3(number(0), number(1), number(2))
  }

  /// A residual of 1 µT alone would not tell why it is refused: most of the sweep had to be left out.
  @Test func aSweepBesideIronIsRefusedForItsShare() throws {
    try TemporaryFolder.with { folder in
      let text = (["time_s,mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g"] + Self.rows).joined(separator: "\n")
      try CommandRun.write(text + "\n", to: folder + "/sweep.csv")
      let run = try CommandRun.lodestone([
        "calibrate", "--device", folder + "/sweep.csv", "--profile", folder + "/board.json",
      ])
      #expect(run.exitCode == 65, "\(run.errors)")
      let words = run.errors.split(separator: " % of the sweep, and ").first?.split(separator: " ").last ?? ""
      #expect(run.errors.hasPrefix("Error: no calibration: the field itself was disturbed: in "), "\(run.errors)")
      #expect(Double(words).map { $0 > 40 } ?? false, "\(run.errors)")
    }
  }
}
