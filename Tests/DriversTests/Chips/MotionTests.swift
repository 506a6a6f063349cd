import LodestoneCore
import Drivers
import Support
import Testing

@Suite("Accelerometers and gyroscopes") struct MotionTests {
  @Test(
    "LSM6DS family: reset, I3C off where there is one, a thousand counts",
    arguments: [(UInt8(0x6C), true, 256.0), (0x6B, true, 256), (0x6A, false, 256), (0x69, false, 16)])
  func lsm6ds(identity: UInt8, hasI3C: Bool, countsPerDegree: Double) throws {
    var chip = try chip("lsm6ds", at: 0x6A)
    let i3c: [ScriptedBus.Step] = hasI3C ? [.get(0x18, 0xE0), .set(0x18, 0xE2)] : []
    let steps: [ScriptedBus.Step] =
      [.get(0x0F, identity), .set(0x12, 0x01), .wait(10), .set(0x12, 0x44)] + i3c + ScriptedBus.Step.keep(0x10, 0x48)
    try configure(&chip, ChipSettings(), steps + ScriptedBus.Step.keep(0x11, 0x44))
    let measured = try measurement(
      of: &chip,
      .get(0x1E, 0x07, 0, 0x00, 0x01, 0xE8, 0x03, 0, 0, 0x18, 0xFC, 0, 0, 0xE8, 0x03, 0x05, 0x20))
    try expect(measured?.rotationRate?.degreesPerSecond, near: Vector3(17.5, 0, -17.5), within: 1e-9)
    // 8197 counts of 0.122 mg are 1 g.
    try expect(measured?.acceleration?.g, near: Vector3(0, 0.122, 1.000034), within: 1e-9)
    #expect(measured?.temperature == 25 + 256 / countsPerDegree)
    #expect(try measurement(of: &chip, .get(0x1E, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) == nil)
  }

  @Test(
    "LSM6DS family: ranges",
    arguments: [
      (2.0, 125.0, UInt8(0x40), UInt8(0x42), 0.061, 4.375), (4, 250, 0x48, 0x40, 0.122, 8.75),
      (8, 500, 0x4C, 0x44, 0.244, 17.5), (16, 1000, 0x44, 0x48, 0.488, 35), (16, 2000, 0x44, 0x4C, 0.488, 70),
    ])
  func lsm6dsRanges(force: Double, rotation: Double, control1: UInt8, control2: UInt8, g: Double, rate: Double) throws {
    var chip = try chip("lsm6ds", at: 0x6B)
    let steps: [ScriptedBus.Step] =
      [.get(0x0F, 0x6A), .set(0x12, 0x01), .wait(10), .set(0x12, 0x44)] + ScriptedBus.Step.keep(0x10, control1)
    try configure(
      &chip, ChipSettings(accelerationRange: force, rotationRange: rotation),
      steps + ScriptedBus.Step.keep(0x11, control2))
    let measured = try measurement(
      of: &chip, .get(0x1E, 0x03, 0, 0, 0, 0xE8, 0x03, 0, 0, 0, 0, 0xE8, 0x03, 0, 0, 0, 0))
    try expect(measured?.acceleration?.g, near: Vector3(g, 0, 0), within: 1e-9)
    try expect(measured?.rotationRate?.degreesPerSecond, near: Vector3(rate, 0, 0), within: 1e-9)
  }

  @Test(
    "MPU-6050 and MPU-9250: bypass open, one g, temperature by generation",
    arguments: [
      (UInt8(0x68), 37.53), (0x71, 22.018360), (0x73, 22.018360), (0x19, 26.040392), (0x11, 26.040392),
      (0x12, 26.040392), (0xAF, 26.040392), (0x75, nil), (0x98, nil),
    ])
  func mpu(identity: UInt8, temperature: Double?) throws {
    var chip = try chip("mpu6050", at: 0x68)
    let filter: [ScriptedBus.Step] = identity == 0x68 ? [.set(0x1A, 0x03)] : [.set(0x1A, 0x03), .set(0x1D, 0x03)]
    let steps: [ScriptedBus.Step] = [
      .get(0x75, identity), .set(0x6B, 0x80), .wait(100), .set(0x6B, 0x01), .set(0x6A, 0x00), .set(0x37, 0x22),
      .wait(10), .set(0x1B, 0x08), .get(0x1B, 0x08), .set(0x1C, 0x08), .get(0x1C, 0x08),
    ]
    try configure(&chip, ChipSettings(), steps + filter + [.set(0x19, 0x09), .set(0x38, 0x01)])
    // 8192 = 2000; 340 = 0154; 131 counts are 2 °/s.
    let measured = try measurement(
      of: &chip, .get(0x38, 0x01, 0, 0x01, 0x20, 0x00, 0xE0, 0x00, 0, 0, 0x01, 0x54, 0x00, 0x83, 0xFF, 0x7D, 0, 0))
    try expect(measured?.acceleration?.g, near: Vector3(1, -1, 0), within: 1e-9)
    try expect(measured?.rotationRate?.degreesPerSecond, near: Vector3(2, -2, 0), within: 1e-9)
    if let temperature {
      #expect(abs((measured?.temperature ?? 0) - temperature) < 1e-6)
    } else {
      // Parts that are sold with these names and have no data sheet: their counts are no known temperature.
      #expect(measured != nil && measured?.temperature == nil)
    }
    #expect(try measurement(of: &chip, .exchange([0x38], [0x01] + [UInt8](repeating: 0, count: 16))) == nil)
    // "Register map": INT_ENABLE is 0 after a reset, which ends the MPU-6500's sleep.
    #expect(try measurement(of: &chip, .exchange([0x38], [0, 0, 0x01] + [UInt8](repeating: 0, count: 14))) == nil)
  }

  /// ST data sheets DocID022116, DocID023469 and DocID17116: 95 Hz of the L3GD20, 100 Hz of the two others, LOW_ODR of
  /// the L3GD20H alone; 8.75, 17.5 and 70 mdps a count.
  @Test(
    "L3GD20, L3GD20H, L3G4200D: rates and ranges",
    arguments: [
      (UInt8(0xD4), 100.0, 245.0, UInt8(0x6F), UInt8(0x80), 190.0, 8.75), (0xD7, 100, 500, 0x1F, 0x90, 100, 17.5),
      (0xD3, 800, 2000, 0xEF, 0xA0, 800, 70),
    ])
  func l3gd20(
    identity: UInt8, asked: Double, range: Double, control1: UInt8, control4: UInt8, hertz: Double, thousand: Double
  ) throws {
    var chip = try chip("l3gd20", at: 0x6B)
    let cleared: [ScriptedBus.Step] = [0x20, 0x21, 0x22, 0x24, 0x2E].map { .set($0, 0x00) }
    let slow: [ScriptedBus.Step] = identity == 0xD7 ? [.set(0x39, 0x00)] : []
    try configure(
      &chip, ChipSettings(rotationRange: range, rate: asked),
      [.get(0x0F, identity)] + cleared + slow + ScriptedBus.Step.keep(0x23, control4)
        + ScriptedBus.Step.keep(0x20, control1) + [.wait(250)])
    #expect(abs(1 / chip.timing.period - hertz) < 1e-9)
    let measured = try measurement(of: &chip, .get(0xA7, 0x8F, 0xE8, 0x03, 0x18, 0xFC, 0x00, 0x80))
    let rate = Vector3(thousand, -thousand, -32.768 * thousand)
    try expect(measured?.rotationRate?.degreesPerSecond, near: rate, within: 1e-9)
    #expect(measured?.overrun == true && measured?.acceleration == nil && measured?.field == nil)
    #expect(try measurement(of: &chip, .get(0xA7, 0x07, 1, 0, 1, 0, 1, 0)) == nil)
  }

  /// ICM-42688-P and ICM-42605 with their settings: WHO_AM_I, g, degrees per second and Hz, GYRO_CONFIG0 and
  /// ACCEL_CONFIG0, counts a g and a degree per second.
  struct ICM42688Settings: Sendable {
    let identity: UInt8
    let asked: ChipSettings
    let gyroscope, accelerometer: UInt8
    let countsPerG, countsPerDegree: Double

    init(
      _ identity: UInt8, _ force: Double, _ rotation: Double, _ rate: Double, _ gyroscope: UInt8,
      _ accelerometer: UInt8, _ countsPerG: Double, _ countsPerDegree: Double
    ) {
      self.identity = identity
      asked = ChipSettings(accelerationRange: force, rotationRange: rotation, rate: rate)
      (self.gyroscope, self.accelerometer) = (gyroscope, accelerometer)
      (self.countsPerG, self.countsPerDegree) = (countsPerG, countsPerDegree)
    }

    static let all = [
      ICM42688Settings(0x47, 2, 125, 12.5, 0x8B, 0x6B, 16384, 262),
      ICM42688Settings(0x47, 4, 250, 25, 0x6A, 0x4A, 8192, 131),
      ICM42688Settings(0x42, 8, 500, 50, 0x49, 0x29, 4096, 65.5),
      ICM42688Settings(0x42, 16, 1000, 100, 0x28, 0x08, 2048, 32.8),
      ICM42688Settings(0x47, 16, 2000, 200, 0x07, 0x07, 2048, 16.4),
      ICM42688Settings(0x47, 4, 500, 500, 0x4F, 0x4F, 8192, 65.5),
      ICM42688Settings(0x47, 4, 500, 1000, 0x46, 0x46, 8192, 65.5),
    ]
  }

  /// TDK data sheet DS-000347: DATA_RDY_INT, 132.48 counts a degree above 25 °C.
  @Test("ICM-42688-P and ICM-42605: ranges, rates, two thousand counts", arguments: ICM42688Settings.all)
  func icm42688(settings: ICM42688Settings) throws {
    var chip = try chip("icm42688", at: 0x69)
    let steps: [ScriptedBus.Step] = [.get(0x75, settings.identity), .set(0x11, 0x01), .wait(1)]
    try configure(
      &chip, settings.asked,
      steps + ScriptedBus.Step.keep(0x4F, settings.gyroscope) + ScriptedBus.Step.keep(0x50, settings.accelerometer)
        + [.set(0x65, 0x08), .set(0x4E, 0x0F), .wait(60)])
    #expect(settings.asked.rate == 1 / chip.timing.period)
    // 2000 = 07D0, −2000 = F830, 13248 = 33C0.
    let measured = try measurement(
      of: &chip, .get(0x2D, 0x08),
      .get(0x1D, 0x33, 0xC0, 0x07, 0xD0, 0xF8, 0x30, 0, 0, 0, 0, 0xF8, 0x30, 0x07, 0xD0))
    let (g, degrees) = (2000 / settings.countsPerG, 2000 / settings.countsPerDegree)
    try expect(measured?.acceleration?.g, near: Vector3(g, -g, 0), within: 1e-9)
    try expect(measured?.rotationRate?.degreesPerSecond, near: Vector3(0, -degrees, degrees), within: 1e-9)
    #expect(abs((measured?.temperature ?? 0) - 125) < 1e-9)
    #expect(try measurement(of: &chip, .get(0x2D, 0x10)) == nil)
  }

  @Test("ICM-20948: banks are left as they were found")
  func icm20948() throws {
    var chip = try chip("icm20948", at: 0x69)
    let steps: [ScriptedBus.Step] = [
      .get(0x00, 0xEA), .set(0x06, 0x80), .wait(10), .set(0x06, 0x01), .set(0x03, 0x00), .set(0x0F, 0x02), .wait(10),
      .set(0x07, 0x00), .set(0x11, 0x01), .set(0x7F, 0x20), .set(0x00, 10), .set(0x01, 0x1B), .get(0x01, 0x1B),
      .write([0x10, 0x00, 10]), .set(0x14, 0x1D), .get(0x14, 0x1D), .set(0x7F, 0x00),
    ]
    try configure(&chip, ChipSettings(accelerationRange: 8, rotationRange: 500), steps)
    // 4096 counts are 1 g at ±8 g; 131 are 2 °/s at ±500; 354.87 counts above 21 would be 1 °C.
    let measured = try measurement(
      of: &chip, .get(0x1A, 0x01), .get(0x2D, 0x10, 0x00, 0, 0, 0xF0, 0x00, 0x00, 0x83, 0, 0, 0, 0, 0x00, 0x15))
    try expect(measured?.acceleration?.g, near: Vector3(1, 0, -1), within: 1e-9)
    try expect(measured?.rotationRate?.degreesPerSecond, near: Vector3(2, 0, 0), within: 1e-9)
    #expect(measured?.temperature == 21)
    #expect(try measurement(of: &chip, .get(0x1A, 0x00)) == nil)
  }

  @Test("ICM-20948: bank 0 is selected again even where a setting fails")
  func icm20948Failure() throws {
    var chip = try chip("icm20948", at: 0x68)
    let steps: [ScriptedBus.Step] = [
      .get(0x00, 0xEA), .set(0x06, 0x80), .wait(10), .set(0x06, 0x01), .set(0x03, 0x00), .set(0x0F, 0x02), .wait(10),
      .set(0x07, 0x00), .set(0x11, 0x01), .set(0x7F, 0x20), .set(0x00, 10), .set(0x01, 0x1B), .get(0x01, 0x00),
      .set(0x7F, 0x00),
    ]
    #expect(throws: ChipError.notAccepted(chip: "icm20948", register: 0x01, written: 0x1B, read: 0x00)) {
      try configure(&chip, ChipSettings(), steps)
    }
  }

  @Test("ADXL345: full resolution, 3.9 mg a count", arguments: [(100.0, UInt8(0x0A)), (12.5, 0x07), (800, 0x0D)])
  func adxl345(rate: Double, code: UInt8) throws {
    var chip = try chip("adxl345", at: 0x53)
    let steps: [ScriptedBus.Step] = [
      .get(0x00, 0xE5), .write([0x1E, 0, 0, 0]), .set(0x38, 0x00), .set(0x31, 0x0B), .get(0x31, 0x0B),
      .set(0x2C, code), .set(0x2D, 0x08),
    ]
    try configure(&chip, ChipSettings(rate: rate), steps)
    let measured = try measurement(of: &chip, .get(0x30, 0x83, 0x0B, 0x00, 0x01, 0, 0, 0x00, 0xFF))
    try expect(measured?.acceleration?.g, near: Vector3(0.9984, 0, -0.9984), within: 1e-9)
    #expect(measured?.overrun == true)
    #expect(try measurement(of: &chip, .get(0x30, 0x02, 0x0B, 0, 0, 0, 0, 0, 0)) == nil)
  }
}
