import Calibration
import Core
import Glibc
import Instruments

/// One kind of sweep, made by many boards and hands.
struct SweepRow: Sendable {
  var name: String
  /// What was set out to be reached: median and nine tenths.
  var aim: String
  var seconds = 62.0
  var tilts = [0.0, 10, 20, 30]
  var change: @Sendable (inout VirtualBreakout.Settings) -> Void

  static let header = columns(
    "sweep", ["median", "90 %", "largest", "predicted", "true/pred", "refused", "ms", "to reach"])

  static let all: [SweepRow] = [
    SweepRow(name: "figure-eight, turning, 8 rests", aim: "0.15, 0.25") { _ in },
    SweepRow(name: "the same, standing", aim: "0.15, 0.25") { $0.turnsAbout = false },
    SweepRow(name: "the same, +15 µT for 4 s", aim: "0.15, 0.25") {
      $0.disturbances = [.init(field: Vector3(9, 9, 8), from: 12, to: 16)]
    },
    SweepRow(name: "no rests, aligned", aim: "0.38, 0.6") {
      $0.rests = 0
      $0.misalignment = 0
    },
    SweepRow(name: "no rests, 2° misaligned", aim: "said") { $0.rests = 0 },
    SweepRow(name: "2 % wild samples", aim: "0.15, 0.25") { $0.wildFraction = 0.02 },
    SweepRow(name: "dip -80°, 60 µT", aim: "0.3") { $0.place(-80, 60) },
    SweepRow(name: "dip -30°, 48 µT", aim: "0.05") { $0.place(-30, 48) },
    SweepRow(name: "dip 0°, 30 µT", aim: "") { $0.place(0, 30) },
    SweepRow(name: "dip 30°, 40 µT", aim: "") { $0.place(30, 40) },
    SweepRow(name: "dip 65°, 25 µT", aim: "") { $0.place(65, 25) },
    SweepRow(name: "dip 65°, 65 µT", aim: "") { $0.place(65, 65) },
    SweepRow(name: "dip 80°, 58 µT", aim: "0.3") { $0.place(80, 58) },
    SweepRow(name: "axes +y,+x,-z", aim: "0.15, 0.25") { $0.axes = (try? Mounting("y,x,-z")) ?? .aligned },
    SweepRow(name: "left-handed chip", aim: "0.15, 0.25") { $0.axes = (try? Mounting("-x,y,z")) ?? .aligned },
    SweepRow(name: "level swing, aligned, to 5° of tilt", aim: "0.8", seconds: 30, tilts: [0, 5]) {
      $0.motion = .spin
      $0.misalignment = 0
    },
  ]

  /// The row's figures over seeds 1, 2, 3, …
  func line(seeds: Int) -> String {
    var (errors, predicted, times) = ([Double](), [Double](), [Double]())
    var refused = 0
    for seed in 1...max(seeds, 1) {
      let sweep = Sweep(seed: UInt64(seed), seconds: seconds, change)
      let clock = ContinuousClock()
      let start = clock.now
      let outcome = Calibrator().fit(sweep.samples)
      let time = clock.now - start
      times.append(Double(time.components.attoseconds) * 1e-15)
      if outcome.refusal != nil { refused += 1 }
      guard let result = outcome.result else { continue }
      errors.append(sweep.headingError(result.correction, tilts: tilts))
      predicted.append(result.quality.headingErrorDegrees)
    }
    let ratio = rootMeanSquare(errors) / rootMeanSquare(predicted)
    return Self.columns(
      name,
      [
        text(quantile(errors, 0.5)), text(quantile(errors, 0.9)), text(quantile(errors, 1)),
        text(quantile(predicted, 0.5)), text(ratio), String(refused), text(quantile(times, 0.5)), aim,
      ])
  }

  private static func columns(_ name: String, _ cells: [String]) -> String {
    cells.reduce(padded(name, 36)) { $0 + padded($1, 11) }
  }
}

extension VirtualBreakout.Settings {
  fileprivate mutating func place(_ inclination: Double, _ strength: Double) {
    self.inclination = inclination
    fieldStrength = strength
  }
}

/// A sweep of one board.
struct Sweep {
  let settings: VirtualBreakout.Settings
  let sensor: VirtualSensor
  let samples: [Sample]

  init(seed: UInt64, seconds: Double, _ change: (inout VirtualBreakout.Settings) -> Void) {
    var settings = VirtualBreakout.Settings()
    settings.motion = .figureEight
    settings.seed = seed
    settings.sensor = seed &+ 1000
    settings.heading = Double(seed &* 37 % 360)
    change(&settings)
    var breakout = VirtualBreakout(settings)
    samples = (0..<Int(seconds * settings.rate)).map { _ in breakout.next().sample }
    self.settings = settings
    sensor = breakout.sensor
  }

  /// Root mean square in degrees over headings and tilts all round.
  func headingError(_ correction: Correction, tilts: [Double]) -> Double {
    let dip = Angle.radians(settings.inclination)
    let earth = Vector3(0, cos(dip), -sin(dip)) * settings.fieldStrength
    var errors: [Double] = []
    for tilt in tilts {
      for azimuth in stride(from: 0.0, to: tilt == 0 ? 1 : 360, by: 45) {
        let axis = Vector3(cos(Angle.radians(azimuth)), sin(Angle.radians(azimuth)), 0)
        let tilted = Matrix3(rotation: axis * Angle.radians(tilt))
        for heading in stride(from: 0.0, to: 360, by: 20) {
          let turned = tilted * Matrix3(rotation: Vector3(0, 0, Angle.radians(heading)))
          let raw = sensor.distortion * (turned * earth) + sensor.hardIron
          let found = correction.softIron * (raw - correction.hardIron)
          errors.append(Self.turn(of: found, from: turned * earth, up: turned * Vector3(0, 0, 1)))
        }
      }
    }
    return rootMeanSquare(errors)
  }

  private static func turn(of found: Vector3, from field: Vector3, up: Vector3) -> Double {
    let east = field.cross(up)
    let (north, turned) = (up.cross(east), up.cross(found.cross(up)))
    return Angle.degrees(atan2(turned.dot(east) / east.length, turned.dot(north) / north.length))
  }
}

func rootMeanSquare(_ values: [Double]) -> Double {
  (values.reduce(0) { $0 + $1 * $1 } / Double(max(values.count, 1))).squareRoot()
}

func quantile(_ values: [Double], _ share: Double) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? .nan : sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
}

/// Three decimals.
func text(_ value: Double) -> String { value.isFinite ? "\((value * 1000).rounded() / 1000)" : "-" }

func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(1, width - text.count))
}
