import LodestoneCore
import Drivers
import Support
import Testing

/// Chips with a magnetometer and an accelerometer, by the numbers of their data sheets: ST DocID023312 (LSM303D), NXP
/// FXOS8700CQ rev. 8.
@Suite("LSM303D and FXOS8700") struct SixAxisTests {
  private func lsm303d(
    _ settings: ChipSettings = ChipSettings(), control1: UInt8 = 0x6F, control2: UInt8 = 0xC8, control5: UInt8 = 0x70,
    control6: UInt8 = 0x00
  ) throws -> any Chip {
    var chip = try chip("lsm303d", at: 0x1D)
    let steps: [ScriptedBus.Step] =
      [.get(0x0F, 0x49), .set(0x1F, 0x00), .set(0x2E, 0x00), .write([0x96, 0, 0, 0, 0, 0, 0])]
      + ScriptedBus.Step.keep(0x21, control2) + ScriptedBus.Step.keep(0x20, control1)
      + ScriptedBus.Step.keep(0x24, control5) + ScriptedBus.Step.keep(0x25, control6) + [.set(0x26, 0x00)]
    try configure(&chip, settings, steps)
    return chip
  }

  @Test(
    "LSM303D: a thousand counts at each range of the field",
    arguments: [(200.0, UInt8(0x00), 8.0), (400, 0x20, 16), (800, 0x40, 32), (1200, 0x60, 47.9)])
  func fieldRanges(range: Double, control6: UInt8, microtesla: Double) throws {
    var chip = try lsm303d(ChipSettings(fieldRange: range), control6: control6)
    let measured = try measurement(
      of: &chip, .get(0x87, 0x0F, 0xE8, 0x03, 0x18, 0xFC, 0, 0), .get(0xA7, 0x0F, 0, 0, 0, 0, 0, 0x40))
    try expect(measured?.field?.microtesla, near: Vector3(microtesla, -microtesla, 0), within: 1e-9)
    try expect(measured?.acceleration?.g, near: Vector3(0, 0, 1.998848), within: 1e-9)
    #expect(measured?.rotationRate == nil && measured?.saturated == false && measured?.overrun == false)
  }

  @Test(
    "LSM303D: a thousand counts at each range of the force",
    arguments: [
      (2.0, UInt8(0xC0), 0.061), (4, 0xC8, 0.122), (6, 0xD0, 0.183), (8, 0xD8, 0.244), (16, 0xE0, 0.732),
    ])
  func forceRanges(range: Double, control2: UInt8, g: Double) throws {
    var chip = try lsm303d(ChipSettings(accelerationRange: range), control2: control2)
    let measured = try measurement(
      of: &chip, .get(0x87, 0x08, 0, 0, 0, 0, 0, 0), .get(0xA7, 0x08, 0xE8, 0x03, 0x18, 0xFC, 0, 0))
    try expect(measured?.acceleration?.g, near: Vector3(g, -g, 0), within: 1e-9)
  }

  /// AODR is twice M_ODR; 100 Hz of the magnetometer needs an accelerometer of more than 50.
  @Test(
    "LSM303D: rates",
    arguments: [
      (3.125, UInt8(0x60), UInt8(0x2F)), (6.25, 0x64, 0x3F), (12.5, 0x68, 0x4F), (25, 0x6C, 0x5F), (50, 0x70, 0x6F),
      (100, 0x74, 0x7F),
    ])
  func rates(rate: Double, control5: UInt8, control1: UInt8) throws {
    _ = try lsm303d(ChipSettings(rate: rate), control1: control1, control5: control5)
  }

  @Test("LSM303D: nothing ready, a result lost, a force that is not new, the end of 16 bits")
  func flags() throws {
    var chip = try lsm303d()
    #expect(try measurement(of: &chip, .get(0x87, 0x07, 1, 0, 1, 0, 1, 0)) == nil)
    let late = try measurement(
      of: &chip, .get(0x87, 0xFF, 1, 0, 1, 0, 1, 0), .get(0xA7, 0x00, 1, 0, 1, 0, 1, 0))
    #expect(late?.overrun == true && late?.acceleration == nil && late?.saturated == false)
    let past = try measurement(
      of: &chip, .get(0x87, 0x0F, 1, 0, 0x00, 0x80, 1, 0), .get(0xA7, 0x0F, 1, 0, 1, 0, 1, 0))
    #expect(past?.saturated == true)
  }

  private func fxos8700(
    _ settings: ChipSettings = ChipSettings(), identity: UInt8 = 0xC7, scale: UInt8 = 0x01, control1: UInt8 = 0x1D
  ) throws -> any Chip {
    var chip = try chip("fxos8700", at: 0x1F)
    let steps: [ScriptedBus.Step] =
      [.get(0x0D, identity), .get(0x0C, 0x00, identity), .set(0x2A, 0x00), .get(0x0B, 0x01), .wait(10)]
      + [.get(0x0B, 0x00), .set(0x09, 0x00), .write([0x2F, 0, 0, 0]), .write([0x3F, 0, 0, 0, 0, 0, 0])]
      + ScriptedBus.Step.keep(0x5B, 0x1F) + ScriptedBus.Step.keep(0x5C, 0x20) + [.set(0x5D, 0x00)]
      + ScriptedBus.Step.keep(0x0E, scale) + [.set(0x2B, 0x02)] + ScriptedBus.Step.keep(0x2A, control1)
    try configure(&chip, settings, steps)
    return chip
  }

  /// 14 bits, left-justified: 1000 is 0FA0, −1000 is F060.
  @Test(
    "FXOS8700: 0.1 µT a count, and a thousand counts of the force at each range; LNOISE is for up to ±4 g",
    arguments: [(2.0, UInt8(0x00), UInt8(0x1D), 4096.0), (4, 0x01, 0x1D, 2048), (8, 0x02, 0x19, 1024)])
  func ranges(range: Double, scale: UInt8, control1: UInt8, countsPerG: Double) throws {
    var chip = try fxos8700(ChipSettings(accelerationRange: range), scale: scale, control1: control1)
    let measured = try measurement(
      of: &chip, .get(0x00, 0x0F, 0x0F, 0xA0, 0xF0, 0x60, 0, 0, 0x03, 0xE8, 0xFC, 0x18, 0, 0))
    let g = 1000 / countsPerG
    try expect(measured?.acceleration?.g, near: Vector3(g, -g, 0), within: 1e-9)
    try expect(measured?.field?.microtesla, near: Vector3(100, -100, 0), within: 1e-9)
    #expect(measured?.saturated == false && measured?.overrun == false && measured?.rotationRate == nil)
  }

  @Test(
    "FXOS8700: rates, half of what DR says",
    arguments: [
      (0.78125, UInt8(0x3D)), (3.125, 0x35), (6.25, 0x2D), (25, 0x25), (50, 0x1D), (100, 0x15), (200, 0x0D),
      (400, 0x05),
    ])
  func hybridRates(rate: Double, control1: UInt8) throws {
    let chip = try fxos8700(ChipSettings(rate: rate), identity: 0xCA, control1: control1)
    #expect(abs(chip.timing.period * rate - 1) < 1e-9)
  }

  @Test("FXOS8700: nothing ready, a result lost, the full scale of ±1200 µT")
  func fxosFlags() throws {
    var chip = try fxos8700()
    #expect(try measurement(of: &chip, .get(0x00, 0x07, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1)) == nil)
    #expect(try measurement(of: &chip, .get(0x00, 0xFF, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1))?.overrun == true)
    for (high, low, isPast) in [(UInt8(0x2E), UInt8(0xDF), false), (0x2E, 0xE0, true), (0xD1, 0x20, true)] {
      let measured = try measurement(of: &chip, .get(0x00, 0x0F, 0, 1, 0, 1, 0, 1, 0, 1, high, low, 0, 1))
      #expect(measured?.saturated == isPast)
    }
  }

  @Test("FXOS8700: a chip that answers whatever is asked with the same is another", arguments: [UInt8(0xC7), 0x12])
  func pointerless(second: UInt8) throws {
    var chip = try chip("fxos8700", at: 0x1F)
    #expect(
      throws: ChipError.wrongIdentity(
        chip: "fxos8700", address: 0x1F, register: 0x0C, expected: [[0x00, 0xC7]], read: [0xC7, second])
    ) { try configure(&chip, ChipSettings(), [.get(0x0D, 0xC7), .get(0x0C, 0xC7, second)]) }
  }
}
