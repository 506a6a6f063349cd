import Calibration
import LodestoneCore
import Glibc
import Instruments
import Navigation
import Testing

@Suite struct AttitudeTests {
  /// A run of a perfect board with a calibration that says so, and what an instrument read of it in the end.
  private static func read(
    _ frame: AttitudeFrame, declination: Double? = nil, seconds: Double = 20,
    _ change: (inout VirtualBreakout.Settings) -> Void
  ) -> (reading: AttitudeReading?, truth: VirtualBreakout.Truth?, notices: [InstrumentNotice]) {
    var run = VirtualBreakout.Settings()
    (run.motion, run.hardIron, run.softIron, run.misalignment, run.noise) = (.tilt, 0, 0, 0, 0.05)
    change(&run)
    var settings = Attitude.Settings()
    settings.frame = frame
    let profile = Profile(
      device: "board", created: 0, correction: .none, fieldStrength: run.fieldStrength, inclination: run.inclination,
      quality: CalibrationQuality(verdict: .good, kind: .full, misalignment: .unknown))
    var attitude = Attitude(settings, profile: profile)
    if let declination { attitude.follow(EarthReference(declination: Declination(degrees: declination))) }
    var breakout = VirtualBreakout(run)
    let device = DeviceFrame(profile)
    var result: (AttitudeReading?, VirtualBreakout.Truth?, [InstrumentNotice]) = (nil, nil, [])
    for _ in 0..<Int(seconds * run.rate) {
      let (sample, truth) = breakout.next()
      if let reading = attitude.read(device.read(sample)) { (result.0, result.1) = (reading, truth) }
      if let notice = attitude.nextNotice() { result.2.append(notice) }
    }
    return result
  }

  /// x north, y west, z up: what points east, north, up has (north, −east, up).
  private static func northWestUp(_ v: Vector3) -> Vector3 { Vector3(v.y, -v.x, v.z) }

  @Test func theMagneticFrameIsThatOfTheTruth() throws {
    let (reading, truth, _) = Self.read(.magnetic) { _ in }
    let attitude = try #require(reading?.attitude)
    let known = try #require(truth?.attitude)
    for axis in [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)] {
      #expect(Angle.degrees((attitude * axis).angle(to: Self.northWestUp(known * axis))) < 2)
    }
    #expect(try #require(reading?.yawAccuracy) < 15)
  }

  /// True north is west of magnetic north where the declination is east: yaw, counter-clockwise, is smaller by it.
  @Test func trueNorthIsTheDeclinationAway() throws {
    let magnetic = try #require(Self.read(.magnetic) { $0.motion = .still }.reading?.attitude?.yawPitchRoll.x)
    let trueNorth = try #require(
      Self.read(.trueNorth, declination: 10) { $0.motion = .still }.reading?.attitude?.yawPitchRoll.x)
    #expect(abs(Angle.shortestTurn(from: magnetic, to: trueNorth) + 10) < 0.01)
    #expect(Self.read(.trueNorth) { _ in }.reading == nil)
  }

  @Test(arguments: [AttitudeFrame.arbitrary, .corrected])
  func yawBeginsAtZero(_ frame: AttitudeFrame) throws {
    let reading = try #require(Self.read(frame) { ($0.motion, $0.heading) = (.still, 123) }.reading)
    #expect(abs(try #require(reading.attitude).yawPitchRoll.x) < 1)
    #expect(reading.yawAccuracy == nil)
  }

  /// Yaw, pitch and roll, in degrees, of a reading.
  private static func angles(_ reading: AttitudeReading) throws -> [Double] {
    var row = Row(AttitudeReading.schema)
    row.take(reading)
    return try ["yaw", "pitch", "roll"].map { try #require(row[AttitudeReading.schema.index(of: $0)]) }
  }

  /// The attitude of a board that rests, of which these directions, in its own axes, point up and north.
  private static func rest(
    _ frame: AttitudeFrame, _ convention: AttitudeConvention, up: Vector3, north: Vector3
  ) throws -> AttitudeReading {
    var settings = Attitude.Settings()
    (settings.frame, settings.convention) = (frame, convention)
    var attitude = Attitude(settings)
    var last: AttitudeReading?
    for step in 0..<100 {
      let sample = Sample(
        time: Double(step) * 0.02, field: MagneticField(microtesla: north * 20 - up * 43),
        acceleration: Acceleration(g: up), rotationRate: RotationRate(degreesPerSecond: .zero))
      last = attitude.read(DeviceFrame().read(sample)) ?? last
    }
    return try #require(last)
  }

  /// Yaw begins at 0 whatever the axes of the convention.
  @Test(arguments: [AttitudeFrame.arbitrary, .corrected], AttitudeConvention.allCases)
  func yawBeginsAtZeroInEachConvention(_ frame: AttitudeFrame, _ convention: AttitudeConvention) throws {
    let reading = try Self.rest(frame, convention, up: Vector3(0, 0, 1), north: Vector3(-1, 0, 0))
    for angle in try Self.angles(reading) { #expect(abs(angle) < 0.01, "\(reading)") }
  }

  /// A board upright with its back to 30°: its right edge points to 120°. Upright, roll is 0, and yaw says where the
  /// right edge points: to the south of a yaw of 0 in `enu`, to the east in `ned` and to the north in `device`.
  @Test(arguments: [(AttitudeConvention.device, [-120.0, 90, 0]), (.enu, [60, -90, 0]), (.ned, [30, 90, 0])])
  func anUprightBoardHasNoRoll(_ convention: AttitudeConvention, _ expected: [Double]) throws {
    let (right, back) = (cos(Angle.radians(120)), cos(Angle.radians(30)))
    let reading = try Self.rest(.magnetic, convention, up: Vector3(0, 1, 0), north: Vector3(right, 0, -back))
    for (angle, known) in zip(try Self.angles(reading), expected) { #expect(abs(angle - known) < 0.01, "\(reading)") }
  }

  /// An attitude with its matrix is the same one under another calibration, too.
  @Test func aMatrixFollowsTheCalibration() throws {
    let profiles = [1.0, 12].map { degrees in
      Profile(
        device: "board", created: 0, correction: .none, fieldStrength: 48.3, inclination: 65,
        quality: CalibrationQuality(
          verdict: .good, kind: .full, misalignment: .solved, headingErrorDegrees: degrees))
    }
    let frame = DeviceFrame(profiles[0])
    var alone = Attitude(profile: profiles[0])
    var matrix = MatrixAttitude(Attitude.Settings(), profile: profiles[0], mounting: .aligned)
    var run = VirtualBreakout.Settings()
    (run.motion, run.hardIron, run.softIron, run.misalignment, run.noise) = (.tilt, 0, 0, 0, 0.05)
    var breakout = VirtualBreakout(run)
    var accuracies: [[Double]] = [[], []]
    for (half, profile) in profiles.enumerated() {
      alone.follow(profile)
      matrix.follow(profile)
      for _ in 0..<Int(10 * run.rate) {
        let sample = frame.read(breakout.next().sample)
        let (one, other) = (alone.read(sample), matrix.read(sample))
        #expect(one?.yawAccuracy == other?.attitude.yawAccuracy)
        if let accuracy = one?.yawAccuracy { accuracies[half].append(accuracy) }
      }
    }
    let (before, after) = (try #require(accuracies[0].last), try #require(accuracies[1].last))
    #expect(after > before + 5)
  }

  /// Face up, at rest: gravity (0, 0, −1), nothing else acts.
  @Test func gravityPullsDown() throws {
    let reading = try #require(Self.read(.magnetic) { $0.motion = .still }.reading)
    #expect((try #require(reading.gravity) - Vector3(0, 0, -1)).length < 0.01)
    #expect(try #require(reading.userAcceleration).length < 0.05)
    #expect(reading.isAtRest)
  }

  @Test func anglesComeBack() {
    for (yaw, pitch, roll) in [(10.0, 20.0, 30.0), (-170, -80, 175), (90, 0, -90), (0, 0, 0), (33, 90, 0)] {
      let q =
        Quaternion(angle: Angle.radians(yaw), about: Vector3(0, 0, 1))
        * Quaternion(angle: Angle.radians(pitch), about: Vector3(1, 0, 0))
        * Quaternion(angle: Angle.radians(roll), about: Vector3(0, 1, 0))
      #expect((q.yawPitchRoll - Vector3(yaw, pitch, roll)).length < 1e-6)
    }
  }

  /// Without a calibration a gyroscope holds the heading steady, and knows no more of where north is than the compass
  /// does.
  @Test(arguments: [VirtualBreakout.Settings.Motion.still, .spin])
  func anUncalibratedBoardKnowsNoMoreThanItsCompass(_ motion: VirtualBreakout.Settings.Motion) throws {
    var run = VirtualBreakout.Settings()
    (run.motion, run.seed) = (motion, 4)
    var breakout = VirtualBreakout(run)
    var (attitude, compass) = (Attitude(), Compass())
    var count = 0
    for step in 0..<Int(20 * run.rate) {
      let sample = DeviceFrame().read(breakout.next().sample)
      let (read, heading) = (attitude.read(sample), compass.read(sample))
      guard step > 100, let told = read?.yawAccuracy, let expected = heading?.accuracy else { continue }
      count += 1
      #expect(told > 90 && told > expected - 5, "\(sample.time): \(told), \(expected)")
    }
    #expect(count > 500)
  }

  @Test func withoutAGyroscopeItIsSaid() {
    let outcome = Self.read(.magnetic) { $0.hasGyroscope = false }
    #expect(outcome.reading == nil && outcome.notices == [.noGyroscope])
  }

  /// A compass's headings are no attitude; with a tilt they are one of the device's own.
  @Test(arguments: [nil, 2.5]) func headingsAloneAreNoAttitude(_ pitch: Double?) {
    var attitude = Attitude()
    var readings: [AttitudeReading] = []
    var notices: [InstrumentNotice] = []
    for step in 0..<60 {
      let own = OwnHeading(magnetic: Heading(degrees: Double(step)), pitch: pitch)
      let sample = Sample(time: Double(step) * 0.1, own: own)
      if let reading = attitude.read(DeviceFrame().read(sample)) { readings.append(reading) }
      if let notice = attitude.nextNotice() { notices.append(notice) }
    }
    #expect(readings.count == (pitch == nil ? 0 : 60) && notices == (pitch == nil ? [.noGyroscope] : []))
    #expect(readings.allSatisfy { $0.attitude == nil && $0.device?.pitch == pitch })
  }

  private static let lacking: [(DeviceParts, AttitudeFrame, DeviceParts)] = [
    (.acceleration, .magnetic, .field), (.acceleration, .corrected, .field), (.acceleration, .arbitrary, []),
    ([.field, .strength], .magnetic, .acceleration),
  ]

  /// A gyroscope with an accelerometer knows no north, and one with a magnetometer no tilt: that is said, and a frame
  /// of its own needs no north.
  @Test(arguments: lacking)
  func aSensorThatIsNeededIsNamed(_ parts: DeviceParts, _ frame: AttitudeFrame, _ missing: DeviceParts) {
    var settings = Attitude.Settings()
    settings.frame = frame
    var attitude = Attitude(settings)
    var (count, notices) = (0, [InstrumentNotice]())
    for step in 0..<300 {
      let noise = Vector3(sin(Double(step)), cos(Double(3 * step)), sin(Double(7 * step)))
      var sample = Sample(
        time: Double(step) * 0.02, rotationRate: RotationRate(degreesPerSecond: noise * 0.05))
      if parts.contains(.field) { sample.field = MagneticField(microtesla: Vector3(0, 20, -43) + noise * 0.1) }
      if parts.contains(.acceleration) { sample.acceleration = Acceleration(g: Vector3(0, 0, 1) + noise * 0.002) }
      if attitude.read(DeviceFrame().read(sample)) != nil { count += 1 }
      if let notice = attitude.nextNotice() { notices.append(notice) }
    }
    #expect(missing.isEmpty ? count > 290 : count == 0)
    #expect(notices == (missing.isEmpty ? [] : [.nothingOfUse(tells: parts.union(.rotation), needs: missing)]))
  }
}
