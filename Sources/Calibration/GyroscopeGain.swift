import LodestoneCore

/// The gain matrix for a gyroscope's readings less its zero: `ω = matrix · (reading − zero)`.
public struct GyroscopeGain: Equatable, Sendable {
  /// Gains on the diagonal; beside them how the axes lie against those of the field. Without unit, about one.
  public var matrix: Matrix3
  /// The standard error of an element, without unit.
  public var deviation: Double

  /// The gain of a gyroscope whose calibration did not tell: data sheets allow 1 to 3 %, and boards a degree or two.
  public static let unmeasured = GyroscopeGain(matrix: .identity, deviation: 0.02)

  /// A gain by its parts.
  public init(matrix: Matrix3, deviation: Double) {
    (self.matrix, self.deviation) = (matrix, deviation)
  }
}
