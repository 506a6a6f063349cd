import LodestoneCore
import Glibc

/// A correction for programs whose soft-iron matrix is symmetric.
///
/// S = R · P with R orthonormal and P symmetric positive (polar decomposition). P makes the same field strength of
/// every raw field as S does, |P(m − o)| = |S(m − o)|, and is the only such matrix; R, which turns the magnetometer's
/// axes onto the accelerometer's, is lost.
struct SymmetricForm {
  /// o, in µT, in the chip's axes.
  let hardIron: Vector3
  /// P, in the chip's axes.
  let softIron: Matrix3
  /// The chip's axes to the accelerometer's: the signed permutation that the profile found.
  let axes: Matrix3
  /// The part of R that `axes` does not hold, in degrees.
  let lostTurn: Double
  /// The heading error by that turn, in degrees: the turn over the cosine of the inclination, where that is known.
  let lostHeading: Double?

  init(of profile: Profile) {
    let orthonormal = profile.correction.softIron.orthonormalFactor
    let product = orthonormal.transposed * profile.correction.softIron
    hardIron = profile.correction.hardIron
    softIron = (product + product.transposed) * 0.5
    axes = (try? Mounting(profile.axes))?.matrix ?? .identity
    lostTurn = Angle.degrees((orthonormal * axes.transposed).rotationAngle)
    let turn = lostTurn
    lostHeading = profile.inclination.map { min(turn / max(cos(Angle.radians($0)), 1e-6), 180) }
  }
}

extension SymmetricForm {
  /// The loss, as a sentence; nothing when nothing is lost.
  var notes: [String] {
    guard lostTurn > 0.005 else { return [] }
    let heading = lostHeading.map { ", up to \($0.text(decimals: 2)) deg of heading" } ?? ""
    return [
      "The target's soft-iron matrix is symmetric. Lost: a turn of \(lostTurn.text(decimals: 2)) deg between magnetometer and "
        + "accelerometer\(heading)"
    ]
  }
}

/// The body frame of aircraft: x forward, y right, z down. Forward is the device's top edge, +y.
struct ForwardRightDown {
  /// The hard iron in µT.
  let hardIron: Vector3
  let softIron: Matrix3

  /// The device's axes to forward, right, down. It is its own inverse.
  private static let fromDevice = Matrix3(Vector3(0, 1, 0), Vector3(1, 0, 0), Vector3(0, 0, -1))

  /// A vector turns as T·v, a matrix as T·M·Tᵀ; the chip's axes are straightened first.
  init(_ form: SymmetricForm) {
    let turn = Self.fromDevice * form.axes
    hardIron = turn * form.hardIron
    softIron = turn * form.softIron * turn.transposed
  }

  /// The form of a correction that was made in the device's axes.
  init(_ correction: Correction) {
    hardIron = Self.fromDevice * correction.hardIron
    softIron = Self.fromDevice * correction.softIron * Self.fromDevice
  }

  /// Back to device axes.
  static func correction(hardIron: Vector3, softIron: Matrix3) -> Correction {
    Correction(hardIron: fromDevice * hardIron, softIron: fromDevice * softIron * fromDevice)
  }
}
