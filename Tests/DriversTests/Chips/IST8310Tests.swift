import LodestoneCore
import Drivers
import Support
import Testing

@Suite("IST8310") struct IST8310Tests {
  private func configured() throws -> any Chip {
    var chip = try chip("ist8310", at: 0x0E)
    let steps: [ScriptedBus.Step] = [
      .get(0x00, 0x10), .set(0x0B, 0x01), .wait(50), .set(0x41, 0x24), .set(0x42, 0xC0), .set(0x0D, 0x70),
      .get(0x0D, 0x70), .set(0x0A, 0x01),
    ]
    try configure(&chip, ChipSettings(), steps)
    return chip
  }

  @Test("1320 counts a gauss, x turned round, and the next measurement started")
  func measurements() throws {
    var chip = try configured()
    let measured = try measurement(
      of: &chip, .get(0x02, 0x01, 0x28, 0x05, 0xD8, 0xFA, 0x28, 0x05), .get(0x0D, 0x70), .set(0x0A, 0x01))
    try expect(measured?.field?.microtesla, near: Vector3(-100, -100, 100), within: 1e-9)
    #expect(try measurement(of: &chip, .get(0x02, 0x00, 0, 0, 0, 0, 0, 0)) == nil)
  }

  /// CNTL3 as it is after power-on: 14 bits, a quarter of the counts.
  @Test("a part that lost its power after its last result is not read at the old scale, and not started again")
  func lostPower() throws {
    var chip = try configured()
    #expect(try measurement(of: &chip, .get(0x02, 0x01, 0x4A, 0x01, 0, 0, 0, 0), .get(0x0D, 0x00)) == nil)
  }

  @Test("past ±1600 µT on x")
  func saturation() throws {
    var chip = try configured()
    // 21200 counts = 1606 µT.
    let measured = try measurement(
      of: &chip, .get(0x02, 0x01, 0xD0, 0x52, 0, 0, 0, 0), .get(0x0D, 0x70), .set(0x0A, 0x01))
    #expect(measured?.saturated == true)
  }

  @Test("a part that stays at 14 bits is refused: its scale would be four times off")
  func resolution() throws {
    var chip = try chip("ist8310", at: 0x0E)
    let steps: [ScriptedBus.Step] = [
      .get(0x00, 0x10), .set(0x0B, 0x01), .wait(50), .set(0x41, 0x24), .set(0x42, 0xC0), .set(0x0D, 0x70),
      .get(0x0D, 0x00),
    ]
    #expect(throws: ChipError.notAccepted(chip: "ist8310", register: 0x0D, written: 0x70, read: 0x00)) {
      try configure(&chip, ChipSettings(), steps)
    }
  }
}
