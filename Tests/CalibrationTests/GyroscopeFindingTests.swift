import Instruments
import LodestoneCore
import Testing

@testable import Calibration

/// The gyroscope's zero and the chip's temperature, as a sweep tells them.
@Suite struct GyroscopeFindingTests {
  private func result(
    of sweep: SimulatedSweep, _ change: (inout Sample) -> Void = { _ in }
  ) throws -> CalibrationResult {
    let samples = sweep.samples.map { sample in
      var sample = sample
      change(&sample)
      return sample
    }
    return try #require(Calibrator().fit(samples).result)
  }

  @Test func theZeroIsThatOfTheBoard() throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      let sweep = SimulatedSweep(seed: seed) { ($0.gyroscopeBias, $0.temperature) = (4, 31) }
      let result = try result(of: sweep)
      let zero = try #require(result.gyroscopeZero)
      let off = zero.rate - sweep.sensor.gyroscopeBias
      for axis in 0..<3 { #expect(abs(off[axis]) < 3 * zero.deviation[axis], "\(seed), \(off), \(zero.deviation)") }
      #expect(zero.deviation.length < 0.2)
      #expect(abs((zero.temperature ?? 0) - 31) < 1e-6 && abs((result.temperature ?? 0) - 31) < 1e-6)
    }
  }

  @Test func withoutRestsOrGyroscopeThereIsNone() throws {
    #expect(try result(of: SimulatedSweep { $0.hasGyroscope = false }).gyroscopeZero == nil)
    #expect(try result(of: SimulatedSweep { $0.rests = 0 }).gyroscopeZero == nil)
    #expect(try result(of: SimulatedSweep()).temperature == nil)
  }

  /// One that keeps sending the same while the board turns has no zero, and neither has one whose mean no gyroscope reads
  /// at rest.
  @Test func whatIsNoGyroscopeHasNoZero() throws {
    let sweep = SimulatedSweep()
    let stuck = try result(of: sweep) { $0.rotationRate = RotationRate(degreesPerSecond: Vector3(1, 2, 3)) }
    #expect(stuck.gyroscopeZero == nil)
    let far = try result(of: SimulatedSweep { $0.gyroscopeBias = 20 })
    #expect(far.gyroscopeZero == nil)
  }

  /// A chip that warms up: the zero's temperature is that of the rests, the magnetometer's that of the whole sweep.
  @Test func eachTemperatureIsThatOfItsOwnTime() throws {
    let result = try result(of: SimulatedSweep()) { $0.temperature = 20 + $0.time / 10 }
    let rests = try #require(result.gyroscopeZero?.temperature)
    let whole = try #require(result.temperature)
    #expect(abs(whole - 23.1) < 0.5)
    #expect(rests > whole + 0.5)
  }
}
