import LodestoneCore

/// The field that a device's calibration expects: in the right unit, corrected fields have the strength it found. Tells
/// the unit of a stream that does not say it, however large the hard iron.
public struct FieldExpectation: Sendable {
  /// The strength of corrected fields, in µT.
  public let strength: Double
  /// Whether the strength is a usual one that nobody measured.
  public let isAssumed: Bool
  /// The correction, from µT to µT.
  public let correct: @Sendable (Vector3) -> Vector3
  /// The scale that a calibration of raw counts was made with: the correction holds for counts in that scale alone. nil
  /// for a calibration in µT.
  public let countsPerMicrotesla: Double?
  /// The accelerometer's counts that it took for 1 g, in which its zeros are; nil for one that tells g.
  public let countsPerGravity: Double?

  /// An expectation of a strength in µT under a correction.
  public init(
    strength: Double, isAssumed: Bool = false, countsPerMicrotesla: Double? = nil,
    countsPerGravity: Double? = nil, correct: @escaping @Sendable (Vector3) -> Vector3
  ) {
    self.strength = strength
    self.isAssumed = isAssumed
    self.countsPerMicrotesla = countsPerMicrotesla
    self.countsPerGravity = countsPerGravity
    self.correct = correct
  }

  /// Disturbances are common, a factor of 10 between units is more: this share off still fits.
  private static let tolerance = 0.5
  /// The factor by which a sphere may be larger or smaller than the calibration's; ranges of chips differ by 2 or more.
  private static let sphereTolerance = 1.4

  /// A field smaller than this share of the strength is none of the Earth's: its corrected field is the hard iron's.
  private static let leastShare = 0.1

  /// The unit in which fields have the expected strength; nil when none or more than one fits.
  func unit(of fields: [Vector3], size: FieldSize) -> FieldUnit? {
    let fitting = FieldUnit.inferable.filter { unit in
      size.strength * unit.microtesla > Self.leastShare * strength
        && misfit(of: fields, size: size, scale: unit.microtesla) == nil
    }
    return fitting.count == 1 ? fitting[0] : nil
  }

  /// The factor by which fields in this scale are larger than expected; nil where they fit. By their sphere where the
  /// board was turned about, for no hard iron changes that; else by the corrected field.
  /// - Parameter scale: in µT to one number.
  func misfit(of fields: [Vector3], size: FieldSize, scale: Double) -> Double? {
    if let radius = size.radius, size.isShell, !size.isRing {
      let gain =
        [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)]
        .map { (correct($0) - correct(.zero)).length }.reduce(0, +) / 3
      let ratio = radius * scale * gain / strength
      return max(ratio, 1 / max(ratio, 1e-12)) > Self.sphereTolerance ? ratio : nil
    }
    return fits(fields, scale: scale) ? nil : median(of: fields, scale: scale).map { $0 / strength }
  }

  /// Corrected fields in this scale have the strength that is expected.
  /// - Parameter scale: in µT to one number.
  func fits(_ fields: [Vector3], scale: Double) -> Bool {
    median(of: fields, scale: scale).map { abs($0 / strength - 1) < Self.tolerance } ?? false
  }

  private func median(of fields: [Vector3], scale: Double) -> Double? {
    let lengths = fields.map { correct($0 * scale).length }.sorted()
    return lengths.isEmpty ? nil : lengths[lengths.count / 2]
  }
}
