import Calibration
import LodestoneCore
import Glibc
import Instruments
import Navigation
import Testing

/// Headings and attitudes that the gyroscope carries, against the truth of the simulation.
@Suite struct FusionTests {
  /// A calibrated board.
  private struct Board {
    var settings: VirtualBreakout.Settings
    var profile: Profile

    init(seed: UInt64) throws {
      var settings = VirtualBreakout.Settings()
      (settings.motion, settings.seed, settings.sensor) = (.figureEight, seed, seed + 50)
      var sweep = VirtualBreakout(settings)
      let result = try #require(Calibrator().fit((0..<3100).map { _ in sweep.next().sample }).result)
      self.settings = settings
      profile = Profile(result, device: "board", created: 0)
    }
  }

  /// The result of a run: root mean square and share within the accuracy of what is read after ten seconds.
  private struct Outcome {
    var error = 0.0
    var within = 0.0
    var lines = 0.0
    /// The largest figure, in degrees.
    var accuracy = 0.0
    var notices: [InstrumentNotice] = []
  }

  private static func run(
    _ change: (inout VirtualBreakout.Settings) -> Void, seconds: Double = 60, usesGyroscope: Bool = true,
    zero: GyroscopeZero? = nil, seed: UInt64 = 77, earth: (time: Double, EarthReference)? = nil,
    alter: (inout Sample) -> Void = { _ in }
  ) throws -> Outcome {
    var board = try Board(seed: 3)
    board.profile.gyroscopeZero = zero
    var run = board.settings
    (run.motion, run.seed) = (.walk, seed)
    change(&run)
    var settings = Compass.Settings()
    (settings.orientation, settings.pointing, settings.usesGyroscope) = (.portrait, .top, usesGyroscope)
    var compass = Compass(settings, profile: board.profile)
    let frame = DeviceFrame(board.profile)
    var breakout = VirtualBreakout(run)
    var outcome = Outcome()
    for _ in 0..<Int(seconds * run.rate) {
      var (sample, truth) = breakout.next()
      alter(&sample)
      if let earth, sample.time >= earth.time { compass.follow(earth.1) }
      if let reading = compass.read(frame.read(sample)), let heading = reading.magneticHeading, truth.time > 10 {
        let off = abs(Angle.shortestTurn(from: truth.heading.degrees, to: heading.degrees))
        outcome.error += off * off
        outcome.within += off <= reading.accuracy ?? 0 ? 1 : 0
        outcome.accuracy = max(outcome.accuracy, reading.accuracy ?? 180)
        outcome.lines += 1
      }
      if let notice = compass.nextNotice() { outcome.notices.append(notice) }
    }
    try #require(outcome.lines > 100)
    outcome.error = (outcome.error / outcome.lines).squareRoot()
    outcome.within /= outcome.lines
    return outcome
  }

  @Test func aWalkersHeadingHolds() throws {
    let with = try Self.run { $0.push = 0.2 }
    let without = try Self.run({ $0.push = 0.2 }, usesGyroscope: false)
    #expect(with.error < 1.9 && with.within > 0.93 && with.notices.isEmpty)
    #expect(with.error < 0.7 * without.error)
  }

  @Test func aBiasIsLearned() throws {
    let outcome = try Self.run { $0.gyroscopeBiasVector = Vector3(3, -2, 4) }
    #expect(outcome.error < 2.5 && outcome.within > 0.9)
  }

  /// The AK8963 of an MPU-9250 has 0.6 µT of noise, its predecessors 1 µT: single fields leave their mean by more than
  /// a slow turn moves it.
  @Test func noiseOfTheFieldEndsNoRest() {
    let zero = Vector3(0.5, -0.3, 0.8)
    var settings = VirtualBreakout.Settings()
    (settings.motion, settings.noise, settings.gyroscopeBiasVector) = (.still, 1, zero)
    var (breakout, tracker) = (VirtualBreakout(settings), AttitudeTracker(profile: nil))
    let frame = DeviceFrame(nil)
    for _ in 0..<Int(8 * settings.rate) { tracker.add(frame.read(breakout.next().0)) }
    #expect(tracker.estimate?.isAtRest == true)
    #expect((tracker.bias.value - zero).length < 0.2, "\(tracker.bias)")
  }

  @Test func atRestItIsSharp() throws {
    let outcome = try Self.run { $0.motion = .still }
    #expect(outcome.error < 0.5 && outcome.within > 0.95)
  }

  /// A model knows the field of a place, and not what a chip makes of it: the calibration, which is of the same chip,
  /// says what is a disturbance. Far from where it was made the model does.
  @Test func aPlaceThatBecomesKnownIsNoDisturbance() throws {
    let declination = Declination(degrees: 4)
    for motion in [VirtualBreakout.Settings.Motion.still, .walk] {
      let unknown = try Self.run { $0.motion = motion }
      let outcome = try Self.run(
        { $0.motion = motion },
        earth: (30, EarthReference(declination: declination, strength: 48 * 1.08, inclination: 66)))
      #expect(outcome.within > 0.95 && outcome.accuracy < 1.2 * unknown.accuracy, "\(motion): \(outcome)")
      let travelled = try Self.run(
        {
          $0.motion = motion
          ($0.fieldStrength, $0.inclination) = (31, 40)
        }, earth: (0, EarthReference(declination: declination, strength: 31, inclination: 40)))
      #expect(travelled.within > 0.9 && travelled.accuracy < 8, "\(motion): \(travelled)")
    }
  }

  @Test func passingSteelIsRidden() throws {
    let outcome = try Self.run { $0.magnet = VirtualBreakout.Settings.Magnet(peak: Vector3(7, 5, 5), period: 10) }
    #expect(outcome.error < 3.7 && outcome.within > 0.9)
  }

  /// Without a gyroscope a walker's pushes lean up to and fro. Where step and swing leave the length of the force as it
  /// is only the field shows it: what was stated held 70 to 77 %.
  @Test(arguments: [0.08, 0.1, 0.12, 0.15], 70..<72 as Range<UInt64>)
  func pushesThatCancelOutInTheLengthAreStated(push: Double, seed: UInt64) throws {
    let outcome = try Self.run({ ($0.push, $0.hasGyroscope) = (push, false) }, seed: seed)
    #expect(outcome.within > 0.88, "\(outcome)")
  }

  /// A gyroscope's zero as a calibration finds it.
  private static let zero = GyroscopeZero(rate: .zero, deviation: Vector3(0.05, 0.05, 0.05))

  /// A swell pushes to one side for seconds, and longest where it turns round: up must not be drawn there.
  @Test func aSwellDoesNotTilt() throws {
    let outcome = try Self.run({ ($0.motion, $0.leverArm) = (.sail, 10) }, seconds: 120, zero: Self.zero)
    #expect(outcome.error < 8 && outcome.within > 0.75, "\(outcome.error)°, \(outcome.within) within")
  }

  /// What is stated holds in each of several drives.
  @Test func aBendAndABrakeAreDriven() throws {
    let outcomes = try (601...606 as ClosedRange<UInt64>).map {
      try Self.run({ ($0.motion, $0.leverArm) = (.drive, 0) }, seconds: 120, zero: Self.zero, seed: $0)
    }
    let error = (outcomes.reduce(0) { $0 + $1.error * $1.error } / Double(outcomes.count)).squareRoot()
    #expect(error < 4.5, "\(error)°")
    for outcome in outcomes { #expect(outcome.within > 0.9, "\(outcome.error)°, \(outcome.within) within") }
  }

  /// A car sways by half a degree, slowly: what that turns is not what a gyroscope reads at rest.
  @Test func aSwayIsNotLearntAsAZero() throws {
    var (within, looks) = (0.0, 0.0)
    for seed in 601...606 as ClosedRange<UInt64> {
      var board = try Board(seed: 3)
      board.profile.gyroscopeZero = Self.zero
      (board.settings.motion, board.settings.leverArm, board.settings.seed) = (.drive, 0, seed)
      var tracker = AttitudeTracker(profile: board.profile)
      let frame = DeviceFrame(board.profile)
      var breakout = VirtualBreakout(board.settings)
      for _ in 0..<Int(120 * board.settings.rate) {
        tracker.add(frame.read(breakout.next().sample))
        let (value, deviation) = tracker.bias
        looks += 1
        if abs(value.x) < 2 * deviation.x, abs(value.y) < 2 * deviation.y { within += 1 }
      }
    }
    try #require(looks > 10_000)
    #expect(within > 0.9 * looks, "\(within / looks)")
  }

  @Test(arguments: [-1, Double.pi / 180, 16.4])
  func aGyroscopeThatCannotBeIsSaidOnceAndLeftOut(_ scale: Double) throws {
    let outcome = try Self.run { $0.gyroscopeScale = scale }
    let without = try Self.run({ $0.gyroscopeScale = scale }, usesGyroscope: false)
    #expect(outcome.error < 1.2 * without.error + 1)
    try #require(outcome.notices.count == 1)
    switch outcome.notices[0] {
    case .gyroscope(.wrongSign): #expect(scale == -1)
    case .gyroscope(.radians): #expect(scale == .pi / 180)
    case .gyroscope(.scale(let factor)): #expect(scale == 16.4 && abs(factor - 16.4) < 4)
    default: Issue.record("\(outcome.notices)")
    }
  }

  /// Iron that came onto the board after its calibration, or that of a board which never had one, and hides north on
  /// some headings: the field turns otherwise than the board there, which is no fault of the gyroscope.
  @Test(arguments: [true, false]) func ironOnTheBoardAccusesNoGyroscope(isCalibrated: Bool) {
    let profile = Profile(
      device: "board", created: 0, correction: .none, fieldStrength: 48.3, inclination: 65.6,
      quality: CalibrationQuality(verdict: .good, kind: .full, misalignment: .solved))
    var tracker = AttitudeTracker(profile: isCalibrated ? profile : nil)
    let (frame, earths) = (DeviceFrame(isCalibrated ? profile : nil), Vector3(0, 20, -44))
    for step in 0..<3000 {
      let time = Double(step) / 50
      let phase = 2 * Double.pi * 0.4 * time
      let attitude = Quaternion(angle: Angle.radians(35) * sin(phase), about: Vector3(0, 0, 1))
      tracker.add(
        frame.read(
          Sample(
            time: time, field: MagneticField(microtesla: attitude.conjugate * earths + Vector3(0, -26, 0)),
            acceleration: Acceleration(g: attitude.conjugate * Vector3(0, 0, 1)),
            rotationRate: RotationRate(degreesPerSecond: Vector3(0, 0, 35 * 2 * .pi * 0.4 * cos(phase))))))
      #expect(tracker.fault == nil, "\(time)")
    }
  }

  @Test func wrongAxesAreSeen() throws {
    let outcome = try Self.run({ _ in }) { sample in
      guard let rate = sample.rotationRate?.degreesPerSecond else { return }
      sample.rotationRate = RotationRate(degreesPerSecond: Vector3(rate.z, rate.x, rate.y))
    }
    #expect(outcome.notices == [.gyroscope(.wrongAxes)])
  }

  /// One axis that turns the other way, or is dead: by chance its turns agree for moments with those of the others.
  /// Headings were 15 to 30° off, without a word, and ± held 50 to 70 %.
  @Test(arguments: [-1.0, 0], 70..<74 as Range<UInt64>)
  func anAxisThatIsWrongIsFoundByTheTurnsItMisses(_ factor: Double, seed: UInt64) throws {
    let outcome = try Self.run({ $0.push = 0.1 }, seed: seed) { sample in
      guard let rate = sample.rotationRate?.degreesPerSecond else { return }
      sample.rotationRate = RotationRate(degreesPerSecond: Vector3(rate.x, rate.y, factor * rate.z))
    }
    #expect(outcome.notices == [.gyroscope(.missesTurns)] && outcome.error < 17 && outcome.within > 0.7, "\(outcome)")
  }

  /// An axis that turns the other way, and a range that is half as large as was thought: in figure-eights headings were
  /// 40 to 70° off, mostly without a word, because the other axes, or the sign, agreed.
  @Test(
    arguments: [Vector3(-1, 1, 1), Vector3(1, -1, 1), Vector3(1, 1, -1), Vector3(2, 2, 2)],
    [VirtualBreakout.Settings.Motion.walk, .figureEight])
  func anAxisThatTurnsOtherwiseIsLeftOut(_ factors: Vector3, motion: VirtualBreakout.Settings.Motion) throws {
    func change(_ settings: inout VirtualBreakout.Settings) { (settings.motion, settings.push) = (motion, 0.1) }
    let without = try Self.run(change, usesGyroscope: false, seed: 71)
    let outcome = try Self.run(change, seed: 71) { sample in
      guard let rate = sample.rotationRate?.degreesPerSecond else { return }
      sample.rotationRate = RotationRate(degreesPerSecond: Matrix3(diagonal: factors) * rate)
    }
    #expect(outcome.notices.count == 1 && outcome.error < without.error + 5, "\(outcome), without \(without)")
    #expect(outcome.within > 0.9, "\(outcome)")
  }

  /// A field that a sketch smooths swings out of phase with a walker's steps: no axis is at fault for that.
  @Test(arguments: 70..<73 as Range<UInt64>) func aSmoothedFieldAccusesNoGyroscope(seed: UInt64) throws {
    var mean: Vector3?
    let outcome = try Self.run({ $0.push = 0.1 }, seed: seed) { sample in
      guard let field = sample.field?.microtesla else { return }
      let smooth = mean.map { $0 + (field - $0) * 0.2 } ?? field
      mean = smooth
      sample.field = MagneticField(microtesla: smooth)
    }
    #expect(outcome.notices.isEmpty && outcome.error < 2, "\(outcome)")
  }

  /// Steps that push a force three times as far as a small sway leans it: the field has not turned enough to prove the
  /// gyroscope, but turns as that says.
  @Test func aSwayThatPushesAccusesNoGyroscope() {
    var tracker = AttitudeTracker(profile: nil)
    let frame = DeviceFrame(nil)
    for index in 0..<1500 {
      let (time, phase) = (Double(index) * 0.02, Double(index) * 0.04 * .pi)
      let lean = 2.95 * sin(phase)
      // The device's x axis points north: a lean about it turns the field by less than the force.
      let attitude = Quaternion(rotation: Vector3(Angle.radians(lean), 0, 0)).conjugate
      let push = Vector3(0, sin(Angle.radians(2 * lean)), 0)
      let sample = Sample(
        time: time, field: MagneticField(microtesla: attitude * Vector3(20, 0, -44)),
        acceleration: Acceleration(g: attitude * Vector3(0, 0, 1) + push),
        rotationRate: RotationRate(degreesPerSecond: Vector3(2.95 * 2 * .pi * cos(phase), 0, 0)))
      tracker.add(frame.read(sample))
      #expect(tracker.fault == nil, "\(time)")
    }
  }

  /// A driver that repeats its last rate, and a recording whose lost rates somebody filled in by a straight line,
  /// rounded to five decimals of a radian.
  @Test(arguments: [0, 0.3])
  func aStuckGyroscopeIsLeftOut(_ slope: Double) throws {
    let outcome = try Self.run({ _ in }) { sample in
      guard sample.time > 20 else { return }
      let line = Vector3(4, -11, 2) + Vector3(1, 1, -1) * (slope * (sample.time - 20))
      func rounded(_ degrees: Double) -> Double { (degrees * .pi / 180 * 1e5).rounded() / 1e5 }
      sample.rotationRate = RotationRate(
        radiansPerSecond: Vector3(rounded(line.x), rounded(line.y), rounded(line.z)))
    }
    #expect(outcome.notices == [.gyroscope(.stuck)] && outcome.error < 15)
  }

  /// Gyroscope at every sample, force at every second, field at every fifth; a gap; times that repeat; numbers that are
  /// none.
  @Test func samplesComeAsTheyCome() throws {
    var index = 0
    let outcome = try Self.run({ $0.rate = 200 }, seconds: 40) { sample in
      index += 1
      if index % 2 == 1 { sample.acceleration = nil }
      if index % 5 != 0 { sample.field = nil }
      if index % 97 == 0 { sample.rotationRate = RotationRate(degreesPerSecond: Vector3(.nan, 0, .infinity)) }
      if index % 101 == 0 { sample.acceleration = Acceleration(g: Vector3(0, .nan, 0)) }
      if index % 103 == 0 { sample.time -= 0.005 }
      if index > 4000, index < 4400 { (sample.field, sample.rotationRate, sample.acceleration) = (nil, nil, nil) }
    }
    #expect(outcome.error < 1.4 && outcome.within > 0.97, "\(outcome)")
  }

  /// Five rates a second are few, and no gaps: the board turns by them.
  @Test(arguments: [5.0, 8]) func fewRatesTurnTheHeading(_ rate: Double) throws {
    let outcome = try Self.run {
      ($0.rate, $0.motion, $0.turnRate) = (rate, .spin, 20)
    }
    #expect(outcome.error < 2.5 && outcome.within > 0.93 && outcome.notices.isEmpty, "\(outcome)")
  }

  /// A sample that is older than the one before, if only by a clock's last digit, is left out: nothing is found anew.
  @Test(arguments: [1e-12, 0.005, 0.05]) func aLateSampleIsLeftOut(by seconds: Double) throws {
    var index = 0
    let outcome = try Self.run({ _ in }, seconds: 40) { sample in
      index += 1
      if index % 50 == 0 { sample.time -= 1 / 50 + seconds }
    }
    let inTime = try Self.run({ _ in }, seconds: 40)
    #expect(outcome.error < 1.3 * inTime.error + 0.2 && outcome.within > 0.97, "\(outcome), in time \(inTime)")
    #expect(outcome.accuracy < 1.5 * inTime.accuracy, "\(outcome.accuracy), in time \(inTime.accuracy)")
  }

  @Test func withoutAGyroscopeNothingChanges() throws {
    let off = try Self.run({ $0.hasGyroscope = false }, usesGyroscope: false)
    let on = try Self.run { $0.hasGyroscope = false }
    #expect(off.error == on.error && off.within == on.within)
  }

  /// A steady turn about the vertical is no rest: its rate must not be taken for a bias.
  @Test func aTurntableIsNoRest() throws {
    let outcome = try Self.run { ($0.motion, $0.turnRate, $0.wobble, $0.leverArm) = (.spin, 6, 0, 0) }
    #expect(outcome.error < 1.5)
  }
}
