import LodestoneCore
import Glibc

/// A magnet's dipole moment, and how deep the sensor sits in its case, from magnitudes at several distances on the magnet's
/// axis: |B| = µ₀ m / (2 π (r + d)³), so that |B|^(−1/3) is a straight line over the distance r to the case.
public struct MagnetDistance: Equatable, Sendable {
  /// The dipole moment in A·m².
  public let moment: Double
  /// One standard deviation of it.
  public let momentUncertainty: Double
  /// From the case's surface to the sensor, in metres.
  public let depth: Double
  /// One standard deviation of it.
  public let depthUncertainty: Double
  /// Root mean square of the relative deviations of the magnitudes from the law.
  public let residual: Double

  /// A magnitude at a distance.
  public struct Point: Equatable, Sendable {
    /// From the case's surface to the middle of the magnet, in metres.
    public var distance: Double
    /// In µT.
    public var magnitude: Double
    /// Half-width of the magnitude's 95 % interval, in µT.
    public var uncertainty: Double

    /// A magnitude, how well it is known, and where it was measured.
    public init(distance: Double, magnitude: Double, uncertainty: Double) {
      self.distance = distance
      self.magnitude = magnitude
      self.uncertainty = uncertainty
    }
  }

  /// Why there is no answer.
  public enum Refusal: Error, Equatable, Sendable {
    /// Fewer than three points in which the magnet stands out of the noise, at distances that differ.
    case tooFew(Int)
    /// The field does not fall with the distance as a magnet's does.
    case notADipole
  }

  /// The fewest distances.
  public static let fewestPoints = 3

  /// Fitted to points, each weighed by its uncertainty; the law is solved for by Gauss and Newton, which begin at the line.
  public init(_ points: [Point]) throws(Refusal) {
    let usable = points.filter {
      $0.distance >= 0 && $0.distance.isFinite && $0.magnitude > $0.uncertainty && $0.uncertainty > 0
        && $0.magnitude.isFinite
    }
    guard usable.count >= Self.fewestPoints, Set(usable.map { $0.distance }).count >= 2 else {
      throw .tooFew(usable.count)
    }
    // y = |B|^(−1/3) = a (r + d), a = (µ₀ m / 2π)^(−1/3), with σ_y = y σ / (3 |B|).
    var rows: [[Double]] = []
    var values: [Double] = []
    for point in usable {
      let y = pow(point.magnitude, -1.0 / 3)
      let weight = 3 * point.magnitude / (y * point.uncertainty / Quantile.normal)
      rows.append([point.distance * weight, weight])
      values.append(y * weight)
    }
    guard let (line, inverse) = LeastSquares.solve(rows, values), line[0] > 0 else { throw .notADipole }
    var chi = 0.0
    for (row, value) in zip(rows, values) { chi += pow(value - row[0] * line[0] - row[1] * line[1], 2) }
    let scale = max(1, chi / Double(max(usable.count - 2, 1)))
    let (slope, level) = (line[0], line[1])
    // µ₀/2π = 2·10⁻⁷ T·m/A: 0.2 µT·m³ for each A·m².
    moment = pow(slope, -3) / 0.2
    depth = level / slope
    let slopeVariance = inverse[0][0] * scale
    momentUncertainty = 3 * moment * slopeVariance.squareRoot() / slope
    depthUncertainty =
      (max(0, inverse[1][1] - 2 * depth * inverse[0][1] + depth * depth * inverse[0][0]) * scale).squareRoot() / slope
    let (moment, depth) = (moment, depth)
    let relative = usable.map { point -> Double in
      let law = 0.2 * moment / pow(point.distance + depth, 3)
      return (point.magnitude - law) / law
    }
    residual = (relative.reduce(0) { $0 + $1 * $1 } / Double(relative.count)).squareRoot()
    guard moment.isFinite, residual < 0.5 else { throw .notADipole }
  }
}
