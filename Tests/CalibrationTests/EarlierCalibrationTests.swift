import Instruments
import LodestoneCore
import Testing

@testable import Calibration

/// The parts that a saved calibration hands on to the one that comes after it.
@Suite struct EarlierCalibrationTests {
  /// A profile as a file gives it back.
  private static func saved(_ result: CalibrationResult) throws -> Profile {
    try Profile(json: Profile(result, device: "board", created: 1_780_000_000).json())
  }

  private static func profile(
    _ sweep: SimulatedSweep, _ place: CalibrationSettings.Place? = nil
  ) throws -> Profile {
    var settings = CalibrationSettings()
    settings.place = place
    return try saved(try #require(Calibrator(settings: settings).fit(sweep.samples).result))
  }

  private static let vienna = CalibrationSettings.Place(fieldStrength: 48, inclination: 65)

  // MARK: Axes

  /// A compass that stands at an angle which no map of signed axes has keeps it, however its calibration is refined:
  /// the profile calls it by the nearest map. Told as if it were that, headings were 45° off.
  @Test(arguments: [("x,y,z", 25.0), ("y,x,-z", 18), ("-z,x,-y", 10)])
  func aTiltedCompassStaysTilted(_ axes: String, _ degrees: Double) throws {
    let mounting = try Mounting(axes)
    func board(_ seed: UInt64, _ seconds: Double, _ motion: VirtualBreakout.Settings.Motion) -> SimulatedSweep {
      SimulatedSweep(seed: seed, seconds: seconds) {
        ($0.sensor, $0.axes, $0.misalignment, $0.motion, $0.swing) = (1471, mounting, degrees, motion, 60)
      }
    }
    let profile = try Self.profile(board(471, 62, .figureEight))
    let earlier = try #require(EarlierCalibration(profile))
    #expect(earlier.axes.name == profile.axes && abs(earlier.axes.tiltDegrees - degrees) < 1)
    var settings = CalibrationSettings()
    settings.earlier = earlier
    let motion = board(472, 20, .wiggle)
    let result = try #require(Calibrator(settings: settings).fit(motion.samples).result)
    let error = motion.headingError(result.correction, force: result.forceCorrection)
    #expect(error < 1, "\(error)")
    // Again, from the one that was touched up; and as it is learnt.
    settings.earlier = EarlierCalibration(try Self.saved(result))
    let again = try #require(Calibrator(settings: settings).fit(motion.samples).result)
    #expect(motion.headingError(again.correction, force: again.forceCorrection) < 1)
    let learnt = try #require(earlier.learnt(profile.correction.hardIron, SymmetricMatrix(size: 3)))
    #expect(ProfileComparison(profile, learnt).turn < 0.01)
  }

  /// A level turn tells nothing about the axes and the accelerometer's sign: a full calibration of the board does, be
  /// it mounted or not.
  @Test(arguments: [nil, vienna], ["x,y,z", "-y,x,z"])
  func aLevelTurnKnowsAReversedAccelerometer(_ place: CalibrationSettings.Place?, _ mounting: String) throws {
    let sweep = SimulatedSweep(seed: 481) { $0.accelerometerIsReversed = true }
    let profile = try Self.profile(sweep, Self.vienna)
    #expect(profile.accelerometerIsReversed)
    let level = SimulatedSweep(seed: 482, seconds: 60) {
      ($0.sensor, $0.accelerometerIsReversed, $0.motion, $0.turnRate) = (1481, true, .spin, 20)
    }
    var settings = CalibrationSettings()
    settings.place = place
    settings.knownAxes = AxisMap(of: profile, mounting: try Mounting(mounting))
    let outcome = Calibrator(settings: settings).fit(level.samples)
    #expect(outcome.refusal == nil)
    let result = try #require(outcome.result)
    #expect(result.quality.kind == .level && result.axes.accelerometerIsReversed)
    #expect(abs((result.inclination ?? 0) - 65) < 3)
    let heading = try #require(ProfileComparison(profile, try Self.saved(result)).heading)
    #expect(heading.level < 4, "\(heading)")
  }

  /// The same of chips whose axes differ, where a mounting is told too.
  @Test func aMountingDoesNotReplaceAxesThatWereFound() throws {
    let axes = try Mounting("y,x,-z")
    let profile = try Self.profile(SimulatedSweep(seed: 491) { $0.axes = axes })
    let turned = try Mounting("-y,x,z")
    for mounting in [.aligned, turned] {
      let map = try #require(AxisMap(of: profile, mounting: mounting))
      #expect(map.name == "+y,+x,-z" && map.basis == .known)
    }
    #expect(AxisMap(of: nil, mounting: turned)?.name == "+x,+y,+z")
    #expect(AxisMap(of: nil, mounting: .aligned) == nil)
  }

  // MARK: One heading

  private static func facing(
    _ sweep: SimulatedSweep, from profile: Profile?, at place: CalibrationSettings.Place
  ) throws -> CalibrationResult {
    var settings = CalibrationSettings()
    (settings.place, settings.facing) = (place, KnownHeading(magneticDegrees: sweep.settings.heading))
    settings.facingFrom = profile.flatMap { EarlierCalibration($0) }
    return try #require(Calibrator(settings: settings).fit(sweep.samples).result)
  }

  private static func still(_ seed: UInt64, _ change: (inout VirtualBreakout.Settings) -> Void) -> SimulatedSweep {
    SimulatedSweep(seed: seed, seconds: 5) {
      ($0.motion, $0.heading, $0.pitch, $0.roll) = (.still, Double(seed * 91 % 360), 4, -3)
      change(&$0)
    }
  }

  /// A board that stands still tells nothing of gyroscope, accelerometer, laser and causes: they stay as they were.
  @Test func oneHeadingKeepsWhatItDoesNotTell() throws {
    var profile = try Self.profile(SimulatedSweep(seed: 501) { $0.accelerometerOffset = 0.03 })
    profile.causes = [Cause(name: "current_A", slope: Vector3(1, 0, 0), deviation: 0.01, range: 0...20)]
    (profile.laser, profile.countsPerGravity) = (LaserAxis(along: Vector3(0, 1, 0), deviation: 0.1), 8192)
    let sweep = Self.still(502) { ($0.sensor, $0.accelerometerOffset) = (1501, 0.03) }
    var settings = CalibrationSettings()
    (settings.place, settings.facing) = (Self.vienna, KnownHeading(magneticDegrees: sweep.settings.heading))
    settings.facingFrom = EarlierCalibration(profile)
    // 15 A: 5 µT more than in the middle of the range, which the calibration holds for.
    let samples = sweep.samples.map { sample in
      var sample = sample
      sample.field = sample.field.map { MagneticField(microtesla: $0.microtesla + Vector3(5, 0, 0)) }
      sample.causes[0] = 15
      return sample
    }
    let result = try #require(Calibrator(settings: settings).fit(samples).result)
    #expect(result.gyroscopeZero == profile.gyroscopeZero && result.gyroscopeZero != nil)
    #expect(result.gyroscopeGain == profile.gyroscopeGain && result.gyroscopeGain != nil)
    #expect(result.fieldLag == profile.fieldLag && result.laser == profile.laser)
    #expect(result.causes == profile.causes && result.countsPerGravity == 8192)
    #expect(result.forceCorrection == profile.forceCorrection && result.forceCorrection.zeroDeviation != nil)
    #expect((result.correction.hardIron - profile.correction.hardIron).length < 0.5)
    #expect(result.quality.misalignment == .solved)
  }

  /// Nothing tells how the chips lie where there was no calibration before.
  @Test func oneHeadingAloneLeavesTheMisalignmentOpen() throws {
    #expect(try Self.facing(Self.still(503) { _ in }, from: nil, at: Self.vienna).quality.misalignment == .unknown)
  }

  /// A calibration that was made at another place has another field's strength: told as if it were this one's, a
  /// heading was 7° off where 2° was stated.
  @Test func oneHeadingAtAnotherPlaceHasThatOnesStrength() throws {
    let singapore = CalibrationSettings.Place(fieldStrength: 42, inclination: -13)
    for seed in 511...516 as ClosedRange<UInt64> {
      let profile = try Self.profile(SimulatedSweep(seed: seed), Self.vienna)
      let sweep = Self.still(seed + 50) {
        ($0.sensor, $0.fieldStrength, $0.inclination) = (seed + 1000, 42, -13)
      }
      let result = try Self.facing(sweep, from: profile, at: singapore)
      let (error, said) = (
        sweep.headingError(result.correction, force: result.forceCorrection), result.quality.headingErrorDegrees ?? 0
      )
      #expect(error < said && error < 2, "\(seed): \(error), stated \(said)")
    }
  }
}
