import LodestoneCore
import Drivers
import Support
import Testing

/// By the drivers of three flight stacks and of a maker of boards: ±500 µT at 6.6 counts a µT.
@Suite("IST8308") struct IST8308Tests {
  private func configured(rate: Double? = nil, mode: UInt8 = 0x08) throws -> any Chip {
    var chip = try chip("ist8308", at: 0x0C)
    let steps: [ScriptedBus.Step] =
      [.get(0x00, 0x08), .get(0x0C, 0x00), .set(0x32, 0x01), .wait(50), .set(0x30, 0x00)]
      + ScriptedBus.Step.keep(0x34, 0x00) + [.set(0x41, 0x24)] + ScriptedBus.Step.keep(0x31, mode)
    try configure(&chip, ChipSettings(rate: rate), steps)
    return chip
  }

  @Test("rates", arguments: [(10.0, UInt8(0x02)), (20, 0x04), (50, 0x06), (100, 0x08)])
  func rates(rate: Double, mode: UInt8) throws {
    #expect(try configured(rate: rate, mode: mode).timing.period == 1 / rate)
  }

  @Test("660 counts are 100 µT, x turned round")
  func measurements() throws {
    var chip = try configured()
    let measured = try measurement(of: &chip, .get(0x10, 0x03, 0x94, 0x02, 0x6C, 0xFD, 0x94, 0x02))
    try expect(measured?.field?.microtesla, near: Vector3(-100, -100, 100), within: 1e-9)
    #expect(measured?.saturated == false && measured?.overrun == true)
    #expect(try measurement(of: &chip, .get(0x10, 0x02, 1, 0, 1, 0, 1, 0)) == nil)
  }

  @Test(
    "the full scale, 3300 counts",
    arguments: [(UInt8(0xE3), UInt8(0x0C), false), (0xE4, 0x0C, true), (0x1C, 0xF3, true)])
  func saturation(low: UInt8, high: UInt8, isPast: Bool) throws {
    var chip = try configured()
    let measured = try measurement(of: &chip, .get(0x10, 0x01, 0, 0, low, high, 0, 0))
    #expect(measured?.saturated == isPast)
  }

  /// An MLX90393 answers NOP, whatever follows the command, with its status: SED is bit 3.
  @Test("a chip that says 08 whatever it is asked is another")
  func pointerless() throws {
    var chip = try chip("ist8308", at: 0x0C)
    #expect(
      throws: ChipError.wrongIdentity(
        chip: "ist8308", address: 0x0C, register: 0x0C, expected: [[0x00]], read: [0x08])
    ) { try configure(&chip, ChipSettings(), [.get(0x00, 0x08), .get(0x0C, 0x08)]) }
  }
}
