/// A warning about a finished calibration.
public enum CalibrationWarning: Sendable, Equatable {
  /// The angle between the chips is unknown; each degree of it adds up to `headingDegreesPerDegree` of heading error.
  case misalignmentUnknown(restsFound: Int, restsNeeded: Int, headingDegreesPerDegree: Double)
  /// The angle between the chips is known as well as so few rests tell; more lower the error.
  case fewRests(found: Int, needed: Int)
  /// An instrument was held in so few positions: more lower the error.
  case fewPositions(found: Int, needed: Int)
  /// The hard iron alone was found, from one heading: what the soft iron does is in the prediction.
  case oneHeading
  /// Stretches were left out.
  case disturbed(seconds: Double)
  /// The magnetometer's axes are not the accelerometer's.
  case axesDiffer(map: String, isLeftHanded: Bool)
  /// The magnetometer is rotated by `degrees` from the axes of this map; the angle between field and gravity still
  /// spreads by `spreadDegrees`, where rests tell.
  case compassTilted(map: String, degrees: Double, spreadDegrees: Double?)
  /// The map and its negation cannot be told apart without a place.
  case axesSignAssumed(map: String)
  /// The instrument points `degrees`, known to within `deviation`, beside this axis of the accelerometer.
  case laserTurned(axis: String, degrees: Double, deviation: Double)
  /// Positions held do not tell along which line an instrument points.
  case laserUnknown
  /// The accelerometer reads (0, 0, −1) g face up.
  case accelerometerReversed
  /// The field that was measured is not that of the place that was given: both in µT and degrees, the measured strength
  /// nil where the device sends counts.
  case placeDisagrees(CalibrationSettings.Place, microtesla: Double?, inclination: Double?)
  /// The field dips upwards: a place in the southern hemisphere, or a reversed accelerometer.
  case inclinationNegative(degrees: Double)
  /// Inclination and misalignment are unknown, because there was no specific force.
  case noAccelerometer
  /// Most samples were copies of the one before.
  case repeatedSamples(percent: Double)
  /// Samples at the end of the range were left out.
  case saturatedSamples(percent: Double)
  /// Shape parameters that the data say little of and that stay near their usual values.
  case weaklyDetermined([String])
  /// The board was not tilted: for use within this many degrees of level.
  case levelOnly(tiltDegrees: Double)
  /// Nothing tells that this was no vehicle that went round, whose curve makes headings wrong by so many degrees at the
  /// worst heading.
  case curveUnsettled(headingDegrees: Double)
  /// A level turn without a place or a wobble does not tell whether the field dips down or up: down was taken.
  case dipAssumed
  /// A level turn tells nothing about the axes: they were taken as they come.
  case axesAssumed
  /// The accelerometer's zero is off by this many mg, and was corrected.
  case accelerometerOffset(milligravity: Double)
  /// Field and gravity scatter by this many degrees under the best of all axes: the accelerometer was left out.
  case accelerometerLeftOut(spreadDegrees: Double)
  /// The force does not turn as the gyroscope says, the field would under another map: its axes are not the
  /// accelerometer's.
  case gyroscopeLeftOut
  /// An axis of the gyroscope kept its number while the board turned.
  case gyroscopeStuck(axis: String)
  /// The offset moved by this many µT while the sweep was made: the calibration holds for its end.
  case drifted(microtesla: Double)
  /// Parts of the sweep disagree by more than their noise explains: the field was uneven.
  case uneven
  /// A cause changes the field by no more than this many µT over its whole range: it is left out.
  case causeWithoutEffect(String, microtesla: Double)
  /// The rests held out do not agree with the others.
  case holdOutDisagrees(degrees: Double, expectedDegrees: Double)
}
