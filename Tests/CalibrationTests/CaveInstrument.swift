import Glibc
import Instruments
import LodestoneCore

@testable import Calibration

/// A cave-survey instrument by its own numbers: its laser is beside the chips' x, the chips are at an angle to each
/// other, and neither is without errors. It is held in shots of 1.2 s at 50 Hz; nothing of it comes from a calibration.
struct CaveInstrument {
  /// How many whole counts are 1 µT and 1 g; nil for one that tells any number.
  private let counts: (field: Double, force: Double)?
  /// The accelerometer tells gravity, −1 g face up, as a DistoX's does.
  private let tellsGravity: Bool
  /// A shot's true line, and its rows.
  struct Shot {
    /// Degrees clockwise from magnetic north, and up.
    let azimuth, inclination: Double
    let samples: [Sample]

    /// The means of field in µT and force in g; nil for a shot without rows.
    var mean: (field: Vector3, force: Vector3)? {
      guard !samples.isEmpty else { return nil }
      let share = 1 / Double(samples.count)
      return (
        samples.compactMap { $0.field?.microtesla }.reduce(.zero, +) * share,
        samples.compactMap { $0.acceleration?.g }.reduce(.zero, +) * share
      )
    }
  }

  /// Of length 1, in the instrument's frame: x forward, y left, z up.
  let laser: Vector3
  private let softIron, gain, turn: Matrix3
  private let hardIron, zero: Vector3
  private var random: RandomNumbers
  private var time = 0.0

  /// - Parameter degrees: the angle between the laser and the accelerometer's x.
  init(
    seed: UInt64, laser degrees: Double, counts: (field: Double, force: Double)? = nil, tellsGravity: Bool = false
  ) {
    var random = RandomNumbers(seed: seed)
    func three(_ size: Double) -> Vector3 { Vector3(random.normal(), random.normal(), random.normal()) * size }
    func symmetric(_ size: Double) -> Matrix3 {
      let (diagonal, beside) = (three(size), three(size / 2))
      return Matrix3(diagonal: Vector3(1, 1, 1) + diagonal, offDiagonal: beside)
    }
    let about = random.uniform() * 2 * .pi
    laser = Matrix3(rotation: Vector3(0, cos(about), sin(about)) * Angle.radians(degrees)) * Vector3(1, 0, 0)
    (softIron, gain) = (symmetric(0.04), symmetric(0.008))
    turn = Matrix3(rotation: three(Angle.radians(2)))
    (hardIron, zero) = (three(15), three(0.012))
    self.random = random
    (self.counts, self.tellsGravity) = (counts, tellsGravity)
  }

  /// Shots at a target, the first with a roll of 20° and the others that much farther round each.
  mutating func shots(at azimuth: Double, _ inclination: Double, rolls: Int) -> [Shot] {
    (0..<rolls).map { index in
      let aim = (azimuth + 0.15 * random.normal(), inclination + 0.15 * random.normal())
      let roll = 20 + 360 * Double(index) / Double(rolls) + 6 * random.normal()
      return shot(aim.0, aim.1, roll: roll)
    }
  }

  /// The rows of eight shots all about, and of two targets in eight rolls each.
  mutating func survey() -> [Sample] {
    (shotsAbout(8) + shots(at: 168, -3, rolls: 8) + shots(at: 258, -4, rolls: 8)).flatMap { $0.samples }
  }

  /// Shots in directions of all kinds.
  mutating func shotsAbout(_ count: Int) -> [Shot] {
    (0..<count).map { _ in
      let up = Angle.degrees(asin(2 * random.uniform() - 1))
      return shot(360 * random.uniform(), up, roll: 360 * random.uniform())
    }
  }

  private mutating func shot(_ azimuth: Double, _ inclination: Double, roll: Double) -> Shot {
    let world = world(azimuth, inclination, roll: roll)
    let field = hardIron + softIron * (turn * (world * Vector3(0, 20, -43)))
    let force = zero + gain * (world * Vector3(0, 0, tellsGravity ? -1 : 1))
    let samples = (0..<60).map { row in
      var sample = Sample(time: time + Double(row) * 0.02)
      sample.field = MagneticField(microtesla: noisy(field, 0.25, counts?.field))
      sample.acceleration = Acceleration(g: noisy(force, 0.002, counts?.force))
      return sample
    }
    time += 1.4
    return Shot(azimuth: azimuth, inclination: inclination, samples: samples)
  }

  private mutating func noisy(_ value: Vector3, _ noise: Double, _ counts: Double?) -> Vector3 {
    let noisy = value + Vector3(random.normal(), random.normal(), random.normal()) * noise
    guard let counts else { return noisy }
    return Vector3((noisy.x * counts).rounded(), (noisy.y * counts).rounded(), (noisy.z * counts).rounded()) / counts
  }

  /// From east, north and up to the instrument, whose laser points at a target.
  private func world(_ azimuth: Double, _ inclination: Double, roll: Double) -> Matrix3 {
    let (a, i) = (Angle.radians(azimuth), Angle.radians(inclination))
    let aim = Vector3(sin(a) * cos(i), cos(a) * cos(i), sin(i))
    let left = Vector3(-cos(a), sin(a), 0)
    // The laser's own frame in the world, rolled; then the laser's frame in the instrument.
    let level = Matrix3(aim, left, aim.cross(left))
    let rolled = Matrix3(rotation: Vector3(Angle.radians(roll), 0, 0)) * level
    return Quaternion(from: Vector3(1, 0, 0), to: laser).matrix * rolled
  }
}
