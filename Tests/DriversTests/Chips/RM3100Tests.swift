import LodestoneCore
import Drivers
import Support
import Testing

@Suite("RM3100") struct RM3100Tests {
  private let identified: [ScriptedBus.Step] = [.get(0x36, 0x22), .get(0x04, 0, 0xC8, 0, 0xC8, 0, 0xC8)]

  private func configured(
    _ settings: ChipSettings = ChipSettings(), cycles: UInt8 = 200, rate: UInt8 = 0x95
  ) throws -> any Chip {
    var chip = try chip("rm3100", at: 0x20)
    let steps: [ScriptedBus.Step] = [
      .set(0x01, 0x00), .set(0x33, 0x00), .write([0x04, 0, cycles, 0, cycles, 0, cycles]),
      .get(0x04, 0, cycles, 0, cycles, 0, cycles), .set(0x0B, rate), .set(0x01, 0x71),
    ]
    try configure(&chip, settings, identified + steps)
    return chip
  }

  @Test(
    "each rate has its timer and its cycle count, each cycle count its gain",
    arguments: [
      (9.0, UInt8(0x98), UInt8(200), 75.0), (37, 0x96, 200, 75), (75, 0x95, 200, 75), (147, 0x94, 200, 75),
      (283, 0x93, 100, 38), (533, 0x92, 50, 20),
    ])
  func rates(rate: Double, timer: UInt8, cycles: UInt8, gain: Double) throws {
    var chip = try configured(ChipSettings(rate: rate), cycles: cycles, rate: timer)
    // 7500 counts = 0x001D4C, −7500 = 0xFFE2B4.
    let measured = try measurement(
      of: &chip, .get(0x34, 0x80), .get(0x24, 0x00, 0x1D, 0x4C, 0xFF, 0xE2, 0xB4, 0, 0, 0))
    try expect(measured?.field?.microtesla, near: Vector3(7500 / gain, -7500 / gain, 0), within: 1e-9)
  }

  @Test("not ready is nothing; past ±800 µT is past the range")
  func flags() throws {
    var chip = try configured()
    #expect(try measurement(of: &chip, .get(0x34, 0x00)) == nil)
    // 60 075 counts = 801 µT at cycle count 200.
    let measured = try measurement(of: &chip, .get(0x34, 0x80), .get(0x24, 0, 0, 0, 0, 0xEA, 0xAB, 0, 0, 0))
    #expect(measured?.saturated == true)
    try expect(measured?.field?.microtesla, near: Vector3(0, 801, 0), within: 1e-9)
  }

  @Test("self-test: three coils oscillate, or one does not", arguments: [(UInt8(0xFF), true), (0xDF, false)])
  func selfTest(result: UInt8, passes: Bool) throws {
    var chip = try chip("rm3100", at: 0x20)
    let steps: [ScriptedBus.Step] = [
      .set(0x01, 0x00), .set(0x33, 0x8F), .set(0x00, 0x70), .get(0x34, 0x00), .wait(1), .get(0x34, 0x80),
      .get(0x33, result), .set(0x33, 0x00),
    ]
    #expect(try ownTest(of: &chip, identified + steps).passed == passes)
  }

  @Test("a part whose cycle counts are zero is refused with them")
  func implausible() throws {
    var chip = try chip("rm3100", at: 0x23)
    #expect(throws: ChipError.implausible(chip: "rm3100", what: "cycle counts", read: [0, 0, 0, 0, 0, 0])) {
      try configure(&chip, ChipSettings(), [.get(0x36, 0x22), .get(0x04, 0, 0, 0, 0, 0, 0)])
    }
  }
}
