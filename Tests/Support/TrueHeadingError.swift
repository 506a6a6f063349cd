import Calibration
import LodestoneCore
import Glibc
import Instruments

extension VirtualBreakout {
  /// The true heading error of a correction in degrees: root mean square over headings and tilts.
  public func headingError(
    of correction: Correction, force: ForceCorrection = .none, tilts: [Double] = [0, 10, 20, 30]
  ) -> Double {
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
          let seenUp = force.apply(to: up + sensor.accelerometerOffset)
          let error = Angle.shortestTurn(from: Self.heading(field, up: up), to: Self.heading(found, up: seenUp))
          sum += error * error
          count += 1
        }
      }
    }
    return (sum / count).squareRoot()
  }

  /// The top edge's heading in degrees.
  private static func heading(_ field: Vector3, up: Vector3) -> Double {
    let east = field.cross(up)
    return Angle.degrees(atan2(east.y / east.length, up.cross(east).y / up.cross(east).length))
  }
}
