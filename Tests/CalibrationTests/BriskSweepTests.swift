import Calibration
import Glibc
import LodestoneCore
import Support
import Testing

/// Figure-eights of a quick hand without rests: the board hangs 15 cm from the elbow, and what that adds to gravity
/// makes the angle between field and force scatter by more than 25°.
@Suite struct BriskSweepTests {
  /// Fifty seconds at 50 samples a second, of a chip with a hard iron of 37 µT.
  /// - Parameters:
  ///   - inclination: of a field of 48 µT, in degrees.
  ///   - map: the accelerometer's axes in the board's.
  private static func sweep(inclination: Double, map: Matrix3 = .identity) -> [Sample] {
    let dip = Angle.radians(inclination)
    let (earth, lever) = (Vector3(0, cos(dip), -sin(dip)) * 48, Vector3(0.02, 0.15, 0.01))
    var noise = SeededGenerator(seed: 1)
    func random() -> Double { Double.random(in: -0.35...0.35, using: &noise) }
    return (0..<2500).map { index in
      let (time, step) = (Double(index) * 0.02, 0.005)
      let attitude = Self.attitude(time)
      let places = [-step, 0, step].map { Self.attitude(time + $0) * lever }
      let pull = (places[0] - places[1] * 2 + places[2]) / (step * step * 9.80665) + Vector3(0, 0, 1)
      let field = attitude.conjugate * earth + Vector3(30, -20, 10) + Vector3(random(), random(), random())
      return Sample(
        time: time, field: MagneticField(microtesla: field),
        acceleration: Acceleration(g: map * (attitude.conjugate * pull)))
    }
  }

  /// The wrist rolls 0.6 times a second and nods twice as fast, and the hand turns about.
  private static func attitude(_ time: Double) -> Quaternion {
    let phase = 2 * .pi * 0.6 * time
    return Quaternion(
      heading: 14 * time + 40 * sin(phase / 2), pitch: 60 * sin(2 * phase) + 50 * sin(2 * .pi * 0.09 * time),
      roll: 100 * sin(phase) + 70 * sin(2 * .pi * 0.13 * time))
  }

  @Test(arguments: [-30, 25, 45] as [Double]) func aQuickHandLosesNoAccelerometer(_ inclination: Double) throws {
    let outcome = Calibrator().fit(Self.sweep(inclination: inclination))
    let result = try #require(outcome.result)
    #expect(outcome.refusal == nil && result.forceIsUsed, "\(result.warnings)")
    #expect(result.quality.kind == .normOnly && result.axes.matrix == .identity)
  }

  /// Under other axes the sweep proves nothing: no map is believed, and headings do not go by it.
  @Test(arguments: [-30, 25, 45] as [Double]) func otherAxesAreNotBelieved(_ inclination: Double) throws {
    let map = Matrix3(Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1))
    let outcome = Calibrator().fit(Self.sweep(inclination: inclination, map: map))
    #expect(outcome.refusal != nil || outcome.result?.forceIsUsed == false)
  }
}
