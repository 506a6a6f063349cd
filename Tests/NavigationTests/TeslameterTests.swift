import Calibration
import Instruments
import LodestoneCore
import Navigation
import Testing

@Suite struct TeslameterTests {
  /// Numbers between −1 and 1 that repeat from run to run.
  private struct Noise {
    var state: UInt64 = 42
    mutating func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 11) / Double(1 << 52) - 1
    }
    mutating func vector(_ scale: Double) -> Vector3 { Vector3(next(), next(), next()) * scale }
  }

  private static let ambient = Vector3(10, 20, -40)

  private func zero(_ noise: inout Noise, scale: Double) throws -> ZeroPoint {
    var collector = ZeroPointCollector()
    for _ in 0..<200 { collector.add(Self.ambient + noise.vector(scale), up: Vector3(0, 0, 1)) }
    return try collector.result().get()
  }

  @Test func steadyFieldGivesItsMean() throws {
    var noise = Noise()
    let zero = try zero(&noise, scale: 0.5)
    #expect((zero.field - Self.ambient).length < 0.1)
    #expect(abs(zero.noise.x - 0.289) < 0.04)  // uniform on ±0.5: 1/√12
  }

  /// Without a gyroscope a turn by 2° is a field of 1.6 µT: with `stillTo` it is within the ±, and a magnet of 10 µT is
  /// still seen.
  @Test func aTurnThatNothingTellsIsWithinThePlusMinus() throws {
    var noise = Noise()
    let zero = try zero(&noise, scale: 0.3)
    let fixed = FieldMeter(zero: zero, gainUncertainty: 0.05)
    let turnable = FieldMeter(zero: zero, gainUncertainty: 0.05, stillTo: 2)
    var (claimed, held, seen) = (0, 0, 0)
    for _ in 0..<200 {
      let axis = noise.vector(1).direction ?? Vector3(1, 0, 0)
      let turned = Matrix3(rotation: axis * (2 * .pi / 180)) * Self.ambient + noise.vector(0.3)
      var (plain, wide, beside) = (fixed, turnable, turnable)
      if wide.read(time: 1, field: turned, force: nil, flags: []).flags.contains(.belowNoise) { held += 1 }
      if !plain.read(time: 1, field: turned, force: nil, flags: []).flags.contains(.belowNoise) { claimed += 1 }
      let magnet = beside.read(time: 1, field: turned + Vector3(6, 0, 8), force: nil, flags: [])
      if let magnitude = magnet.magnitude, let off = magnet.uncertainty, abs(magnitude - 10) <= off { seen += 1 }
    }
    #expect(claimed > 100, "\(claimed)")
    #expect(held >= 190, "\(held)")
    #expect(seen >= 190, "\(seen)")
  }

  /// A tilt by 0.9° shifts the zero-point by 0.7 µT, less than noise may: it is no field, and a magnet's ± has it.
  @Test func aTurnTooSmallToBeToldIsWithinThePlusMinus() throws {
    var noise = Noise()
    let meter = FieldMeter(zero: try zero(&noise, scale: 0.5), gainUncertainty: 0)
    let turn = Matrix3(rotation: Vector3(Angle.radians(0.9), 0, 0))
    var (claimed, held) = (0, 0)
    for _ in 0..<200 {
      let field = turn * Self.ambient + noise.vector(0.5)
      var (alone, beside) = (meter, meter)
      let nothing = alone.read(time: 1, field: field, force: turn * Vector3(0, 0, 1), flags: [])
      if nothing.flags.isDisjoint(with: [.belowNoise, .turned]) { claimed += 1 }
      let magnet = beside.read(
        time: 1, field: field + turn * Vector3(0, -6, 8), force: turn * Vector3(0, 0, 1), flags: [])
      if let magnitude = magnet.magnitude, let off = magnet.uncertainty, abs(magnitude - 10) <= off { held += 1 }
    }
    #expect(claimed <= 10, "\(claimed)")
    #expect(held >= 190, "\(held)")
  }

  /// A board that prints a hundred times a second what a chip measures ten times a second: the zero-point is taken,
  /// rests on as many measurements as there are, and nothing is claimed to alternate or to drift.
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func measurementsThatAreSentAgainCountOnce(_ seed: UInt64) throws {
    var random = RandomNumbers(seed: seed)
    var measurement = Vector3.zero
    func next(_ step: Int) -> Vector3 {
      if step % 10 == 0 { measurement = Vector3(random.normal(), random.normal(), random.normal()) * 0.7 }
      return Self.ambient + measurement
    }
    var collector = ZeroPointCollector()
    for step in 0..<200 { collector.add(next(step), up: nil, at: Double(step) * 0.01) }
    let zero = try collector.result().get()
    #expect(zero.samples == 20 && zero.alternating == 0)
    var (bare, smooth) = (
      FieldMeter(zero: zero, gainUncertainty: 0), FieldMeter(zero: zero, gainUncertainty: 0, smoothing: 1)
    )
    var claimed = 0
    for step in 200..<1200 {
      let (time, field) = (Double(step) * 0.01, next(step))
      if !bare.read(time: time, field: field, force: nil, flags: []).flags.contains(.belowNoise) { claimed += 1 }
      let mean = smooth.read(time: time, field: field, force: nil, flags: [])
      if !mean.flags.contains(.belowNoise) { claimed += 1 }
    }
    #expect(claimed < 900, "\(claimed) of 2000")
  }

  @Test func movingFieldIsRefused() {
    var noise = Noise()
    var collector = ZeroPointCollector()
    for step in 0..<200 {
      collector.add(Self.ambient + Vector3(Double(step) * 0.05, 0, 0) + noise.vector(0.3), up: nil)
    }
    guard case .failure(.moving(let wander, _)) = collector.result() else {
      Issue.record("a field that drifts by 10 µT was taken as steady")
      return
    }
    #expect(abs(wander - 2.9) < 0.3)  // a ramp of 10 has a standard deviation of 10/√12
  }

  @Test func fewSamplesAreRefused() {
    var collector = ZeroPointCollector()
    collector.add(Self.ambient, up: nil)
    #expect(collector.result() == .failure(.tooFewSamples(1)))
  }

  /// A board that says a line each second or two, as many sketches do: its zero-point takes eight lines, not two
  /// seconds.
  @Test(arguments: [0.5, 1, 2]) func aSlowBoardsZeroPointTakesLonger(_ step: Double) throws {
    var (noise, meter) = (Noise(), Teslameter())
    var first: Double?
    for index in 0..<20 {
      let field = Self.ambient + (index < 10 ? .zero : Vector3(0, 0, 50)) + noise.vector(0.2)
      let sample = DeviceSample(
        time: Double(index) * step, field: Correction.none.apply(to: MagneticField(microtesla: field)))
      let reading = meter.read(sample)
      if index == 6 { #expect(meter.end() == .zeroRefused(.tooFewSamples(7), isFinal: true)) }
      guard let reading else { continue }
      first = first ?? reading.time
      if index > 10 { #expect(abs(try #require(reading.magnitude) - 50) < 2) }
    }
    #expect(first == 9 * step)
  }

  /// A Hall sensor whose sketch smooths what it reads, by a tenth or less of each sample: its zero-point takes longer
  /// than two seconds, and what is stated holds.
  @Test(arguments: [0.3, 0.1], 1...6 as ClosedRange<UInt64>)
  func smoothedNumbersHaveAZeroPoint(_ share: Double, _ seed: UInt64) throws {
    var random = RandomNumbers(seed: seed)
    var (meter, mean) = (Teslameter(), Self.ambient)
    var (first, held, count) = (Double?.none, 0, 0)
    for index in 0..<1500 {
      let (time, magnet) = (Double(index) / 50, index < 800 ? 0.0 : 300)
      let noise = Vector3(random.normal(), random.normal(), random.normal()) * 20
      mean += (Self.ambient + Vector3(magnet, 0, 0) + noise - mean) * share
      let sample = DeviceSample(time: time, field: Correction.none.apply(to: MagneticField(microtesla: mean)))
      guard let reading = meter.read(sample) else { continue }
      first = first ?? time
      guard index < 800 || index > 900 else { continue }
      let (magnitude, most) = (try #require(reading.magnitude), reading.atMost)
      count += 1
      if most.map({ magnet <= $0 }) ?? (abs(magnitude - magnet) <= reading.uncertainty ?? 0) { held += 1 }
    }
    #expect(try #require(first) < 12.1)
    #expect(held > count * 93 / 100, "\(held) of \(count)")
  }

  /// A magnet that comes within the zero-point is no smoothed noise.
  @Test(arguments: 1...6 as ClosedRange<UInt64>) func aStepBesideNoiseIsRefused(_ seed: UInt64) {
    var random = RandomNumbers(seed: seed)
    var meter = Teslameter()
    meter.tries = 1
    for index in 0..<120 {
      let noise = Vector3(random.normal(), random.normal(), random.normal()) * 5
      let field = Self.ambient + Vector3(index < 50 ? 0 : 40, 0, 0) + noise
      let sample = DeviceSample(
        time: Double(index) / 50, field: Correction.none.apply(to: MagneticField(microtesla: field)))
      #expect(meter.read(sample) == nil)
    }
    guard case .zeroRefused(.moving, isFinal: true) = meter.nextNotice() else {
      Issue.record("a step of 40 µT was taken for noise")
      return
    }
  }

  @Test func intervalHoldsTheTruth() throws {
    var noise = Noise()
    let zero = try zero(&noise, scale: 0.5)
    var meter = FieldMeter(zero: zero, gainUncertainty: 0)
    let magnet = Vector3(3, -4, 12)  // 13 µT long
    var inside = 0
    for step in 0..<1000 {
      let reading = meter.read(
        time: Double(step), field: Self.ambient + magnet + noise.vector(0.5), force: nil, flags: [])
      if let magnitude = reading.magnitude, abs(magnitude - 13) <= reading.uncertainty ?? 0 { inside += 1 }
    }
    #expect((920...1000).contains(inside))
  }

  @Test func nothingIsBelowTheNoise() throws {
    var noise = Noise()
    let zero = try zero(&noise, scale: 0.5)
    var meter = FieldMeter(zero: zero, gainUncertainty: 0.05)
    var below = 0
    for step in 0..<1000 {
      let reading = meter.read(time: Double(step), field: Self.ambient + noise.vector(0.5), force: nil, flags: [])
      if reading.flags.contains(.belowNoise) { below += 1 }
    }
    #expect(below > 930)
  }

  @Test func aTurnedSensorIsSaid() throws {
    var noise = Noise()
    let zero = try zero(&noise, scale: 0.2)
    var meter = FieldMeter(zero: zero, gainUncertainty: 0)
    var flags: FieldReading.Flags = []
    for step in 0..<10 {
      flags =
        meter.read(
          time: Double(step), field: Self.ambient, force: Vector3(0, 0.1, 0.995), flags: .saturated
        ).flags
    }
    #expect(flags.contains(.turned))
    #expect(flags.contains(.saturated))
  }

  /// A sensor that was saturated for a minute tells nothing of the minute: a low-pass of 5 s begins with what is there
  /// then.
  @Test func smoothingDoesNotReachOverASaturation() throws {
    var noise = Noise()
    var meter = FieldMeter(zero: try zero(&noise, scale: 0.1), gainUncertainty: 0, smoothing: 5)
    for step in 0..<100 {
      _ = meter.read(time: Double(step) / 10, field: Self.ambient, force: nil, flags: [])
    }
    for step in 0..<600 {
      let field = Self.ambient + Vector3(4800, 0, 0)
      _ = meter.read(time: 10 + Double(step) / 10, field: field, force: nil, flags: .saturated)
    }
    let after = meter.read(time: 70, field: Self.ambient + Vector3(200, 0, 0), force: nil, flags: [])
    #expect(abs((after.magnitude ?? 0) - 200) < 0.5, "\(after)")
  }

  @Test func peakAndMinimumAreKeptUntilReset() throws {
    var noise = Noise()
    var meter = FieldMeter(zero: try zero(&noise, scale: 0.1), gainUncertainty: 0)
    for strength in [5.0, 50, 20] {
      _ = meter.read(time: 0, field: Self.ambient + Vector3(strength, 0, 0), force: nil, flags: [])
    }
    let reading = meter.read(time: 1, field: Self.ambient + Vector3(10, 0, 0), force: nil, flags: [])
    #expect(abs((reading.peak ?? 0) - 50) < 0.2)
    #expect(abs((reading.minimum ?? 0) - 5) < 0.2)
    meter.resetPeak()
    let after = meter.read(time: 2, field: Self.ambient + Vector3(10, 0, 0), force: nil, flags: [])
    #expect(abs((after.peak ?? 0) - 10) < 0.2)
  }

  /// Numbers that never change, as those of a stuck or a coarse sensor: they may be off by half of the step they are
  /// printed in, and by no less than an ordinary sensor's. A magnet that comes then is measured all the same.
  @Test(arguments: [(Vector3(20, -4, 38), 0.5), (Vector3(20.3, -4.5, 38.1), 0.07), (Vector3(20.31, -4.5, 38.1), 0.07)])
  func aStandingFieldIsNotPerfect(_ field: Vector3, _ least: Double) throws {
    var meter = Teslameter()
    func read(_ field: Vector3, _ step: Int) -> FieldReading? {
      meter.read(
        DeviceSample(
          time: Double(step) * 0.02, field: Correction.none.apply(to: MagneticField(microtesla: field))))
    }
    var last: FieldReading?
    for step in 0..<300 { last = read(field, step) }
    let reading = try #require(last)
    #expect(try #require(reading.uncertainty) >= least)
    #expect(try #require(reading.atMost) >= least)
    #expect(reading.flags == .belowNoise)
    let magnet = try #require(read(field + Vector3(0, 0, 20), 300))
    let magnitude = try #require(magnet.magnitude)
    #expect(abs(magnitude - 20) <= 0.2 && !magnet.flags.contains(.belowNoise))
    let uncertainty = try #require(magnet.uncertainty)
    #expect(uncertainty >= least && uncertainty < 4)
  }

  /// A calibration knows the noise of the sensor: one without any is not better than that.
  @Test func aStandingFieldHasTheNoiseOfItsCalibration() throws {
    let profile = Profile(
      device: "board", created: 0, correction: .none, fieldStrength: 48, inclination: 65,
      noise: 0.4, quality: CalibrationQuality(verdict: .good, kind: .full, misalignment: .unknown))
    var meter = Teslameter(profile: profile)
    var last: FieldReading?
    for step in 0..<300 {
      last = meter.read(
        DeviceSample(
          time: Double(step) * 0.02, field: Correction.none.apply(to: MagneticField(microtesla: 20.3, -4.5, 38.1))))
    }
    #expect(try #require(last?.uncertainty) >= 0.4 * 1.96)
  }
}
