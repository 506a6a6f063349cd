import LodestoneCore
import Glibc
import Navigation
import Testing

@Suite struct UpEstimateTests {
  /// A board that tilts to and fro about its x axis by 30° in two seconds, shaken along y by a fifth of g at 3 Hz.
  private static func largestError(rateSign: Double?) -> Double {
    var estimate = UpEstimate()
    var largest = 0.0
    for step in 0..<1000 {
      let time = Double(step) * 0.01
      let tilt = 0.52 * sin(.pi * time)
      let tiltRate = 0.52 * .pi * cos(.pi * time)
      let up = Vector3(0, sin(tilt), cos(tilt))
      let force = up + Vector3(0, 0.2 * sin(2 * .pi * 3 * time), 0)
      let rate = rateSign.map { RotationRate(radiansPerSecond: Vector3($0 * tiltRate, 0, 0)) }
      let found = estimate.add(time: time, force: force, rate: rate)
      if time > 3 { largest = max(largest, Angle.degrees(found.angle(to: up))) }
    }
    return largest
  }

  /// Tilting the top edge up turns the board about +x; up then turns the other way round in the board's axes.
  @Test func theGyroscopeTakesTheShakingOut() {
    let raw = Self.largestError(rateSign: nil)
    #expect(abs(raw - 11.3) < 0.5)  // atan 0.2
    #expect(Self.largestError(rateSign: 1) < 0.5 * raw)
  }

  @Test func aGyroscopeWithTheWrongSignIsNotListenedTo() {
    #expect(Self.largestError(rateSign: -1) < 1.6 * Self.largestError(rateSign: nil))
  }

  @Test func withoutAGyroscopeTheForceIsPassedOn() {
    var estimate = UpEstimate()
    for step in 0..<10 {
      let force = Vector3(0.1 * Double(step), 0, 1)
      #expect(estimate.add(time: Double(step), force: force, rate: nil) == force)
      #expect(estimate.noiseShare == 1)
    }
  }

  /// At rest the noise of the force is averaged: 100 Hz and 0.3 s leave (1 − e^−1/30) / (1 + e^−1/30) = 1.67 % of it.
  @Test func theShareOfNoiseIsSaid() {
    var estimate = UpEstimate()
    for step in 0..<100 {
      _ = estimate.add(
        time: Double(step) * 0.01, force: Vector3(0, 0, 1), rate: RotationRate(degreesPerSecond: .zero))
    }
    #expect(abs(estimate.noiseShare - 0.0167) < 0.0002)
  }
}
