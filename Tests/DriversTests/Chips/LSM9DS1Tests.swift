import LodestoneCore
import Drivers
import Support
import Testing

@Suite("LSM9DS1") struct LSM9DS1Tests {
  @Test(
    "the magnetometer: a thousand counts at each range",
    arguments: [(400.0, UInt8(0x00), 14.0), (800, 0x20, 29), (1200, 0x40, 43), (1600, 0x60, 58)])
  func field(range: Double, control2: UInt8, microtesla: Double) throws {
    var chip = try chip("lsm9ds1", at: 0x1E)
    let steps: [ScriptedBus.Step] =
      [.get(0x0F, 0x3D), .set(0x21, 0x04), .wait(10)] + ScriptedBus.Step.keep(0x21, control2)
      + ScriptedBus.Step.keep(0x20, 0xFC) + [.set(0x23, 0x0C), .set(0x24, 0x40), .set(0x22, 0x00)]
    try configure(&chip, ChipSettings(fieldRange: range), steps)
    let measured = try measurement(of: &chip, .get(0xA7, 0x08, 0xE8, 0x03, 0xE8, 0x03, 0x18, 0xFC))
    try expect(measured?.field?.microtesla, near: Vector3(microtesla, microtesla, -microtesla), within: 1e-9)
  }

  private func motion(_ settings: ChipSettings, gyroscope: UInt8, accelerometer: UInt8) throws -> any Chip {
    var chip = try chip("lsm9ds1-imu", at: 0x6B)
    let steps: [ScriptedBus.Step] =
      [.get(0x0F, 0x68), .set(0x22, 0x05), .wait(10), .set(0x22, 0x44)] + ScriptedBus.Step.keep(0x10, gyroscope)
    try configure(&chip, settings, steps + ScriptedBus.Step.keep(0x20, accelerometer))
    return chip
  }

  /// Left-handed axes: PX4 and ArduPilot turn z round, and no other, for a frame with z down; RTIMULib does the same.
  @Test(
    "accelerometer and gyroscope: a thousand counts at each range, x turned round",
    arguments: [
      (2.0, 245.0, UInt8(0x60), UInt8(0x60), 0.061, 8.75), (4, 500, 0x68, 0x70, 0.122, 17.5),
      (8, 2000, 0x78, 0x78, 0.244, 70), (16, 2000, 0x78, 0x68, 0.732, 70),
    ])
  func motion(force: Double, rotation: Double, gyroscope: UInt8, accelerometer: UInt8, g: Double, rate: Double) throws {
    let settings = ChipSettings(accelerationRange: force, rotationRange: rotation)
    var chip = try motion(settings, gyroscope: gyroscope, accelerometer: accelerometer)
    // 32 counts of temperature are two degrees.
    let measured = try measurement(
      of: &chip, .get(0x15, 0x20, 0x00, 0x07, 0xE8, 0x03, 0, 0, 0x18, 0xFC),
      .get(0x28, 0xE8, 0x03, 0xE8, 0x03, 0x18, 0xFC))
    try expect(measured?.rotationRate?.degreesPerSecond, near: Vector3(-rate, 0, -rate), within: 1e-9)
    try expect(measured?.acceleration?.g, near: Vector3(-g, g, -g), within: 1e-9)
    #expect(measured?.temperature == 27)
    #expect(try measurement(of: &chip, .get(0x15, 0, 0, 0x05, 0, 0, 0, 0, 0, 0)) == nil)
  }

  @Test("rates", arguments: [(14.9, UInt8(0x20)), (59.5, 0x40), (238, 0x80), (952, 0xC0)])
  func rates(rate: Double, bits: UInt8) throws {
    _ = try motion(ChipSettings(rate: rate), gyroscope: bits | 0x08, accelerometer: bits | 0x10)
  }
}
