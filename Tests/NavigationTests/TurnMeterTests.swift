import Glibc
import Instruments
import LodestoneCore
import Navigation
import Support
import Testing

/// A magnet that turns before a sensor, with 30 µT of drift and 5 µT of noise.
@Suite struct TurnMeterTests {
  private struct Run {
    var turns = 0.0
    var made = 0.0
    var last = TurnReading()
  }

  /// Turns at rates from 0.01 to 0.45 of the sampling rate, with stops, and reversals where two axes see them.
  /// - Parameter share: of the field along the second axis.
  private static func run(_ goal: Double, seed: UInt64, share: Double, turnsBack: Bool) -> Run {
    var random = RandomNumbers(seed: seed)
    var meter = TurnMeter()
    let frame = DeviceFrame()
    var (run, angle, rate, time) = (Run(), random.uniform(), 0.0, 0.0)
    let begin = angle
    func advance() {
      time += 0.01
      let (phase, drift) = (2 * .pi * angle, 30 * sin(2 * .pi * time / 200))
      let field =
        Vector3(20 + drift, -15 + drift / 2, 40 - drift * 0.7)
        + Vector3(60 * cos(phase), share * 60 * sin(phase), 12 * cos(phase))
        + Vector3(random.normal(), random.normal(), random.normal()) * 5
      let sample = frame.read(Sample(time: time, field: MagneticField(microtesla: field)))
      if let reading = meter.read(sample) { run.last = reading }
    }
    func turn(to target: Double, for count: Int) {
      for _ in 0..<count {
        rate += max(-0.02, min(0.02, target - rate))
        angle += rate
        run.made += abs(rate)
        advance()
      }
    }
    turn(to: 0, for: 40)
    turn(to: 0.1, for: 100)
    while run.made < goal {
      let fast = 0.01 * pow(45, random.uniform())
      let target = random.uniform() < 0.2 ? 0 : turnsBack && random.uniform() < 0.3 ? -fast : fast
      turn(to: target, for: 50 + Int(random.uniform() * 400))
    }
    turn(to: 0, for: 200)
    run.turns = angle - begin
    return run
  }

  @Test(arguments: [UInt64(1), 2, 3], [1.0, 0.6])
  func noTurnIsMissedOrInvented(_ seed: UInt64, _ share: Double) {
    let run = Self.run(3000 * Double(Endurance.factor), seed: seed, share: share, turnsBack: true)
    #expect(abs(run.last.turns - run.turns) < 0.1, "\(run)")
    #expect(abs(Double(run.last.forward - run.last.backward) - run.turns) <= 1.1)
    #expect(run.last.flags.isEmpty)
  }

  /// Half of what the field swings: the mean over an eighth of a turn would be 2.6 % less.
  @Test(arguments: [0.004, 0.013, 0.0437, 0.17, 0.418], [1.0, 0.6])
  func theAmplitudeIsThatOfTheField(_ rate: Double, _ share: Double) throws {
    var (random, meter, last) = (RandomNumbers(seed: 12), TurnMeter(), TurnReading())
    for step in 0..<6000 {
      let angle = 2 * .pi * rate * Double(step)
      let noise = Vector3(random.normal(), random.normal(), random.normal()) * 0.3
      let field = Vector3(20 + 60 * cos(angle), -15 + share * 60 * sin(angle), 40) + noise
      let sample = Sample(time: Double(step) / 50, field: MagneticField(microtesla: field))
      if let reading = meter.read(DeviceFrame().read(sample)) { last = reading }
    }
    #expect(abs(try #require(last.amplitude) - 60) < 0.5, "\(last)")
  }

  /// One axis tells no direction, and half turns alone.
  @Test(arguments: [UInt64(1), 8, 101]) func oneAxisCountsToo(_ seed: UInt64) {
    let run = Self.run(600 * Double(Endurance.factor), seed: seed, share: 0, turnsBack: false)
    #expect(abs(run.last.turns - run.turns) <= 0.6, "\(run)")
    #expect(run.last.flags == .oneAxis && run.last.backward == 0)
  }

  /// Where it stands, noise moves it over the place at which a half turn is complete, again and again.
  @Test func aMagnetThatStandsWhereAHalfTurnEndsMakesNone() {
    var random = RandomNumbers(seed: 5)
    var meter = TurnMeter()
    let frame = DeviceFrame()
    var (angle, last, time) = (0.0, TurnReading(), 0.0)
    func advance(_ rate: Double, for count: Int) {
      for _ in 0..<count {
        angle += rate
        time += 0.01
        let field = Vector3(60 * cos(2 * .pi * angle), 10, 20)
        let noise = Vector3(random.normal(), random.normal(), random.normal()) * 5
        let sample = frame.read(Sample(time: time, field: MagneticField(microtesla: field + noise)))
        if let reading = meter.read(sample) { last = reading }
      }
    }
    advance(0.1, for: 400)
    advance(0.0125, for: 33)
    angle = angle.rounded(.down) + 1.0 / 3  // cos θ is −½ there.
    let before = angle
    advance(0, for: 20_000)
    #expect(abs(last.turns - before) <= 0.6, "\(last.turns) of \(before)")
  }

  /// An ellipse of whose axes noise is a large part. The magnet stops a little before a turn is complete and stands for
  /// ten minutes, or it turns to the end: noise makes no turns to and fro.
  @Test(arguments: [
    (rate: 20.0, turn: 0.5, stop: 10.96, axes: (3.0, 3.0), noise: 0.5), (50, 1, 10.96, (3, 3), 0.5),
    (20, 0.5, 10.96, (3, 1.35), 0.3), (50, 1, 10.96, (10, 4.5), 1), (50, 1, 119.5, (10, 4.5), 1.5),
  ])
  func noiseTurnsNoMagnetToAndFro(
    _ scene: (rate: Double, turn: Double, stop: Double, axes: (Double, Double), noise: Double)
  ) {
    var random = RandomNumbers(seed: 5)
    var meter = TurnMeter()
    let frame = DeviceFrame()
    var last = TurnReading()
    for step in 0..<Int((scene.stop > 100 ? 119.5 : 600) * scene.rate) {
      let time = Double(step) / scene.rate
      let angle = 2 * .pi * min(time * scene.turn, scene.stop)
      let field = Vector3(20 + scene.axes.0 * cos(angle), 5 + scene.axes.1 * sin(angle), -40)
      let noise = Vector3(random.normal(), random.normal(), random.normal()) * scene.noise
      let sample = frame.read(Sample(time: time, field: MagneticField(microtesla: field + noise)))
      if let reading = meter.read(sample) { last = reading }
    }
    // Noise of a third of the shorter axis makes the angle itself slip by turns, of which no hysteresis knows.
    #expect(abs(Double(last.forward) - scene.stop) < (scene.stop > 100 ? 3.6 : 1.6), "\(last)")
    #expect(last.backward <= 1, "\(last)")
  }

  /// 2400 samples of 0.05 turns before a sensor that two axes see, or one, and what else happens to the field.
  private static func steady(share: Double, _ change: (_ step: Int, _ field: inout Vector3) -> Void) -> TurnReading {
    var (random, meter, last) = (RandomNumbers(seed: 11), TurnMeter(), TurnReading())
    for step in 0..<2400 {
      let angle = 2 * .pi * 0.05 * Double(step)
      var field = Vector3(20 + 50 * cos(angle), 1 + share * 50 * sin(angle), -40)
      field += Vector3(random.normal(), random.normal(), random.normal()) * 0.3
      change(step, &field)
      let sample = Sample(time: Double(step) / 20, field: MagneticField(microtesla: field))
      if let reading = meter.read(DeviceFrame().read(sample)) { last = reading }
    }
    return last
  }

  /// A digit too many, or a point too few, early or late.
  @Test(arguments: [5, 1200, 1203], [4010.0, -401, 20_000])
  func aGarbledFieldCostsNoTurn(_ place: Int, _ value: Double) {
    for axis in 0..<3 {
      for share in [1.0, 0] {
        let last = Self.steady(share: share) { step, field in if step == place { field[axis] = value } }
        #expect(abs(last.turns - last.time) < (share > 0 ? 0.1 : 0.6), "\(axis) \(last)")
        #expect((118...120).contains(last.forward) && last.backward == 0, "\(axis) \(last)")
        #expect(abs((last.amplitude ?? 0) - 50) < 2, "\(axis) \(last)")
      }
    }
  }

  /// Hum that is at the other crest in each sample, along the plane of the ellipse or across it.
  @Test(arguments: [(0, 20), (2, 20), (2, 27), (2, 35)]) func humStopsNoCount(_ axis: Int, _ size: Double) {
    let last = Self.steady(share: 1) { step, field in field[axis] += step % 2 == 0 ? size : -size }
    #expect(abs(last.turns - last.time) < 0.3 && abs(last.forward - 119) <= 1 && last.backward == 0, "\(last)")
  }

  /// A slow magnet among noise: the ellipse is found in an arc first, and grows.
  @Test(arguments: [UInt64(1), 2, 3, 4, 5, 6], [5.0, 8, 10]) func aSlowMagnetIsFollowed(_ seed: UInt64, _ noise: Double)
  {
    var (random, meter, last) = (RandomNumbers(seed: seed), TurnMeter(), TurnReading())
    for step in 0..<4800 {
      let angle = 2 * .pi * 0.005 * Double(step)
      let field = Vector3(20 + 50 * cos(angle), 1 + 50 * sin(angle), -40)
      let all = field + Vector3(random.normal(), random.normal(), random.normal()) * noise
      let sample = Sample(time: Double(step) / 20, field: MagneticField(microtesla: all))
      if let reading = meter.read(DeviceFrame().read(sample)) { last = reading }
    }
    #expect(abs(last.turns - last.time / 10) < 1.3 && last.backward <= 1, "\(last)")
  }

  /// One in a hundred.
  @Test func garbledFieldsCostNoTurn() {
    var random = RandomNumbers(seed: 3)
    let last = Self.steady(share: 1) { _, field in if random.uniform() < 0.01 { field = field * 100 } }
    #expect(abs(last.turns - last.time) < 0.1 && last.forward == 119 && last.backward == 0, "\(last)")
  }

  /// The meter is moved, or a loudspeaker is put beside it: the magnet turns on, in another field.
  @Test(arguments: [80.0, 100, 200, -500]) func anotherFieldCostsNoTurn(_ offset: Double) {
    for axis in 0..<3 {
      let last = Self.steady(share: 1) { step, field in if step >= 1200 { field[axis] += offset } }
      #expect(abs(last.turns - last.time) < 1 && abs(last.forward - 119) <= 1 && last.backward == 0, "\(axis) \(last)")
      #expect(last.direction == .forward && abs((last.rate ?? 0) - 60) < 1, "\(axis) \(last)")
    }
  }

  /// What was forward is forward after a restart, whichever way the magnet turns first then.
  @Test(arguments: [1.0, -1]) func theWayForwardIsKeptOverARestart(_ way: Double) {
    var settings = TurnMeter.Settings()
    var last = TurnReading()
    for sense in [way, -way] {
      var meter = TurnMeter(settings)
      for step in 0..<1000 {
        let angle = sense * 2 * .pi * 0.02 * Double(step)
        let field = MagneticField(microtesla: Vector3(60 * cos(angle), 40 * sin(angle), 10))
        let sample = DeviceFrame().read(Sample(time: Double(step) / 100, field: field))
        if let reading = meter.read(sample) { last = reading }
      }
      (settings.forward, settings.backward) = (last.forward, last.backward)
      settings.forwardAxis = last.forwardAxis
    }
    // 999 steps of 0.02 are 19.98 turns each way; a turn back counts once it is over, or a little more.
    #expect(last.forward == 19 && (18...20).contains(last.backward), "\(last)")
    #expect(last.forwardAxis.map { $0.z * way > 0.9 } == true)
  }

  @Test func noiseAloneIsNoTurn() {
    var random = RandomNumbers(seed: 4)
    var meter = TurnMeter()
    var last = TurnReading()
    for step in 0..<20_000 {
      let noise = Vector3(random.normal(), random.normal(), random.normal()) * 5
      let field = MagneticField(microtesla: Vector3(20, 0, -40) + noise)
      if let reading = meter.read(DeviceFrame().read(Sample(time: Double(step) / 100, field: field))) { last = reading }
    }
    #expect(last.turns == 0 && last.forward == 0 && last.flags == .searching)
  }

  @Test func aRotationPastHalfTheSamplingRateIsTold() {
    var meter = TurnMeter()
    var (angle, rate) = (0.0, 0.05)
    var wasTold = false
    for step in 0..<2000 {
      rate = min(0.6, rate + 0.0005)
      angle += rate
      let field = Vector3(60 * cos(2 * .pi * angle), 60 * sin(2 * .pi * angle), 10)
      let sample = DeviceFrame().read(Sample(time: Double(step) / 100, field: MagneticField(microtesla: field)))
      guard let reading = meter.read(sample) else { continue }
      if reading.flags.contains(.tooFast) { wasTold = true }
      if rate < 0.45 { #expect(!reading.flags.contains(.tooFast)) }
    }
    #expect(wasTold)
  }

  /// The last reading of a magnet that turns at 2 turns a second, 1000 samples of 0.02 turns.
  private static func turn<Meter: Instrument>(_ meter: inout Meter) -> Meter.Reading? {
    var last: Meter.Reading?
    for step in 0..<1000 {
      let angle = 2 * Double.pi * 0.02 * Double(step)
      let field = Vector3(60 * cos(angle), 40 * sin(angle), 10)
      let sample = DeviceFrame().read(Sample(time: Double(step) / 100, field: MagneticField(microtesla: field)))
      if let reading = meter.read(sample) { last = reading }
    }
    return last
  }

  /// Counts that no meter has do not end the program that is given them.
  @Test func countsThatCannotBeAreBounded() throws {
    var settings = TurnMeter.Settings()
    (settings.forward, settings.backward) = (.max, .min)
    var meter = TurnMeter(settings)
    let last = try #require(Self.turn(&meter))
    #expect(last.forward == 1 << 53 + 19 && last.backward == -1 << 53)
  }

  @Test func volumesFollowTheTurnsForwardAndGoOnFromWhereTheyWere() throws {
    var settings = VolumeMeter.Settings()
    settings.litresPerTurn = 0.5
    settings.turns.forward = 100
    var meter = VolumeMeter(settings, profile: nil, mounting: .aligned)
    let last = try #require(Self.turn(&meter))
    // 999 steps of 0.02 are 19.98 turns: 19 whole ones, at 100 samples a second 120 a minute.
    #expect(last.count.forward == 119 && last.volume == 59.5)
    #expect(abs((last.flow ?? 0) - 60) < 0.5)
  }
}
