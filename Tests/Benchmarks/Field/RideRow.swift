import Calibration
import LodestoneCore
import Instruments
import Navigation
import Support

/// One kind of ride, by many boards.
struct RideRow {
  var name: String
  var make: (inout RandomNumbers) -> Ride
  var gyroscope = GyroscopeKind.ideal
  var change: (inout VirtualBreakout.Settings) -> Void = { _ in }

  static var header: String { columns("ride", ["95 % off", "± median", "within %", "no figure %", "disturbed %"]) }

  static var all: [RideRow] {
    [
      RideRow(name: "at rest", make: Ride.rest),
      RideRow(name: "turning", make: Ride.turning),
      RideRow(name: "handled", make: Ride.handled),
      RideRow(name: "at rest, dip -30°", make: Ride.rest) { $0.inclination = -30 },
      RideRow(name: "turning, dip 80°", make: Ride.turning) { $0.inclination = 80 },
      RideRow(name: "handled, 20 mg off", make: Ride.handled) { $0.accelerometerOffset = 0.02 },
      RideRow(name: "at rest, 1/f noise 0.2 µT", make: noisy(Ride.rest, pink: 0.2)),
      RideRow(name: "handled, as noisy", make: noisy(Ride.handled, pink: 0.2)),
      RideRow(name: "at rest, twice the noise", make: noisy(Ride.rest, white: 2)),
      RideRow(name: "turning, twice the noise", make: noisy(Ride.turning, white: 2)),
      RideRow(name: "handled, 5 times the noise", make: noisy(Ride.handled, white: 5)),
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
      RideRow(name: "turning, 60 % lost", make: sparse(Ride.turning, lost: 0.6)),
      RideRow(name: "handled, 60 % lost", make: sparse(Ride.handled, lost: 0.6)),
      RideRow(name: "turning, field at 10 Hz", make: sparse(Ride.turning, repeats: 5)),
      RideRow(name: "handled, field at 10 Hz", make: sparse(Ride.handled, repeats: 5)),
    ]
  }

  /// A ride of a magnetometer that has more noise than its calibration tells.
  private static func noisy(
    _ make: @escaping (inout RandomNumbers) -> Ride, pink: Double = 0, white: Double = 1
  ) -> (inout RandomNumbers) -> Ride {
    return { random in
      var ride = make(&random)
      (ride.pinkNoise, ride.noiseShare) = (pink, white)
      return ride
    }
  }

  /// A ride of which samples are lost, or whose magnetometer is slower than its board.
  private static func sparse(
    _ make: @escaping (inout RandomNumbers) -> Ride, lost: Double = 0, repeats: Int = 1
  ) -> (inout RandomNumbers) -> Ride {
    return { random in
      var ride = make(&random)
      (ride.lostShare, ride.fieldRepeats) = (lost, repeats)
      return ride
    }
  }

  /// The same by boards with a gyroscope, and some whose gyroscope is off by what data sheets allow.
  static var withGyroscope: [RideRow] {
    let turned = [
      RideRow(name: "turning, gyroscope 3 % off", make: Ride.turning, gyroscope: .ordinary),
      RideRow(name: "handled, the same", make: Ride.handled, gyroscope: .ordinary),
      RideRow(name: "turning, 3 % unmeasured", make: Ride.turning, gyroscope: .unmeasured),
      RideRow(name: "handled, the same, 3 %", make: Ride.handled, gyroscope: .unmeasured),
    ]
    return (all + turned).map { row in
      RideRow(name: row.name, make: row.make, gyroscope: row.gyroscope) {
        row.change(&$0)
        $0.hasGyroscope = true
        $0.gyroscopeBias = 2
      }
    }
  }

  func line(seeds: Int) -> String {
    var (within, lines, disturbed) = (0.0, 0.0, 0.0)
    var (figures, errors): ([Double], [Double]) = ([], [])
    for seed in 1...max(seeds, 1) {
      guard let board = Board(UInt64(seed), gyroscope, change) else { continue }
      for run in 0..<4 {
        var random = RandomNumbers(seed: UInt64(seed * 100 + run))
        for (moment, reading) in board.readings(make(&random), seed: UInt64(seed * 1000 + run)) {
          lines += 1
          if reading.quality == .disturbed { disturbed += 1 }
          guard let heading = reading.magneticHeading, let accuracy = reading.accuracy else { continue }
          let error = abs(Angle.shortestTurn(from: moment.heading, to: heading.degrees))
          figures.append(accuracy)
          errors.append(error)
          if error <= accuracy { within += 1 }
        }
      }
    }
    let count = Double(figures.count)
    return columns(
      name,
      [
        text(Self.quantile(0.95, of: errors)), text(Self.quantile(0.5, of: figures)), text(100 * within / count),
        text(100 * (lines - count) / lines), text(100 * disturbed / lines),
      ])
  }
}

extension RideRow {
  /// The quantile of values at a share; not a number where there is none.
  private static func quantile(_ share: Double, of values: [Double]) -> Double {
    values.isEmpty ? .nan : values.sorted()[Int(share * Double(values.count - 1))]
  }
}

/// How far a gyroscope's gains and axes are off.
enum GyroscopeKind {
  /// By nothing.
  case ideal
  /// By 3 % and a degree, which the calibration sees.
  case ordinary
  /// The same, and the calibration does not know.
  case unmeasured

  func gain(seed: UInt64) -> Matrix3 {
    guard self != .ideal else { return .identity }
    var random = RandomNumbers(seed: seed)
    func sign() -> Double { random.uniform() < 0.5 ? -1 : 1 }
    return Matrix3(rotation: Vector3(sign(), sign(), sign()) * Angle.radians(0.6))
      * Matrix3(diagonal: Vector3(1 + 0.03 * sign(), 1 + 0.03 * sign(), 1 + 0.03 * sign()))
  }
}

/// A board and its calibration.
private struct Board {
  let settings: VirtualBreakout.Settings
  let profile: Profile
  /// The rate that the gyroscope reads in a turn.
  let gain: Matrix3

  init?(_ seed: UInt64, _ gyroscope: GyroscopeKind, _ change: (inout VirtualBreakout.Settings) -> Void) {
    var settings = VirtualBreakout.Settings()
    settings.motion = .figureEight
    settings.seed = seed
    settings.sensor = seed + 1000
    settings.heading = Double(seed * 37 % 360)
    settings.hasGyroscope = false
    change(&settings)
    var sweep = VirtualBreakout(settings)
    let gain = gyroscope.gain(seed: seed)
    let samples = (0..<3100).map { _ in
      var sample = sweep.next().sample
      sample.rotationRate = sample.rotationRate.map { RotationRate(degreesPerSecond: gain * $0.degreesPerSecond) }
      return sample
    }
    guard var result = Calibrator().fit(samples).result else { return nil }
    if gyroscope == .unmeasured { result.gyroscopeGain = nil }
    self.settings = settings
    self.gain = gain
    profile = Profile(result, device: "board", created: 0)
  }

  /// The readings of a compass at the moments that count.
  func readings(_ ride: Ride, seed: UInt64) -> [(Ride.Moment, HeadingReading)] {
    var wishes = Compass.Settings()
    (wishes.orientation, wishes.pointing) = (.portrait, .top)
    var compass = Compass(wishes, profile: profile)
    let frame = DeviceFrame(profile)
    var ride = ride
    ride.gyroscopeGain = gain
    return ride.moments(settings, seed: seed).compactMap { moment in
      guard let reading = compass.read(frame.read(moment.sample)), moment.counts, moment.sample.time > 5 else {
        return nil
      }
      return (moment, reading)
    }
  }
}
