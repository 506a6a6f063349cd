import LodestoneCore
import Drivers

// The words for units that were not said and have been chosen.

extension WireScales {
  /// A sentence for each choice.
  var words: [String] {
    [field.words, zeroWords, accelerationWords, rotationWords].compactMap { $0 }
  }

  private var zeroWords: String? {
    guard field.zero != 0 else { return nil }
    return "all numbers of the field are near \(number(field.zero, 0)), which chips of MEMSIC tell for no field: it is "
      + "taken off each axis"
  }

  private var accelerationWords: String? {
    switch acceleration.basis {
    case .absent, .stated: nil
    case .inferred(let unit, let median):
      "assuming an acceleration in \(unit.name): at rest it is \(brief(median))"
    case .weightless(let size):
      "the acceleration measures \(brief(size)) and has no gravity in it: it cannot tell which way is up, and is left out. "
        + "Print the accelerometer's own numbers, which are 1 g at rest"
    case .counts(let perGravity): "assuming an acceleration in counts: \(brief(perGravity)) of them are 1 g"
    }
  }

  private var rotationWords: String? {
    switch rotationRate.basis {
    case .absent, .stated: nil
    case .turned(let unit, _): "assuming a rotation in \(unit.name): it agrees with how the field turns"
    case .turnedCounts(let counts):
      "assuming a rotation in counts: \(brief(counts)) of them are 1 °/s, by how the field turns"
    case .assumed(let unit, _): "assuming a rotation in \(unit.name): not known from the data"
    case .counts: "the rotation is in counts of unknown scale and was left out"
    }
  }
}

extension WireScales.Field {
  /// The choice of the unit, or why there was none; nil for one that goes without saying.
  var words: String? {
    switch basis {
    case .absent, .stated, .otherScale, .noCounts: nil
    case .shownCounts: "fields are shown in counts, whatever one of them may be: differences and ratios hold"
    case .doubted(let unit, let strength, let other):
      "the field measures \(brief(strength)) \(unit.symbol) in the stated unit, which is not the Earth's: a magnet "
        + "is near"
        + (other.map { ", or the unit is another (in \($0.symbol) it would be: --field-unit \($0.rawValue))" } ?? "")
    case .zero: "the field is zero on all axes: the sensor is dead, or nothing reads it"
    case .angles:
      "x, y and z look like heading, roll and pitch in degrees, and not like a magnetic field: print them as Orientation: "
        + "40.3, 0.3, -1.1, or, if they are one, give --field-unit"
    case .damaged(let fault): "its numbers \(fault.words): \(fault.remedy)"
    case .ambiguous(let unit, _, let size): unclearWords(unit, size)
    case .chip(let name, let range):
      "the field is in counts of the \(name.uppercased()) with a range of \(brief(range)) µT: one is "
        + "\(brief(microtesla ?? 0)) µT"
    case .calibratedCounts(_, isScaled: false):
      "the field is in counts as in its calibration, which did not know how strong the field was: no strength is shown. "
        + "Calibrate with --at LAT,LON for that"
    case .calibratedCounts(let counts, isScaled: true):
      "the field is in counts, \(brief(counts)) of them to the µT as in its calibration"
    case .told: "the device was asked: one count of its field is \(brief(microtesla ?? 0)) µT"
    case .calibrated(let unit): "assuming \(unit.symbol): the only unit in which the calibration fits"
    case .inferred(let unit, let size):
      "assuming \(unit.symbol): the field measures \(brief(size.strength(in: unit))), "
        + nearness(size.strength(in: unit), unit)
        + (size.isWhole ? ". If they are raw counts, give --field-unit counts or --chip hmc5883l" : "")
    case .countsScaledToEarth(_, isSaid: true):
      "the field is in counts of unknown scale: directions and ratios are right, and no strength is shown. --chip qmc5883l "
        + "and the like tell the scale"
    case .countsScaledToEarth(let size, isSaid: false):
      "the field measures \(brief(size.strength)) in an unknown unit, probably raw counts: give --field-unit counts, or "
        + "--chip qmc5883l and the like. Directions and ratios are right, and no strength is shown"
    case .normalized:
      "the board sends the field as a multiple of the one it was calibrated in: scaled to the Earth's field, so "
        + "directions are right and strengths are not measured"
    }
  }

  private func unclearWords(_ unit: FieldUnit, _ size: FieldSize) -> String {
    "the field measures \(brief(size.strength)): \(brief(size.strength)) \(unit.symbol) would be "
      + "\(brief(size.strength * unit.microtesla)) µT, which is not the Earth's field. Is this a magnetometer? If it is, give "
      + "--field-unit, or --field-unit counts"
  }

  private func nearness(_ strength: Double, _ unit: FieldUnit) -> String {
    MagneticField.earthStrength.contains(strength * unit.microtesla)
      ? "the only unit in which it is the Earth's field" : "closest to the Earth's field, but NOT within it"
  }
}

/// Three digits or so.
func brief(_ value: Double) -> String {
  let size = value.magnitude
  let isTiny = size < 1e-3 && size > 1e-12
  return number(value, isTiny ? 2 - size.decimalExponent : size >= 100 ? 0 : size >= 10 ? 1 : 3)
}

extension AccelerationUnit {
  fileprivate var name: String {
    switch self {
    case .g: "g"
    case .milligravity: "mg"
    case .metresPerSecondSquared: "m/s²"
    }
  }
}

extension RotationRateUnit {
  fileprivate var name: String {
    switch self {
    case .degreesPerSecond: "°/s"
    case .millidegreesPerSecond: "m°/s"
    case .radiansPerSecond: "rad/s"
    }
  }
}

extension CountFault {
  /// The damage as words, to stand behind a name for the numbers: `have lost their sign`.
  var words: String {
    switch self {
    case .unsigned(let bits): "have lost their sign (what is below zero is \(1 << bits) more)"
    case .swappedBytes: "leap as if their two bytes were in the wrong order"
    }
  }

  /// A change of the sketch that mends it, as words.
  var remedy: String {
    switch self {
    case .unsigned(16): "in the sketch put the two bytes of an axis into an int16_t before they are printed"
    case .unsigned(32): "in the sketch print them as int32_t, without an unsigned type in between"
    case .unsigned(let bits): "in the sketch take \(1 << bits) from those of \(1 << (bits - 1)) and more"
    case .swappedBytes: "in the sketch let high and low byte of an axis change places"
    }
  }
}
