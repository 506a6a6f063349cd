import Calibration
import Instruments
import LodestoneCore
import Navigation
import Support
import Testing

/// What was said of headings on a ride, over the lines of a few boards.
struct RideLines {
  /// The root mean square of what the headings are off by, in degrees.
  var error = 0.0
  /// The share of lines within their accuracy.
  var within = 0.0
  /// The median of that, in degrees.
  var accuracy = 0.0

  static let boards = CalibratedBoards.of(seeds: 1...2)

  static func of(
    from start: Double = 0, rows rate: Double? = nil, lag: Double? = nil, ofMeans: Bool = false,
    movedZero: Vector3 = .zero, _ make: (inout RandomNumbers) -> Ride, fault: (inout [Ride.Moment]) -> Void = { _ in }
  ) throws -> RideLines {
    try #require(boards.count == 2)
    var (lines, count, figures) = (RideLines(), 0.0, [Double]())
    for (settings, profile) in boards {
      var settings = settings
      settings.gyroscopeBiasVector = VirtualBreakout(settings).sensor.gyroscopeBias + movedZero
      var random = RandomNumbers(seed: settings.seed + 40)
      var ride = make(&random)
      var profile = profile
      settings.rate = rate ?? settings.rate
      if let lag {
        // A gyroscope that tells the mean since the row before is the older one by half a row.
        profile.fieldLag = FieldLag(seconds: ofMeans ? lag - 0.5 / settings.rate : lag, deviation: 0.001)
        (ride.fieldLag, ride.ratesAreMomentary) = (lag, !ofMeans)
      }
      var moments = ride.moments(settings, seed: settings.seed).filter { $0.sample.time >= start }
      fault(&moments)
      var choices = Compass.Settings()
      (choices.orientation, choices.pointing) = (.portrait, .top)
      var compass = Compass(choices, profile: profile)
      let frame = DeviceFrame(profile)
      for moment in moments {
        guard let reading = compass.read(frame.read(moment.sample)), moment.sample.time > start + 10,
          let heading = reading.magneticHeading
        else { continue }
        let off = abs(Angle.shortestTurn(from: moment.heading, to: heading.degrees))
        lines.error += off * off
        count += 1
        guard let accuracy = reading.accuracy else { continue }
        figures.append(accuracy)
        if off <= accuracy { lines.within += 1 }
      }
    }
    try #require(figures.count > 1000)
    return RideLines(
      error: (lines.error / count).squareRoot(), within: lines.within / Double(figures.count),
      accuracy: figures.sorted()[figures.count / 2])
  }
}
