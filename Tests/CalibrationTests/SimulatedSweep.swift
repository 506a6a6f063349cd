import Calibration
import Core
import Glibc
import Instruments

/// A sweep of the virtual breakout, and what its calibration is really worth.
struct SimulatedSweep {
  let settings: VirtualBreakout.Settings
  let sensor: VirtualSensor
  let samples: [Sample]

  init(seed: UInt64 = 1, seconds: Double = 62, _ change: (inout VirtualBreakout.Settings) -> Void = { _ in }) {
    var settings = VirtualBreakout.Settings()
    settings.motion = .figureEight
    settings.seed = seed
    settings.sensor = seed &+ 1000
    change(&settings)
    var breakout = VirtualBreakout(settings)
    samples = (0..<Int(seconds * settings.rate)).map { _ in breakout.next().sample }
    self.settings = settings
    sensor = breakout.sensor
  }

  /// The true heading error of a correction in degrees: root mean square over headings and tilts.
  func headingError(_ correction: Correction, tilts: [Double] = [0, 10, 20, 30]) -> Double {
    let dip = Angle.radians(settings.inclination)
    let earth = Vector3(0, cos(dip), -sin(dip)) * settings.fieldStrength
    var (sum, count) = (0.0, 0.0)
    for tilt in tilts {
      for azimuth in stride(from: 0.0, to: tilt == 0 ? 1 : 360, by: 90) {
        let axis = Vector3(cos(Angle.radians(azimuth)), sin(Angle.radians(azimuth)), 0)
        for heading in stride(from: 0.0, to: 360, by: 30) {
          let turned =
            Matrix3(rotation: axis * Angle.radians(tilt))
            * Matrix3(rotation: Vector3(0, 0, Angle.radians(heading)))
          let field = turned * earth
          let up = turned * Vector3(0, 0, 1)
          let raw = sensor.distortion * field + sensor.hardIron
          let found = correction.softIron * (raw - correction.hardIron)
          let error = Self.northError(found, instead: field, up: up)
          sum += error * error
          count += 1
        }
      }
    }
    return (sum / count).squareRoot()
  }

  /// How far the north of one field is turned against that of another, in degrees.
  private static func northError(_ found: Vector3, instead field: Vector3, up: Vector3) -> Double {
    let (east, north) = (field.cross(up), up.cross(field.cross(up)))
    let turned = up.cross(found.cross(up))
    guard let e = east.direction, let n = north.direction else { return 180 }
    return Angle.degrees(atan2(turned.dot(e), turned.dot(n)))
  }
}
