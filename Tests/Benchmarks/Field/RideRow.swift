import Calibration
import LodestoneCore
import Instruments
import Navigation
import Support

/// One kind of ride, by many boards.
struct RideRow {
  var name: String
  var make: (inout RandomNumbers) -> Ride
  var change: (inout VirtualBreakout.Settings) -> Void = { _ in }

  static var header: String { columns("ride", ["within %", "± median", "no figure %", "disturbed %"]) }

  static var all: [RideRow] {
    [
      RideRow(name: "at rest", make: Ride.rest),
      RideRow(name: "turning", make: Ride.turning),
      RideRow(name: "handled", make: Ride.handled),
      RideRow(name: "at rest, dip -30°", make: Ride.rest) { $0.inclination = -30 },
      RideRow(name: "turning, dip 80°", make: Ride.turning) { $0.inclination = 80 },
      RideRow(name: "handled, 20 mg off", make: Ride.handled) { $0.accelerometerOffset = 0.02 },
      RideRow(name: "bend of 0.3 g", make: Ride.bend),
      RideRow(name: "braking by 0.3 g", make: Ride.braking),
      RideRow(name: "boat, 10 m above the axis", make: Ride.boat),
      RideRow(name: "passing steel, 10 µT", make: Ride.steel),
      RideRow(name: "magnetic desk, 5 µT", make: Ride.desk),
      RideRow(name: "the same, to the east", make: Ride.eastward),
      RideRow(name: "iron comes to a rest", make: Ride.ironBesideARest),
      RideRow(name: "laid beside iron", make: Ride.laidBesideIron),
      RideRow(name: "started beside iron", make: Ride.startedBesideIron),
      RideRow(name: "iron comes to a hand", make: Ride.ironBesideAHand),
      RideRow(name: "iron comes into a car", make: Ride.ironInACar),
      RideRow(name: "a slow turn", make: Ride.slowTurn),
    ]
  }

  /// The same by boards with a gyroscope.
  static var withGyroscope: [RideRow] {
    all.map { row in
      RideRow(name: row.name, make: row.make) {
        row.change(&$0)
        $0.hasGyroscope = true
        $0.gyroscopeBias = 2
      }
    }
  }

  func line(seeds: Int) -> String {
    var (within, lines, disturbed) = (0.0, 0.0, 0.0)
    var figures: [Double] = []
    for seed in 1...max(seeds, 1) {
      guard let board = Board(UInt64(seed), change) else { continue }
      for run in 0..<4 {
        var random = RandomNumbers(seed: UInt64(seed * 100 + run))
        for (moment, reading) in board.readings(make(&random), seed: UInt64(seed * 1000 + run)) {
          lines += 1
          if reading.quality == .disturbed { disturbed += 1 }
          guard let heading = reading.magneticHeading, let accuracy = reading.accuracy else { continue }
          figures.append(accuracy)
          if abs(Angle.shortestTurn(from: moment.heading, to: heading.degrees)) <= accuracy { within += 1 }
        }
      }
    }
    let count = Double(figures.count)
    let median = figures.isEmpty ? Double.nan : figures.sorted()[figures.count / 2]
    return columns(
      name,
      [
        text(100 * within / count), text(median), text(100 * (lines - count) / lines), text(100 * disturbed / lines),
      ])
  }
}

/// A board and its calibration.
private struct Board {
  let settings: VirtualBreakout.Settings
  let profile: Profile

  init?(_ seed: UInt64, _ change: (inout VirtualBreakout.Settings) -> Void) {
    var settings = VirtualBreakout.Settings()
    settings.motion = .figureEight
    settings.seed = seed
    settings.sensor = seed + 1000
    settings.heading = Double(seed * 37 % 360)
    settings.hasGyroscope = false
    change(&settings)
    var sweep = VirtualBreakout(settings)
    guard let result = Calibrator().fit((0..<3100).map { _ in sweep.next().sample }).result else { return nil }
    self.settings = settings
    profile = Profile(result, device: "board", created: 0)
  }

  /// What a compass says of the moments that count.
  func readings(_ ride: Ride, seed: UInt64) -> [(Ride.Moment, HeadingReading)] {
    var wishes = Compass.Settings()
    (wishes.orientation, wishes.pointing) = (.portrait, .top)
    var compass = Compass(wishes, profile: profile)
    let frame = DeviceFrame(profile)
    return ride.moments(settings, seed: seed).compactMap { moment in
      guard let reading = compass.read(frame.read(moment.sample)), moment.counts, moment.sample.time > 5 else {
        return nil
      }
      return (moment, reading)
    }
  }
}
