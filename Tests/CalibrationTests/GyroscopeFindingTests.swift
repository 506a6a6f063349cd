import Glibc
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

  /// With a gyroscope that makes this of each turn, and is sampled so much later.
  private func result(
    of sweep: SimulatedSweep, gains: Matrix3, lateMilliseconds: Int
  ) throws -> CalibrationResult {
    let rates = sweep.samples.map { $0.rotationRate?.degreesPerSecond }
    let late = lateMilliseconds * Int(sweep.settings.rate) / 1000
    var index = 0
    return try result(of: sweep) { sample in
      let rate = index >= late ? rates[index - late] : nil
      sample.rotationRate = rate.map { RotationRate(degreesPerSecond: gains * $0) }
      index += 1
    }
  }

  @Test(arguments: [4, 30.0]) func theZeroIsThatOfTheBoard(bias: Double) throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      let sweep = SimulatedSweep(seed: seed) { ($0.gyroscopeBias, $0.temperature) = (bias, 31) }
      let result = try result(of: sweep)
      let zero = try #require(result.gyroscopeZero)
      let off = zero.rate - sweep.sensor.gyroscopeBias
      for axis in 0..<3 { #expect(abs(off[axis]) < 3 * zero.deviation[axis], "\(seed), \(off), \(zero.deviation)") }
      #expect(zero.deviation.length < 0.2)
      #expect(abs((zero.temperature ?? 0) - 31) < 1e-6 && abs((result.temperature ?? 0) - 31) < 1e-6)
    }
  }

  @Test func withoutGyroscopeThereIsNone() throws {
    let without = try result(of: SimulatedSweep { $0.hasGyroscope = false })
    #expect(without.gyroscopeZero == nil && without.gyroscopeGain == nil)
    #expect(try result(of: SimulatedSweep { $0.rests = 0 }) { $0.rotationRate = nil }.gyroscopeZero == nil)
    #expect(try result(of: SimulatedSweep()).temperature == nil)
  }

  /// Nonsense beside a good field, from sources of any kind: the calibration is made, and a file can hold it.
  @Test(
    arguments: [
      { $0.temperature = 21_345 }, { $0.temperature = -.infinity },
      { sample in
        let sign: Double = Int(sample.time * 50) % 2 == 0 ? 1 : -1
        sample.rotationRate = sample.rotationRate.map {
          RotationRate(
            degreesPerSecond: $0.degreesPerSecond + Vector3(1, 0.7, 0.3) * (900 * sign * sin(sample.time * 7)))
        }
      },
      { $0.rotationRate = RotationRate(degreesPerSecond: Vector3(1e6, -1e6, 1e6) * sin($0.time * 3)) },
    ] as [@Sendable (inout Sample) -> Void])
  func nonsenseBesideTheFieldCostsNoCalibration(_ change: @Sendable (inout Sample) -> Void) throws {
    let result = try result(of: SimulatedSweep(), change)
    #expect(try !Profile(result, device: "board", created: 1_780_000_000).json().isEmpty)
    #expect(result.temperature == nil)
  }

  /// A sweep without rests tells it by how the field turns, whatever the gyroscope's gains and axes, and where one chip
  /// is sampled later than the other.
  @Test(
    arguments: [0, 30],
    [Matrix3.identity, Matrix3(Vector3(1.03, 0.02, 0), Vector3(-0.02, 0.98, 0.01), Vector3(0, 0, 1))])
  func aTurningBoardTellsItsZero(lateMilliseconds: Int, gains: Matrix3) throws {
    var (squares, count) = (0.0, 0.0)
    for seed in 1...6 as ClosedRange<UInt64> {
      let sweep = SimulatedSweep(seed: seed) { ($0.gyroscopeBias, $0.rests) = (4, 0) }
      let result = try result(of: sweep, gains: gains, lateMilliseconds: lateMilliseconds)
      let zero = try #require(result.gyroscopeZero)
      let off = zero.rate - gains * sweep.sensor.gyroscopeBias
      for axis in 0..<3 {
        #expect(abs(off[axis]) < 3.5 * zero.deviation[axis], "\(seed), \(off), \(zero.deviation)")
        squares += off[axis] * off[axis] / (zero.deviation[axis] * zero.deviation[axis])
        count += 1
      }
      #expect(zero.deviation.length < 1, "\(zero.deviation)")
    }
    // What is stated holds: neither too small nor several times too large.
    #expect((0.1...1.7).contains((squares / count).squareRoot()), "\((squares / count).squareRoot())")
  }

  /// How far its gains are off shows in how the field turns, also where one chip is sampled later than the other: with
  /// rests, from which the gyroscope's axes are those of the accelerometer, all of them; without, what stretches.
  @Test(arguments: [0, 8], [0, 30])
  func aTurningBoardTellsItsGains(rests: Int, lateMilliseconds: Int) throws {
    let gains = Matrix3(Vector3(1.03, 0.02, 0), Vector3(-0.02, 0.98, 0.01), Vector3(0, 0, 1))
    let truth = try #require(gains.inverse)
    var (squares, count) = (0.0, 0.0)
    for seed in 1...6 as ClosedRange<UInt64> {
      let sweep = SimulatedSweep(seed: seed) { ($0.gyroscopeBias, $0.rests) = (2, rests) }
      let result = try result(of: sweep, gains: gains, lateMilliseconds: lateMilliseconds)
      let found = try #require(result.gyroscopeGain)
      let expected = rests > 0 ? truth : (truth + truth.transposed) * 0.5
      for row in 0..<3 {
        let off = found.matrix[row] - expected[row]
        #expect(off.length < 5 * found.deviation, "\(seed), \(off), \(found.deviation)")
        squares += off.squaredLength / (found.deviation * found.deviation)
        count += 3
      }
      #expect(found.deviation < 0.004)
    }
    // What is stated holds, and no less than what real fields hide is stated.
    #expect((0.05...1.6).contains((squares / count).squareRoot()), "\((squares / count).squareRoot())")
  }

  /// A driver that was written for another chip is a sixth off, 14.375 counts for 16.4 and the other way round. Such
  /// gains are found as well as others.
  @Test(arguments: [0, 8]) func gainsOfAnotherChipAreFound(rests: Int) throws {
    for seed in 11...16 as ClosedRange<UInt64> {
      let sweep = SimulatedSweep(seed: seed) { $0.rests = rests }
      let off = seed.isMultiple(of: 2) ? 1.14 : 0.85
      let gains = Matrix3(diagonal: Vector3(off, off * 1.02, off * 0.99))
      let found = try #require(try result(of: sweep, gains: gains, lateMilliseconds: 0).gyroscopeGain, "\(seed)")
      for axis in 0..<3 {
        let error = found.matrix[axis][axis] - 1 / gains[axis][axis]
        #expect(abs(error) < 3 * found.deviation, "\(seed), \(error), \(found.deviation)")
      }
      #expect(found.deviation < 0.004)
    }
  }

  /// By how much the field comes later than the rate: here the rate is the older one. The simulated gyroscope sends
  /// means since the row before, which are older by half a row.
  @Test(arguments: [0, 40], [0, 8])
  func aTurningBoardTellsTheLag(lateMilliseconds: Int, rests: Int) throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      let sweep = SimulatedSweep(seed: seed) { ($0.gyroscopeBias, $0.rests) = (2, rests) }
      let result = try result(of: sweep, gains: .identity, lateMilliseconds: lateMilliseconds)
      let lag = try #require(result.fieldLag)
      let truth = -Double(lateMilliseconds) / 1000 - 0.5 / sweep.settings.rate
      #expect(abs(lag.seconds - truth) < 3 * lag.deviation + 0.002, "\(seed), \(lag)")
      #expect(lag.deviation < 0.004)
    }
  }

  /// Few rows a second: a gain is stored only where it is known, for what a reading stands for makes per cents of it.
  @Test(arguments: [10.0, 20, 25], [true, false])
  func slowSweepsStoreNoWrongGain(rate: Double, isMean: Bool) throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      let sweep = SimulatedSweep(seed: seed) { $0.rate = isMean ? rate : rate * 10 }
      let samples =
        isMean ? sweep.samples : stride(from: 0, to: sweep.samples.count, by: 10).map { sweep.samples[$0] }
      let result = try #require(Calibrator().fit(samples).result)
      guard let gain = result.gyroscopeGain else { continue }
      let off = (0..<3).map { gain.matrix[$0] - Matrix3.identity[$0] }
      #expect(off.allSatisfy { $0.length < 5 * gain.deviation }, "\(seed), \(gain)")
    }
  }

  /// Phones that were swept without a rest. What their gyroscopes read at rest is known from walks of the same days:
  /// the rates less the turns that motion capture saw, in degrees per second, as chips warm up in between.
  @Test(arguments: [
    ("nexus5_cal_d1", Vector3(0.7, -0.3, 4.5)), ("nexus5_cal_d2", Vector3(0.7, -0.3, 4.5)),
    ("iphone5_cal_d3", Vector3(5.5, -1.2, 0.7)), ("iphone4s_cal_d2", Vector3(-0.7, -0.2, 0.3)),
  ])
  func zerosOfPhonesAreThoseOfMotionCapture(_ name: String, truth: Vector3) throws {
    let result = try #require(Calibrator().fit(try Recording("sweeps/\(name)").samples).result)
    let zero = try #require(result.gyroscopeZero)
    let off = zero.rate - truth
    for axis in 0..<3 { #expect(abs(off[axis]) < 2 * zero.deviation[axis] + 0.3, "\(off), \(zero.deviation)") }
    #expect(zero.deviation.length < 1.5)
  }

  /// Two sweeps of one phone, made one after the other, tell the same gyroscope.
  @Test func twoSweepsOfOnePhoneTellTheSame() throws {
    let results = try ["nexus5_cal_d1", "nexus5_cal_d2"].map {
      try #require(Calibrator().fit(try Recording("sweeps/\($0)").samples).result)
    }
    let zeros = results.compactMap { $0.gyroscopeZero?.rate }
    try #require(zeros.count == 2)
    for axis in 0..<3 { #expect(abs(zeros[0][axis] - zeros[1][axis]) < 0.4, "\(zeros)") }
    let gains = results.compactMap { $0.gyroscopeGain?.matrix }
    try #require(gains.count == 2)
    for row in 0..<3 { #expect((gains[0][row] - gains[1][row]).length < 0.005, "\(gains)") }
  }

  /// A gyroscope that is right stays right where the field is rough: what is told of it then is drawn towards one.
  @Test func aRoughFieldTellsNoWrongGain() throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      let sweep = SimulatedSweep(seed: seed) { ($0.noise, $0.rests) = (1.5, 0) }
      guard let gain = try result(of: sweep).gyroscopeGain else { continue }
      for row in 0..<3 { #expect((gain.matrix[row] - Matrix3.identity[row]).length < 0.003, "\(seed), \(gain)") }
    }
  }

  /// One that keeps sending the same while the board turns has no zero, and neither has one whose mean no gyroscope
  /// reads at rest.
  @Test func whatIsNoGyroscopeHasNoZero() throws {
    let sweep = SimulatedSweep()
    let stuck = try result(of: sweep) { $0.rotationRate = RotationRate(degreesPerSecond: Vector3(1, 2, 3)) }
    #expect(stuck.gyroscopeZero == nil && stuck.gyroscopeGain == nil)
    let far = try result(of: SimulatedSweep { $0.gyroscopeBias = 50 })
    #expect(far.gyroscopeZero == nil)
  }

  /// A level turn on a turntable, where nothing but the field tells that the board does not rest: its rate is no zero.
  @Test func aSteadyTurnIsNoZero() throws {
    let sweep = SimulatedSweep(seconds: 60) {
      ($0.motion, $0.turnRate, $0.wobble, $0.leverArm) = (.spin, 12, 0, 0)
      ($0.rests, $0.gyroscopeBiasVector) = (0, Vector3(0.5, -0.8, 0.3))
    }
    // It was brought there faster, which shows that the gyroscope feels turns.
    let zero = try result(of: sweep) { sample in
      guard sample.time < 8 else { return }
      sample.rotationRate = sample.rotationRate.map { RotationRate(degreesPerSecond: $0.degreesPerSecond * 5) }
    }.gyroscopeZero
    #expect((zero?.rate ?? Vector3(0.5, -0.8, 0.3)).length < 3, "\(String(describing: zero))")
  }

  /// Nor without rests: stuck, in another unit, with another sign or other axes, or of another board.
  @Test func whatTurnsOtherwiseHasNoZero() throws {
    let sweep = SimulatedSweep { $0.rests = 0 }
    let changes: [(Vector3) -> Vector3] = [
      { _ in Vector3(1, 2, 3) }, { $0 * (.pi / 180) }, { $0 * 1.5 }, { -$0 }, { Vector3($0.y, $0.x, $0.z) },
      { Vector3($0.x, $0.y, -$0.z) },
    ]
    for (index, change) in changes.enumerated() {
      let result = try result(of: sweep) { sample in
        sample.rotationRate = sample.rotationRate.map { RotationRate(degreesPerSecond: change($0.degreesPerSecond)) }
      }
      #expect(result.gyroscopeZero == nil && result.gyroscopeGain == nil, "change \(index)")
    }
    let other = SimulatedSweep(seed: 9) { ($0.rests, $0.motion) = (0, .spin) }.samples.map { $0.rotationRate }
    var index = 0
    let result = try result(of: sweep) { sample in
      sample.rotationRate = other[index]
      index += 1
    }
    #expect(result.gyroscopeZero == nil)
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
