import Calibration
import Instruments
import LodestoneCore
import Navigation
import Testing

/// A damaged number in a stream, and a board that was away for nobody knows how long: what is said of the headings after it.
@Suite struct DamagedStreamTests {
  private static func calibrated() throws -> (settings: VirtualBreakout.Settings, profile: Profile) {
    var settings = VirtualBreakout.Settings()
    settings.motion = .figureEight
    var breakout = VirtualBreakout(settings)
    let samples = (0..<3100).map { _ in breakout.next().sample }
    return (settings, Profile(try #require(Calibrator().fit(samples).result), device: "board", created: 0))
  }

  /// A field that has lost its decimal point in one line of hundreds is disturbed, and not the lines after it: those were said to be
  /// off by up to 180° for 20 s.
  @Test func oneNumberDisturbsOneLine() throws {
    var (settings, profile) = try Self.calibrated()
    settings.motion = .still
    settings.seed = 7
    let frame = DeviceFrame(profile)
    var (compass, breakout, before) = (Compass(profile: profile), VirtualBreakout(settings), 0.0)
    for number in 0..<300 {
      var sample = breakout.next().sample
      sample.rotationRate = nil
      if number == 200, let field = sample.field?.microtesla {
        sample.field = MagneticField(microtesla: Vector3(field.x, field.y, field.z * 100))
      }
      let read = compass.read(frame.read(sample))
      let reading = try #require(read)
      switch number {
      case 200: #expect(reading.quality == .disturbed && reading.accuracy == nil)
      case 201...:
        #expect(reading.quality != .disturbed && reading.accuracy ?? 180 < 2 * before)
      default: before = reading.accuracy ?? 180
      }
    }
  }

  /// Two seconds of a figure of eight are missing, and the times go on evenly: the accuracy holds where the sample says that the
  /// board has begun anew. The gyroscope had carried the heading over them as if they were one step.
  @Test func anAbsenceOfUnknownLengthIsNoStep() throws {
    var (settings, profile) = try Self.calibrated()
    settings.seed = 5
    let frame = DeviceFrame(profile)
    func share(isTold: Bool) -> Double {
      var (compass, breakout) = (Compass(profile: profile), VirtualBreakout(settings))
      let moments = (0..<1800).map { _ in breakout.next() }
      let step = moments[1].sample.time - moments[0].sample.time
      var (inside, count) = (0.0, 0.0)
      for (number, moment) in (moments[..<1200] + moments[1330...]).enumerated() {
        var sample = moment.sample
        sample.time = Double(number) * step
        if isTold, number == 1200 { sample.flags.insert(.restarted) }
        guard let reading = compass.read(frame.read(sample)), number >= 1200, number < 1400,
          let heading = reading.magneticHeading, let accuracy = reading.accuracy
        else { continue }
        count += 1
        if abs(Angle.shortestTurn(from: moment.truth.heading.degrees, to: heading.degrees)) <= accuracy { inside += 1 }
      }
      return count > 0 ? inside / count : 0
    }
    #expect(share(isTold: true) > 0.9)
    #expect(share(isTold: false) < 0.8)
  }
}
