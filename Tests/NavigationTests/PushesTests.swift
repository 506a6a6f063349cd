import Glibc
import LodestoneCore
import Testing

@testable import Navigation

/// Up by forces that push a board to and fro.
@Suite struct PushesTests {
  /// Goes on for eleven seconds, brakes by 0.3 g for four, stands, and gains the speed again in eight: where up is 2°
  /// off, the moments between say so.
  @Test func aForceAsLongAsGravitySaysMoreOfUp() {
    var pushes = Pushes(Fusion.Settings())
    let off = Angle.radians(2)
    var (quietest, farthest, pushed, gaining) = (0.0, 0.0, Double.infinity, Double.infinity)
    for index in 0..<4000 {
      let time = Double(index) / 40
      let phase = (time + 14).truncatingRemainder(dividingBy: 25)
      let push = phase < 4 ? -0.3 : phase >= 6 && phase < 14 ? 0.15 : 0
      let force = Quaternion(rotation: Vector3(off, 0, 0)).conjugate * Vector3(0.002 * sin(31 * time), push, 1)
      let mean = pushes.add(force: force, expected: 2e-4, step: 0.025)
      if phase > 17, time > 10 {
        quietest = max(quietest, mean.density)
        farthest = max(farthest, abs(mean.lean.x - off))
      }
      if phase > 2, phase < 4 { pushed = min(pushed, mean.density) }
      if phase > 8, phase < 14 { gaining = min(gaining, mean.density) }
    }
    #expect(farthest < 0.1 * off, "\(farthest)")
    #expect(quietest < 0.012 && gaining > 1.2 * quietest && pushed > 5 * quietest, "\(quietest), \(gaining), \(pushed)")
  }

  /// Up that is turned changes what forces lean by, and not how long they are.
  @Test func upMayBeTurned() {
    var pushes = Pushes(Fusion.Settings())
    let turn = Vector3(0.05, -0.03, 0)
    for index in 0..<800 {
      let force = Vector3(0, index < 300 ? 0.3 : 0, 1)
      _ = pushes.add(force: Quaternion(rotation: turn).conjugate * force, expected: 2e-4, step: 0.025)
    }
    let before = pushes.add(force: Quaternion(rotation: turn).conjugate * Vector3(0, 0, 1), expected: 2e-4, step: 0.025)
    pushes.follow(turn)
    let after = pushes.add(force: Vector3(0, 0, 1), expected: 2e-4, step: 0.025)
    #expect(abs(after.density / before.density - 1) < 0.01 && before.density < 0.02, "\(before) \(after)")
    #expect(before.lean.length > 0.05 && after.lean.length < 0.003, "\(before) \(after)")
  }
}
