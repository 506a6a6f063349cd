import Calibration
import LodestoneCore
import Instruments

/// One kind of sweep, made by many boards and hands.
struct SweepRow: Sendable {
  var name: String
  /// The goals: median and nine tenths.
  var aim = ""
  var seconds = 62.0
  var tilts = [0.0, 10, 20, 30]
  var faults = Faults()
  var change: @Sendable (inout VirtualBreakout.Settings) -> Void = { _ in }

  /// Boards as the model has them.
  static let inside: [SweepRow] = [
    SweepRow(name: "figure-eight, turning, 8 rests", aim: "0.15, 0.25"),
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
    SweepRow(name: "dip 0°, 30 µT") { $0.place(0, 30) },
    SweepRow(name: "dip 30°, 40 µT") { $0.place(30, 40) },
    SweepRow(name: "dip 65°, 25 µT") { $0.place(65, 25) },
    SweepRow(name: "dip 65°, 65 µT") { $0.place(65, 65) },
    SweepRow(name: "dip 80°, 58 µT", aim: "0.3") { $0.place(80, 58) },
    SweepRow(name: "axes +y,+x,-z", aim: "0.15, 0.25") { $0.axes = (try? Mounting("y,x,-z")) ?? .aligned },
    SweepRow(name: "left-handed chip", aim: "0.15, 0.25") { $0.axes = (try? Mounting("-x,y,z")) ?? .aligned },
    SweepRow(name: "level swing, aligned, to 5° of tilt", aim: "0.8", seconds: 30, tilts: [0, 5]) {
      $0.motion = .spin
      $0.misalignment = 0
    },
  ]

  /// Fewer rests than settle everything, on boards whose accelerometer is off by 17 mg.
  static let fewRests: [SweepRow] = [(2, ""), (3, "2.0"), (4, ""), (5, "0.8"), (6, ""), (7, "0.5"), (8, "")].map {
    row in
    SweepRow(name: "rests: \(row.0), 17 mg", aim: row.1) {
      $0.rests = row.0
      $0.accelerometerOffset = 0.017
    }
  }

  /// A few seconds of turning forth and back with a gyroscope, facing one way, without a rest.
  static let short: [SweepRow] = [
    wiggle("±45°, 10 s", aim: "1.0"), wiggle("±30°, 10 s", swing: 30), wiggle("±20°, 10 s", swing: 20),
    wiggle("±60°, 10 s", swing: 60), wiggle("±45°, 5 s", seconds: 5), wiggle("±45°, 20 s", seconds: 20),
    wiggle("±45°, 25 Hz") { $0.rate = 25 }, wiggle("±45°, 10 Hz") { $0.rate = 10 },
    wiggle("±45°, gain of 3 %") { $0.gyroscopeScale = 1.03 },
    wiggle("±45°, misaligned by 10°") { $0.misalignment = 10 },
    wiggle("±45°, 2 s of +15 µT") { $0.disturbances = [.init(field: Vector3(9, 9, 8), from: 4, to: 6)] },
    wiggle("±45°, dip 78°") { $0.place(78, 55) }, wiggle("±45°, dip -20°") { $0.place(-20, 48) },
  ]

  private static func wiggle(
    _ name: String, aim: String = "", swing: Double = 45, seconds: Double = 10,
    _ change: @escaping @Sendable (inout VirtualBreakout.Settings) -> Void = { _ in }
  ) -> SweepRow {
    SweepRow(name: "wiggle \(name)", aim: aim, seconds: seconds) {
      ($0.motion, $0.swing, $0.gyroscopeBias) = (.wiggle, swing, 1)
      change(&$0)
    }
  }

  /// Boards and places with errors that the model does not have.
  static let outside: [SweepRow] = [
    SweepRow(name: "accelerometer 30 mg off, 8 rests", aim: "0.2") { $0.accelerometerOffset = 0.03 },
    SweepRow(name: "accelerometer 60 mg off, 8 rests", aim: "0.25") { $0.accelerometerOffset = 0.06 },
    SweepRow(name: "accelerometer 30 mg off, no rests") {
      $0.accelerometerOffset = 0.03
      $0.rests = 0
    },
    SweepRow(name: "the same at dip 78°") {
      $0.accelerometerOffset = 0.03
      $0.rests = 0
      $0.place(78, 55)
    },
    SweepRow(name: "offset drifts by 2 µT", faults: Faults(drift: 2)),
    SweepRow(name: "step of 1 µT in mid-sweep", faults: Faults(step: 1)),
    SweepRow(name: "offset drifts by 5 µT", faults: Faults(drift: 5)),
    SweepRow(name: "step of 3 µT in mid-sweep", faults: Faults(step: 3)),
    SweepRow(name: "offset drifts by 8 µT", faults: Faults(drift: 8)),
    SweepRow(name: "offset drifts by 10 µT", faults: Faults(drift: 10)),
    SweepRow(name: "offset drifts by 5 µT, dip 75°", faults: Faults(drift: 5)) { $0.place(75, 52) },
    SweepRow(name: "offset drifts by 5 µT, no rests", faults: Faults(drift: 5)) { $0.rests = 0 },
    SweepRow(name: "offset drifts by 3 µT in 10 s, wiggle", seconds: 10, faults: Faults(drift: 3)) {
      ($0.motion, $0.swing, $0.gyroscopeBias) = (.wiggle, 45, 1)
    },
    SweepRow(name: "offset drifts by 5 µT, level swing", seconds: 30, tilts: [0, 5], faults: Faults(drift: 5)) {
      $0.motion = .spin
      $0.misalignment = 0
    },
    SweepRow(name: "gradient 5 µT/m, standing", faults: Faults(gradient: 5)) { $0.turnsAbout = false },
    SweepRow(name: "gradient 5 µT/m, turning", faults: Faults(gradient: 5)),
    SweepRow(name: "ordinary mixture, dip -30°", faults: ordinary) {
      $0.mixture()
      $0.place(-30, 48)
    },
    SweepRow(name: "ordinary mixture, dip 65°", faults: ordinary) { $0.mixture() },
    SweepRow(name: "dip 1°, no rests") {
      $0.rests = 0
      $0.place(1, 40)
    },
    SweepRow(name: "dip 10°, no rests") {
      $0.rests = 0
      $0.place(10, 40)
    },
    SweepRow(name: "dip -12°, no rests") {
      $0.rests = 0
      $0.place(-12, 40)
    },
    SweepRow(name: "dip 10°, no rests, no gyroscope, arm 30 cm") {
      $0.rests = 0
      $0.hasGyroscope = false
      $0.leverArm = 0.3
      $0.place(10, 40)
    },
    SweepRow(name: "axes +y,+x,-z, no rests") {
      $0.rests = 0
      $0.axes = (try? Mounting("y,x,-z")) ?? .aligned
    },
    SweepRow(name: "axes +y,+x,-z, no rests, no gyroscope") {
      $0.rests = 0
      $0.hasGyroscope = false
      $0.axes = (try? Mounting("y,x,-z")) ?? .aligned
    },
    SweepRow(name: "quantized to 0.6 µT, quiet", aim: "0.2", faults: Faults(quantum: 0.6)) { $0.noise = 0.05 },
    SweepRow(name: "field at 10 Hz in rows at 100 Hz", aim: "0.25", faults: Faults(repeats: 10)) { $0.rate = 100 },
    SweepRow(name: "hand trembles by 20 mg", aim: "", faults: Faults(tremor: 0.02)),
    SweepRow(name: "noise 2 µT") { $0.noise = 2 },
    SweepRow(name: "level swing, 2° misaligned, 30 mg", seconds: 30, tilts: [0, 5]) {
      $0.motion = .spin
      $0.accelerometerOffset = 0.03
    },
  ]

  private static let ordinary = Faults(drift: 0.3, gradient: 3, gain: 0.01, lag: 3)

  static let header = columns(
    "sweep",
    [
      "good/fair/poor", "refused", "median", "90 %", "largest", "predicted", "true/pred", "wrong good", "ms",
      "to reach",
    ])

  /// The seeds that a number of them or a range such as `25-48` stands for; 24 for anything else.
  static func seeds(_ text: String) -> ClosedRange<Int> {
    let numbers = text.split(separator: "-").compactMap { Int($0) }
    if numbers.count == 2, numbers[0] <= numbers[1] { return numbers[0]...numbers[1] }
    return 1...max(numbers.first ?? 24, 1)
  }

  /// The row's figures over seeds.
  func line(seeds: ClosedRange<Int>) -> String {
    var (errors, predicted, times) = ([Double](), [Double](), [Double]())
    var (verdicts, refused, wrong) = ([0, 0, 0], 0, 0)
    for seed in seeds {
      let board = SimulatedBoard(seed: UInt64(seed), seconds: seconds, faults: faults, change)
      let start = processorTime()
      let outcome = Calibrator().fit(board.samples)
      times.append(processorTime() - start)
      if outcome.refusal != nil { refused += 1 }
      guard let result = outcome.result else { continue }
      let error = board.headingError(result, tilts: tilts)
      errors.append(error)
      predicted.append(result.quality.headingErrorDegrees ?? 180)
      verdicts[CalibrationQuality.Verdict.allCases.firstIndex(of: result.quality.verdict) ?? 2] += 1
      if outcome.refusal == nil, result.quality.verdict == .good, error > 2 { wrong += 1 }
    }
    let ratio = rootMeanSquare(errors) / rootMeanSquare(predicted)
    return Self.columns(
      name,
      [
        verdicts.map { String($0) }.joined(separator: "/"), String(refused), text(quantile(errors, 0.5)),
        text(quantile(errors, 0.9)), text(quantile(errors, 1)), text(quantile(predicted, 0.5)), text(ratio),
        String(wrong), text(quantile(times, 0.5)), aim,
      ])
  }

  private static func columns(_ name: String, _ cells: [String]) -> String {
    cells.enumerated().reduce(padded(name, 44)) { $0 + padded($1.element, $1.offset == 0 ? 15 : 10) }
  }
}

extension VirtualBreakout.Settings {
  fileprivate mutating func place(_ inclination: Double, _ strength: Double) {
    self.inclination = inclination
    fieldStrength = strength
  }

  /// An ordinary board: 20 mg, chips turned by 0.4°.
  fileprivate mutating func mixture() {
    accelerometerOffset = 0.02
    misalignment = 0.4
  }
}
