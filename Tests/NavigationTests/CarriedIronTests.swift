import Calibration
import Instruments
import LodestoneCore
import Navigation
import Support
import Testing

/// Headings of a walker on whose calibrated board a magnet has been put. `FusionBenchmark` has more of them, beside VQF.
@Suite struct CarriedIronTests {
  /// What the lines of a few boards come to.
  private struct Lines {
    /// The root mean square of what headings are off, in degrees.
    var error = 0.0
    /// The share within the accuracy.
    var within = 0.0
    /// The median of that, in degrees.
    var accuracy = 0.0
  }

  private static let boards = CalibratedBoards.of(seeds: 3...6)

  /// - Parameters:
  ///   - magnet: in µT; each board has it from another side.
  ///   - times: that count, in seconds.
  ///   - deviation: of the compass as it is installed.
  private static func lines(
    magnet: Double, times: ClosedRange<Double>, deviation: Deviation? = nil,
    _ make: (inout RandomNumbers) -> Ride = Ride.walk
  ) throws -> Lines {
    try #require(boards.count == 4)
    var (squares, within, figures) = (0.0, 0.0, [Double]())
    for (settings, profile) in boards {
      var random = RandomNumbers(seed: settings.seed + 40)
      let ride = make(&random)
      let added = try #require(Vector3(random.normal(), random.normal(), random.normal()).direction) * magnet
      var choices = Compass.Settings()
      (choices.orientation, choices.pointing) = (.portrait, .top)
      var compass = Compass(choices, profile: profile)
      if let deviation { compass.follow(deviation) }
      let frame = DeviceFrame(profile)
      for moment in ride.moments(settings, seed: settings.seed) {
        var sample = moment.sample
        sample.field = sample.field.map { MagneticField(microtesla: $0.microtesla + added) }
        guard let reading = compass.read(frame.read(sample)), times.contains(sample.time),
          let heading = reading.magneticHeading, let accuracy = reading.accuracy
        else { continue }
        let off = abs(Angle.shortestTurn(from: moment.heading, to: heading.degrees))
        squares += off * off
        figures.append(accuracy)
        if off <= accuracy { within += 1 }
      }
      #expect(deviation == nil || compass.carriedIron == .zero)
    }
    try #require(figures.count > 1000)
    let count = Double(figures.count)
    return Lines(
      error: (squares / count).squareRoot(), within: within / count, accuracy: figures.sorted()[figures.count / 2])
  }

  /// Not taken off, it makes headings 7 and 16° off that say 3 to 4°.
  @Test(arguments: [6.0, 12]) func aMagnetIsFollowedOnceTheWalkerHasTurned(_ magnet: Double) throws {
    let lines = try Self.lines(magnet: magnet, times: 30...90)
    #expect(lines.error < 3 && lines.within > 0.93 && lines.accuracy < 6, "\(lines)")
  }

  /// A table of deviations holds what iron makes of headings: it must not be taken off besides.
  @Test func ironStaysInWhereATableHoldsIt() throws {
    let table = try #require(Deviation(coefficients: [0, 0, 0, 0, 0]))
    #expect(try Self.lines(magnet: 12, times: 30...90, deviation: table).error > 10)
  }

  /// What stays as it is while the board turns is of the place, and changes nothing of what was said of it.
  @Test func aFieldOfThePlaceIsNotTheBoards() throws {
    let place = { (random: inout RandomNumbers) in
      var ride = Ride.walk(&random)
      ride.disturbance = { _ in Vector3(0, 3, -3) }
      return ride
    }
    let lines = try Self.lines(magnet: 0, times: 30...90, place)
    #expect(lines.error < 2 && lines.within > 0.93 && lines.accuracy < 5, "\(lines)")
  }
}
