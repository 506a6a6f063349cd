import Glibc
import Instruments
import LodestoneCore
import Testing

@testable import Calibration

/// Sweeps of five rows a second, by a hand that turns them this way and that.
@Suite struct SparseSweepTests {
  /// An ordinary board, and 45 s of its sweep: each rate is the mean since the row before.
  private struct Sweep {
    private(set) var samples: [Sample] = []
    private let truth: Correction

    init(seed: UInt64, hertz: Int) {
      var random = RandomNumbers(seed: seed)
      func vector(_ size: Double) -> Vector3 { Vector3(random.normal(), random.normal(), random.normal()) * size }
      let (own, off) = (vector(0.03), vector(0.03))
      let stretch = Matrix3(diagonal: Vector3(1, 1, 1) + own, offDiagonal: off)
      let turn = vector(1).direction ?? Vector3(1, 0, 0)
      truth = Correction(hardIron: vector(17), softIron: Matrix3(rotation: turn * (.pi / 180)) * stretch)
      var waves: [(size: Double, rate: Double, phase: Double)] = []
      for _ in 0..<15 {
        let hertz = 0.08 + 0.52 * random.uniform()
        waves.append((random.normal(), 2 * Double.pi * hertz, 7 * random.uniform()))
      }
      let bias = vector(0.6)
      let earth = Vector3(0, 48 * cos(Angle.radians(65)), -48 * sin(Angle.radians(65)))
      let (steps, every) = (200, 200 / hertz)
      var (attitude, turned) = (Quaternion(rotation: vector(1)), Vector3.zero)
      for step in 0..<45 * steps {
        let time = Double(step) / Double(steps)
        if step % every == 0 {
          let toBoard = attitude.matrix.transposed
          let raw = (truth.softIron.inverse ?? .identity) * (toBoard * earth) + truth.hardIron
          var sample = Sample(time: time, field: MagneticField(microtesla: raw + vector(0.3)))
          sample.acceleration = Acceleration(g: toBoard * Vector3(0, 0, 1) + vector(0.003))
          sample.rotationRate = RotationRate(degreesPerSecond: turned / Double(every) + bias + vector(0.05))
          samples.append(sample)
          turned = .zero
        }
        func rate(_ axis: Int) -> Double {
          var sum = 0.0
          for wave in waves[5 * axis..<5 * axis + 5] { sum += 32 * wave.size * cos(wave.rate * time + wave.phase) }
          return sum
        }
        let rates = Vector3(rate(0), rate(1), rate(2))
        turned += rates
        attitude = attitude * Quaternion(rotation: rates * (.pi / 180 / Double(steps)))
      }
    }

    /// The heading error of a calibration in degrees, root mean square over tilts up to 30°.
    func error(_ result: CalibrationResult) -> Double {
      let ideal = Profile(
        device: "board", created: 0, correction: truth, fieldStrength: 48, inclination: 65,
        quality: CalibrationQuality(verdict: .good, kind: .full, misalignment: .solved))
      return ProfileComparison(ideal, Profile(result, device: "board", created: 0)).heading?.tilted ?? 180
    }
  }

  private static func figures(_ hertz: Int) throws -> (error: Double, stated: Double) {
    var (errors, stated) = (0.0, 0.0)
    for seed in 601...612 as ClosedRange<UInt64> {
      let sweep = Sweep(seed: seed, hertz: hertz)
      let result = try #require(Calibrator().fit(sweep.samples).result)
      let (error, said) = (sweep.error(result), result.quality.headingErrorDegrees ?? 180)
      #expect(error < 2 * said, "\(seed): \(error), stated \(said)")
      errors += error * error
      stated += said * said
    }
    return ((errors / 12).squareRoot(), (stated / 12).squareRoot())
  }

  /// Nobody knows how a hand turned between rows that are rare: what the gyroscope misses lasts for seconds, and
  /// counts.
  @Test func fiveRowsASecondStateWhatTheyAreWorth() throws {
    let (error, stated) = try Self.figures(5)
    #expect(error < stated && error < 3, "\(error), stated \(stated)")
    let often = try Self.figures(50)
    #expect(often.error < often.stated && often.stated < 1.5, "\(often)")
  }
}
