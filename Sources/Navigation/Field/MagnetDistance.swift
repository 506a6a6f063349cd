import Calibration
import Glibc
import LodestoneCore

/// A magnet's dipole moment, and how deep the sensor sits in its case, from magnitudes at several distances on the
/// magnet's axis.
public struct MagnetDistance: Equatable, Sendable {
  /// The dipole moment in A·m².
  public let moment: Double
  /// One standard deviation of it.
  public let momentUncertainty: Double
  /// The distance from the case's surface to the sensor, in metres.
  public let depth: Double
  /// One standard deviation of it.
  public let depthUncertainty: Double
  /// Root mean square of the relative deviations of the magnitudes from the law.
  public let residual: Double

  /// A magnitude at a distance.
  public struct Point: Equatable, Sendable {
    /// The distance from the case's surface to the middle of the magnet, in metres.
    public var distance: Double
    /// The magnitude in µT.
    public var magnitude: Double
    /// Half-width of the magnitude's 95 % interval, in µT, without the gain: that is off by the same share in each
    /// point.
    public var uncertainty: Double

    /// A magnitude, how well it is known, and where it was measured.
    public init(distance: Double, magnitude: Double, uncertainty: Double) {
      self.distance = distance
      self.magnitude = magnitude
      self.uncertainty = uncertainty
    }

    /// Half-width of the magnitude's 95 % interval, in µT, with the gain under a calibration, or without one.
    public func uncertainty(under profile: Profile?) -> Double {
      hypot(uncertainty, Quantile.normal * FieldMeter.gainUncertainty(of: profile) * magnitude)
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

  /// Half-width of a typed distance's 95 % interval, in metres.
  public static let distanceUncertainty = 0.002
  /// The square of half a magnet's length, one standard deviation, in m²: rods of up to 40 mm.
  private static let usualLength = 0.015 * 0.015

  /// Fitted to points, each weighed by its uncertainty and that of its distance. The magnet is a rod of a length that
  /// is found too, as far as the points tell it; what they do not tell is in the uncertainties.
  public init(_ points: [Point]) throws(Refusal) {
    let usable = points.filter {
      $0.distance >= 0 && $0.distance.isFinite && $0.magnitude > $0.uncertainty && $0.uncertainty > 0
        && $0.magnitude.isFinite
    }
    guard usable.count >= Self.fewestPoints, Set(usable.map { $0.distance }).count >= 2 else {
      throw .tooFew(usable.count)
    }
    guard var rod = Rod(startingWith: usable) else { throw .notADipole }
    guard let (inverse, chi) = rod.fit(usable, usualLength: Self.usualLength) else { throw .notADipole }
    let scale = max(1, chi / Double(max(usable.count - 2, 1)))
    moment = exp(rod.logMoment)
    depth = rod.depth
    momentUncertainty = moment * (inverse[0][0] * scale).squareRoot()
    depthUncertainty = (inverse[1][1] * scale).squareRoot()
    let relative = usable.map { $0.magnitude / exp(rod.logField(at: $0.distance)) - 1 }
    residual = (relative.reduce(0) { $0 + $1 * $1 } / Double(relative.count)).squareRoot()
    guard moment.isFinite, depth.isFinite, residual < 0.5 else { throw .notADipole }
  }

  /// Half-widths of the 95 % intervals of the moment, in A·m², and of the depth, in metres. A calibration's gain is off
  /// by the same share at each distance: no number of them makes that smaller.
  public func halfWidths(under profile: Profile?) -> (moment: Double, depth: Double) {
    let gain = FieldMeter.gainUncertainty(of: profile)
    return (Quantile.normal * hypot(momentUncertainty, gain * moment), Quantile.normal * depthUncertainty)
  }
}

/// A rod with a pole at each end, seen from its axis: |B| = µ₀ m R / (2 π (R² − q)²), R the distance of its middle and
/// q the square of half its length; a dipole where q is zero.
private struct Rod {
  var logMoment: Double
  var depth: Double
  var square = 0.0

  /// A dipole by the straight line that |B|^(−1/3) is over the distance; nil where that does not rise.
  init?(startingWith points: [MagnetDistance.Point]) {
    // y = |B|^(−1/3) = a (r + d), a = (µ₀ m / 2π)^(−1/3), each of the same relative uncertainty.
    let values = points.map { pow($0.magnitude, -1.0 / 3) }
    let rows = zip(points, values).map { [$0.distance / $1, 1 / $1] }
    guard let (line, _) = LeastSquares.solve(rows, values.map { _ in 1 }), line[0] > 0 else { return nil }
    // µ₀/2π = 2·10⁻⁷ T·m/A: 0.2 µT·m³ for each A·m².
    logMoment = -3 * log(line[0]) - log(0.2)
    depth = line[1] / line[0]
  }

  private func reach(_ distance: Double) -> Double { max(distance + depth, 1e-3) }

  /// The logarithm of the field in µT at a distance from the case to the middle of the magnet.
  func logField(at distance: Double) -> Double {
    let reach = reach(distance)
    return log(0.2) + logMoment + log(reach) - 2 * log(reach * reach - square)
  }

  /// Fits it to points by Gauss and Newton: the inverse of the normal equations, and the sum of squares; nil where
  /// there is no solution.
  mutating func fit(
    _ points: [MagnetDistance.Point], usualLength: Double
  ) -> (inverse: [[Double]], chi: Double)? {
    var end: (inverse: [[Double]], chi: Double)?
    for _ in 0..<30 {
      let nearest = points.map { reach($0.distance) }.min() ?? 0
      square = max(0, min(square, 0.6 * nearest * nearest))
      var rows = [[0, 0, 1 / usualLength]]
      var values = [-square / usualLength]
      for point in points {
        let reach = reach(point.distance)
        let slope = 1 / reach - 4 * reach / (reach * reach - square)
        let deviation =
          hypot(point.uncertainty / point.magnitude, slope * MagnetDistance.distanceUncertainty) / Quantile.normal
        rows.append([1 / deviation, slope / deviation, 2 / (reach * reach - square) / deviation])
        values.append((log(point.magnitude) - logField(at: point.distance)) / deviation)
      }
      guard let (step, inverse) = LeastSquares.solve(rows, values) else { return nil }
      end = (inverse, values.reduce(0) { $0 + $1 * $1 })
      logMoment += step[0]
      let change = max(-0.02, min(0.02, step[1]))
      depth += change
      square += step[2]
      if abs(change) < 1e-12, abs(step[0]) < 1e-12 { break }
    }
    square = max(0, square)
    return end
  }
}
