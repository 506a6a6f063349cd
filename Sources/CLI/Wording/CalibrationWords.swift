import Calibration
import LodestoneCore

// The words for what a calibration found.

extension CalibrationRefusal {
  /// The reason, in words.
  var words: String {
    switch self {
    case .noField: "the device sends no magnetic field"
    case .noAccelerometer: "the device sends no acceleration"
    case .tooFewSamples(let count, let needed):
      "\(count) \(count == 1 ? "sample is" : "samples are") too few, at least \(needed) are needed"
    case .impossibleUnit(let radius):
      "the field measures \(number(radius, 3)) µT around its centre, not possible on Earth: wrong unit?"
    case .impossibleField(let field, let allowed):
      "a field of \(number(field, 1)) µT is not the Earth's (\(number(allowed.lowerBound, 0)) to "
        + "\(number(allowed.upperBound, 0)) µT)"
    case .clipped(let axis, let percent):
      "\(number(percent, 0)) % of the samples are at the end of the range\(axis.map { " of \($0)" } ?? "")"
    case .stuckAxis(let axis, let value): "axis \(axis) is stuck at \(number(value, 2)) µT"
    case .stuckForce(let axis, let value): "axis \(axis) of the accelerometer is stuck at \(number(value, 2)) g"
    case .mirroredForce(let map):
      "the accelerometer's axes are a mirror image of the magnetometer's and the gyroscope's, which are \(map) in them"
    case .sameAxes(let first, let second): "axes \(first) and \(second) carry the same numbers"
    case .noMotion(let span): "the field only varies by \(number(span, 1)) µT: the board was not turned"
    case .disturbed(let residual, let percent, let ignored) where ignored >= 1:
      "the field itself was disturbed: in \(number(ignored, 0)) % of the sweep, and \(number(residual, 1)) µT "
        + "(\(number(percent, 0)) %) are left over"
    case .disturbed(let residual, let percent, _):
      "the field itself was disturbed: \(number(residual, 1)) µT (\(number(percent, 0)) %) are left over"
    case .planar(let error):
      "the sweep is planar: the board was turned about one axis only; \(Self.inaccuracy(error))"
    case .leaning(let degrees, let error):
      "what the accelerometer takes for level leans by \(number(degrees, 1))° in the turn, as in a vehicle that goes "
        + "round quickly; \(Self.inaccuracy(error))"
    case .tooFewCircles(let turned, let needed):
      "only \(number(turned, 1)) of \(number(needed, 0)) level circles were turned"
    case .tooFewDirections(let coverage, let error, _):
      "only \(number(coverage, 0)) % of the directions were met; \(Self.inaccuracy(error))"
    case .tooFewPositions(let found, let wanted, let error) where found < wanted:
      "\(found) positions held are too few for it; \(Self.inaccuracy(error))"
    case .tooFewPositions(let found, _, let error):
      "the \(found) positions held do not agree with each other; \(Self.inaccuracy(error))"
    case .inaccurate(let error, _): Self.inaccuracy(error)
    case .drifting(let moved, let error):
      "the hard iron moved by \(number(moved, 1)) µT during the sweep; \(Self.inaccuracy(error))"
    case .axesUnknown(let spread):
      "the chips' axes are unknown: field and gravity disagree by \(number(spread, 0))° under the axes as they come"
    case .notStill: "the board moved"
    case .softIronChanged:
      "more than the hard iron has changed, or the field is another place's: the saved calibration can't be touched up"
    case .causeMissing(let name): "the device sends no \(name)"
    case .causeConstant(let name, let range) where range.lowerBound == range.upperBound:
      "\(name) stays at \(number(range.lowerBound, 2))"
    case .causeConstant(let name, _): "\(name) varies by little more than its own noise"
    case .causeNarrow(let name, let range, let wanted):
      "\(name) only goes \(range.words); asked for was \(wanted.words)"
    case .causesUnsettled(let names, let error):
      "what \(names.listed) does to the field is not settled; \(Self.inaccuracy(error))"
    case .noSolution: "no hard and soft iron describe it"
    }
  }

  /// How far headings could be off (95 %), as a calibration that is accepted says it, by the predicted error in
  /// degrees.
  private static func inaccuracy(_ error: Double) -> String {
    "headings could be off by \(number(min(error * Quantile.normal, 180), 1))°"
  }

  /// The remedy.
  var hint: String {
    switch self {
    case .noField: "a calibration needs a magnetometer's raw samples"
    case .noAccelerometer: "one known heading needs an accelerometer beside it; without one, sweep the board"
    case .tooFewSamples: "sweep for a minute, slowly"
    case .impossibleUnit: "name the unit with --field-unit"
    case .impossibleField, .disturbed: "sweep away from iron, magnets, motors and electronics"
    case .clipped: "choose a wider range, and keep away from magnets"
    case .stuckAxis, .stuckForce, .sameAxes: "check the wiring and the driver that reads the chip"
    case .mirroredForce:
      "check order and signs of the accelerations that the device sends; in the southern hemisphere give --at LAT,LON"
    case .noMotion: "turn the board through all directions while it records"
    case .planar:
      "\(Self.turning); a board that cannot be tilted needs the place: --at LAT,LON"
    case .leaning:
      "turn it more slowly, a minute for each circle; on a table or in the hand, keep it still for two seconds first"
    case .tooFewCircles: "turn it slowly, kept level, until the calibration ends by itself"
    case .tooFewDirections(_, _, let next), .inaccurate(_, let next):
      next?.words ?? "sweep on in figure-eights, then hold still in eight positions"
    case .tooFewPositions(let found, let wanted, _) where found < wanted:
      "hold it in \(wanted - found) more positions, a second each: all round, tilted up and down, and rolled"
    case .tooFewPositions: "hold it away from iron, a second and more in each position, with the same parts on it"
    case .drifting: "let the device warm up, fasten batteries and all else that is loose, then sweep again"
    case .axesUnknown: "hold still in four positions or more after the sweep, some of them tilted"
    case .notStill: "hold it still, level or tilted, with the top edge towards the heading given"
    case .softIronChanged: "make a full calibration instead of a touch-up"
    case .causeMissing:
      "name a column of the table or a value of the device as it does; a table without a header needs --columns"
    case .causeConstant(let name, _), .causeNarrow(let name, _, _):
      "let \(name) go through all its values while you turn the device and while you hold it still"
    case .causesUnsettled:
      "let it change on its own, not with the attitude: hold still in several positions, and let it change then"
    case .noSolution: "sweep again, slowly, in figure-eights"
    }
  }
}

extension CalibrationRefusal {
  /// The remedy for level circles.
  /// - Parameter place: where they were turned, as far as it was given.
  func levelHint(at place: CalibrationSettings.Place?) -> String {
    switch self {
    case .planar, .tooFewDirections, .inaccurate, .noMotion:
      place == nil
        ? "turn it more slowly, kept level, away from iron; the place helps: --at LAT,LON"
        : "turn it more slowly, kept level, away from iron; check the place of --at, too"
    default: hint(at: place)
    }
  }

  /// The remedy for a sweep whose place was given: the place may be another one's.
  func hint(at place: CalibrationSettings.Place?) -> String {
    guard let place, mayBeOfThePlace else { return hint }
    let field = "\(number(place.fieldStrength, 1)) µT, inclination \(number(place.inclination, 1))°"
    return "check the place: the field there is \(field). If it is right, \(remedy)"
  }

  /// Whether the field of another place would make a good sweep look like this.
  private var mayBeOfThePlace: Bool {
    switch self {
    case .impossibleField, .disturbed, .planar, .tooFewDirections, .tooFewPositions, .inaccurate, .axesUnknown,
      .softIronChanged, .noSolution:
      true
    default: false
    }
  }

  /// The remedy apart from the place.
  private var remedy: String {
    guard case .planar = self else { return hint }
    return Self.turning
  }

  private static let turning = "turn the board about all axes, in figure-eights, until every side has pointed down once"
}

extension Cause {
  /// The effect of a cause, in one line.
  var words: String {
    let parts = [slope.x, slope.y, slope.z].map { number($0, 3) }.joined(separator: ", ")
    let late = abs(lag) < 0.005 ? "" : ", told \(number(abs(lag), 2)) s \(lag > 0 ? "late" : "early")"
    return "\(name.harmless): \(number(slope.length, 3)) ± \(number(2 * deviation, 3)) µT per unit (\(parts)), "
      + "\(range.words)\(late)"
  }
}

extension NextMotion {
  /// The motion as an instruction.
  var words: String {
    switch self {
    case .sweep: "sweep on in figure-eights until every side, edge and corner has pointed down once"
    case .turn(let axis): "turn it more, forth and back by 45° and more: \(axis.turningWords)"
    case .turnAbout:
      "turn the board about itself, in one place away from iron: moving it through an uneven field distorts the fit"
    case .rest(let up, _):
      "hold still, two seconds each, in eight more positions with \(up.sideUp) up: flat and tilted by 40° in turn, a "
        + "quarter turn from one to the next"
    }
  }
}

extension Vector3 {
  /// How a board is turned about the nearest of its axes.
  fileprivate var turningWords: String {
    if abs(z) >= abs(x), abs(z) >= abs(y) { return "about the axis out of its face, like a compass card" }
    return abs(x) >= abs(y) ? "about its x axis, the top edge up and down" : "about its y axis, rolled left and right"
  }

  /// The side of the device that is up when this direction of the device frame is.
  var sideUp: String {
    let sides: [(String, Double)] = [
      ("the face", z), ("the back", -z), ("the top edge", y), ("the bottom edge", -y), ("the right edge", x),
      ("the left edge", -x),
    ]
    return sides.max { $0.1 < $1.1 }?.0 ?? "the face"
  }
}
