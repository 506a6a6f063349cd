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
}
