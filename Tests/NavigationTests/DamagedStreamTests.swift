import Calibration
import Instruments
import LodestoneCore
import Navigation
import Testing

/// A damaged number in a stream: what is said of the headings after it.
@Suite struct DamagedStreamTests {
  private static func calibrated() throws -> (settings: VirtualBreakout.Settings, profile: Profile) {
    var settings = VirtualBreakout.Settings()
    settings.motion = .figureEight
    var breakout = VirtualBreakout(settings)
    let samples = (0..<3100).map { _ in breakout.next().sample }
    return (settings, Profile(try #require(Calibrator().fit(samples).result), device: "board", created: 0))
  }

  /// A field that has lost its decimal point in one line of hundreds is disturbed, and not the lines after it: those were
  /// disturbed for 20 s.
  @Test func oneNumberDisturbsOneLine() throws {
    var (settings, profile) = try Self.calibrated()
    settings.motion = .still
    settings.seed = 7
    let frame = DeviceFrame(profile)
    var (compass, breakout, before) = (Compass(profile: profile), VirtualBreakout(settings), 0.0)
    for number in 0..<1200 {
      var sample = breakout.next().sample
      sample.rotationRate = nil
      if number == 200, let field = sample.field?.microtesla {
        sample.field = MagneticField(microtesla: Vector3(field.x, field.y, field.z * 100))
      }
      let read = compass.read(frame.read(sample))
      let reading = try #require(read)
      switch number {
      case 200: #expect(reading.quality == .disturbed && reading.accuracy == nil)
      case 201..<800: #expect(reading.quality != .disturbed)
      case 800...: #expect(reading.accuracy ?? 180 < 2 * before)
      default: before = reading.accuracy ?? 180
      }
    }
  }
}
