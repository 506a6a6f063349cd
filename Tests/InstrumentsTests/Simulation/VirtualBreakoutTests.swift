import LodestoneCore
import Instruments
import Testing

@Suite struct VirtualBreakoutTests {
  private static func samples(
    _ count: Int, _ change: (inout VirtualBreakout.Settings) -> Void
  ) -> [(sample: Sample, truth: VirtualBreakout.Truth)] {
    var settings = VirtualBreakout.Settings()
    change(&settings)
    var breakout = VirtualBreakout(settings)
    return (0..<count).map { _ in breakout.next() }
  }

  @Test func sameSettingsGiveTheSameSamples() {
    let first = Self.samples(200) { $0.seed = 9 }.map { $0.sample }
    let second = Self.samples(200) { $0.seed = 9 }.map { $0.sample }
    let other = Self.samples(200) { $0.seed = 10 }.map { $0.sample }
    #expect(first == second)
    #expect(first != other)
  }

  @Test(arguments: ["still", "spin", "figure-eight", "walk"])
  func trueCorrectionGivesTheEarthsFieldBack(_ motion: String) throws {
    var settings = try VirtualBreakout.Settings(query: [("motion", motion), ("noise", "0"), ("axes", "-y,x,z")])
    settings.misalignment = 5
    var breakout = VirtualBreakout(settings)
    for _ in 0..<500 {
      let (sample, truth) = breakout.next()
      let raw = try #require(sample.field?.microtesla)
      let corrected = breakout.sensor.correction * (raw - breakout.sensor.hardIron)
      #expect((corrected - truth.field.microtesla).length < 1e-9)
      #expect(abs(truth.field.strength - 48) < 1e-9)
    }
  }

  /// A level device whose top points north sees the horizontal field along y and the vertical one along −z.
  @Test func lyingStillItReadsThePlace() throws {
    let (sample, truth) = try #require(
      Self.samples(1) {
        $0.motion = .still
        $0.noise = 0
        $0.accelerometerNoise = 0
        $0.fieldStrength = 50
        $0.inclination = 60
      }.first)
    #expect((truth.field.microtesla - Vector3(0, 25, -43.301270189)).length < 1e-6)
    #expect(truth.heading.degrees == 0)
    #expect(truth.trueHeading.degrees == 4)
    let force = try #require(sample.acceleration?.g)
    #expect((force - Vector3(0, 0, 1)).length < 1e-9)
  }

  @Test func turnsClockwiseAtTheRateItIsTold() {
    let run = Self.samples(101) {
      $0.motion = .spin
      $0.turnRate = 45
      $0.wobble = 0
      $0.leverArm = 0
    }
    #expect(abs(run[50].truth.heading.degrees - 45) < 1e-6)
    #expect(abs((run[50].sample.rotationRate?.degreesPerSecond.z ?? 0) + 45) < 1)
  }

  /// Roll is positive with the right edge down: then +x, which points down, feels less than nothing.
  @Test func pitchAndRollHaveTheirSigns() throws {
    let (sample, truth) = try #require(
      Self.samples(1) {
        $0.motion = .still
        $0.pitch = 30
        $0.roll = 20
        $0.accelerometerNoise = 0
      }.first)
    let force = try #require(sample.acceleration?.g)
    #expect(abs(truth.pitch - 30) < 1e-9)
    #expect(abs(truth.roll - 20) < 1e-9)
    #expect(force.y > 0.49 && force.x < -0.25 && force.z > 0)
  }

  /// A hand's sweep tilts apparent gravity by 12° to 16°.
  @Test func sweepingTiltsApparentGravity() {
    let sweep = Self.samples(2000) { $0.motion = .figureEight }
    let squares = sweep.reduce(0.0) { sum, moment in
      let tilt = Angle.degrees((moment.sample.acceleration?.g ?? .zero).angle(to: moment.truth.attitude.row2))
      return sum + tilt * tilt
    }
    #expect((9...18).contains((squares / 2000).squareRoot()))
  }

  @Test func restsAreStillAndInManyAttitudes() {
    let run = Self.samples(3050) {
      $0.motion = .figureEight
      $0.accelerometerNoise = 0
    }
    var ups: [Vector3] = []
    for moment in run[2000...] {
      let up = moment.truth.attitude.row2
      let isStill = (moment.sample.rotationRate?.degreesPerSecond.length ?? 99) < 5
      if isStill, !ups.contains(where: { $0.angle(to: up) < Angle.radians(8) }) { ups.append(up) }
    }
    #expect(ups.count >= 6)
  }

  @Test func theSensorStaysTheSameWhateverItDoes() {
    var walk = VirtualBreakout.Settings()
    walk.seed = 77
    var sweep = VirtualBreakout.Settings()
    sweep.motion = .figureEight
    let (one, other) = (VirtualBreakout(walk).sensor, VirtualBreakout(sweep).sensor)
    #expect(one.hardIron == other.hardIron)
    #expect(one.distortion == other.distortion)
    walk.sensor = 2
    #expect(VirtualBreakout(walk).sensor.hardIron != other.hardIron)
  }

  @Test func disturbancesComeAndGo() {
    let run = Self.samples(500) {
      $0.motion = .still
      $0.noise = 0
      $0.disturbances = [.init(field: Vector3(15, 0, 0), from: 4, to: 6)]
    }
    #expect(!run[199].truth.isDisturbed && run[200].truth.isDisturbed)
    #expect(run[299].truth.isDisturbed && !run[300].truth.isDisturbed)
    #expect(run[250].sample.field != run[100].sample.field)
  }

  @Test func anAxisPastTheRangeIsCutOffAndFlagged() {
    let run = Self.samples(10) {
      $0.motion = .still
      $0.hardIronVector = Vector3(100, 0, 0)
      $0.range = 60
    }
    #expect(run.allSatisfy { $0.sample.field?.microtesla.x == 60 && $0.sample.flags.contains(.saturated) })
  }

  @Test func aMagnetComesAndGoes() {
    let run = Self.samples(1000) {
      $0.motion = .still
      $0.noise = 0
      $0.magnet = .init(peak: Vector3(0, 0, 400), period: 10)
    }
    let fields = run.map { $0.sample.field?.strength ?? 0 }
    #expect((fields.max() ?? 0) > 380)
    #expect(fields[0] < 90)
  }

  @Test func sensorsCanBeLeftOut() {
    let run = Self.samples(5) {
      $0.hasAccelerometer = false
      $0.hasGyroscope = false
    }
    #expect(run.allSatisfy { $0.sample.acceleration == nil && $0.sample.rotationRate == nil })
  }

  // MARK: Addresses

  @Test func readsItsSettings() throws {
    let settings = try VirtualBreakout.Settings(query: [
      ("motion", "figure-eight"), ("rate", "100"), ("noise", "0.4"), ("seed", "7"), ("disturbance", "15@23+4"),
      ("hard", "10,-20,30"), ("gyro", "no"), ("magnet", "0,0,400@10"),
    ])
    #expect(settings.motion == .figureEight)
    #expect(settings.rate == 100)
    #expect(settings.noise == 0.4)
    #expect(settings.seed == 7)
    #expect(settings.disturbances == [.init(field: Vector3(15, 0, 0), from: 23, to: 27)])
    #expect(settings.hardIronVector == Vector3(10, -20, 30))
    #expect(!settings.hasGyroscope)
    #expect(settings.magnet?.peak == Vector3(0, 0, 400))
  }

  @Test func namesAnUnknownKeyAndTheKnownOnes() {
    let problem = #expect(throws: VirtualBreakout.Settings.Problem.self) {
      try VirtualBreakout.Settings(query: [("nose", "1")])
    }
    guard case .unknownKey("nose", let allowed) = problem else {
      Issue.record("\(String(describing: problem))")
      return
    }
    #expect(allowed.contains("noise") && allowed.contains("motion"))
  }

  @Test(
    arguments: [
      ("rate", "0"), ("rate", "nan"), ("rate", "fast"), ("motion", "dance"), ("seed", "-1"), ("axes", "x,x,z"),
      ("hard", "1,2"), ("disturbance", "15"), ("disturbance", "15@1+0"), ("rests", "101"), ("gyro", "maybe"),
      ("magnet", "400@0"), ("noise", "1e999"), ("dip", "91"),
    ])
  func refusesBadValues(_ key: String, _ value: String) {
    #expect(throws: VirtualBreakout.Settings.Problem.self) {
      try VirtualBreakout.Settings(query: [(key, value)])
    }
  }
}
