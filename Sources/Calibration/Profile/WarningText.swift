import LodestoneCore

extension CalibrationWarning {
  /// One sentence for a person, as a profile keeps it.
  public var text: String {
    switch self {
    case .misalignmentUnknown(let found, let needed, let slope):
      "the angle between magnetometer and accelerometer is unknown (\(Self.settled(found, of: needed))); "
        + "each degree adds up to \(decimal(slope, 1))° of heading error"
    case .fewRests(let found, let needed) where found < needed:
      "only \(found) rests: up to \(needed - found) more would lower the heading error"
    case .fewRests(let found, _):
      "\(found) rests do not settle the angle between magnetometer and accelerometer: "
        + "more of them, each tilted another way, would lower the heading error"
    case .fewPositions(let found, let needed):
      "only \(found) positions: \(max(needed - found, 1)) more would lower the heading error"
    case .oneHeading: "from one heading: only the hard iron was found; turn it all round as soon as that is possible"
    case .disturbed(let seconds): "\(decimal(seconds, 1)) s in which the field was disturbed were left out"
    case .axesDiffer(let map, let isLeftHanded):
      "the magnetometer's axes are \(map) in the accelerometer's"
        + (isLeftHanded
          ? ": one of the two is left-handed. If headings fall as the board turns to the right, it is the accelerometer: "
            + "correct its signs, and calibrate again"
          : "")
    case .compassTilted(let map, let degrees, let spread):
      "the magnetometer is tilted by \(decimal(degrees, 1))° from axes \(map); that is corrected"
        + (spread.map { " (field and gravity then agree within \(decimal($0, 1))°)" } ?? "")
    case .axesSignAssumed(let map):
      "the axes \(map) and their negation cannot be told apart without a place: give --at LAT,LON"
    case .laserTurned(let axis, let degrees, let deviation):
      "a laser or sight points \(angle(degrees, deviation)) beside the accelerometer's \(axis) axis; that is corrected"
    case .laserUnknown:
      "where a laser or sight points is not known: aim at one target in four rolls, and at another in four more; "
        + "calibrate --held --laser asks for them"
    case .accelerometerReversed: "the accelerometer reads -1 g face up: its sign was turned"
    case .placeDisagrees(let place, let strength, let inclination):
      "the place that was given has a field of "
        + Self.field(place.fieldStrength, inclination == nil ? nil : place.inclination)
        + ", and \(Self.field(strength, inclination)) was measured: check --at, and the unit"
    case .inclinationNegative(let degrees):
      "the inclination is \(decimal(degrees, 0))° (upwards): right in the southern hemisphere, "
        + "else the accelerometer is reversed"
    case .noAccelerometer:
      "no accelerometer: inclination and misalignment are unknown, headings are valid only when level"
    case .repeatedSamples(let percent): "\(decimal(percent, 0)) % of the samples only repeat the one before"
    case .saturatedSamples(let percent): "\(decimal(percent, 0)) % of the samples were saturated and left out"
    case .weaklyDetermined(let names): "poorly known: \(names.map { Self.plain($0) }.joined(separator: ", "))"
    case .levelOnly(let tilt): "valid only within \(decimal(tilt, 0))° of level"
    case .curveUnsettled(let degrees):
      "in a vehicle that went round without standing still, its curve may make headings up to \(decimal(degrees, 0))° "
        + "wrong: stand still for 5 s before or after the circles"
    case .dipAssumed: "the field was taken to dip downwards: in the southern hemisphere give the place, --at LAT,LON"
    case .axesAssumed:
      "a level turn cannot tell the chips' axes: they were taken to be the same; name them with --mount"
    case .accelerometerOffset(let milligravity):
      "the accelerometer's zero is off by about \(decimal(milligravity, 0)) mg; it is corrected"
    case .accelerometerLeftOut(let spread):
      "the accelerometer was left out: field and gravity disagree by \(decimal(spread, 0))° under any axes"
    case .gyroscopeLeftOut: "the gyroscope was left out: its axes are not those of the accelerometer"
    case .gyroscopeStuck(let axis):
      "the gyroscope's \(axis) axis is stuck: check the chip; until then read headings with --fusion off"
    case .drifted(let microtesla):
      "the hard iron moved by \(decimal(microtesla, 1)) µT during the sweep: the calibration holds for its end; "
        + "let the device warm up, fasten what is loose, and calibrate again"
    case .uneven:
      "parts of the sweep disagree: turn the board about itself; moving it through an uneven field distorts the fit"
    case .causeWithoutEffect(let name, let microtesla):
      "\(name) has no effect above \(decimal(microtesla, 1)) µT; it is left out"
    case .holdOutDisagrees(let degrees, let expected):
      "rests that were held out disagree by \(decimal(degrees, 1))° where \(decimal(expected, 1))° was expected"
    }
  }

  /// A field by what is known of it.
  private static func field(_ microtesla: Double?, _ inclination: Double?) -> String {
    [microtesla.map { "\(decimal($0, 1)) µT" }, inclination.map { "an inclination of \(decimal($0, 0))°" }]
      .compactMap { $0 }.joined(separator: " with ")
  }

  /// Rests that did not settle the angle between the chips: too few, or enough and contradicting.
  private static func settled(_ found: Int, of needed: Int) -> String {
    found < needed ? "\(found) of \(needed) rests" : "\(found) rests did not settle it"
  }

  /// A shape parameter in words: `stretch_zz` is the vertical scale.
  private static func plain(_ parameter: String) -> String {
    switch parameter {
    case "stretch_xx": "the scale along x"
    case "stretch_yy": "the scale along y"
    case "stretch_zz": "the scale along z"
    case "stretch_xy": "the skew between x and y"
    case "stretch_xz": "the skew between x and z"
    case "stretch_yz": "the skew between y and z"
    default: parameter
    }
  }
}

extension LaserAxis {
  /// Its angle from the nearest axis (95 %).
  package var words: String { angle(degrees, deviation) }
}

/// An angle and its standard error, in degrees, as an angle within what 95 % are.
private func angle(_ degrees: Double, _ deviation: Double) -> String {
  "\(decimal(degrees, 1)) ± \(decimal(Quantile.normal * deviation, 1))°"
}

/// A number in a sentence.
private func decimal(_ value: Double, _ decimals: Int) -> String {
  value.text(decimals: decimals, absent: "?")
}
