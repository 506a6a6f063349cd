import LodestoneCore
import Glibc

/// The parameters as known before any sample: enough to keep those that the data do not determine within reason, too
/// weak to move those that they do. The last word on the common scale of U and F, which nothing else fixes.
struct Priors: Sendable {
  var mean: [Double]
  var deviation: [Double]

  /// How far an accelerometer's zeros, in g, and gains may be off at most, and how far those of a good one are.
  private static let (forceZero, forceGain) = (0.05, 0.02)
  private static let smallestForceError = 0.0003
  /// Keeps a parameter where it is.
  private static let held = 1e-6

  /// Gains and soft iron within 8 %, a field of 48 µT within 35 % or, where the place is known, the model's within 3 %
  /// and 2°; chips set on a board within 4°.
  init(place: CalibrationSettings.Place?) {
    mean = Parameters().values
    deviation = [1e4, 1e4, 1e4, 0.35, 0.08, 0.08, 0.08, 0.08, 0.08, 0.08, 3] + [Double](repeating: 0, count: 3)
    for axis in 0..<3 { deviation[Parameters.rotationIndex + axis] = Angle.radians(4) }
    deviation += [Double](repeating: Self.forceZero, count: 3) + [Double](repeating: Self.forceGain, count: 3)
    deviation += [Double](repeating: Self.held, count: 3)
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

  /// Expects of an instrument that is held in positions what such instruments have: chips within 6° of each other, an
  /// accelerometer whose axes have gains within 3 % and are no right angles within 2 %.
  mutating func expectInstrument() {
    for axis in 0..<3 {
      deviation[Parameters.rotationIndex + axis] = Angle.radians(6)
      deviation[Parameters.forceIndex + axis] = Self.forceZero
      deviation[Parameters.forceIndex + 3 + axis] = 0.03
      deviation[Parameters.forceIndex + 6 + axis] = 0.02
    }
  }

  /// Keeps the rotation where it is.
  mutating func holdRotation() {
    for axis in 0..<3 { deviation[Parameters.rotationIndex + axis] = 1e-5 }
  }

  /// Expects of the accelerometer what its rests show: where the specific force has the length of gravity in every one
  /// of them, its zeros and gains have nothing to be off by. `excess` is the root mean square by which the length is
  /// off, in g, beyond the hand's tremor.
  mutating func expectForce(excess: Double) {
    for axis in 0..<3 {
      let size = max(2 * excess, Self.smallestForceError)
      deviation[Parameters.forceIndex + axis] = min(size, Self.forceZero)
      deviation[Parameters.forceIndex + 3 + axis] = min(size, Self.forceGain)
    }
  }

  /// Expects an ordinary board, for rests too few to tell: the length of gravity in a few attitudes shows only the
  /// accelerometer's zeros along it. Its chips lie as the gyroscope shows, where that is known, else within the sizes
  /// in radians of `misalignment`.
  mutating func expectOrdinaryBoard(_ turn: ChipTurn?, misalignment: Vector3) {
    for axis in 0..<3 {
      let rotation = Parameters.rotationIndex + axis
      deviation[rotation] = turn?.deviation ?? misalignment[axis]
      mean[rotation] = turn?.rotation[axis] ?? mean[rotation]
      let zero = Parameters.forceIndex + axis
      deviation[zero] = max(deviation[zero], Judgement.ordinaryZero)
    }
  }

  /// Keeps the accelerometer as it comes.
  mutating func holdForce() {
    for index in Parameters.forceIndex..<Parameters.count { deviation[index] = Self.held }
  }
}
