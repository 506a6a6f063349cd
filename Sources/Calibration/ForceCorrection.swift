import LodestoneCore

/// The inverse of an accelerometer's own errors: `g = T · (f − z)`, T symmetric.
public struct ForceCorrection: Equatable, Sendable {
  /// z: what it reads where there is nothing to read, in g.
  public var zero: Vector3
  /// T's diagonal: what each axis is multiplied with. No unit.
  public var gain: Vector3
  /// T's xy, xz and yz: how far the axes are from a right angle. Zero where positions held did not tell. No unit.
  public var skew: Vector3

  /// Standard deviation of z along each axis, in g; nil where it is not known.
  public var zeroDeviation: Vector3?

  /// A correction by zeros in g, gains and skews.
  public init(zero: Vector3, gain: Vector3, skew: Vector3 = .zero) {
    self.zero = zero
    self.gain = gain
    self.skew = skew
  }

  /// Leaves a specific force as it is: for an accelerometer that was not calibrated.
  public static let none = ForceCorrection(zero: .zero, gain: Vector3(1, 1, 1))

  /// T.
  @inlinable public var matrix: Matrix3 {
    Matrix3(Vector3(gain.x, skew.x, skew.y), Vector3(skew.x, gain.y, skew.z), Vector3(skew.y, skew.z, gain.z))
  }

  /// The corrected specific force in g, in the chip's axes.
  @inlinable
  public func apply(to force: Vector3) -> Vector3 { matrix * (force - zero) }
}

extension Profile {
  /// ± T: the matrix for the accelerometer's readings less their zero, of which specific force comes out; minus where
  /// it reads gravity.
  var forceMatrix: Matrix3 { forceCorrection.matrix * (accelerometerIsReversed ? -1 : 1) }
}
