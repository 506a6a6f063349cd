import LodestoneCore
import Testing

@Suite struct MeasuredAngleTests {
  /// Abramowitz and Stegun, table 4.10, and the quadrants of C11 7.12.4.4.
  @Test(
    arguments: [
      (.degrees(271.5), 271.5), (.sine(0.5), 30), (.sine(-0.5), -30), (.sine(0.173648177666930), 10), (.sine(1), 90),
      (.sine(-1), -90), (.sides(opposite: 0.577350269189626, adjacent: 1), 30), (.sides(opposite: 3, adjacent: 3), 45),
      (.sides(opposite: 1, adjacent: -1), 135), (.sides(opposite: -1, adjacent: -1), -135),
      (.sides(opposite: -2, adjacent: 0), -90),
    ] as [(MeasuredAngle, Double)])
  func isWorkedOut(_ angle: MeasuredAngle, _ degrees: Double) {
    #expect(abs(angle.degrees - degrees) < 1e-12)
  }

  @Test func whatRoundingPutsBeyondOneIsARightAngle() {
    #expect(MeasuredAngle.sine(1.000_000_000_000_000_2).degrees == 90)
    #expect(MeasuredAngle.sine(-1.000_000_000_000_000_2).degrees == -90)
  }

  @Test func isTheSameHoweverItWasMeasured() {
    #expect(MeasuredAngle.sine(1) == .degrees(90))
    #expect(MeasuredAngle.sides(opposite: 2, adjacent: 0) == .sine(1))
    #expect(MeasuredAngle.sides(opposite: -1, adjacent: 0) == .degrees(270))
    #expect(MeasuredAngle.sine(0.5) != .sine(0.6))
  }
}
