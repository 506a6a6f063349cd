import Glibc
import LodestoneCore
import Testing

@testable import Navigation

/// What a board turned by while nothing came of it.
@Suite struct RecentTurnsTests {
  /// The root mean squares of what turns over gaps of 0.4 s are off by, and of what is said of that, in degrees, of a
  /// board that turns by an angle in degrees about x; and of the mean of the rates at both ends.
  private static func gaps(_ angle: (Double) -> Double) -> (off: Double, said: Double, ofEnds: Double) {
    let (step, gap, radian) = (0.01, 0.4, Double.pi / 180)
    func rate(_ time: Double) -> Double { (angle(time) - angle(time - step)) / step }
    var (turns, time) = (RecentTurns(), 0.0)
    var (off, said, ofEnds, count) = (0.0, 0.0, 0.0, 0.0)
    for index in 0..<200 {
      for _ in 0..<(211 + index % 37) {
        time += step
        turns.add(Vector3(rate(time) * radian, 0, 0), for: step)
      }
      let (before, after) = (rate(time), rate(time + gap))
      let bridged = turns.across(
        from: Vector3(before * radian, 0, 0), to: Vector3(after * radian, 0, 0), for: gap, share: 0.5)
      turns.bridge()
      let turned = angle(time + gap) - angle(time)
      time += gap
      guard time > 10 else { continue }
      off += pow(bridged.rate.x / radian * gap - turned, 2)
      said += bridged.variance.x / radian / radian
      ofEnds += pow((before + after) / 2 * gap - turned, 2)
      count += 1
    }
    return ((off / count).squareRoot(), (said / count).squareRoot(), (ofEnds / count).squareRoot())
  }

  /// Steps, two in a second: the rates at both ends are of other swings.
  @Test func aSwingIsFoundAboutItsMiddle() {
    let gaps = Self.gaps { 3 * sin(12 * $0) }
    #expect(gaps.off < 3 && gaps.ofEnds > 8 && gaps.said > gaps.off && gaps.said < 4, "\(gaps)")
  }

  /// A slow turn to and fro is what the rates at both ends say.
  @Test func aSlowTurnGoesOn() {
    let gaps = Self.gaps { 60 * sin(0.7 * $0) }
    #expect(gaps.off < 1 && abs(gaps.off - gaps.ofEnds) < 1e-6 && gaps.said > gaps.off, "\(gaps)")
  }

  /// A board that turns on and on is nowhere near a middle.
  @Test func aSteadyTurnGoesOn() {
    let gaps = Self.gaps { 50 * $0 }
    #expect(gaps.off < 0.5, "\(gaps)")
  }
}
