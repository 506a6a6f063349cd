import Calibration
import LodestoneCore
import Instruments
import Navigation
import Support
import Testing

/// What a compass says on rides that push the board or disturb its field, without a gyroscope to help: its accuracy has to
/// hold. The benchmark runs the same rides over more boards.
@Suite struct RideTests {
  /// Lines of a few boards and rides: how many of those with a figure are within it, and the median figure.
  private static func lines(
    _ make: (inout RandomNumbers) -> Ride, change: (inout VirtualBreakout.Settings) -> Void = { _ in }
  ) throws -> (within: Double, accuracy: Double, disturbed: Double) {
    var (within, disturbed, count) = (0.0, 0.0, 0.0)
    var figures: [Double] = []
    var settings = Compass.Settings()
    (settings.orientation, settings.pointing) = (.portrait, .top)
    for board in boards {
      let frame = DeviceFrame(board.profile)
      for run in 0..<6 {
        var random = RandomNumbers(seed: board.seed * 100 + UInt64(run))
        let ride = make(&random)
        var compass = Compass(settings, profile: board.profile)
        for moment in ride.moments(board.breakout, seed: board.seed * 1000 + UInt64(run)) {
          guard let reading = compass.read(frame.read(moment.sample)), moment.counts, moment.sample.time > 5 else {
            continue
          }
          count += 1
          if reading.quality == .disturbed { disturbed += 1 }
          guard let heading = reading.magneticHeading, let accuracy = reading.accuracy else { continue }
          figures.append(accuracy)
          if abs(Angle.shortestTurn(from: moment.heading, to: heading.degrees)) <= accuracy { within += 1 }
        }
      }
    }
    try #require(figures.count > 1000)
    let median = figures.sorted()[figures.count / 2]
    return (within / Double(figures.count), median, disturbed / count)
  }

  private struct Board {
    var seed: UInt64
    var breakout: VirtualBreakout.Settings
    var profile: Profile
  }

  private static let boards: [Board] = (1...3).compactMap { seed in
    var breakout = VirtualBreakout.Settings()
    breakout.motion = .figureEight
    breakout.seed = UInt64(seed)
    breakout.sensor = UInt64(seed) + 1000
    breakout.hasGyroscope = false
    var sweep = VirtualBreakout(breakout)
    guard let result = Calibrator().fit((0..<3100).map { _ in sweep.next().sample }).result else { return nil }
    return Board(seed: UInt64(seed), breakout: breakout, profile: Profile(result, device: "board", created: 0))
  }

  /// The accuracy before disturbances were followed over time was 2.0° at rest and 2.3° while turning.
  @Test func undisturbedHeadingsAreAsSharpAsEver() throws {
    try #require(Self.boards.count == 3)
    let rest = try Self.lines(Ride.rest)
    #expect((0.92...0.99).contains(rest.within) && rest.accuracy < 2.2 && rest.disturbed == 0)
    let turning = try Self.lines(Ride.turning)
    #expect((0.92...0.995).contains(turning.within) && turning.accuracy < 2.5 && turning.disturbed == 0)
  }

  /// Noise is neither a push nor a disturbance, though nothing else is known yet: a board put down says at once what it will
  /// say. One start in five used to state more than twice as much for seconds.
  @Test func noiseIsNotTakenForAPushAtTheStart() throws {
    let board = try #require(Self.boards.first)
    let frame = DeviceFrame(board.profile)
    let starts = 60
    var wide = 0
    for run in 0..<starts {
      var random = RandomNumbers(seed: UInt64(run))
      var compass = Compass(profile: board.profile)
      let figures = Ride.rest(&random).moments(board.breakout, seed: UInt64(run)).compactMap { moment in
        compass.read(frame.read(moment.sample))?.accuracy.map { (time: moment.sample.time, degrees: $0) }
      }
      let usual = figures.filter { $0.time > 10 }.map { $0.degrees }.sorted()
      try #require(usual.count > 200)
      if figures.contains(where: { $0.time < 5 && $0.degrees > 1.5 * usual[usual.count / 2] }) { wide += 1 }
    }
    #expect(wide * 12 <= starts, "\(wide) of \(starts)")
  }

  @Test func pushesAreSeenInTheForce() throws {
    #expect(try Self.lines(Ride.bend).within > 0.87)
    #expect(try Self.lines(Ride.braking).within > 0.87)
    #expect(try Self.lines(Ride.boat).within > 0.9)
  }

  @Test func disturbancesAreSeenInStrengthAndInclination() throws {
    #expect(try Self.lines(Ride.desk).within > 0.87)
    let steel = try Self.lines(Ride.steel)
    #expect(steel.within > 0.85 && steel.disturbed > 0.2)
  }

  /// What nothing but a gyroscope could tell.
  @Test func fieldsToTheEastAreNotSeen() throws {
    let line = try Self.lines(Ride.eastward)
    #expect(line.within < 0.1 && line.disturbed == 0)
  }
}
