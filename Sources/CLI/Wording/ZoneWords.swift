import Geomagnetism

extension EarthField {
  /// The advice about compasses where the horizontal field is weak; nil where it is not.
  var advice: String? {
    let horizontal = number(elements.horizontal, 0)
    return switch zone {
    case .normal: nil
    case .caution: "Caution: the horizontal field is only \(horizontal) nT here, and a compass may be in error."
    case .blackout:
      "Blackout: the horizontal field is only \(horizontal) nT here. Declination is unreliable; do not use a compass."
    }
  }
}
