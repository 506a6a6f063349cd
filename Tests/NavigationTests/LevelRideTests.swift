import Calibration
import Glibc
import Instruments
import LodestoneCore
import Navigation
import Support
import Testing

/// Tilts of boards that nobody calibrated, with a hard iron of 60 µT and zeros of their accelerometers as large as data
/// sheets allow, on rides: their accuracy has to hold.
@Suite struct LevelRideTests {
  /// The result over the lines of a dozen boards.
  private struct Lines {
    /// The share of pitches and rolls that are within the accuracy.
    var within = 0.0
    /// The error that 95 % are within, and the median accuracy and the largest, in degrees.
    var (error, accuracy, largest) = (0.0, 0.0, 0.0)
  }

  private static func lines(
    hasGyroscope: Bool, during times: ClosedRange<Double>, _ make: (inout RandomNumbers) -> Ride
  ) throws -> Lines {
    var (errors, figures): ([Double], [Double]) = ([], [])
    for board in UInt64(900)..<912 {
      var settings = VirtualBreakout.Settings()
      (settings.seed, settings.sensor) = (board, board + 500)
      (settings.hasGyroscope, settings.gyroscopeBias, settings.hardIron) = (hasGyroscope, 2, 60)
      var random = RandomNumbers(seed: board)
      let zero = Vector3(random.normal(), random.normal(), random.normal()) * 0.02
      let frame = DeviceFrame(nil)
      var level = Level()
      for moment in make(&random).moments(settings, seed: board) {
        var sample = moment.sample
        sample.acceleration = sample.acceleration.map { Acceleration(g: $0.g + zero) }
        guard let reading = level.read(frame.read(sample)), times.contains(reading.time) else { continue }
        let up = moment.attitude.conjugate * Vector3(0, 0, 1)
        errors.append(abs(reading.pitch - Angle.degrees(asin(max(-1, min(1, up.y))))))
        errors.append(abs(Angle.shortestTurn(from: Angle.degrees(atan2(-up.x, up.z)), to: reading.roll)))
        figures.append(try #require(reading.accuracy))
      }
    }
    try #require(figures.count > 100)
    let within = errors.indices.count { errors[$0] <= figures[$0 / 2] }
    return Lines(
      within: Double(within) / Double(errors.count), error: errors.sorted()[errors.count * 19 / 20],
      accuracy: figures.sorted()[figures.count / 2], largest: figures.max() ?? .infinity)
  }

  /// In a walker's hand that tilts and turns the board.
  private static func carried(_ random: inout RandomNumbers) -> Ride {
    let (walk, phase) = (Ride.walk(&random), 6 * random.uniform())
    var ride = walk
    ride.attitude = { time in
      let (heading, pitch, roll) = walk.attitude(time)
      return (heading + 20 * time, pitch + 12 * sin(0.9 * time + phase), roll + 12 * sin(0.7 * time))
    }
    ride.duration = 40
    return ride
  }

  /// A field with the board's own iron in it turns otherwise than the board: taken for the gyroscope's bias, it tilted
  /// up.
  @Test func ironOnTheBoardTiltsNothing() throws {
    let lines = try Self.lines(hasGyroscope: true, during: 3...40, Self.carried)
    #expect(lines.within >= 0.93 && lines.error < 4 && lines.accuracy < 4.5, "\(lines)")
  }

  /// The first lines state what the first forces show: 46° before.
  @Test(arguments: [true, false]) func theFirstLinesAreAsGoodAsTheNext(_ hasGyroscope: Bool) throws {
    let rest = try Self.lines(hasGyroscope: hasGyroscope, during: 0...0.5, Ride.rest)
    #expect(rest.within >= 0.93 && rest.accuracy < 4.5 && rest.largest < 15, "\(rest)")
    let walk = try Self.lines(hasGyroscope: hasGyroscope, during: 0...0.5, Ride.walk)
    #expect(walk.within >= 0.93 && walk.accuracy < 25, "\(walk)")
    let boat = try Self.lines(hasGyroscope: true, during: 0...0.5, Ride.boat)
    #expect(boat.within >= 0.9 && boat.accuracy < 10, "\(boat)")
  }
}
