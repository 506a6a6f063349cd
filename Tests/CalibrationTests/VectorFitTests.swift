import Instruments
import LodestoneCore
import Testing

@testable import Calibration

/// Calibrations from a few seconds of turning forth and back, with a gyroscope, facing one way, without a rest.
@Suite struct VectorFitTests {
  private static func wiggle(
    _ seed: UInt64, swing: Double = 45, seconds: Double = 10,
    _ change: (inout VirtualBreakout.Settings) -> Void = { _ in }
  ) -> SimulatedSweep {
    SimulatedSweep(seed: seed, seconds: seconds) {
      ($0.motion, $0.swing, $0.gyroscopeBias) = (.wiggle, swing, 1)
      $0.heading = Double(seed * 53 % 360)
      change(&$0)
    }
  }

  private static func rootMeanSquare(_ values: [Double]) -> Double {
    (values.reduce(0) { $0 + $1 * $1 } / Double(max(values.count, 1))).squareRoot()
  }

  /// Root mean squares of what is true and what is stated, and how many were refused.
  private static func figures(
    _ seeds: ClosedRange<UInt64>, _ make: (UInt64) -> SimulatedSweep, _ change: ([Sample]) -> [Sample] = { $0 }
  ) -> (error: Double, stated: Double, refused: Int) {
    var (errors, stated, refused) = ([Double](), [Double](), 0)
    for seed in seeds {
      let sweep = make(seed)
      let outcome = Calibrator().fit(change(sweep.samples))
      if outcome.refusal != nil { refused += 1 }
      guard let result = outcome.result else { continue }
      errors.append(sweep.headingError(result.correction, force: result.forceCorrection))
      stated.append(result.quality.headingErrorDegrees ?? 180)
    }
    return (rootMeanSquare(errors), rootMeanSquare(stated), refused)
  }

  /// Wide swings go all round, so that the field alone seems to tell enough.
  @Test(arguments: [45.0, 60]) func tenSecondsCalibrate(_ swing: Double) throws {
    let (error, stated, refused) = Self.figures(101...112) { Self.wiggle($0, swing: swing) }
    #expect(refused == 0 && error <= 1 && error <= 1.2 * stated, "\(refused) refused, \(error), stated \(stated)")
  }

  /// At another rate, under another lag, misaligned, at a steep dip, with a gain.
  @Test func holdsForOtherBoards() throws {
    let changes: [(String, Double, (inout VirtualBreakout.Settings) -> Void)] = [
      ("10 Hz", 1.5, { $0.rate = 10 }), ("misaligned by 10°", 1.2, { $0.misalignment = 10 }),
      ("gain of 3 %", 1.2, { $0.gyroscopeScale = 1.03 }), ("dip −20°", 1, { $0.inclination = -20 }),
      ("2 s of +15 µT", 1.6, { $0.disturbances = [.init(field: Vector3(9, 9, 8), from: 4, to: 6)] }),
    ]
    for (name, limit, change) in changes {
      let (error, stated, refused) = Self.figures(121...126) { Self.wiggle($0, change) }
      #expect(
        refused <= 1 && error <= limit && error <= 1.2 * stated,
        "\(name): \(refused) refused, \(error), stated \(stated)")
    }
    let late = Self.figures(131...136, { Self.wiggle($0) }) { samples in
      zip(samples, samples.dropFirst(2)).map { early, late in
        var sample = late
        sample.rotationRate = early.rotationRate
        return sample
      }
    }
    #expect(late.refused == 0 && late.error <= 1.1 && late.error <= 1.2 * late.stated, "late: \(late)")
  }

  /// A motion that tells too little is refused, with the axis to turn about more.
  @Test func littleMotionIsRefusedWithWhatHelps() throws {
    let outcome = Calibrator().fit(Self.wiggle(141, swing: 9, seconds: 6).samples)
    guard case .inaccurate(let error, .turn) = outcome.refusal else {
      Issue.record("\(outcome.refusal.debugDescription)")
      return
    }
    #expect(error > 3)
    #expect(outcome.result?.quality.method == .gyroscope)
  }

  /// One that is no gyroscope of the board calibrates nothing.
  @Test func aWrongGyroscopeIsNotBelieved() throws {
    for seed in 151...153 as ClosedRange<UInt64> {
      let changes: [(Vector3) -> Vector3] = [{ $0 * (.pi / 180) }, { -$0 }, { Vector3($0.y, $0.x, $0.z) }, { $0 * 2 }]
      for (index, change) in changes.enumerated() {
        let samples = Self.wiggle(seed).samples.map { sample in
          var sample = sample
          sample.rotationRate = sample.rotationRate.map { RotationRate(degreesPerSecond: change($0.degreesPerSecond)) }
          return sample
        }
        #expect(Calibrator().fit(samples).refusal != nil, "\(seed), change \(index)")
      }
    }
  }

  /// A gyroscope mounted turned against both other chips: the field alone would find a map for it, by which headings
  /// are 90° off and more. Gravity does not turn under it, so it is left out, and the rest is judged as it is.
  @Test(arguments: ["-x,-y,z", "y,-x,z", "x,z,-y"], [true, false])
  func aTurnedGyroscopeIsLeftOut(axes: String, isWiggle: Bool) throws {
    let turn = try Mounting(axes).matrix
    for seed in 161...162 as ClosedRange<UInt64> {
      let sweep =
        isWiggle
        ? Self.wiggle(seed, seconds: 12)
        : SimulatedSweep(seed: seed, seconds: 30) { ($0.rests, $0.gyroscopeBias) = (0, 1) }
      let samples = sweep.samples.map { sample in
        var sample = sample
        sample.rotationRate = sample.rotationRate.map { RotationRate(degreesPerSecond: turn * $0.degreesPerSecond) }
        return sample
      }
      let outcome = Calibrator().fit(samples)
      let result = try #require(outcome.result)
      #expect(result.quality.method != .gyroscope && result.quality.verdict != .good, "\(seed)")
      #expect(result.warnings.contains(.gyroscopeLeftOut), "\(seed)")
      #expect(result.axes.matrix == .identity, "\(seed), \(result.axes.name)")
      guard outcome.refusal == nil else { continue }
      let error = sweep.headingError(result.correction, force: result.forceCorrection)
      #expect(error < 3 * (result.quality.headingErrorDegrees ?? 0), "\(seed): \(error)")
    }
  }

  /// A magnetometer mounted turned against both other chips is found by them, as before.
  @Test(arguments: ["-x,-y,z", "y,-x,z", "x,z,-y"]) func aTurnedMagnetometerIsFound(_ axes: String) throws {
    let mounting = try Mounting(axes)
    for seed in 171...172 as ClosedRange<UInt64> {
      let sweep = Self.wiggle(seed, seconds: 12) { $0.axes = mounting }
      let outcome = Calibrator().fit(sweep.samples)
      let result = try #require(outcome.result)
      #expect(outcome.refusal == nil && result.quality.method == .gyroscope, "\(seed)")
      #expect(result.axes.matrix == mounting.matrix && !result.warnings.contains(.gyroscopeLeftOut), "\(seed)")
      #expect(sweep.headingError(result.correction, force: result.forceCorrection) < 3, "\(seed)")
    }
  }
}
