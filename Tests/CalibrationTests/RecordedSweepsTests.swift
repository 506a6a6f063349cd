import Calibration
import Core
import Glibc
import Support
import Testing

/// Sweeps that others recorded with real chips: each gets the verdict it deserves.
@Suite(.enabled(if: Recordings.areHere)) struct RecordedSweepsTests {
  private static func outcome(_ recording: Recording) -> CalibrationOutcome {
    var settings = CalibrationSettings()
    settings.unitIsKnown = recording.unitIsKnown
    return Calibrator(settings: settings).fit(recording.samples)
  }

  @Test(arguments: [
    "caribou_9axis", "ck_accmag_12000", "ellipsoid_fit_python_magout", "freeimu_hmc_repeats", "hmc5883l_fullsphere",
    "iphone4s_cal_d2", "iphone5_cal_d3", "krepa_robot_mag", "lsm9ds1_grisp_sphere", "magneto12_6880",
    "nexus5_cal_d1", "nexus5_cal_d2", "qmc5883l_gy63_filtered", "wagonwheel_15hz",
  ])
  func goodSweepsCalibrate(_ name: String) throws {
    let outcome = Self.outcome(try Recording("sweeps/\(name)"))
    #expect(outcome.refusal == nil)
    let quality = try #require(outcome.result?.quality)
    #expect(quality.kind != .level)
    #expect(quality.verdict != .poor)
    #expect(quality.coveragePercent > 45)
  }

  @Test(arguments: ["hmc5883l_planar_z", "lsm303_planar_one_turn", "hmc5883l_tilt_x"])
  func flatSweepsAreNotPassedOffAsSpheres(_ name: String) throws {
    let outcome = Self.outcome(try Recording("sweeps/\(name)"))
    switch outcome.refusal {
    case .planar, .tooFewDirections: break
    case nil: #expect(outcome.result?.quality.kind == .level)
    default: Issue.record("\(String(describing: outcome.refusal))")
    }
  }

  @Test func aChangingFieldIsRefused() throws {
    guard case .disturbed = Self.outcome(try Recording("sweeps/ximu_00033_disturbed")).refusal else {
      Issue.record("not refused as disturbed")
      return
    }
  }

  @Test func aDeadAxisIsNamed() throws {
    let refusal = Self.outcome(try Recording("sweeps/lsm9ds1_grisp_driver_bug_2axis")).refusal
    #expect(refusal == .stuckAxis(axis: "z", value: 0))
  }

  @Test func aFlightIsNoSweep() throws {
    #expect(Self.outcome(try Recording("sweeps/px4_auav_flight")).refusal != nil)
  }

  /// A map and its negation tie without a place.
  @Test(arguments: [
    ("caribou_9axis", "+x,-y,-z"), ("ck_accmag_12000", "+x,+y,+z"), ("freeimu_hmc_repeats", "+y,+x,-z"),
    ("hmc5883l_fullsphere", "+x,+y,+z"), ("iphone4s_cal_d2", "+x,+y,+z"), ("iphone5_cal_d3", "+x,+y,+z"),
    ("lsm9ds1_grisp_sphere", "+x,-y,+z"), ("nexus5_cal_d1", "+x,+y,+z"), ("nexus5_cal_d2", "+x,+y,+z"),
  ])
  func axesAreFound(_ name: String, _ expected: String) throws {
    let axes = try #require(Self.outcome(try Recording("sweeps/\(name)")).result?.axes)
    let map = try Mounting(expected).matrix
    #expect(axes.matrix == map || axes.matrix == map * -1)
  }

  /// The median error of a bare tilt-compensated heading while a walker carries the phone, against motion capture. The
  /// baselines are a plain ellipsoid fit's; the hand's motion makes nearly all of them.
  @Test(arguments: [
    ("phone_Guillaume_Nexus5_NoDist_Texting", "nexus5_cal_d2", 3.71),
    ("phone_Jakob_Nexus5_Dist_Texting", "nexus5_cal_d2", 28.51),
    ("phone_Jakob_iPhone5_NoDist_Texting", "iphone5_cal_d3", 5.73),
    ("phone_Thibaud_iPhone4S_NoDist_Texting", "iphone4s_cal_d2", 5.04),
  ])
  func phonesReadTheirHeading(_ walk: String, _ sweep: String, _ baseline: Double) throws {
    let correction = try #require(Self.outcome(try Recording("sweeps/\(sweep)")).result?.correction)
    let recording = try Recording("truth/\(walk)")
    let errors = zip(recording.samples, recording.trueHeadings).compactMap { sample, heading -> Double? in
      guard let heading, let raw = sample.field, let force = sample.acceleration?.g else { return nil }
      let field = correction.apply(to: raw).field.microtesla
      let east = field.cross(force)
      let north = force.cross(east)
      let found = Angle.degrees(atan2(east.y / east.length, north.y / north.length)) + 1.5
      return abs(Angle.shortestTurn(from: heading, to: found))
    }.sorted()
    #expect(errors.count > 1000)
    #expect(errors[errors.count / 2] < baseline * 1.01)
  }
}
