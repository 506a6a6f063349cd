import LodestoneCore
import Drivers
import Support
import Testing

@Suite("QMC5883P, QMC6310 and QMC6309") struct QMC5883PTests {
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

  /// The sensitivities of PiicoDev's and of LilyGo's libraries: 1/150, 2/75, 0.04 and 0.1 µT a count.
  @Test(
    "QMC6310: the registers and the ranges of the QMC5883P",
    arguments: [
      (200.0, UInt8(0x0C), UInt16(15000)), (800, 0x08, 3750), (1200, 0x04, 2500), (3000, 0x00, 1000),
    ])
  func sister(range: Double, control: UInt8, counts: UInt16) throws {
    var chip = try chip("qmc6310", at: 0x1C)
    try configure(&chip, ChipSettings(fieldRange: range), start(range: control, control: 0xC9))
    let (low, high) = (UInt8(counts & 0xFF), UInt8(counts >> 8))
    let measured = try measurement(
      of: &chip, .get(0x09, 0x01), .get(0x01, low, high, 0, 0, low, high, 0, 0, 0x00))
    try expect(measured?.field?.microtesla, near: Vector3(100, 0, 100), within: 1e-9)
  }

  private func qmc6309(_ settings: ChipSettings, control2: UInt8) throws -> any Chip {
    var chip = try chip("qmc6309", at: 0x7C)
    let steps: [ScriptedBus.Step] = [.get(0x00, 0x90), .set(0x0B, 0x80), .wait(1), .set(0x0B, 0x00), .wait(20)]
    try configure(
      &chip, settings, steps + ScriptedBus.Step.keep(0x0B, control2) + ScriptedBus.Step.keep(0x0A, 0x61))
    return chip
  }

  /// AP_Compass_QMC6309.cpp: 4000 counts a gauss at ±8 G (RNG 2), ODR 3 for 100 Hz; the others by LilyGo's library.
  @Test(
    "QMC6309: one gauss at each range, and rates",
    arguments: [
      (800.0, 1.0, UInt8(0x08), UInt16(4000)), (800, 100, 0x38, 4000), (1600, 10, 0x14, 2000), (3200, 50, 0x20, 1000),
      (3200, 200, 0x40, 1000),
    ])
  func other(range: Double, rate: Double, control2: UInt8, counts: UInt16) throws {
    var chip = try qmc6309(ChipSettings(fieldRange: range, rate: rate), control2: control2)
    let (low, high) = (UInt8(counts & 0xFF), UInt8(counts >> 8))
    let measured = try measurement(
      of: &chip, .get(0x09, 0x19), .get(0x01, low, high, 0, 0, low, high, 0, 0, 0x18))
    try expect(measured?.field?.microtesla, near: Vector3(100, 0, 100), within: 1e-9)
    #expect(try measurement(of: &chip, .get(0x09, 0x18)) == nil)
  }

  /// QST data sheet QMC6309H rev. E, by a driver of trackers: the address 0x0C, no ODR below 50 Hz, else the same.
  @Test("QMC6309H: at its own address, without the slow rates")
  func qmc6309h() throws {
    var chip = try chip("qmc6309h", at: 0x0C)
    #expect(chip.rates == [50, 100, 200])
    let steps: [ScriptedBus.Step] = [
      .get(0x00, 0x90), .get(0x09, 0x18), .set(0x0B, 0x80), .wait(1), .set(0x0B, 0x00), .wait(20),
    ]
    try configure(
      &chip, ChipSettings(rate: 50), steps + ScriptedBus.Step.keep(0x0B, 0x28) + ScriptedBus.Step.keep(0x0A, 0x61))
    // An MLX90393 in burst mode says its status whatever is asked: 0x80, and 0x10 after an error.
    #expect(
      throws: ChipError.wrongIdentity(chip: "qmc6309", address: 0x0C, register: 0x09, expected: [[0x18]], read: [0x90])
    ) { try configure(&chip, ChipSettings(), [.get(0x00, 0x90), .get(0x09, 0x90)]) }
  }

  @Test("QMC6309: self-test", arguments: [(UInt8(0xE0), true), (0x20, true), (0x00, false), (0xC0, false)])
  func otherSelfTest(z: UInt8, passes: Bool) throws {
    var chip = try chip("qmc6309", at: 0x7C)
    let steps: [ScriptedBus.Step] = [
      .get(0x00, 0x90), .set(0x0B, 0x80), .wait(1), .set(0x0B, 0x00), .wait(20), .set(0x0A, 0x03), .wait(20),
      .set(0x0E, 0x80), .get(0x09, 0x18), .wait(10), .get(0x09, 0x1C), .get(0x13, 0xF0, 0xFF, z), .set(0x0E, 0x00),
    ]
    #expect(try ownTest(of: &chip, steps).passed == passes)
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
