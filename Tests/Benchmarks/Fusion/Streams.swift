import Glibc
import Instruments
import LodestoneCore
import Support

extension Stream {
  static let all: [Stream] =
    [
      Stream(name: "run", ride: Ride.run),
      Stream(name: "motorboat", ride: Ride.motorboat),
      Stream(name: "bicycle", ride: Ride.bicycle),
      Stream(name: "car, bends", ride: Ride.bends),
      Stream(name: "car, brakes", ride: Ride.brakes),
      Stream(name: "stairs", ride: Ride.stairs),
      Stream(name: "lift past steel", ride: Ride.lift),
      Stream(name: "desk of 5 µT", ride: Ride.turnedAtADesk),
      Stream(name: "walk", ride: Ride.walk),
      Stream(name: "walk past steel", ride: Ride.pastSteel),
      Stream(name: "still", seconds: 90) { $0.motion = .still },
      Stream(name: "vibration, 0.3 g", seconds: 90) { ($0.motion, $0.turnRate, $0.vibration) = (.spin, 10, 0.3) },
      Stream(name: "boat, mast of 10 m", seconds: 90) { ($0.motion, $0.leverArm) = (.sail, 10) },
      Stream(name: "car, a round", seconds: 120) { ($0.motion, $0.leverArm) = (.drive, 0) },
    ]
    + [10.0, 25, 50, 100, 400].map { rate in
      Stream(name: "fast eight, \(Int(rate)) Hz", rate: rate, ride: Ride.fastFigureEight)
    }
    + [
      Stream(name: "fast eight, lag 50 ms", fieldLag: 0.06, ride: Ride.fastFigureEight),
      Stream(
        name: "fast eight to 400 °/s", fault: { moments, _ in Ride.cut(&moments, at: 400) }, ride: Ride.fastFigureEight),
      Stream(name: "walk, gaps to 0.6 s", fault: { gaps(&$0, &$1, each: 3, seconds: 0.2...0.6) }, ride: Ride.walk),
      Stream(name: "walk, gaps to 5 s", fault: { gaps(&$0, &$1, each: 12, seconds: 1...5) }, ride: Ride.walk),
      Stream(name: "bends, gaps to 0.9 s", fault: { gaps(&$0, &$1, each: 12, seconds: 0.6...0.9) }, ride: Ride.bends),
      Stream(name: "brakes, gaps to 0.9 s", fault: { gaps(&$0, &$1, each: 12, seconds: 0.6...0.9) }, ride: Ride.brakes),
      Stream(name: "lift, gaps to 0.9 s", fault: { gaps(&$0, &$1, each: 12, seconds: 0.6...0.9) }, ride: Ride.lift),
      Stream(name: "walk, field stuck", fault: stuck, ride: Ride.walk),
      Stream(name: "bends, field stuck", fault: stuck, ride: Ride.bends),
      Stream(name: "walk, rates of nothing", fault: heldRates, ride: Ride.walk),
      Stream(name: "walk, zero +5°/s", movedZero: 5, ride: Ride.walk),
      Stream(name: "same, with rests", movedZero: 5, ride: Ride.walkWithRests),
      Stream(name: "walk, zero changes", fault: zeroChanges, ride: Ride.walk),
    ]
    + [3.0, 6, 12].map { Stream(name: "walk, magnet of \(Int($0)) µT", addedIron: $0, ride: Ride.walk) }
    + [
      Stream(name: "straight, magnet 6 µT", addedIron: 6, ride: Ride.walkStraight),
      Stream(name: "straight, put on at 30 s", addedIron: 6, ironTime: 30, ride: Ride.walkStraight),
      Stream(name: "run, magnet of 6 µT", addedIron: 6, ride: Ride.run),
      Stream(name: "bicycle, magnet of 6 µT", addedIron: 6, ride: Ride.bicycle),
      Stream(name: "bends, magnet of 6 µT", addedIron: 6, ride: Ride.bends),
    ]

  /// Takes samples out, now and then.
  private static func gaps(
    _ moments: inout [Ride.Moment], _ random: inout RandomNumbers, each: Double, seconds: ClosedRange<Double>
  ) {
    var (next, end) = (each * random.uniform() + 4, 0.0)
    var kept: [Ride.Moment] = []
    for moment in moments {
      let time = moment.sample.time
      if time >= next {
        end = next + seconds.lowerBound + (seconds.upperBound - seconds.lowerBound) * random.uniform()
        next = end + each * (0.5 + random.uniform())
      }
      if time >= end { kept.append(moment) }
    }
    moments = kept
  }

  /// The field is that of 30 s for 20 s.
  private static func stuck(_ moments: inout [Ride.Moment], _ random: inout RandomNumbers) {
    guard let first = moments.firstIndex(where: { $0.sample.time >= 30 }) else { return }
    let field = moments[first].sample.field
    for index in moments.indices where moments[index].sample.time > 30 && moments[index].sample.time < 50 {
      moments[index].sample.field = field
    }
  }

  /// A gyroscope that reads nothing for 0.7 to 3 s, about each 12 s.
  private static func heldRates(_ moments: inout [Ride.Moment], _ random: inout RandomNumbers) {
    var (next, end) = (4 + 12 * random.uniform(), 0.0)
    for index in moments.indices {
      let time = moments[index].sample.time
      if time >= next {
        end = time + 0.7 + 2.3 * random.uniform()
        next = end + 6 + 12 * random.uniform()
      }
      if time < end { moments[index].sample.rotationRate = RotationRate(degreesPerSecond: .zero) }
    }
  }

  /// The gyroscope's zero is another one by 6°/s from 30 s on.
  private static func zeroChanges(_ moments: inout [Ride.Moment], _ random: inout RandomNumbers) {
    let way = Vector3(random.normal(), random.normal(), random.normal()).direction ?? Vector3(0, 0, 1)
    for index in moments.indices where moments[index].sample.time > 30 {
      guard let rate = moments[index].sample.rotationRate?.degreesPerSecond else { continue }
      moments[index].sample.rotationRate = RotationRate(degreesPerSecond: rate + way * 6)
    }
  }
}
