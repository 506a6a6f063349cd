import LodestoneCore

/// The inverse of an accelerometer's own errors: `g = k ∘ (f − z)`, axis by axis.
public struct ForceCorrection: Equatable, Sendable {
  /// z: what it reads where there is nothing to read, in g.
  public var zero: Vector3
  /// k: what each axis is multiplied with. No unit.
  public var gain: Vector3

  /// A correction by zeros in g and gains.
  public init(zero: Vector3, gain: Vector3) {
    self.zero = zero
    self.gain = gain
  }

  /// Leaves a specific force as it is: for an accelerometer that was not calibrated.
  public static let none = ForceCorrection(zero: .zero, gain: Vector3(1, 1, 1))

  /// The corrected specific force in g, in the chip's axes.
  @inlinable
  public func apply(to force: Vector3) -> Vector3 {
    Vector3(gain.x * (force.x - zero.x), gain.y * (force.y - zero.y), gain.z * (force.z - zero.z))
  }
}
