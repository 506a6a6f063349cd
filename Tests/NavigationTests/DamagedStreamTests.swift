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

  /// A gyroscope whose zero is another one from some moment on, as after a reset, is told of once, and a sound one
  /// never.
  @Test(arguments: 1...3 as ClosedRange<UInt64>) func aChangedZeroIsTold(seed: UInt64) throws {
    var (settings, profile) = try Self.calibrated()
    (settings.motion, settings.seed) = (.walk, seed)
    #expect(profile.gyroscopeZero != nil)
    let frame = DeviceFrame(profile)
    for change in [Vector3.zero, Vector3(4, -3, 3)] {
      var (compass, breakout, told) = (Compass(profile: profile), VirtualBreakout(settings), [Double]())
      for number in 0..<4000 {
        var sample = breakout.next().sample
        if number > 1000 {
          sample.rotationRate = sample.rotationRate.map {
            RotationRate(degreesPerSecond: $0.degreesPerSecond + change)
          }
        }
        _ = compass.read(frame.read(sample))
        if case .gyroscopeZero(let off) = compass.nextNotice() { told.append(off) }
      }
      #expect(told.count == (change == .zero ? 0 : 1), "\(change): \(told)")
      for off in told { #expect(abs(off - change.length) < 2, "\(off)") }
    }
  }

  /// Four seconds after the zero has changed headings are right again, and what is stated holds: ten seconds of 50° off
  /// came of what lay before the change.
  @Test(arguments: 11...14 as ClosedRange<UInt64>) func aChangedZeroIsFoundSoon(seed: UInt64) throws {
    var (settings, profile) = try Self.calibrated()
    (settings.motion, settings.seed) = (.walk, seed)
    let frame = DeviceFrame(profile)
    var (compass, breakout) = (Compass(profile: profile), VirtualBreakout(settings))
    var (errors, within) = ([Double](), 0)
    for number in 0..<2500 {
      var (sample, truth) = breakout.next()
      if number > 1500 {
        sample.rotationRate = sample.rotationRate.map {
          RotationRate(degreesPerSecond: $0.degreesPerSecond + Vector3(-3, -0.5, 9))
        }
      }
      let read = compass.read(frame.read(sample))
      guard let reading = read, let heading = reading.magneticHeading?.degrees, number > 1900 else { continue }
      let off = abs(Angle.shortestTurn(from: truth.heading.degrees, to: heading))
      errors.append(off)
      within += off <= reading.accuracy ?? 180 ? 1 : 0
    }
    try #require(errors.count > 500)
    let rms = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
    #expect(rms < 2.5, "\(rms)")
    #expect(Double(within) > 0.9 * Double(errors.count))
  }

  /// A field that has lost its decimal point in one line of hundreds is disturbed, and not the lines after it: those
  /// were disturbed for 20 s.
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
