import Glibc

/// Arithmetic on the circle, in degrees. The one place that wraps.
public enum Angle {
  /// The direction wrapped to 0 ..< 360; never −0 and never 360 by rounding. 0 for one that is not
  /// finite, so that whoever counts in whole degrees can.
  @inlinable
  public static func wrapped(degrees: Double) -> Double {
    if degrees >= 0 && degrees < 360 { return degrees + 0 }
    let turn = abs(degrees) < 360 ? degrees : fmod(degrees, 360)
    let positive = turn < 0 ? turn + 360 : turn
    return positive < 360 ? positive + 0 : 0
  }

  /// The shortest turn from one direction to another: −180 ..< 180, clockwise positive.
  @inlinable
  public static func shortestTurn(from: Double, to: Double) -> Double {
    wrapped(degrees: to - from + 180) - 180
  }

  /// Degrees to radians.
  @inlinable
  public static func radians(_ degrees: Double) -> Double { degrees * (.pi / 180) }

  /// Radians to degrees.
  @inlinable
  public static func degrees(_ radians: Double) -> Double { radians * (180 / .pi) }
}

/// A mean of directions: the direction of the summed unit vectors.
public struct CircularMean: Sendable {
  private var sine = 0.0
  private var cosine = 0.0

  /// A mean of nothing yet.
  public init() {}

  /// Adds a direction in degrees with a weight.
  public mutating func add(degrees: Double, weight: Double = 1) {
    sine += weight * sin(Angle.radians(degrees))
    cosine += weight * cos(Angle.radians(degrees))
  }

  /// Lets all that was added so far count `factor` times as much: the step of an exponential mean.
  public mutating func scale(by factor: Double) {
    sine *= factor
    cosine *= factor
  }

  /// The mean in 0 ..< 360; nil for nothing, or for directions that cancel out.
  public var degrees: Double? {
    guard sine * sine + cosine * cosine > 1e-24 else { return nil }
    return Angle.wrapped(degrees: Angle.degrees(atan2(sine, cosine)))
  }
}
