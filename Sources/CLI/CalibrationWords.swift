import Calibration
import Core

// The words for what a calibration found.

extension CalibrationWarning {
  /// One sentence.
  var words: String {
    switch self {
    case .misalignmentUnknown(let found, let needed, let slope):
      "the angle between magnetometer and accelerometer is unknown (\(found) of \(needed) rests); "
        + "each degree of it costs \(number(slope, 1))° of heading"
    case .disturbed(let seconds): "\(number(seconds, 1)) s in which the field was disturbed were left out"
    case .axesDiffer(let map, let isLeftHanded):
      "the magnetometer's axes are \(map) in the accelerometer's\(isLeftHanded ? " (it is left-handed)" : "")"
    case .axesSignAssumed(let map):
      "the axes \(map) and their negation cannot be told apart without a place: give --at LAT,LON"
    case .accelerometerReversed: "the accelerometer reads -1 g face up: its sign was turned"
    case .inclinationNegative(let degrees):
      "the field dips upwards (\(number(degrees, 0))°): right in the southern hemisphere, else the accelerometer is reversed"
    case .noAccelerometer: "no accelerometer: inclination and misalignment are unknown, headings hold level"
    case .repeatedSamples(let percent): "\(number(percent, 0)) % of the samples only repeat the one before"
    case .saturatedSamples(let percent): "\(number(percent, 0)) % of the samples were saturated and left out"
    case .weaklyDetermined(let names): "the sweep says little of \(names.listed)"
    case .levelOnly(let tilt): "holds only within \(number(tilt, 0))° of level"
    case .holdOutDisagrees(let degrees, let expected):
      "rests that were held out disagree by \(number(degrees, 1))° where \(number(expected, 1))° was expected"
    }
  }
}

extension CalibrationRefusal {
  /// What was seen.
  var words: String {
    switch self {
    case .noField: "there is no magnetic field in it"
    case .tooFewSamples(let count, let needed): "\(count) samples are too few, at least \(needed) are needed"
    case .impossibleUnit(let radius):
      "the field measures \(number(radius, 3)) µT around its centre, which no place on Earth has: wrong unit?"
    case .impossibleField(let field, let allowed):
      "a field of \(number(field, 1)) µT is not the Earth's (\(number(allowed.lowerBound, 0)) to "
        + "\(number(allowed.upperBound, 0)) µT)"
    case .clipped(let axis, let percent):
      "\(number(percent, 0)) % of the samples are at the end of the range\(axis.map { " of \($0)" } ?? "")"
    case .stuckAxis(let axis, let value): "axis \(axis) is stuck at \(number(value, 2)) µT"
    case .sameAxes(let first, let second): "axes \(first) and \(second) carry the same numbers"
    case .noMotion(let span): "the field only varies by \(number(span, 1)) µT: the board was not turned"
    case .disturbed(let residual, let percent, _):
      "the field itself was disturbed: \(number(residual, 1)) µT (\(number(percent, 0)) %) are left over"
    case .planar(let error):
      "the sweep is planar: the board was turned about one axis only; headings could be off by \(number(error, 0))°"
    case .tooFewDirections(let coverage, let error, _):
      "only \(number(coverage, 0)) % of the directions were met; headings could be off by \(number(error, 1))°"
    case .inaccurate(let error, _): "headings could be off by \(number(error, 1))°"
    case .noSolution: "no hard and soft iron describe it"
    }
  }

  /// What to do.
  var hint: String {
    switch self {
    case .noField: "a calibration needs a magnetometer's raw samples"
    case .tooFewSamples: "sweep for a minute, slowly"
    case .impossibleUnit: "name the unit with --field-unit"
    case .impossibleField, .disturbed: "sweep away from iron, magnets, motors and electronics"
    case .clipped: "choose a wider range, and keep away from magnets"
    case .stuckAxis, .sameAxes: "check the wiring and the driver that reads the chip"
    case .noMotion: "turn the board through all directions while it records"
    case .planar: "turn the board about all axes, in figure-eights, until every side has pointed down once"
    case .tooFewDirections(_, _, let next), .inaccurate(_, let next):
      next?.words ?? "sweep on in figure-eights, then hold still in eight positions"
    case .noSolution: "sweep again, slowly, in figure-eights"
    }
  }
}

extension NextMotion {
  /// The motion as an instruction.
  var words: String {
    switch self {
    case .sweep: "sweep on in figure-eights until every side, edge and corner has pointed down once"
    case .rest(let up, _): "hold still with \(up.sideUp) up, and in a few more positions like it"
    }
  }
}

extension Vector3 {
  /// The side of the device that is up when this direction of the device frame is.
  var sideUp: String {
    let sides: [(String, Double)] = [
      ("the face", z), ("the back", -z), ("the top edge", y), ("the bottom edge", -y), ("the right edge", x),
      ("the left edge", -x),
    ]
    return sides.max { $0.1 < $1.1 }?.0 ?? "the face"
  }
}

/// A number in a sentence.
func number(_ value: Double, _ decimals: Int) -> String {
  var text = TextBuffer(capacity: 32)
  text.append(value, decimals: decimals, absent: "?")
  return text.text
}
