import LodestoneCore
import Drivers
import Support
import Testing

@Suite("QMC5883P") struct QMC5883PTests {
  private func start(range: UInt8, control: UInt8, rangeRead: UInt8? = nil) -> [ScriptedBus.Step] {
    [
      .get(0x00, 0x80), .set(0x0B, 0x80), .wait(50), .set(0x0B, 0x00), .set(0x29, 0x06), .set(0x0A, 0x00),
      .set(0x0B, range), .get(0x0B, rangeRead ?? range), .set(0x0A, control), .get(0x0A, control),
    ]
  }

  private func configured(
    _ settings: ChipSettings = ChipSettings(), range: UInt8 = 0x0C, control: UInt8 = 0xC9
  ) throws -> any Chip {
    var chip = try chip("qmc5883p", at: 0x2C)
    try configure(&chip, settings, start(range: range, control: control))
    return chip
  }

  @Test(
    "one gauss at each range: 15000, 3750, 2500 and 1000 counts",
    arguments: [
      (200.0, UInt8(0x0C), UInt16(15000)), (800, 0x08, 3750), (1200, 0x04, 2500), (3000, 0x00, 1000),
    ])
  func ranges(range: Double, control: UInt8, counts: UInt16) throws {
    var chip = try configured(ChipSettings(fieldRange: range), range: control)
    let (low, high) = (UInt8(counts & 0xFF), UInt8(counts >> 8))
    let measured = try measurement(
      of: &chip, .get(0x09, 0x01), .get(0x01, low, high, 0, 0, low, high, 0, 0, 0x00))
    try expect(measured?.field?.microtesla, near: Vector3(100, 0, 100), within: 1e-9)
  }

  @Test("rates", arguments: [(10.0, UInt8(0xC1)), (50, 0xC5), (100, 0xC9), (200, 0xCD)])
  func rates(rate: Double, control: UInt8) throws {
    _ = try configured(ChipSettings(rate: rate), control: control)
  }

  @Test("bytes that a new result may have split are read again")
  func torn() throws {
    var chip = try configured()
    let measured = try measurement(
      of: &chip, .get(0x09, 0x01), .get(0x01, 0xFF, 0x00, 0, 0, 0, 0, 0, 0, 0x01),
      .get(0x01, 0x98, 0x3A, 0, 0, 0, 0, 0, 0, 0x00))
    try expect(measured?.field?.microtesla, near: Vector3(100, 0, 0), within: 1e-9)
  }

  @Test("overflow and nothing ready")
  func flags() throws {
    var chip = try configured()
    #expect(try measurement(of: &chip, .get(0x09, 0x02)) == nil)
    let past = try measurement(of: &chip, .get(0x09, 0x03), .get(0x01, 0x30, 0x75, 0, 0, 0, 0, 0, 0, 0x00))
    #expect(past?.saturated == true)
  }

  @Test("a range that is not taken is an error, not a field four times too small")
  func ignoredRange() throws {
    var chip = try chip("qmc5883p", at: 0x2C)
    let steps = Array(start(range: 0x0C, control: 0xC9, rangeRead: 0x00).prefix(8))
    #expect(throws: ChipError.notAccepted(chip: "qmc5883p", register: 0x0B, written: 0x0C, read: 0x00)) {
      try configure(&chip, ChipSettings(), steps)
    }
  }
}
