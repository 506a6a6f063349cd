import Core
import Glibc

/// What is known of the parameters before any sample: enough to keep what the data do not determine within reason, too
/// weak to move what they do. The last word on the common scale of U and F, which nothing else fixes.
struct Priors: Sendable {
  var mean: [Double]
  var deviation: [Double]

  /// Gains and soft iron within 8 %, a field of 48 µT within 35 % or, where the place is known, the model's within 3 %
  /// and 2°; chips set on a board within 4°.
  init(place: CalibrationSettings.Place?) {
    mean = Parameters().values
    deviation = [1e4, 1e4, 1e4, 0.35, 0.08, 0.08, 0.08, 0.08, 0.08, 0.08, 3] + [Double](repeating: 0, count: 3)
    for axis in 0..<3 { deviation[Parameters.rotationIndex + axis] = Angle.radians(4) }
    if let place {
      mean[3] = log(place.fieldStrength)
      deviation[3] = 0.03
    }
  }

  /// Knows the inclination too, where gravity's sign has been settled.
  mutating func expectAngle(_ angle: Double) {
    mean[Parameters.angleIndex] = angle
    deviation[Parameters.angleIndex] = Angle.radians(2)
  }

  /// Keeps the rotation where it is.
  mutating func holdRotation() {
    for axis in 0..<3 { deviation[Parameters.rotationIndex + axis] = 1e-5 }
  }
}
