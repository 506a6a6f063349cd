import LodestoneCore
import Glibc

/// How far off a heading is while the hard iron of a board is unknown.
///
/// Given the measured horizontal field b, a horizontal Earth field of strength B and hard iron that is normally
/// distributed with variance σ² on each axis, the direction of the Earth's field deviates from that of b by an angle φ
/// with density ∝ exp(−|b − B e(φ)|² / 2σ²) ∝ exp(κ cos φ), κ = b B / σ²: the von Mises distribution. A field much
/// stronger than the Earth's can only be hard iron, and then nothing is left of κ.
struct UnknownHardIron: Sendable {
  /// Hard iron of an ordinary board on each axis, in µT.
  private static let ordinary = 25.0
  /// The inclination of a place nobody named: that of middle latitudes, in degrees.
  private static let ordinaryInclination = 65.0

  /// The half-width in degrees that holds 95 % of headings.
  /// - Parameters:
  ///   - earth: the strength of the Earth's field, in µT.
  ///   - otherVariance: what else turns the heading, in square radians.
  func accuracy(of solution: HeadingSolution, earth: Double, otherVariance: Double) -> Double {
    let excess = (solution.field.squaredLength - earth * earth) / 3
    let variance = max(Self.ordinary * Self.ordinary, excess)
    let earthHorizontal = earth * cos(Angle.radians(Self.ordinaryInclination))
    let byIron = Self.halfWidth(concentration: solution.horizontal * earthHorizontal / variance)
    let other = Quantile.normal * Angle.degrees(otherVariance.squareRoot())
    return min(180, (byIron * byIron + other * other).squareRoot())
  }

  /// The angle in degrees within which 95 % of a von Mises distribution lie on either side.
  static func halfWidth(concentration: Double) -> Double {
    guard concentration > 0 else { return 171 }
    let place = (log2(concentration) - firstExponent) * stepsPerOctave
    guard place > 0 else { return widths.first ?? 171 }
    let index = Int(min(place, 1e6))
    guard index + 1 < widths.count else {
      return Quantile.normal * Angle.degrees(1 / concentration.squareRoot())
    }
    return widths[index] + (widths[index + 1] - widths[index]) * (place - Double(index))
  }

  private static let firstExponent = -6.0
  private static let stepsPerOctave = 2.0

  /// Half-widths for concentrations from 2⁻⁶ to 2⁶.
  private static let widths: [Double] = {
    let falls = (0..<180).map { cos(Angle.radians(Double($0) + 0.5)) - 1 }
    return (0...24).map { integratedHalfWidth(exp2(firstExponent + Double($0) / 2), falls) }
  }()

  /// The half-width by the sum over every degree.
  /// - Parameter falls: cos φ − 1 in the middle of each.
  private static func integratedHalfWidth(_ concentration: Double, _ falls: [Double]) -> Double {
    let density = falls.map { exp(concentration * $0) }
    let wanted = 0.95 * density.reduce(0, +)
    var (sum, width) = (0.0, 0.0)
    for share in density {
      guard sum + share < wanted else { return width + (wanted - sum) / share }
      sum += share
      width += 1
    }
    return width
  }
}
