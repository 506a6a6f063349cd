import Glibc

/// An angle as it was measured. In degrees it is worked out where it is asked for: in a long recording by the thread
/// that writes the lines, and not by the one that computes.
@frozen
public enum MeasuredAngle: Sendable {
  /// An angle in degrees.
  case degrees(Double)
  /// −90 ... 90°, by its sine; what is beyond 1 by rounding is 1.
  case sine(Double)
  /// −180 ... 180°, by the sides of a triangle.
  case sides(opposite: Double, adjacent: Double)

  /// The angle in degrees.
  @inlinable public var degrees: Double {
    switch self {
    case .degrees(let degrees): degrees
    case .sine(let sine): Angle.degrees(asin(max(-1, min(1, sine))))
    case .sides(let opposite, let adjacent): Angle.degrees(atan2(opposite, adjacent))
    }
  }
}

extension MeasuredAngle: Equatable {
  /// Equality of the directions, however they were measured.
  public static func == (a: MeasuredAngle, b: MeasuredAngle) -> Bool {
    Angle.wrapped(degrees: a.degrees) == Angle.wrapped(degrees: b.degrees)
  }
}
