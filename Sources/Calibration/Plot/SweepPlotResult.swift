import LodestoneCore
import Glibc

extension SweepPlot {
  /// The drawing of a finished calibration and the samples it was made from.
  public init(_ result: CalibrationResult, profile: Profile, samples: [LodestoneCore.Sample]) {
    self.init(
      profile: profile,
      samples: samples.compactMap { sample in
        sample.field.map { Sample(time: sample.time, field: $0.microtesla) }
      },
      directions: result.coverage.met.map { Direction(middle: $0, isCovered: true) }
        + result.coverage.missing.map { Direction(middle: $0, isCovered: false) },
      headingErrors: Self.headingErrors(result))
  }

  /// The error of each heading with the device level, scaled so that their root mean square is the predicted one; none
  /// where the inclination is unknown.
  private static func headingErrors(_ result: CalibrationResult) -> [HeadingError] {
    guard let inclination = result.inclination, let predicted = result.quality.headingErrorLevelDegrees,
      let covariance = CorrectionCovariance(
        parameters: result.parameters, covariance: result.covariance, correction: result.correction)
    else { return [] }
    let headings = Array(stride(from: 0.0, through: 360, by: 5))
    let variances = headings.map { heading in
      covariance.headingVariance(
        field: levelField(heading: heading, inclination: inclination) * result.fieldStrength, up: Vector3(0, 0, 1)) ?? 0
    }
    let mean = variances.reduce(0, +) / Double(variances.count)
    guard mean > 0, mean.isFinite else { return [] }
    let scale = predicted / mean.squareRoot()
    return zip(headings, variances).map { HeadingError(heading: $0, error: scale * max(0, $1).squareRoot()) }
  }

  /// The unit field in a level device whose top edge points to a heading.
  private static func levelField(heading: Double, inclination: Double) -> Vector3 {
    let (heading, dip) = (Angle.radians(heading), Angle.radians(inclination))
    return Vector3(-sin(heading) * cos(dip), cos(heading) * cos(dip), -sin(dip))
  }
}
