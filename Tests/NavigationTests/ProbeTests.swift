import Instruments
import LodestoneCore
import Navigation
import Testing

/// A teslameter with a probe of one axis.
@Suite struct ProbeTests {
  private static func sample(_ along: Double, _ step: Int) -> DeviceSample {
    var sample = DeviceSample(time: Double(step) * 0.02)
    sample.alongProbe = along
    return sample
  }

  /// Readings of a probe in 300 µT that are changed after four seconds, for twenty boards.
  private static func readings(
    _ change: Double, noise: Double, later: Double = 1, step: Double = 0
  ) -> [(truth: Double, reading: FieldReading)] {
    var (settings, readings) = (Teslameter.Settings(), [(truth: Double, reading: FieldReading)]())
    settings.gainUncertainty = 0
    for seed in 1...20 {
      var (random, meter) = (RandomNumbers(seed: UInt64(seed)), Teslameter(settings))
      for row in 0..<500 {
        let isLater = row >= 200
        var field = 300 + (isLater ? change : 0) + noise * (isLater ? later : 1) * random.normal()
        if step > 0 { field = (field / step).rounded() * step }
        guard let reading = meter.read(Self.sample(field, row)), row > 300 || !isLater else { continue }
        readings.append((isLater ? change : 0, reading))
      }
    }
    return readings
  }

  /// 95 of 100 fields are within their ±, or below their bound: noise, a coarse step, noise that grows.
  @Test(arguments: [(-50.0, 10.0, 1.0, 0.0), (500, 10, 3, 0), (5000, 100, 1, 375), (5000, 1, 1, 375), (0, 10, 1, 0)])
  func thePlusMinusHolds(_ change: Double, _ noise: Double, _ later: Double, _ step: Double) throws {
    let readings = Self.readings(change, noise: noise, later: later, step: step)
    let held = try readings.count { truth, reading in
      guard let limit = reading.atMost else {
        return abs(reading.difference.x - truth) <= (try #require(reading.uncertainty)) + 1e-9
      }
      return abs(truth) <= limit
    }
    #expect(readings.count > 5000)
    #expect(Double(held) > 0.93 * Double(readings.count), "\(held) of \(readings.count)")
    let wide = try readings.map { try #require($0.reading.uncertainty) }.max() ?? 0
    #expect(wide < 6 * max(noise * later, step), "\(wide)")
  }

  @Test func whatIsNotMeasuredIsAbsent() throws {
    let last = try #require(Self.readings(-500, noise: 10).last?.reading)
    #expect(last.difference.x < -450 && last.difference.y.isNaN && last.difference.z.isNaN)
    #expect(last.field.x < -150 && last.field.y.isNaN && last.field.z.isNaN)
    #expect(last.magnitude == nil && last.flags == .oneAxis)
    #expect(try #require(last.peak) > 450 && last.minimum != nil)
    #expect(last.eventValue.map { abs($0 - 500) < 50 } == true && !last.isLowerBound)
  }

  /// A board that is reset as another one: its zero-point is not that of the probe.
  @Test func threeAxesAfterAProbeAreZeroedAnew() throws {
    var (random, meter, last) = (RandomNumbers(seed: 3), Teslameter(), FieldReading?.none)
    for row in 0..<300 { last = meter.read(Self.sample(300 + random.normal(), row)) }
    #expect(last?.flags.contains(.oneAxis) == true)
    for row in 300..<600 {
      let field = Vector3(20 + random.normal() / 10, random.normal() / 10, 40)
      last = meter.read(DeviceFrame().read(Sample(time: Double(row) * 0.02, field: MagneticField(microtesla: field))))
      if row < 390 { #expect(last == nil) }
    }
    let reading = try #require(last)
    #expect(!reading.flags.contains(.oneAxis) && reading.difference.length < 1, "\(reading)")
  }

  /// A calibration, a mounting and turns of the sensor say something of axes that nobody knows.
  @Test func settingsOfThreeAxesAreRefused() throws {
    var settings = Teslameter.Settings()
    settings.stillTo = 2
    let mounted = Teslameter(mounting: try Mounting("-y,x,z"))
    for (meter, setting) in [(Teslameter(settings), ZeroPoint.ThreeAxisSetting.stillTo), (mounted, .mounting)] {
      var meter = meter
      #expect(meter.read(Self.sample(300, 0)) == nil)
      #expect(meter.nextNotice() == .zeroRefused(.oneAxis(setting), isFinal: true))
      #expect(meter.read(Self.sample(300, 1)) == nil && meter.nextNotice() == nil)
    }
  }
}
