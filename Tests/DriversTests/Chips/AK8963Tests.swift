import LodestoneCore
import Drivers
import Support
import Testing

@Suite("AKM magnetometers") struct AK8963Tests {
  /// WIA and INFO, then the bit of CNTL1 that only the AK8963 keeps; with power-down, whatever it was before.
  private func identity(control: UInt8 = 0x00, kept: UInt8 = 0x10) -> [ScriptedBus.Step] {
    [
      .get(0x00, 0x48, 0x9A), .get(0x0A, control), .set(0x0A, 0x10), .get(0x0A, kept), .set(0x0A, 0x00), .wait(0.1),
    ]
  }

  private func sensitivity(_ x: UInt8, _ y: UInt8, _ z: UInt8) -> [ScriptedBus.Step] {
    [.set(0x0A, 0x0F), .get(0x10, x, y, z), .set(0x0A, 0x00), .wait(0.1)]
  }

  private func configured(rate: Double? = nil, control: UInt8 = 0x16) throws -> any Chip {
    var chip = try chip("ak8963", at: 0x0C)
    let steps: [ScriptedBus.Step] = identity() + [.set(0x0B, 0x01), .wait(10)]
    try configure(
      &chip, ChipSettings(rate: rate), steps + sensitivity(176, 128, 80) + ScriptedBus.Step.keep(0x0A, control))
    return chip
  }

  /// The AK8975 has the identity and the fuses of the AK8963; bits 7 to 4 of its CNTL are 0 (AKM data sheet
  /// MS1187-E-02, "CNTL: Control"), and a count of it is 0.3 µT.
  @Test(
    "a part with 13 bits is no AK8963, one with 16 no AK8975", arguments: [("ak8963", UInt8(0x00)), ("ak8975", 0x10)])
  func twins(name: String, kept: UInt8) throws {
    var chip = try chip(name, at: 0x0C)
    #expect(
      throws: ChipError.wrongIdentity(
        chip: name, address: 0x0C, register: 0x0A, expected: [[0x10 - kept]], read: [kept])
    ) { try configure(&chip, ChipSettings(), identity(kept: kept)) }
  }

  private func older() throws -> any Chip {
    var chip = try chip("ak8975", at: 0x0C)
    try configure(
      &chip, ChipSettings(),
      identity(kept: 0x00) + [.set(0x0A, 0x00), .wait(0.1), .set(0x0C, 0x00)] + sensitivity(176, 128, 80)
        + [.set(0x0A, 0x01)])
    return chip
  }

  /// Data sheet MS1187-E-02: 0.3 µT a count, −4096 to 4095, single measurements of at most 9 ms.
  @Test("AK8975: 0.3 µT a count, each axis with its adjustment; a result starts the next")
  func olderPart() throws {
    var chip = try older()
    #expect(chip.timing.isOnCommand && chip.timing.period > 0.009 && chip.fieldRange == 1229)
    let measured = try measurement(
      of: &chip, .get(0x02, 0x01, 0xE8, 0x03, 0xE8, 0x03, 0xE8, 0x03, 0x00), .set(0x0A, 0x01))
    try expect(measured?.field?.microtesla, near: Vector3(356.25, 300, 243.75), within: 1e-9)
    #expect(measured?.saturated == false)
  }

  @Test("AK8975: DRDY, DERR, HOFL, and the ends of 13 bits")
  func olderFlags() throws {
    var chip = try older()
    #expect(try measurement(of: &chip, .get(0x02, 0x00, 1, 0, 1, 0, 1, 0, 0x00)) == nil)
    #expect(try measurement(of: &chip, .get(0x02, 0x01, 1, 0, 1, 0, 1, 0, 0x04), .set(0x0A, 0x01)) == nil)
    let past = try measurement(of: &chip, .get(0x02, 0x01, 1, 0, 1, 0, 1, 0, 0x08), .set(0x0A, 0x01))
    #expect(past == .saturated())
    let high = try measurement(of: &chip, .get(0x02, 0x01, 0xFF, 0x0F, 1, 0, 1, 0, 0), .set(0x0A, 0x01))
    let low = try measurement(of: &chip, .get(0x02, 0x01, 1, 0, 1, 0, 0x00, 0xF0, 0), .set(0x0A, 0x01))
    #expect(high?.saturated == true && low?.saturated == true)
  }

  /// "Self-test mode": x and y within ±100 counts, z between −1000 and −300.
  @Test("AK8975: self-test", arguments: [(Int16(-650), true), (-250, false), (-1050, false)])
  func olderSelfTest(z: Int16, passes: Bool) throws {
    var chip = try chip("ak8975", at: 0x0C)
    let (low, high) = (UInt8(truncatingIfNeeded: z), UInt8(truncatingIfNeeded: z >> 8))
    let steps: [ScriptedBus.Step] =
      identity(kept: 0x00) + [.set(0x0A, 0x00), .wait(0.1)] + sensitivity(128, 128, 128)
      + [.set(0x0C, 0x40), .set(0x0A, 0x08), .get(0x02, 0x01)]
      + [.get(0x02, 0x01, 100, 0, 0x9C, 0xFF, low, high, 0x00), .set(0x0C, 0x00)]
    #expect(try ownTest(of: &chip, steps).passed == passes)
  }

  @Test("AK8963: 0.15 µT a count, each axis with its adjustment")
  func adjusted() throws {
    _ = try configured(rate: 8, control: 0x12)
    var chip = try configured()
    // (176 − 128) · 0.5 / 128 + 1 = 1.1875, and 0.8125 for 80. 1000 counts = 150 µT.
    let measured = try measurement(of: &chip, .get(0x02, 0x01, 0xE8, 0x03, 0xE8, 0x03, 0xE8, 0x03, 0x10))
    try expect(measured?.field?.microtesla, near: Vector3(178.125, 150, 121.875), within: 1e-9)
  }

  @Test("AK8963: DRDY, DOR, HOFL")
  func flags() throws {
    var chip = try configured()
    #expect(try measurement(of: &chip, .get(0x02, 0x00, 1, 0, 1, 0, 1, 0, 0x10)) == nil)
    #expect(try measurement(of: &chip, .get(0x02, 0x03, 1, 0, 1, 0, 1, 0, 0x10))?.overrun == true)
    #expect(try measurement(of: &chip, .get(0x02, 0x01, 1, 0, 1, 0, 1, 0, 0x18)) == .saturated())
  }

  @Test("AK8963: no working part has an adjustment of zeros or ones", arguments: [UInt8(0x00), 0xFF])
  func implausible(byte: UInt8) throws {
    var chip = try chip("ak8963", at: 0x0C)
    let steps: [ScriptedBus.Step] = identity() + [.set(0x0B, 0x01), .wait(10)]
    #expect(
      throws: ChipError.implausible(chip: "ak8963", what: "sensitivity adjustment", read: [byte, 128, 128])
    ) { try configure(&chip, ChipSettings(), steps + sensitivity(byte, 128, 128)) }
  }

  @Test("AK8963: self-test", arguments: [(Int16(-1500), true), (-500, false), (-3300, false)])
  func selfTest(z: Int16, passes: Bool) throws {
    var chip = try chip("ak8963", at: 0x0C)
    let (low, high) = (UInt8(truncatingIfNeeded: z), UInt8(truncatingIfNeeded: z >> 8))
    let steps: [ScriptedBus.Step] =
      identity() + [.set(0x0A, 0x00), .wait(0.1)] + sensitivity(128, 128, 128)
      + [.set(0x0C, 0x40), .set(0x0A, 0x18), .get(0x02, 0x00), .wait(1), .get(0x02, 0x01)]
      + [.get(0x02, 0x01, 100, 0, 0x9C, 0xFF, low, high, 0x10), .set(0x0C, 0x00)]
    let test = try ownTest(of: &chip, steps)
    #expect(test.passed == passes)
    #expect(test.checks.map { $0.value.rounded() } == [100, -100, Double(z)])
  }

  @Test(
    "parts without fuses: rates and scale",
    arguments: [
      ("ak09916", UInt8(0x09), 10.0, UInt8(0x02)), ("ak09916", 0x09, 20, 0x04), ("ak09916", 0x09, 50, 0x06),
      ("ak09916", 0x0B, 100, 0x08), ("ak09918", 0x0C, 100, 0x08), ("ak09915", 0x10, 1, 0x0C),
      ("ak09915", 0x10, 100, 0x08), ("ak09915", 0x10, 200, 0x0A),
    ])
  func withoutAdjustment(name: String, identity: UInt8, rate: Double, mode: UInt8) throws {
    var chip = try chip(name, at: 0x0C)
    let steps: [ScriptedBus.Step] = [
      .get(0x00, 0x48, identity), .set(0x32, 0x01), .wait(10), .set(0x31, mode), .get(0x31, mode),
    ]
    try configure(&chip, ChipSettings(rate: rate), steps)
    let measured = try measurement(of: &chip, .get(0x10, 0x01, 0xE8, 0x03, 0x18, 0xFC, 0, 0, 0, 0x00))
    try expect(measured?.field?.microtesla, near: Vector3(150, -150, 0), within: 1e-9)
    try youngerFlags(&chip)
  }

  private func youngerFlags(_ chip: inout any Chip) throws {
    #expect(try measurement(of: &chip, .get(0x10, 0x00, 1, 0, 1, 0, 1, 0, 0, 0x00)) == nil)
    // INV of the AK09915's ST2.
    #expect(try measurement(of: &chip, .get(0x10, 0x01, 1, 0, 1, 0, 1, 0, 0, 0x04)) == nil)
    let past = try measurement(of: &chip, .get(0x10, 0x03, 1, 0, 1, 0, 1, 0, 0, 0x08))
    #expect(past?.saturated == true && past?.field == nil && past?.overrun == true)
  }

  private func youngerSensitivity(_ x: UInt8, _ y: UInt8, _ z: UInt8) -> [ScriptedBus.Step] {
    [.set(0x31, 0x1F), .get(0x60, x, y, z), .set(0x31, 0x00), .wait(0.1)]
  }

  /// AKM's own library: H · (ASA / 128 + 1) and 0.6 µT for the AK09911, H · ((ASA − 128) / 256 + 1) and 0.15 µT for the
  /// AK09912.
  @Test(
    "AK09911 and AK09912: a thousand counts, each axis with its adjustment",
    arguments: [
      ("ak09911", UInt8(0x05), Vector3(825, 1200, 975)), ("ak09912", 0x04, Vector3(103.125, 150, 121.875)),
    ])
  func youngerAdjusted(name: String, identity: UInt8, expected: Vector3) throws {
    var chip = try chip(name, at: 0x0D)
    let steps: [ScriptedBus.Step] = [.get(0x00, 0x48, identity), .set(0x32, 0x01), .wait(10)]
    try configure(
      &chip, ChipSettings(rate: 50), steps + youngerSensitivity(48, 128, 80) + ScriptedBus.Step.keep(0x31, 0x06))
    let measured = try measurement(of: &chip, .get(0x10, 0x01, 0xE8, 0x03, 0xE8, 0x03, 0xE8, 0x03, 0, 0x00))
    try expect(measured?.field?.microtesla, near: expected, within: 1e-9)
    try youngerFlags(&chip)
  }

  /// "Self-test mode", with the limits of AKM's and InvenSense's drivers.
  @Test(
    "younger parts: self-test",
    arguments: [
      ("ak09911", UInt8(0x05), Int16(15), Int16(-150), true), ("ak09911", 0x05, 16, -150, false),
      ("ak09911", 0x05, 0, -201, false), ("ak09912", 0x04, 200, -400, true), ("ak09912", 0x04, 0, -1601, false),
      ("ak09915", 0x10, -200, -800, true), ("ak09915", 0x10, 0, -199, false), ("ak09916", 0x09, 0, -1000, true),
      ("ak09916", 0x09, 201, -500, false), ("ak09918", 0x0C, 0, -150, true), ("ak09918", 0x0C, 0, -149, false),
    ])
  func youngerSelfTest(name: String, identity: UInt8, x: Int16, z: Int16, passes: Bool) throws {
    var chip = try chip(name, at: 0x0C)
    func bytes(_ value: Int16) -> [UInt8] { [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)] }
    var steps: [ScriptedBus.Step] = [.get(0x00, 0x48, identity), .set(0x31, 0x00), .wait(0.1)]
    if name == "ak09911" || name == "ak09912" {
      steps += youngerSensitivity(128, 128, 128) + [.set(0x31, 0x00), .wait(0.1)]
    }
    steps += [.set(0x31, 0x10), .get(0x10, 0x00), .wait(1), .get(0x10, 0x01)]
    steps.append(.exchange([0x10], [0x01] + bytes(x) + [0, 0] + bytes(z) + [0, 0]))
    #expect(try ownTest(of: &chip, steps).passed == passes)
  }

  @Test(
    "AK8963: the younger parts are told by their second identity byte",
    arguments: [UInt8(0x04), 0x05, 0x07, 0x08, 0x09, 0x0B, 0x0C, 0x0D, 0x0E, 0x10])
  func younger(second: UInt8) throws {
    var chip = try chip("ak8963", at: 0x0C)
    #expect(
      throws: ChipError.wrongIdentity(
        chip: "ak8963", address: 0x0C, register: 0x00, expected: [[0x48]], read: [0x48, second])
    ) { try configure(&chip, ChipSettings(), [.get(0x00, 0x48, second)]) }
  }
}
