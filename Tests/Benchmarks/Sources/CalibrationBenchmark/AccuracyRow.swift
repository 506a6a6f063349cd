import Calibration
import LodestoneCore
import Instruments
import Navigation

/// How often single headings of one kind of run lie within their accuracy.
struct AccuracyRow: Sendable {
  var name: String
  var inclination: Double
  var change: @Sendable (inout VirtualBreakout.Settings) -> Void

  static let header =
    padded("run", 36) + padded("within", 11) + padded("accuracy", 11) + padded("error", 11) + "no figure"

  static let all: [AccuracyRow] = [-80.0, -65, -30, 0, 30, 65, 80].flatMap { dip in
    [
      AccuracyRow(name: "at rest, dip \(Int(dip))°", inclination: dip) {
        $0.motion = .still
        $0.pitch = 10
        $0.roll = -15
      },
      AccuracyRow(name: "turning, dip \(Int(dip))°", inclination: dip) { $0.motion = .spin },
    ]
  }

  func line(seeds: Int) -> String {
    var (within, all, without) = (0.0, 0.0, 0.0)
    var (accuracies, errors) = ([Double](), [Double]())
    for seed in 1...max(seeds, 1) {
      let sweep = SimulatedBoard(seed: UInt64(seed), seconds: 62) { settings in
        settings.inclination = inclination
        settings.fieldStrength = abs(inclination) > 50 ? 55 : 38
      }
      guard let result = Calibrator().fit(sweep.samples).result, let model = HeadingErrorModel(result) else { continue }
      var settings = sweep.settings
      settings.seed &+= 500
      change(&settings)
      for heading in Self.headings(settings, result: result, model: model) {
        guard let accuracy = heading.accuracy else {
          without += 1
          continue
        }
        all += 1
        if heading.error <= accuracy { within += 1 }
        accuracies.append(accuracy)
        errors.append(heading.error)
      }
    }
    return padded(name, 36) + padded("\(text(within / max(all, 1) * 100)) %", 11)
      + padded(text(rootMeanSquare(accuracies)), 11) + padded(text(rootMeanSquare(errors)), 11)
      + text(without / max(all + without, 1))
  }

  /// Error and accuracy of each heading of a run of 40 seconds.
  private static func headings(
    _ settings: VirtualBreakout.Settings, result: CalibrationResult, model: HeadingErrorModel
  ) -> [(error: Double, accuracy: Double?)] {
    var breakout = VirtualBreakout(settings)
    var gravity = ApparentGravity()
    let top = Vector3(0, 1, 0)
    return (0..<2000).compactMap { _ in
      let (sample, truth) = breakout.next()
      guard let raw = sample.field, let force = sample.acceleration?.g else { return nil }
      let field = result.correction.apply(to: raw)
      gravity.add(time: sample.time, force: force, field: field.field.microtesla, rate: sample.rotationRate)
      guard let solution = HeadingSolution(field: field, up: force), let heading = solution.heading(of: top) else {
        return nil
      }
      return (
        abs(Angle.shortestTurn(from: truth.heading.degrees, to: heading.degrees)),
        model.accuracy(of: solution, along: top, tilt: gravity.deviation).degrees
      )
    }
  }
}
