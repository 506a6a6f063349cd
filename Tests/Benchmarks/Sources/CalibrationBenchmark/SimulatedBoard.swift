import Calibration
import LodestoneCore
import Glibc
import Instruments

/// A sweep of one board, with what is wrong with it.
struct SimulatedBoard {
  let settings: VirtualBreakout.Settings
  let sensor: VirtualSensor
  let samples: [Sample]
  private let faults: Faults
  private let board: Faults.Board
  private let seconds: Double

  init(
    seed: UInt64, seconds: Double, faults: Faults = Faults(), _ change: (inout VirtualBreakout.Settings) -> Void
  ) {
    var settings = VirtualBreakout.Settings()
    settings.motion = .figureEight
    settings.seed = seed
    settings.sensor = seed &+ 1000
    settings.heading = Double(seed &* 37 % 360)
    change(&settings)
    let rate = settings.rate
    let ticks = faults.lag > 0 ? max(1, Int(200 / rate)) : 1
    settings.rate = rate * Double(ticks)
    var breakout = VirtualBreakout(settings)
    let board = Faults.Board(faults, seed: seed)
    var moments = (0..<Int(seconds * settings.rate)).map { _ in breakout.next() }
    for index in moments.indices {
      let (sample, truth) = moments[index]
      let added = faults.added(
        board, time: sample.time, seconds: seconds, attitude: truth.attitude, distortion: breakout.sensor.distortion)
      moments[index].sample.field = sample.field.map {
        MagneticField(microtesla: faults.stepped($0.microtesla + added))
      }
      moments[index].sample.acceleration = sample.acceleration.map {
        Acceleration(g: faults.force($0.g, board, time: sample.time))
      }
    }
    samples = stride(from: 0, to: moments.count, by: ticks).map { index in
      var sample = moments[index].sample
      sample.field =
        moments[max(0, index - faults.lag) / (ticks * faults.repeats) * (ticks * faults.repeats)].sample.field
      return sample
    }
    settings.rate = rate
    self.settings = settings
    self.faults = faults
    self.board = board
    self.seconds = seconds
    sensor = breakout.sensor
  }

  /// How wrong the top edge's heading is under a calibration once the sweep has ended: root mean square in degrees over
  /// headings and tilts all round.
  func headingError(_ result: CalibrationResult, tilts: [Double]) -> Double {
    let dip = Angle.radians(settings.inclination)
    let earth = Vector3(0, cos(dip), -sin(dip)) * settings.fieldStrength
    let offset = board.offset * (faults.drift + faults.step)
    var errors: [Double] = []
    for tilt in tilts {
      for azimuth in stride(from: 0.0, to: tilt == 0 ? 1 : 360, by: 45) {
        let axis = Vector3(cos(Angle.radians(azimuth)), sin(Angle.radians(azimuth)), 0)
        let tilted = Matrix3(rotation: axis * Angle.radians(tilt))
        for heading in stride(from: 0.0, to: 360, by: 20) {
          let turned = tilted * Matrix3(rotation: Vector3(0, 0, Angle.radians(heading)))
          let raw = MagneticField(microtesla: sensor.distortion * (turned * earth) + sensor.hardIron + offset)
          let up = turned * Vector3(0, 0, 1)
          let force =
            Vector3(up.x * board.gain.x, up.y * board.gain.y, up.z * board.gain.z) + sensor.accelerometerOffset
          let found = result.correction.apply(to: raw).field.microtesla
          let seenUp = result.forceCorrection.apply(to: force)
          errors.append(
            Angle.shortestTurn(from: Self.heading(turned * earth, up: up), to: Self.heading(found, up: seenUp)))
        }
      }
    }
    return rootMeanSquare(errors)
  }

  /// The heading of the top edge, in degrees.
  private static func heading(_ field: Vector3, up: Vector3) -> Double {
    let east = field.cross(up)
    let north = up.cross(east)
    return Angle.degrees(atan2(east.y / east.length, north.y / north.length))
  }
}

func rootMeanSquare(_ values: [Double]) -> Double {
  (values.reduce(0) { $0 + $1 * $1 } / Double(max(values.count, 1))).squareRoot()
}

func quantile(_ values: [Double], _ share: Double) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? .nan : sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
}

/// Two decimals.
func text(_ value: Double) -> String { value.isFinite ? "\((value * 100).rounded() / 100)" : "-" }

func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(1, width - text.count))
}

/// Milliseconds that this thread has computed: what else the machine does is not in it.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) * 1e-6
}
