import Glibc
import LodestoneCore

extension Profile {
  /// The accuracy of headings in degrees (95 %); nil where it cannot be predicted.
  public var accuracyDegrees: Double? { quality.headingErrorDegrees.map { $0 * Quantile.normal } }

  /// Headings are less accurate with it than with another, or only near level: by enough to matter, a fifth and a tenth
  /// of a degree.
  public func isWorse(than other: Profile) -> Bool {
    if quality.kind == .level, other.quality.kind != .level, other.quality.verdict != .poor { return true }
    guard let error = quality.headingErrorDegrees else { return other.quality.headingErrorDegrees != nil }
    guard let otherError = other.quality.headingErrorDegrees else { return false }
    return error > 1.2 * otherError + 0.1
  }

  /// The largest angle in degrees between headings of this calibration and of an earlier one, where that is more than
  /// the two predictions explain: the hard iron has moved since. Nil where they agree, and where one holds near level
  /// only or predicts nothing.
  public func disagreement(with earlier: Profile) -> Double? {
    guard quality.kind != .level, earlier.quality.kind != .level, let own = quality.headingErrorDegrees,
      let others = earlier.quality.headingErrorDegrees, let apart = ProfileComparison(self, earlier).heading
    else { return nil }
    return apart.tilted > 2 * hypot(own, others) ? apart.worst : nil
  }
}
