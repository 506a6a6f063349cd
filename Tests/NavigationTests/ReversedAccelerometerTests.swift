import Calibration
import LodestoneCore
import Instruments
import Navigation
import Testing

/// An accelerometer that reads (0, 0, −1) g face up makes every heading a mirror image, unless the compass knows.
@Suite struct ReversedAccelerometerTests {
  private static func breakout(_ motion: VirtualBreakout.Settings.Motion, seed: UInt64) -> VirtualBreakout {
    var settings = VirtualBreakout.Settings()
    settings.motion = motion
    settings.seed = seed
    settings.sensor = 21
    settings.accelerometerIsReversed = true
    return VirtualBreakout(settings)
  }

  private static func profile() throws -> Profile {
    var board = breakout(.figureEight, seed: 1)
    let samples = (0..<3100).map { _ in board.next().sample }
    var settings = CalibrationSettings()
    settings.place = CalibrationSettings.Place(fieldStrength: 48, inclination: 65)
    let result = try #require(Calibrator(settings: settings).fit(samples).result)
    return Profile(result, device: "sim", created: 0)
  }

  /// Half of the headings of a turn are within so many degrees of the truth.
  private static func medianError(_ profile: Profile) throws -> Double {
    let frame = DeviceFrame(profile)
    var compass = Compass(profile: profile)
    var board = breakout(.spin, seed: 2)
    var errors: [Double] = []
    for _ in 0..<1000 {
      let (sample, truth) = board.next()
      guard let heading = compass.read(frame.read(sample))?.magneticHeading else { continue }
      errors.append(abs(Angle.shortestTurn(from: truth.heading.degrees, to: heading.degrees)))
    }
    try #require(errors.count > 900)
    return errors.sorted()[errors.count / 2]
  }

  @Test func headingsAgreeWithTheTruth() throws {
    var profile = try Self.profile()
    #expect(profile.accelerometerIsReversed)
    #expect(try Self.medianError(profile) < 1.5)
    profile.accelerometerIsReversed = false
    #expect(try Self.medianError(profile) > 10)
  }
}
