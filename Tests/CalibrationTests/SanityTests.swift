import Calibration
import Glibc
import LodestoneCore
import Instruments
import Testing

/// Data that no calibration may be made of, and the reasons given.
@Suite struct SanityTests {
  private static func refusal(of samples: [Sample]) -> CalibrationRefusal? {
    let outcome = Calibrator().fit(samples)
    return outcome.refusal
  }

  private static func mapped(_ sweep: SimulatedSweep, _ change: (Vector3) -> Vector3) -> [Sample] {
    sweep.samples.map { sample in
      var changed = sample
      changed.field = sample.field.map { MagneticField(microtesla: change($0.microtesla)) }
      return changed
    }
  }

  @Test func nothing() {
    #expect(Self.refusal(of: []) == .noField)
    #expect(Self.refusal(of: [Sample(time: 0)]) == .noField)
  }

  /// A program's own samples may have times that are none.
  @Test func timesThatAreNone() {
    var samples = SimulatedSweep().samples
    for time in [Double.nan, .infinity, -.infinity] {
      let rate = RotationRate(degreesPerSecond: Vector3(2000, 0, 0))
      samples.insert(Sample(time: time, rotationRate: rate, flags: .rateSaturated), at: samples.count / 2)
    }
    #expect(Self.refusal(of: samples) == Self.refusal(of: SimulatedSweep().samples))
  }

  /// A million µT and more is no field, in whatever counts it comes: nothing could be kept of such a calibration.
  @Test func beyondAnySensor() {
    let samples = Self.mapped(SimulatedSweep()) { $0 * 1e5 }
    var settings = CalibrationSettings()
    settings.unitIsKnown = false
    #expect(Calibrator(settings: settings).fit(samples).result == nil)
  }

  @Test func tooFew() {
    let sweep = SimulatedSweep(seconds: 0.3)
    #expect(Self.refusal(of: sweep.samples) == .tooFewSamples(count: 15, needed: 30))
  }

  @Test func stuckAxis() {
    let samples = Self.mapped(SimulatedSweep()) { Vector3($0.x, 0, $0.z) }
    #expect(Self.refusal(of: samples) == .stuckAxis(axis: "y", value: 0))
  }

  /// An axis that hangs up in mid-sweep: the rest of such a sweep once made a calibration that was 78° off.
  @Test func anAxisThatHangsUp() {
    let samples = SimulatedSweep().samples
    let hung = samples.map { sample in
      guard sample.time > 20, let field = sample.field?.microtesla else { return sample }
      var sample = sample
      sample.field = MagneticField(microtesla: Vector3(17.25, field.y, field.z))
      return sample
    }
    #expect(Self.refusal(of: hung) == .stuckAxis(axis: "x", value: 17.25))
  }

  /// An axis of the accelerometer that is dead, or hangs up after a while.
  @Test(arguments: 0...2, [0.0, 20]) func anAxisOfTheAccelerometerThatIsStuck(axis: Int, from: Double) {
    let samples = SimulatedSweep().samples.map { sample in
      var sample = sample
      if sample.time >= from { sample.acceleration?.g[axis] = 0.31 }
      return sample
    }
    #expect(Self.refusal(of: samples) == .stuckForce(axis: ["x", "y", "z"][axis], value: 0.31))
  }

  /// A board that is turned level on a table, with an accelerometer of 16 mg a step: two of its axes stay as they are.
  @Test func aTurntableSticksNothing() {
    let samples = SimulatedSweep { $0.motion = .spin }.samples.map { sample in
      var sample = sample
      sample.acceleration = Acceleration(g: Vector3(0, 0, 1))
      return sample
    }
    if case .stuckForce = Self.refusal(of: samples) { Issue.record("stuck") }
  }

  /// A calibration does not need the gyroscope, and headings do: they are read without it.
  @Test(arguments: 0...2) func anAxisOfTheGyroscopeThatIsStuck(axis: Int) throws {
    let samples = SimulatedSweep { $0.gyroscopeBias = 1 }.samples.map { sample in
      var sample = sample
      if let rate = sample.rotationRate?.degreesPerSecond {
        var rate = rate
        rate[axis] = 0
        sample.rotationRate = RotationRate(degreesPerSecond: rate)
      }
      return sample
    }
    let outcome = Calibrator().fit(samples)
    #expect(outcome.refusal == nil)
    #expect(try #require(outcome.result).warnings.contains(.gyroscopeStuck(axis: ["x", "y", "z"][axis])))
    let sound = try #require(Calibrator().fit(SimulatedSweep { $0.gyroscopeBias = 1 }.samples).result)
    #expect(!sound.warnings.contains { if case .gyroscopeStuck = $0 { true } else { false } })
  }

  /// An accelerometer with an axis turned about, or two exchanged: magnetometer and gyroscope belong together and it
  /// does not. Its headings were 100° off, said to be within 2°.
  @Test(arguments: ["x,y,-z", "-x,y,z", "y,x,z"]) func aMirroredAccelerometer(axes: String) throws {
    let map = try Mounting(axes).matrix
    let samples = SimulatedSweep { $0.gyroscopeBias = 1 }.samples.map { sample in
      var sample = sample
      sample.acceleration = sample.acceleration.map { Acceleration(g: map * $0.g) }
      return sample
    }
    guard case .mirroredForce = Self.refusal(of: samples) else {
      Issue.record("\(String(describing: Self.refusal(of: samples)))")
      return
    }
  }

  /// Eight positions in which x lies level suit its mirror image as well: the sweep before them tells. Headings were 25
  /// to 84° off, said to be within 5°.
  @Test(arguments: [nil, "-x,y,z"]) func aMirroredAxisThatNoPositionShows(axes: String?) throws {
    let map = try axes.map { try Mounting($0).matrix } ?? .identity
    var random = RandomNumbers(seed: 7)
    func noise(_ deviation: Double) -> Vector3 {
      Vector3(random.normal(), random.normal(), random.normal()) * deviation
    }
    var samples: [Sample] = []
    func measure(_ attitude: Matrix3, rate: Vector3, at time: Double) {
      let toBoard = attitude.transposed
      samples.append(
        Sample(
          time: time,
          field: MagneticField(microtesla: toBoard * Vector3(0, 20, -45) + Vector3(12, -20, 8) + noise(0.3)),
          acceleration: Acceleration(g: map * (toBoard * Vector3(0, 0, 1) + noise(0.004))),
          rotationRate: RotationRate(degreesPerSecond: rate * (180 / .pi) + noise(0.1))))
    }
    var attitude = Matrix3.identity
    for time in (0..<2000).map({ Double($0) / 50 }) {
      let rate = Vector3(1.1 * sin(1.7 * time), sin(2.3 * time + 1), 0.8 * cos(0.9 * time) + 0.3)
      attitude = attitude * Matrix3(rotation: rate / 50)
      measure(attitude, rate: rate, at: time)
    }
    for position in 0..<8 {
      let heading = Matrix3(rotation: Vector3(0, 0, Double(position / 2) * .pi / 2))
      let pitch = Matrix3(rotation: Vector3(position % 2 == 0 ? 0 : 0.66, 0, 0))
      for step in 0..<80 { measure(heading * pitch, rate: .zero, at: 41 + Double(3 * position) + Double(step) / 50) }
    }
    let refusal = Self.refusal(of: samples)
    #expect(refusal == (axes == nil ? nil : .mirroredForce(map: "-x,+y,+z")), "\(String(describing: refusal))")
  }

  @Test func twoAxesAlike() {
    let samples = Self.mapped(SimulatedSweep()) { Vector3($0.x, $0.y, $0.x) }
    #expect(Self.refusal(of: samples) == .sameAxes("x", "z"))
  }

  @Test func stillness() {
    let sweep = SimulatedSweep { $0.motion = .still }
    guard case .noMotion(let span) = Self.refusal(of: sweep.samples) else {
      Issue.record("\(String(describing: Self.refusal(of: sweep.samples)))")
      return
    }
    #expect(span < 3)
  }

  /// A recorder that runs for minutes before or after the sweep, the board on the table.
  @Test(arguments: [9, 30], [false, true]) func aLongRestBesideTheSweepWeighsNothing(minutes: Int, isBefore: Bool)
    throws
  {
    let sweep = SimulatedSweep(seed: 3)
    let table = SimulatedSweep(seed: 3, seconds: 60) { $0.motion = .still }
    var rest: [Sample] = []
    for minute in 0..<minutes {
      for var sample in table.samples {
        sample.time += 60 * Double(minute)
        rest.append(sample)
      }
    }
    func later(_ samples: [Sample], _ seconds: Double) -> [Sample] {
      samples.map { sample in
        var sample = sample
        sample.time += seconds
        return sample
      }
    }
    let outcome = Calibrator().fit(
      isBefore ? rest + later(sweep.samples, 60 * Double(minutes) + 1) : sweep.samples + later(rest, 63))
    let result = try #require(outcome.result)
    #expect(outcome.refusal == nil && result.quality.verdict == .good)
    let error = sweep.headingError(result.correction, force: result.forceCorrection)
    #expect(error <= 2 * (result.quality.headingErrorDegrees ?? 0), "\(error)")
  }

  /// Three seconds of a slow figure-eight met few directions, nearly in a plane; the board was turned about three axes
  /// all the same.
  @Test(arguments: [0.0, 2, 4]) func aShortFigureEightIsNoTurnAboutOneAxis(start: Double) {
    var random = RandomNumbers(seed: 5)
    func noise(_ deviation: Double) -> Vector3 {
      Vector3(random.normal(), random.normal(), random.normal()) * deviation
    }
    var attitude = Matrix3.identity
    let samples = (0..<150).map { index in
      let time = Double(index) / 50
      let phase = start + time
      let rate = Vector3(1.1 * sin(1.7 * phase), sin(2.3 * phase + 1), 0.8 * cos(0.9 * phase) + 0.3)
      attitude = attitude * Matrix3(rotation: rate / 50)
      let toBoard = attitude.transposed
      return Sample(
        time: time,
        field: MagneticField(microtesla: toBoard * Vector3(0, 20.3, -43.5) + Vector3(12, -20, 8) + noise(0.3)),
        acceleration: Acceleration(g: toBoard * Vector3(0, 0, 1) + noise(0.004)))
    }
    guard case .tooFewDirections = Self.refusal(of: samples) else {
      Issue.record("\(String(describing: Self.refusal(of: samples)))")
      return
    }
  }

  @Test func gaussTakenForMicrotesla() {
    let samples = Self.mapped(SimulatedSweep()) { $0 / 100 }
    guard case .impossibleUnit(let sphere) = Self.refusal(of: samples) else {
      Issue.record("\(String(describing: Self.refusal(of: samples)))")
      return
    }
    #expect(abs(sphere - 0.48) < 0.1)
  }

  /// Counts that no profile could hold: the next start would not read it.
  @Test func countsThatNoIronStretchesSo() {
    var settings = CalibrationSettings()
    (settings.unitIsKnown, settings.countsPerMicrotesla) = (false, 10)
    let samples = Self.mapped(SimulatedSweep()) { $0 / 100 }
    guard case .impossibleUnit(let sphere) = Calibrator(settings: settings).fit(samples).refusal else {
      Issue.record("a calibration that cannot be kept")
      return
    }
    #expect(abs(sphere - 0.48) < 0.1)
  }

  @Test func countsTakenForMicrotesla() {
    let samples = Self.mapped(SimulatedSweep()) { $0 * 12 }
    guard case .impossibleUnit(let sphere) = Self.refusal(of: samples) else {
      Issue.record("\(String(describing: Self.refusal(of: samples)))")
      return
    }
    #expect(abs(sphere - 576) < 100)
  }

  @Test func aMagnetNextToItAllTheTime() {
    let samples = Self.mapped(SimulatedSweep()) { $0 * 2 }
    guard case .impossibleField(let strength, _) = Self.refusal(of: samples) else {
      Issue.record("\(String(describing: Self.refusal(of: samples)))")
      return
    }
    #expect(abs(strength - 96) < 10)
  }

  @Test func flaggedSaturation() {
    let sweep = SimulatedSweep {
      $0.hardIronVector = Vector3(40, 0, 0)
      $0.range = 60
    }
    guard case .clipped(nil, let percent) = Self.refusal(of: sweep.samples) else {
      Issue.record("\(String(describing: Self.refusal(of: sweep.samples)))")
      return
    }
    #expect(percent > 5)
  }

  @Test func clippingThatNobodyFlagged() {
    let samples = Self.mapped(SimulatedSweep { $0.hardIronVector = .zero }) {
      Vector3(min($0.x, 35), $0.y, $0.z)
    }
    guard case .clipped("x", _) = Self.refusal(of: samples) else {
      Issue.record("\(String(describing: Self.refusal(of: samples)))")
      return
    }
  }

  /// A quiet chip on a turntable: its field goes through each extreme slowly, as on any circle, and is not clipped.
  @Test(arguments: [0.15, 0.3, 0.6], [2.0, 5, 9])
  func extremesOfACircleAreNoClipping(_ step: Double, _ period: Double) {
    let samples = (0..<900).map { index in
      let (time, angle) = (Double(index) / 50, 2 * Double.pi * Double(index) / 50 / period)
      let raw = Vector3(20 * cos(angle) + 11.03, -20 * sin(angle) - 7.2, -43 + sin(time))
      let counted = Vector3((raw.x / step).rounded(), (raw.y / step).rounded(), (raw.z / step).rounded()) * step
      var sample = Sample(time: time, field: MagneticField(microtesla: counted))
      sample.acceleration = Acceleration(g: Vector3(0.01 * sin(time), 0.01 * sin(1.4 * time), 1))
      return sample
    }
    if case .clipped = Self.refusal(of: samples) { Issue.record("\(step) µT, \(period) s") }
  }

  @Test func repeatedSamplesCountOnce() throws {
    let sweep = SimulatedSweep(seed: 3)
    let samples = sweep.samples.flatMap { sample in
      (0..<4).map { step in
        var copy = sample
        copy.time += Double(step) * 0.005
        return copy
      }
    }
    let result = try #require(Calibrator().fit(samples).result)
    #expect(result.quality.samples <= sweep.samples.count)
    #expect(result.quality.kind == .full)
    #expect(
      result.warnings.contains { warning in
        if case .repeatedSamples(let percent) = warning { percent > 70 } else { false }
      })
  }

  @Test func aQuarterOfTheSphereIsTooLittle() {
    let cap = SimulatedSweep().samples.filter { ($0.acceleration?.g.z ?? 0) > 0.8 }
    let refusal = Self.refusal(of: Array(cap.prefix(400)))
    switch refusal {
    case .tooFewDirections, .planar, .inaccurate: break
    default: Issue.record("\(String(describing: refusal))")
    }
  }

  @Test func aFieldThatKeepsChanging() {
    var phase = 0.0
    let samples = Self.mapped(SimulatedSweep()) { field in
      phase += 0.02
      return field + Vector3(20 * Self.wave(phase, 3), 20 * Self.wave(phase, 4.3), 20 * Self.wave(phase, 5.9))
    }
    guard case .disturbed = Self.refusal(of: samples) else {
      Issue.record("\(String(describing: Self.refusal(of: samples)))")
      return
    }
  }

  /// A triangle wave from −1 to 1.
  private static func wave(_ time: Double, _ period: Double) -> Double {
    let turn = (time / period).truncatingRemainder(dividingBy: 1)
    return turn < 0.5 ? 4 * turn - 1 : 3 - 4 * turn
  }

  @Test func brokenNumbersAreLeftOut() throws {
    var samples = SimulatedSweep(seed: 2).samples
    for index in stride(from: 0, to: samples.count, by: 50) {
      samples[index].field = MagneticField(microtesla: .nan, .infinity, 1e300)
    }
    for index in stride(from: 7, to: samples.count, by: 90) {
      samples[index].acceleration = Acceleration(g: Vector3(.nan, 0, 0))
      samples[index].time = .infinity
    }
    let outcome = Calibrator().fit(samples)
    #expect(try #require(outcome.result?.quality.headingErrorDegrees) < 3)
  }
}
