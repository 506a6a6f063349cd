import Calibration
import LodestoneCore
import Instruments
import Navigation
import Support
import Testing

/// A true heading is as uncertain as its compass and its declination together.
@Suite struct TrueHeadingTests {
  private static func board(_ motion: VirtualBreakout.Settings.Motion, seed: UInt64) -> VirtualBreakout {
    var settings = VirtualBreakout.Settings()
    settings.motion = motion
    settings.seed = seed
    return VirtualBreakout(settings)
  }

  private static func calibrated() throws -> (DeviceFrame, Compass) {
    var sweep = board(.figureEight, seed: 5)
    let result = try #require(Calibrator().fit((0..<3100).map { _ in sweep.next().sample }).result)
    let profile = Profile(result, device: "sim", created: 0)
    var settings = Compass.Settings()
    settings.usesGyroscope = false
    return (DeviceFrame(profile), Compass(settings, profile: profile))
  }

  /// About normal, of deviation 1: the sum of twelve even draws.
  private static func normal(_ random: inout SeededGenerator) -> Double {
    (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
  }

  /// The place's declination is drawn anew for each heading, about the one that the model gives.
  @Test(arguments: [0.4, 1, 3])
  func ninetyFivePercentHold(_ deviation: Double) throws {
    let (frame, uncertain) = try Self.calibrated()
    var compass = uncertain
    compass.declination = Declination(degrees: 4)
    compass.declinationUncertainty = deviation
    var board = Self.board(.spin, seed: 6)
    var random = SeededGenerator(seed: 8)
    var (inside, all) = (0.0, 0.0)
    for _ in 0..<4000 {
      let (sample, truth) = board.next()
      guard let reading = compass.read(frame.read(sample)), let heading = reading.trueHeading,
        let accuracy = reading.accuracy
      else { continue }
      let north = truth.heading.degrees + 4 + deviation * Self.normal(&random)
      all += 1
      if abs(Angle.shortestTurn(from: north, to: heading.degrees)) <= accuracy { inside += 1 }
    }
    #expect(all > 3900)
    #expect((0.92...0.985).contains(inside / all))
  }

  @Test func aMagneticHeadingKnowsNothingOfIt() throws {
    let (frame, uncertain) = try Self.calibrated()
    var compass = uncertain
    let sample = frame.read(Self.board(.still, seed: 7).first)
    let alone = try #require(compass.read(sample)?.accuracy)
    compass.declinationUncertainty = 3
    #expect(compass.read(sample)?.accuracy == alone)
    compass.declination = Declination(degrees: 4)
    #expect(try #require(compass.read(sample)?.accuracy) > 5.8)
  }
}

extension VirtualBreakout {
  fileprivate var first: Sample {
    var board = self
    return board.next().sample
  }
}
