import Core

/// What a calibration knows of a device's field: in the right unit, corrected fields have the strength it found. Tells
/// the unit of a stream that does not say it, however large the hard iron.
public struct FieldExpectation: Sendable {
  /// The strength of corrected fields, in µT.
  public let strength: Double
  /// The correction, from µT to µT.
  public let correct: @Sendable (Vector3) -> Vector3

  /// An expectation of a strength in µT under a correction.
  public init(strength: Double, correct: @escaping @Sendable (Vector3) -> Vector3) {
    self.strength = strength
    self.correct = correct
  }

  /// Disturbances are common, a factor of 10 between units is more: this share off still fits.
  private static let tolerance = 0.5

  /// The unit in which the median corrected field has the expected strength; nil when none or more than one fits.
  func unit(of fields: [Vector3]) -> FieldUnit? {
    let fitting = FieldUnit.allCases.filter { unit in
      let median = fields.map { correct($0 * unit.microtesla).length }.sorted()
      guard !median.isEmpty else { return false }
      return abs(median[median.count / 2] / strength - 1) < Self.tolerance
    }
    return fitting.count == 1 ? fitting[0] : nil
  }
}
