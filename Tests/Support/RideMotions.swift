import Glibc
import Instruments
import LodestoneCore

// What shakes, leans and jolts a board harder than a hand does. Periods wander a little, as those of people and of
// water do.

/// Sines of a ride whose phases come of the seed.
private struct Waves {
  private let phases: [Double]

  init(_ random: inout RandomNumbers) { phases = (0..<16).map { _ in 2 * Double.pi * random.uniform() } }

  /// A sine of this frequency in hertz, by its number.
  func callAsFunction(_ hertz: Double, _ time: Double, _ number: Int) -> Double {
    sin(2 * .pi * hertz * time + phases[number % 16])
  }

  /// The angle of steps whose rhythm wanders, in radians.
  func stride(_ hertz: Double, _ time: Double) -> Double {
    2 * .pi * hertz * time + 0.6 * sin(0.9 * time + phases[14]) + phases[15]
  }
}

extension Ride {
  /// East, north and up of an acceleration along and across a course in degrees.
  private static func pushed(ahead: Double, right: Double, up: Double, course: Double) -> Vector3 {
    let (s, c) = (sin(Angle.radians(course)), cos(Angle.radians(course)))
    return Vector3(ahead * s + right * c, ahead * c - right * s, up)
  }

  /// In a walker's hand: 1.9 steps a second of 0.2 g.
  package static func walk(_ random: inout RandomNumbers) -> Ride {
    let (start, wave) = (360 * random.uniform(), Waves(&random))
    let course = { (time: Double) in start + 3 * time + 70 * wave(1 / 37, time, 0) + 20 * wave(1 / 11.3, time, 1) }
    return Ride(
      attitude: { time in
        let step = wave.stride(1.9, time)
        return (course(time) + 2 * sin(step / 2), 3 * sin(step), 3 * sin(step / 2 + 1))
      },
      acceleration: { time in
        let step = wave.stride(1.9, time)
        return pushed(ahead: 0.13 * sin(step + 1), right: 0, up: 0.25 * sin(step), course: course(time))
      }, duration: 90)
  }

  /// The same, who walks straight on.
  package static func walkStraight(_ random: inout RandomNumbers) -> Ride {
    let (walk, start) = (walk(&random), 360 * random.uniform())
    var ride = walk
    ride.attitude = { time in
      let (_, pitch, roll) = walk.attitude(time)
      return (start + roll, pitch, roll)
    }
    ride.acceleration = { time in
      pushed(ahead: 0.5 * walk.acceleration(time).z, right: 0, up: walk.acceleration(time).z, course: start)
    }
    return ride
  }

  /// The same, who stands still and lays the board down for three seconds in every twenty.
  package static func walkWithRests(_ random: inout RandomNumbers) -> Ride {
    let ride = walk(&random)
    let rests = Bends(strength: 0, speed: 12, every: 20, seconds: 1)
    let share = { (time: Double) in 1 - rests.plateau(at: time, from: 14, to: 17.6) }
    let clock = { (time: Double) in time - rests.area(at: time, from: 14, to: 17.6) }
    var slow = ride
    slow.attitude = { ride.attitude(clock($0)) }
    slow.acceleration = { ride.acceleration(clock($0)) * share($0) }
    return slow
  }

  /// In a runner's hand: 2.8 steps a second, each of more than a g.
  package static func run(_ random: inout RandomNumbers) -> Ride {
    let (start, wave) = (360 * random.uniform(), Waves(&random))
    let course = { (time: Double) in start + 4 * time + 60 * wave(1 / 31, time, 0) }
    return Ride(
      attitude: { time in
        let step = wave.stride(2.8, time)
        return (course(time) + 8 * sin(step / 2), 10 + 18 * sin(step / 2 + 1), 8 * sin(step / 2 + 2) + 4 * sin(step))
      },
      acceleration: { time in
        let step = wave.stride(2.8, time)
        return pushed(
          ahead: 0.5 * sin(step + 1) + 0.4 * sin(step / 2), right: 0.3 * sin(step / 2 + 2),
          up: 1.1 * sin(step) + 0.3 * sin(2 * step + 1), course: course(time))
      }, duration: 90)
  }

  /// On a motorboat that pounds, rolls and turns.
  package static func motorboat(_ random: inout RandomNumbers) -> Ride {
    let (start, wave) = (360 * random.uniform(), Waves(&random))
    let bends = Bends(strength: 0.25, speed: 12, every: 20, seconds: 4)
    let course = { (time: Double) in start + bends.turn(at: time) + 4 * wave(0.13, time, 0) }
    return Ride(
      attitude: { time in
        (
          course(time) + 2 * wave(0.6, time, 1), 4 + 4 * wave(0.7, time, 2) + 2 * wave(1.4, time, 3),
          6 * wave(0.45, time, 4) + 2 * wave(1.1, time, 5) + 20 * bends.push(at: time)
        )
      },
      acceleration: { time in
        let pounding = 0.6 * sin(wave.stride(1.4, time)) + 0.35 * wave(2.3, time, 6)
        let engine = Vector3(wave(17, time, 7), wave(23, time, 8), wave(19, time, 9)) * 0.15
        let ahead = 0.1 * wave(0.5, time, 10) + 0.2 * wave(1.4, time, 11)
        return engine
          + pushed(
            ahead: ahead, right: bends.push(at: time) + 0.15 * wave(1.1, time, 12), up: pounding, course: course(time))
      }, duration: 90)
  }

  /// On the handlebar of a bicycle: it leans into its bends, as its force does, and brakes.
  package static func bicycle(_ random: inout RandomNumbers) -> Ride {
    let (start, wave) = (360 * random.uniform(), Waves(&random))
    let bends = Bends(strength: 0.25, speed: 6, every: 15, seconds: 3)
    let course = { (time: Double) in start + bends.turn(at: time) + 3 * wave(0.3, time, 0) }
    return Ride(
      attitude: { time in
        let lean = Angle.degrees(atan(bends.push(at: time)))
        return (course(time) + 3 * wave(1.4, time, 1), 1 * wave(0.9, time, 2), lean + 3 * wave(1.4, time, 3))
      },
      acceleration: { time in
        let braking = -0.25 * bends.plateau(at: time, from: 8, to: 10) + 0.1 * bends.plateau(at: time, from: 10, to: 15)
        let road = 0.15 * (wave(5.3, time, 4) + wave(7.7, time, 5) + wave(11.9, time, 6))
        return pushed(
          ahead: braking + 0.05 * wave(2.8, time, 7), right: bends.push(at: time) + 0.06 * wave(6.1, time, 8), up: road,
          course: course(time))
      }, duration: 90)
  }

  /// In a car that takes a bend of 0.3 g every twenty seconds.
  package static func bends(_ random: inout RandomNumbers) -> Ride {
    let (start, wave) = (360 * random.uniform(), Waves(&random))
    let bends = Bends(strength: 0.3, speed: 12, every: 20, seconds: 5)
    return drive(wave, course: { start + bends.turn(at: $0) }, ahead: { _ in 0 }, right: bends.push)
  }

  /// In a car that brakes by 0.3 g for four seconds every 25 s, and gains the speed again.
  package static func brakes(_ random: inout RandomNumbers) -> Ride {
    let (start, wave) = (360 * random.uniform(), Waves(&random))
    let pedals = Bends(strength: 0, speed: 12, every: 25, seconds: 1)
    let ahead = { (time: Double) in
      -0.3 * pedals.plateau(at: time, from: 10, to: 14) + 0.15 * pedals.plateau(at: time, from: 16, to: 24)
    }
    return drive(wave, course: { start + 15 * wave(0.05, $0, 9) }, ahead: ahead, right: { _ in 0 })
  }

  private static func drive(
    _ wave: Waves, course: @escaping (Double) -> Double, ahead: @escaping (Double) -> Double,
    right: @escaping (Double) -> Double
  ) -> Ride {
    Ride(
      attitude: { time in (course(time), 0.5 * wave(0.43, time, 0), 0.5 * wave(0.59, time, 1)) },
      acceleration: { time in
        pushed(
          ahead: ahead(time), right: right(time), up: 0.04 * wave(5.1, time, 2) + 0.03 * wave(11, time, 3),
          course: course(time))
      }, duration: 120)
  }

  /// Stands in a lift that goes up every half minute: steel goes by, and the floor pushes.
  package static func lift(_ random: inout RandomNumbers) -> Ride {
    let (start, wave) = (360 * random.uniform(), Waves(&random))
    let rides = Bends(strength: 0, speed: 12, every: 30, seconds: 1)
    return Ride(
      attitude: { time in
        (start + 15 * wave(0.07, time, 0) + 2 * wave(0.4, time, 1), 3 * wave(0.3, time, 2), 3 * wave(0.23, time, 3))
      },
      acceleration: { time in
        let floor =
          0.1 * (rides.plateau(at: time, from: 10, to: 12) - rides.plateau(at: time, from: 23, to: 25))
        return Vector3(0.01 * wave(1.3, time, 4), 0.01 * wave(1.7, time, 5), floor)
      },
      disturbance: { time in
        Vector3(wave(0.21, time, 6), wave(0.27, time, 7), wave(0.17, time, 8))
          * (15 * rides.plateau(at: time, from: 10, to: 25))
      }, duration: 100)
  }

  /// In the hand of someone who climbs stairs, and turns about on each landing.
  package static func stairs(_ random: inout RandomNumbers) -> Ride {
    let (start, wave) = (360 * random.uniform(), Waves(&random))
    let course = { (time: Double) in
      let flight = (time / 8).rounded(.down)
      let turned = max(0, min(1, (time - 8 * flight - 6) / 1.5))
      return start + 180 * (flight + turned * turned * (3 - 2 * turned))
    }
    return Ride(
      attitude: { time in
        let step = wave.stride(1.6, time)
        return (course(time) + 3 * sin(step / 2), 5 * sin(step) + 5, 4 * sin(step / 2 + 1))
      },
      acceleration: { time in
        let step = wave.stride(1.6, time)
        return pushed(
          ahead: 0.15 * sin(step + 1), right: 0.06 * sin(step / 2), up: 0.35 * sin(step), course: course(time))
      }, duration: 90)
  }

  /// Turned to and fro by a hand above a desk that adds 5 µT: not carried, though it moves.
  package static func turnedAtADesk(_ random: inout RandomNumbers) -> Ride {
    let (start, wave) = (360 * random.uniform(), Waves(&random))
    let added = (Vector3(random.normal(), random.normal(), random.normal()).direction ?? Vector3(1, 0, 0)) * 5
    return Ride(
      attitude: { time in
        (
          start + 120 * wave(1 / 7, time, 0) + 40 * wave(1 / 3.1, time, 1), 15 * wave(1 / 4.3, time, 2),
          15 * wave(1 / 3.7, time, 3)
        )
      },
      acceleration: { time in
        Vector3(0.04 * wave(0.9, time, 4), 0.04 * wave(1.2, time, 5), 0.05 * wave(1.1, time, 6))
      }, disturbance: { _ in added }, duration: 90)
  }

  /// Walks past steel of 10 µT every twelve seconds.
  package static func pastSteel(_ random: inout RandomNumbers) -> Ride {
    var ride = walk(&random)
    let places = (0..<8).map { place in
      (
        12 * Double(place) + 4 + 6 * random.uniform(),
        (Vector3(random.normal(), random.normal(), random.normal()).direction ?? Vector3(1, 0, 0)) * 10
      )
    }
    ride.disturbance = { time in
      places.reduce(.zero) { sum, place in
        let away = 1 + (time - place.0) * (time - place.0) / 0.8
        return sum + place.1 / (away * away.squareRoot())
      }
    }
    return ride
  }

  /// Turned in figures of eight, half again as fast as in a calibration, at the end of a forearm.
  package static func fastFigureEight(_ random: inout RandomNumbers) -> Ride {
    let (start, wave) = (360 * random.uniform(), Waves(&random))
    let attitude = { (time: Double) in
      (start + 12 * time + 45 * wave(0.94, time, 0), 60 * wave(0.68, time, 1), 120 * wave(0.38, time, 2))
    }
    let hand = { (time: Double) in
      let (heading, pitch, roll) = attitude(time)
      return matrix(heading, pitch, roll) * Vector3(0, 0.25, 0)
    }
    return Ride(
      attitude: attitude,
      acceleration: { time in
        let step = 0.01
        return (hand(time - step) + hand(time + step) - hand(time) * 2)
          / (step * step * Acceleration.standardGravity)
      }, duration: 60)
  }
}

extension Ride {
  /// Cuts off rates past a gyroscope's range, in degrees per second.
  package static func cut(_ moments: inout [Moment], at range: Double) {
    for index in moments.indices {
      guard var rate = moments[index].sample.rotationRate?.degreesPerSecond else { continue }
      for axis in 0..<3 where abs(rate[axis]) >= range {
        rate[axis] = rate[axis] < 0 ? -range : range
        moments[index].sample.flags.insert(.rateSaturated)
      }
      moments[index].sample.rotationRate = RotationRate(degreesPerSecond: rate)
    }
  }
}

/// Pushes to alternate sides that come again and again, each with the turn that it makes of a vehicle.
private struct Bends {
  /// In g, m/s and seconds.
  let (strength, speed, every, seconds): (Double, Double, Double, Double)
  /// Seconds in which one sets in and ends.
  private static let edge = 0.6

  init(strength: Double, speed: Double, every: Double, seconds: Double) {
    (self.strength, self.speed, self.every, self.seconds) = (strength, speed, every, seconds)
  }

  /// To the right, in g.
  func push(at time: Double) -> Double {
    let round = (time / every).rounded(.down)
    let side = Int(round) % 3 == 1 ? -1.0 : 1.0
    return side * strength * plateau(at: time, from: every / 4, to: every / 4 + seconds)
  }

  /// How far it has turned clockwise, in degrees.
  func turn(at time: Double) -> Double {
    let round = (time / every).rounded(.down)
    let rate = Angle.degrees(strength * Acceleration.standardGravity / speed)
    let each = area(at: every, from: every / 4, to: every / 4 + seconds)
    let rounds = (0..<max(0, Int(round))).reduce(0) { $0 + ($1 % 3 == 1 ? -each : each) }
    let now = area(at: time - every * round, from: every / 4, to: every / 4 + seconds)
    return rate * (rounds + (Int(round) % 3 == 1 ? -now : now))
  }

  /// The seconds of `plateau` so far.
  func area(at time: Double, from: Double, to: Double) -> Double {
    func ramp(_ t: Double) -> Double { t < 0 ? 0 : t < Self.edge ? t * t / (2 * Self.edge) : t - Self.edge / 2 }
    let round = (time / every).rounded(.down)
    let now = time - every * round
    return round * (to - from) + ramp(now - from) - ramp(now - to)
  }

  /// 1 between two times of each round, with ramps.
  func plateau(at time: Double, from: Double, to: Double) -> Double {
    let now = fmod(time, every)
    return max(0, min(1, (now - from) / Self.edge)) - max(0, min(1, (now - to) / Self.edge))
  }
}
