import LodestoneCore
import Drivers
import Support
import Testing
@testable import LodestonePorts

/// Chips whose axes are left-handed, as the kernel hands them out.
extension IIOTests {
  /// The axes of ST's LIS2MDL and LSM303AGR are left-handed (north, east, up in ST's own boards), and so are those of
  /// NXP's MAG3110 (z down, turned round in NXP's library); the kernel hands them out. Those of an LSM9DS1's
  /// magnetometer are not.
  @Test(
    arguments: [
      ("lis2mdl", Vector3(-1, 1, 1)), ("iis2mdc", Vector3(-1, 1, 1)), ("lsm303agr_magn", Vector3(-1, 1, 1)),
      ("mag3110", Vector3(1, 1, -1)), ("lsm9ds1_magn", Vector3(1, 1, 1)),
    ])
  func leftHandedAxesAreStraightened(_ name: String, _ signs: Vector3) throws {
    let raw = Vector3(30, -10, 20)
    for (matrix, straightened) in [
      (nil, signs), ("1, 0, 0; 0, 1, 0; 0, 0, 1", signs), ("-1, 0, 0; 0, 1, 0; 0, 0, 1", Vector3(-1, 1, 1)),
    ] as [(String?, Vector3)] {
      var attributes = Self.raw(30, -10, 20).merging(["in_magn_scale": "0.01"]) { $1 }
      attributes["mount_matrix"] = matrix
      let field = try #require(try open(system(name, attributes)).measure().field).microtesla
      let expected = Vector3(raw.x * straightened.x, raw.y * straightened.y, raw.z * straightened.z)
      #expect((field - expected).length < 1e-9, "\(name) \(matrix ?? "") \(field)")
    }
  }

  /// The accelerometer and gyroscope of an LSM9DS1, and the accelerometer of an LSM303AGR.
  @Test(
    arguments: [
      (["lis3mdl", "lsm9ds1-imu_accel"], Senses.acceleration, Vector3(-1, 1, 1)),
      (["lis3mdl", "lsm9ds1-imu_gyro"], .rotationRate, Vector3(-1, 1, 1)),
      (["lsm303agr_magn", "lsm303agr_accel"], .acceleration, Vector3(-1, 1, 1)),
      (["lis3mdl", "lis3dh_accel"], .acceleration, Vector3(1, 1, 1)),
    ])
  func leftHandedNeighboursAreStraightened(_ names: [String], _ sense: Senses, _ expected: Vector3) throws {
    let system = FakeSystem()
    Self.describe(system, 0, names[0], "magn")
    let kind = sense == .acceleration ? "accel" : "anglvel"
    Self.describe(system, 1, names[1], kind)
    for axis in ["x", "y", "z"] { system.write("1\n", to: "sys/bus/iio/devices/iio:device1/in_\(kind)_\(axis)_raw") }
    let magnetometer = try #require(listIIODevices(in: system.roots).first)
    let measurement = try IIODevice(try #require(iioNeighbour(sense, beside: magnetometer, in: system.roots))).measure()
    let force = measurement.acceleration.map { $0.g * Acceleration.standardGravity }
    let found = force ?? measurement.rotationRate.map { $0.degreesPerSecond * Angle.radians(1) }
    #expect((try #require(found) - expected).length < 1e-9)
  }
}
