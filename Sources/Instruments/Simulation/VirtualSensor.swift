import LodestoneCore

/// The errors of one particular board: drawn from the sensor's seed, so that two runs with the same seed have the same
/// board in the hand, whatever they do with it.
public struct VirtualSensor: Sendable {
  /// v: the offset in µT, in the magnetometer's axes.
  public var hardIron: Vector3
  /// D: raw = D · field + v. Gains, soft iron, axes and misalignment in one matrix.
  public var distortion: Matrix3
  /// S = D⁻¹: what a calibration should find, up to a common factor that no heading depends on.
  public var correction: Matrix3
  /// Zero offset of the accelerometer, in g.
  public var accelerometerOffset: Vector3
  /// The gyroscope's reading at rest, in degrees per second.
  public var gyroscopeBias: Vector3

  init(settings: VirtualBreakout.Settings) {
    var random = RandomNumbers(seed: settings.sensor &* 0x2545_F491_4F6C_DD1D &+ 1)
    hardIron = settings.hardIronVector ?? Self.direction(&random) * settings.hardIron
    let soft = settings.softIron
    let (xy, xz, yz) = (soft * random.normal(), soft * random.normal(), soft * random.normal())
    let symmetric = Matrix3(
      Vector3(1 + soft * random.normal(), xy, xz), Vector3(xy, 1 + soft * random.normal(), yz),
      Vector3(xz, yz, 1 + soft * random.normal()))
    let misaligned = Matrix3(
      rotation: Self.direction(&random) * Angle.radians(settings.misalignment))
    let distortion = symmetric * settings.axes.matrix.transposed * misaligned.transposed
    self.distortion = distortion
    correction = distortion.inverse ?? .identity
    accelerometerOffset = Self.direction(&random) * settings.accelerometerOffset
    gyroscopeBias = settings.gyroscopeBiasVector ?? Self.direction(&random) * settings.gyroscopeBias
  }

  private static func direction(_ random: inout RandomNumbers) -> Vector3 {
    Vector3(random.normal(), random.normal(), random.normal()).direction ?? Vector3(1, 0, 0)
  }
}
