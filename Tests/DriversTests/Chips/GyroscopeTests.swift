import LodestoneCore
import Drivers
import Support
import Testing

/// NXP data sheet FXAS21002C rev. 2.1 and InvenSense product specification PS-ITG-3200A-00-01.4.
@Suite("FXAS21002C and ITG-3200") struct GyroscopeTests {
  @Test(
    "FXAS21002C: rates, and a thousand counts at each range",
    arguments: [
      (12.5, 250.0, UInt8(0x03), UInt8(0x1A), 7.8125), (25, 500, 0x02, 0x16, 15.625), (50, 1000, 0x01, 0x12, 31.25),
      (100, 2000, 0x00, 0x0E, 62.5), (200, 500, 0x02, 0x0A, 15.625), (400, 500, 0x02, 0x06, 15.625),
      (800, 500, 0x02, 0x02, 15.625),
    ])
  func fxas21002c(rate: Double, range: Double, control0: UInt8, control1: UInt8, thousand: Double) throws {
    var chip = try chip("fxas21002c", at: 0x21)
    let steps: [ScriptedBus.Step] = [
      .get(0x0C, 0xD7), .set(0x13, 0x00), .wait(80), .set(0x09, 0x00), .set(0x14, 0x00), .set(0x15, 0x00),
    ]
    try configure(
      &chip, ChipSettings(rotationRange: range, rate: rate),
      steps + ScriptedBus.Step.keep(0x0D, control0) + ScriptedBus.Step.keep(0x13, control1)
        + [.wait(60 + 1000 / rate)])
    #expect(abs(chip.timing.period * rate - 1) < 1e-9)
    // 1000, −1000 and −32768.
    let measured = try measurement(of: &chip, .get(0x00, 0x8F, 0x03, 0xE8, 0xFC, 0x18, 0x80, 0x00))
    try expect(
      measured?.rotationRate?.degreesPerSecond, near: Vector3(thousand, -thousand, -32.768 * thousand), within: 1e-9)
    #expect(measured?.overrun == true && measured?.acceleration == nil && measured?.field == nil)
    #expect(try measurement(of: &chip, .get(0x00, 0x07, 0, 1, 0, 1, 0, 1)) == nil)
  }

  private func itg3200(rate: Double = 100, divider: UInt8 = 9, filter: UInt8 = 0x1B) throws -> any Chip {
    var chip = try chip("itg3200", at: 0x68)
    let steps: [ScriptedBus.Step] = [
      .get(0x00, 0x68), .set(0x3E, 0x80), .wait(70), .set(0x3E, 0x01), .set(0x15, divider), .set(0x16, filter),
      .get(0x16, filter), .set(0x17, 0x21), .wait(50),
    ]
    try configure(&chip, ChipSettings(rate: rate), steps)
    return chip
  }

  @Test(
    "ITG-3200: rates, each with a filter below its half",
    arguments: [
      (10.0, UInt8(99), UInt8(0x1E)), (25, 39, 0x1D), (50, 19, 0x1C), (100, 9, 0x1B), (200, 4, 0x1A), (500, 1, 0x19),
      (1000, 0, 0x19),
    ])
  func itg3200Rates(rate: Double, divider: UInt8, filter: UInt8) throws {
    let chip = try itg3200(rate: rate, divider: divider, filter: filter)
    #expect(abs(chip.timing.period * rate - 1) < 1e-9)
  }

  /// 14.375 counts a °/s; −13200 counts are 35 °C, 280 a degree.
  @Test("ITG-3200: rates of rotation, temperature, and a part that has lost its settings")
  func itg3200Measurements() throws {
    var chip = try itg3200()
    // CC70 is −13200; 1150 = 047E are 80 °/s.
    let measured = try measurement(
      of: &chip, .get(0x16, 0x1B, 0x21, 0, 0, 0x05, 0xCC, 0x70, 0x04, 0x7E, 0xFB, 0x82, 0, 0))
    try expect(measured?.rotationRate?.degreesPerSecond, near: Vector3(80, -80, 0), within: 1e-9)
    #expect(measured?.temperature == 35)
    #expect(try measurement(of: &chip, .get(0x16, 0x1B, 0x21, 0, 0, 0x04, 0, 0, 0, 1, 0, 1, 0, 1)) == nil)
    #expect(try measurement(of: &chip, .get(0x16, 0x00, 0x00, 0, 0, 0x01, 0, 0, 0, 1, 0, 1, 0, 1)) == nil)
    #expect(try measurement(of: &chip, .get(0x16, 0x00, 0x21, 0, 0, 0x01, 0, 0, 0, 1, 0, 1, 0, 1)) == nil)
  }

  @Test("ITG-3200: more than ±2000 °/s is not offered")
  func itg3200Range() throws {
    var chip = try chip("itg3200", at: 0x69)
    #expect(
      throws: ChipError.notOffered(chip: "itg3200", setting: .rotationRange, asked: 2001, offered: [2000])
    ) { try configure(&chip, ChipSettings(rotationRange: 2001), []) }
  }
}
