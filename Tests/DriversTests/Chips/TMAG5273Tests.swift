import LodestoneCore
import Drivers
import Support
import Testing

@Suite("TMAG5273") struct TMAG5273Tests {
  private func configured(
    _ settings: ChipSettings = ChipSettings(), version: UInt8 = 0x01, averaging: UInt8 = 0x14, range: UInt8 = 0x00
  ) throws -> any Chip {
    var chip = try chip("tmag5273", at: 0x22)
    let steps: [ScriptedBus.Step] = [
      .get(0x0E, 0x49, 0x54), .get(0x0D, version), .get(0x0D, version), .set(0x00, averaging), .set(0x09, 0x00),
      .set(0x0A, 0x00), .set(0x0B, 0x00), .set(0x07, 0x01), .set(0x02, 0x70), .set(0x03, range), .get(0x03, range),
      .set(0x01, 0x12),
    ]
    try configure(&chip, settings, steps)
    return chip
  }

  @Test(
    "one millitesla in each range of each version: 820, 410, 250 and 125 counts",
    arguments: [
      (UInt8(1), 40_000.0, UInt8(0x00), UInt16(820)), (1, 80_000, 0x03, 410), (2, 133_000, 0x00, 250),
      (2, 266_000, 0x03, 125),
    ])
  func ranges(version: UInt8, range: Double, control: UInt8, counts: UInt16) throws {
    var chip = try configured(ChipSettings(fieldRange: range), version: version, range: control)
    #expect(chip.fieldRange == range)
    let (high, low) = (UInt8(counts >> 8), UInt8(counts & 0xFF))
    // 17508 (4464) is 25 °C.
    let measured = try measurement(of: &chip, .get(0x10, 0x44, 0x64, high, low, 0, 0, 0xFF, 0xFF, 0x01))
    let count = 1000 / Double(counts)
    try expect(measured?.field?.microtesla, near: Vector3(1000, 0, -count), within: 1e-9)
    #expect(measured?.temperature == 25)
  }

  @Test("averaging", arguments: [(300.0, UInt8(0x14)), (600, 0x10), (1200, 0x0C)])
  func rates(rate: Double, averaging: UInt8) throws {
    _ = try configured(ChipSettings(rate: rate), averaging: averaging)
  }

  @Test("not converted, supply too low, clipped")
  func flags() throws {
    var chip = try configured()
    #expect(try measurement(of: &chip, .get(0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0x00)) == nil)
    #expect(try measurement(of: &chip, .get(0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0x03)) == nil)
    #expect(try measurement(of: &chip, .get(0x10, 0, 0, 0x80, 0x00, 0, 0, 0, 0, 0x01))?.saturated == true)
  }

  @Test("a version that does not exist is refused")
  func version() throws {
    var chip = try chip("tmag5273", at: 0x35)
    #expect(throws: ChipError.implausible(chip: "tmag5273", what: "version", read: [0x03])) {
      try configure(&chip, ChipSettings(), [.get(0x0E, 0x49, 0x54), .get(0x0D, 0x03)])
    }
  }
}
