import LodestoneCore
import Glibc
import Instruments

/// A board that is carried along: where it points, how it is pushed and what disturbs its field, as functions of time.
/// Every number comes from the seed.
package struct Ride {
  /// Heading, pitch and roll in degrees.
  package typealias Attitude = (heading: Double, pitch: Double, roll: Double)

  /// Where the board points.
  package var attitude: (Double) -> Attitude
  /// Acceleration of the board along east, north and up, in g.
  package var acceleration: (Double) -> Vector3 = { _ in .zero }
  /// The addition to the Earth's field, along east, north and up, in µT.
  package var disturbance: (Double) -> Vector3 = { _ in .zero }
  /// When the lines count, in seconds.
  package var counts: (Double) -> Bool = { _ in true }
  /// In seconds.
  package var duration = 40.0
  /// Standard deviation of the magnetometer's 1/f noise on each axis, in µT: no calibration tells it.
  package var pinkNoise = 0.0
  /// The magnetometer's other noise, to that while the board was calibrated.
  package var noiseShare = 1.0
  /// The rate that a gyroscope reads in a turn: gains and axes that nobody measured.
  package var gyroscopeGain = Matrix3.identity
  /// Hard iron that has come since the calibration, on the board's axes, in µT.
  package var newIron = Vector3.zero
  /// How much older a sample's field is than its rate, in seconds.
  package var fieldLag = 0.0
  /// The share of samples that are lost on their way, as over a radio.
  package var lostShare = 0.0
  /// How many samples in a row have the same field: a board that is faster than its magnetometer.
  package var fieldRepeats = 1
  /// Rates hold at their sample's time; else they are means since the sample before.
  package var ratesAreMomentary = false

  /// The sample that a compass is given, the truth, and whether the line counts.
  package struct Moment {
    package var sample: Sample
    package var heading: Double
    /// Device to east, north and up.
    package var attitude: Quaternion
    package var counts: Bool

    /// A moment by its parts.
    package init(sample: Sample, heading: Double, attitude: Quaternion, counts: Bool = true) {
      (self.sample, self.heading, self.attitude, self.counts) = (sample, heading, attitude, counts)
    }
  }

  /// The ride as a board sees it.
  package func moments(_ settings: VirtualBreakout.Settings, seed: UInt64) -> [Moment] {
    let sensor = VirtualBreakout(settings).sensor
    var random = RandomNumbers(seed: seed)
    func scatter(_ deviation: Double) -> Vector3 {
      Vector3(random.normal(), random.normal(), random.normal()) * deviation
    }
    let dip = Angle.radians(settings.inclination)
    let earth = Vector3(0, cos(dip), -sin(dip)) * settings.fieldStrength
    var slow = PinkNoise()
    var losses = RandomNumbers(seed: seed &+ 1)
    var held: MagneticField?
    return (0..<Int(duration * settings.rate)).map { index in
      let time = Double(index) / settings.rate
      let (heading, pitch, roll) = attitude(time)
      let toDevice = Self.matrix(heading, pitch, roll).transposed
      var sample = Sample(time: time)
      let then = time - fieldLag
      let toDeviceThen = fieldLag == 0 ? toDevice : self.matrix(at: then).transposed
      let raw = sensor.distortion * (toDeviceThen * (earth + disturbance(then))) + sensor.hardIron + newIron
      var noise = scatter(settings.noise * noiseShare)
      if pinkNoise > 0 { noise += slow.next(&random) * pinkNoise }
      if index % fieldRepeats == 0 { held = MagneticField(microtesla: raw + noise) }
      sample.field = held
      let force = toDevice * (acceleration(time) + Vector3(0, 0, 1)) + sensor.accelerometerOffset
      sample.acceleration = Acceleration(g: force + scatter(settings.accelerometerNoise))
      if settings.hasGyroscope {
        let turn = rate(at: time, step: 1 / settings.rate)
        sample.rotationRate = RotationRate(
          degreesPerSecond: gyroscopeGain * (turn + sensor.gyroscopeBias) + scatter(settings.gyroscopeNoise))
      }
      return Moment(
        sample: sample, heading: heading, attitude: Quaternion(heading: heading, pitch: pitch, roll: roll),
        counts: counts(time))
    }.filter { _ in lostShare == 0 || losses.uniform() >= lostShare }
  }

  /// Device to east, north and up.
  private func matrix(at time: Double) -> Matrix3 {
    let (heading, pitch, roll) = attitude(time)
    return Self.matrix(heading, pitch, roll)
  }

  /// In degrees per second.
  private func rate(at time: Double, step: Double) -> Vector3 {
    func device(_ time: Double) -> Quaternion {
      let (heading, pitch, roll) = attitude(time)
      return Quaternion(angle: -Angle.radians(heading), about: Vector3(0, 0, 1))
        * Quaternion(angle: Angle.radians(pitch), about: Vector3(1, 0, 0))
        * Quaternion(angle: Angle.radians(roll), about: Vector3(0, 1, 0))
    }
    if ratesAreMomentary {
      let moment = 0.001
      return (device(time - moment / 2).conjugate * device(time + moment / 2)).rotationVector * (180 / .pi) / moment
    }
    return (device(time - step).conjugate * device(time)).rotationVector * (180 / .pi) / step
  }

  /// Device to east, north and up.
  package static func matrix(_ heading: Double, _ pitch: Double, _ roll: Double) -> Matrix3 {
    Matrix3(rotation: Vector3(0, 0, -Angle.radians(heading))) * Matrix3(rotation: Vector3(Angle.radians(pitch), 0, 0))
      * Matrix3(rotation: Vector3(0, Angle.radians(roll), 0))
  }
}

// MARK: Undisturbed

extension Ride {
  /// Lies still.
  package static func rest(_ random: inout RandomNumbers) -> Ride {
    let heading = 360 * random.uniform()
    let (pitch, roll) = (40 * random.uniform() - 20, 40 * random.uniform() - 20)
    return Ride { _ in (heading, pitch, roll) }
  }

  /// Lies still, but for a turn of so many degrees of heading, pitch and roll in half a second after 20 s.
  package static func turnedQuickly(by turn: Vector3) -> Ride {
    Ride { time in
      let share = min(1, max(0, (time - 20) / 0.5))
      let turned = turn * (share * share * (3 - 2 * share))
      return (10 + turned.x, 5 + turned.y, -3 + turned.z)
    }
  }

  /// Turns about, nearly level, once in ten seconds.
  package static func turning(_ random: inout RandomNumbers) -> Ride {
    let (heading, phase) = (360 * random.uniform(), 6 * random.uniform())
    return Ride { time in (heading + 36 * time, 2 * sin(1.7 * time + phase), 2 * sin(1.2 * time)) }
  }

  /// Lies still in one attitude after the other, three seconds each, and is turned from one to the next in two.
  package static func handled(_ random: inout RandomNumbers) -> Ride {
    let poses = (0..<10).map { _ in
      (360 * random.uniform(), 70 * random.uniform() - 35, 70 * random.uniform() - 35)
    }
    return Ride(
      attitude: { time in
        let slot = min(Int(time / 5), poses.count - 2)
        let (from, to) = (poses[slot], poses[slot + 1])
        let moved = max(0, min(1, (time - 5 * Double(slot) - 3) / 2))
        let share = moved * moved * (3 - 2 * moved)
        func between(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
        let turn = Angle.shortestTurn(from: from.0, to: to.0)
        return (from.0 + turn * share, between(from.1, to.1), between(from.2, to.2))
      }, duration: 45)
  }
}

// MARK: Pushed

extension Ride {
  /// A car that drives through a bend with a sideways push of 0.3 g for six seconds.
  package static func bend(_ random: inout RandomNumbers) -> Ride {
    let (start, side) = (360 * random.uniform(), random.uniform() < 0.5 ? -1.0 : 1.0)
    let push = { (time: Double) in 0.3 * smooth(time, from: 15, to: 21, edge: 1) }
    // At 15 m/s a push of 0.3 g turns the car by 11.2° a second; the integral of the push over its edges is exact
    // enough.
    let rate = Angle.degrees(0.3 * Acceleration.standardGravity / 15)
    let heading = { (time: Double) in start + side * rate * smoothIntegral(time, from: 15, to: 21, edge: 1) }
    return Ride(
      attitude: { time in (heading(time), 0, 0) },
      acceleration: { time in
        let right = Angle.radians(heading(time) + 90)
        return Vector3(sin(right), cos(right), 0) * (side * push(time))
      }, counts: { $0 > 15 && $0 < 22 })
  }

  /// A car that brakes by 0.3 g for four seconds.
  package static func braking(_ random: inout RandomNumbers) -> Ride {
    let heading = 360 * random.uniform()
    let ahead = Vector3(sin(Angle.radians(heading)), cos(Angle.radians(heading)), 0)
    return Ride(
      attitude: { _ in (heading, 0, 0) },
      acceleration: { time in ahead * (-0.3 * smooth(time, from: 15, to: 19, edge: 0.5)) },
      counts: { $0 > 15 && $0 < 19.5 })
  }

  /// A boat that rolls by 10° in six seconds and pitches by 3°, the board 10 m above the axis.
  package static func boat(_ random: inout RandomNumbers) -> Ride {
    let (course, phase) = (360 * random.uniform(), 6 * random.uniform())
    let (rollRate, pitchRate) = (2 * Double.pi / 6, 2 * Double.pi / 4.3)
    let roll = { (time: Double) in 10 * sin(rollRate * time) }
    let pitch = { (time: Double) in 3 * sin(pitchRate * time + phase) }
    let heading = { (time: Double) in course + 4 * sin(0.4 * time + phase) }
    let mast = { (time: Double) in matrix(heading(time), pitch(time), roll(time)) * Vector3(0, 0, 10) }
    return Ride(
      attitude: { time in (heading(time), pitch(time), roll(time)) },
      acceleration: { time in
        let step = 0.01
        return (mast(time - step) + mast(time + step) - mast(time) * 2)
          / (step * step * Acceleration.standardGravity)
      })
  }

  /// 1 between two times, with edges of a half cosine.
  private static func smooth(_ time: Double, from: Double, to: Double, edge: Double) -> Double {
    if time <= from || time >= to + edge { return 0 }
    if time < from + edge { return (1 - cos(.pi * (time - from) / edge)) / 2 }
    return time <= to ? 1 : (1 + cos(.pi * (time - to) / edge)) / 2
  }

  /// The integral of `smooth` from the beginning.
  private static func smoothIntegral(_ time: Double, from: Double, to: Double, edge: Double) -> Double {
    let rise = { (t: Double) in (t - edge / .pi * sin(.pi * t / edge)) / 2 }
    let up = rise(max(0, min(edge, time - from)))
    let flat = max(0, min(to - from - edge, time - from - edge))
    let left = max(0, min(edge, time - to))
    return up + flat + left - rise(left)
  }
}

// MARK: Disturbed

extension Ride {
  /// Steel that adds 10 µT at its nearest goes by within a few seconds: a dipole along a straight line.
  package static func steel(_ random: inout RandomNumbers) -> Ride {
    var ride = rest(&random)
    let (moment, away, path) = (direction(&random), direction(&random), direction(&random))
    let along = path - away * path.dot(away)
    let line = along.direction ?? Vector3(1, 0, 0)
    let field = { (time: Double) in
      let place = away + line * ((time - 20) / 1.2)
      let distance = place.length
      let toward = place / distance
      return (toward * (3 * moment.dot(toward)) - moment) / (distance * distance * distance)
    }
    let largest = stride(from: 10.0, to: 30, by: 0.05).map { field($0).length }.max() ?? 1
    ride.disturbance = { time in field(time) * (10 / largest) }
    ride.counts = { time in field(time).length * (10 / largest) > 1 }
    return ride
  }

  /// A desk that adds 5 µT, on which the board is turned.
  package static func desk(_ random: inout RandomNumbers) -> Ride {
    var ride = turning(&random)
    let added = direction(&random) * 5
    ride.disturbance = { _ in added }
    return ride
  }

  /// A desk that adds 5 µT straight to the east: neither strength nor inclination shows it.
  package static func eastward(_ random: inout RandomNumbers) -> Ride {
    var ride = turning(&random)
    ride.disturbance = { _ in Vector3(5, 0, 0) }
    return ride
  }

  private static func direction(_ random: inout RandomNumbers) -> Vector3 {
    Vector3(random.normal(), random.normal(), random.normal()).direction ?? Vector3(1, 0, 0)
  }

  /// Iron of 3 to 17 µT from any side that comes beside the board within seconds, and stays.
  private static func iron(
    _ random: inout RandomNumbers, at start: Double, within seconds: Double
  ) -> (Double) -> Vector3 {
    let added = direction(&random) * (3 + 14 * random.uniform())
    return { time in added * smooth(time, from: start, to: .infinity, edge: seconds) }
  }

  /// Lies still; iron comes beside it, and stays.
  package static func ironBesideARest(_ random: inout RandomNumbers) -> Ride {
    var ride = rest(&random)
    ride.disturbance = iron(&random, at: 30, within: 0.5 + 6 * random.uniform())
    (ride.counts, ride.duration) = ({ $0 > 30 }, 90)
    return ride
  }

  /// Is turned from one attitude to the next, and laid down beside iron, where it stays.
  package static func laidBesideIron(_ random: inout RandomNumbers) -> Ride {
    var ride = handled(&random)
    let attitude = ride.attitude
    ride.attitude = { attitude(min($0, 30)) }
    ride.disturbance = iron(&random, at: 28.5, within: 1.5)
    (ride.counts, ride.duration) = ({ $0 > 28 }, 90)
    return ride
  }

  /// Lies beside iron from the beginning.
  package static func startedBesideIron(_ random: inout RandomNumbers) -> Ride {
    var ride = rest(&random)
    ride.disturbance = iron(&random, at: -1, within: 1)
    ride.duration = 60
    return ride
  }

  /// Is held in a hand that stands still and trembles; iron comes beside it, and stays.
  package static func ironBesideAHand(_ random: inout RandomNumbers) -> Ride {
    let (heading, pitch, roll) = rest(&random).attitude(0)
    return Ride(
      attitude: { time in
        (heading + 2 * sin(4 * time) + sin(9.1 * time), pitch + 1.5 * sin(5.3 * time), roll + 1.5 * sin(6.7 * time))
      }, disturbance: iron(&random, at: 30, within: 3), counts: { $0 > 30 }, duration: 90)
  }

  /// Stands in a car on a bad road; iron comes beside it, and stays.
  package static func ironInACar(_ random: inout RandomNumbers) -> Ride {
    let (still, course) = (ironBesideAHand(&random).attitude, 360 * random.uniform())
    return Ride(
      attitude: { time in
        let (_, pitch, roll) = still(time)
        return (course + 40 * sin(0.11 * time) + 3 * sin(0.7 * time), pitch, roll)
      },
      acceleration: { time in
        Vector3(0.02 * sin(6.1 * time), 0.02 * sin(7.3 * time), 0.06 * sin(9.7 * time) + 0.05 * sin(14.9 * time))
      }, disturbance: iron(&random, at: 60, within: 3), counts: { $0 > 60 }, duration: 180)
  }

  /// Lies on something that turns slowly, by up to a degree a second.
  package static func slowTurn(_ random: inout RandomNumbers) -> Ride {
    let (heading, pitch, roll) = rest(&random).attitude(0)
    let rate = exp(-6 * random.uniform())
    return Ride(attitude: { time in (heading + rate * max(0, time - 20), pitch, roll) }, duration: 120)
  }
}
