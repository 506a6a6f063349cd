import LodestoneCore
import Drivers
import Support
import Testing

@Suite("BMM150") struct BMM150Tests {
  /// x1 2, y1 −3; z4 77, x2 26, y2 24; z2 763, z1 24747, xyz1 7053, z3 −31, xy2 −3, xy1 29.
  private let trim: [ScriptedBus.Step] = [
    .get(0x5D, 0x02, 0xFD), .get(0x62, 0x4D, 0x00, 0x1A, 0x18),
    .get(0x68, 0xFB, 0x02, 0xAB, 0x60, 0x8D, 0x1B, 0xE1, 0xFF, 0xFD, 0x1D),
  ]
  private let asleep: [ScriptedBus.Step] = [
    .get(0x40, 0x00), .get(0x4B, 0x00), .set(0x4B, 0x01), .wait(3), .get(0x40, 0x32),
  ]

  private func configured(
    _ settings: ChipSettings = ChipSettings(), repetitions: (UInt8, UInt8) = (0x17, 0x52), mode: UInt8 = 0x28
  ) throws -> any Chip {
    var chip = try chip("bmm150", at: 0x10)
    let steps: [ScriptedBus.Step] = [
      .set(0x51, repetitions.0), .set(0x52, repetitions.1), .set(0x4C, mode),
    ]
    try configure(&chip, settings, asleep + [.set(0x4B, 0x83), .wait(1)] + trim + steps)
    return chip
  }

  @Test(
    "normal mode to 30 Hz with as many repetitions as fit, forced beyond",
    arguments: [
      (10.0, (UInt8(0x17), UInt8(0x52)), UInt8(0x00)), (2, (0x17, 0x52), 0x08), (30, (0x07, 0x1A), 0x38),
      (60, (0x07, 0x1A), 0x02), (100, (0x04, 0x0E), 0x02), (300, (0x01, 0x02), 0x02),
    ])
  func rates(rate: Double, repetitions: (UInt8, UInt8), mode: UInt8) throws {
    _ = try configured(ChipSettings(rate: rate), repetitions: repetitions, mode: mode)
  }

  @Test("compensation agrees with the integer form of Bosch's API")
  func compensation() throws {
    var chip = try configured()
    // x 312, y −187, z −905, Hall resistance 6920; the integer form gives 114.56, −68.81 and −335.81 µT in 1/16 µT.
    let measured = try measurement(of: &chip, .get(0x42, 0xC0, 0x09, 0x28, 0xFA, 0xEE, 0xF8, 0x21, 0x6C))
    try expect(measured?.field?.microtesla, near: Vector3(114.5625, -68.8125, -335.8125), within: 0.2)
  }

  @Test("overflow codes and the ready bit")
  func flags() throws {
    var chip = try configured()
    #expect(try measurement(of: &chip, .get(0x42, 0xC0, 0x09, 0x28, 0xFA, 0xEE, 0xF8, 0x20, 0x6C)) == nil)
    #expect(try measurement(of: &chip, .get(0x42, 0x00, 0x80, 0, 0, 0, 0, 0x21, 0x6C)) == .saturated())
    #expect(try measurement(of: &chip, .get(0x42, 0, 0, 0x00, 0x80, 0, 0, 0x21, 0x6C)) == .saturated())
    #expect(try measurement(of: &chip, .get(0x42, 0, 0, 0, 0, 0x00, 0x80, 0x21, 0x6C)) == .saturated())
  }

  @Test("a forced measurement starts the next one")
  func forced() throws {
    var chip = try configured(ChipSettings(rate: 100), repetitions: (0x04, 0x0E), mode: 0x02)
    // 145 · 9 + 500 · 15 + 980 µs.
    #expect(abs(chip.timing.period - 0.009785) < 1e-9)
    #expect(
      try measurement(of: &chip, .get(0x42, 0xC0, 0x09, 0x28, 0xFA, 0xEE, 0xF8, 0x21, 0x6C), .set(0x4C, 0x02)) != nil)
  }

  @Test("self-test: bit 0 of each pair", arguments: [(UInt8(1), true), (0, false)])
  func selfTest(bit: UInt8, passes: Bool) throws {
    var chip = try chip("bmm150", at: 0x13)
    let steps: [ScriptedBus.Step] = [
      .get(0x40, 0x32), .set(0x4B, 0x83), .wait(1), .set(0x4C, 0x07), .get(0x4C, 0x07), .wait(1), .get(0x4C, 0x06),
      .get(0x42, 1, 0, bit, 0, 1, 0),
    ]
    #expect(try ownTest(of: &chip, steps).passed == passes)
  }

  @Test(
    "impossible trim is refused with what was read, and ones as a line that nobody pulls down",
    arguments: [
      (
        UInt8(0x00),
        ChipError.implausible(chip: "bmm150", what: "trim values", read: [UInt8](repeating: 0x00, count: 16))
      ), (0xFF, .bus(.dataNotAcknowledged(0x10))),
    ])
  func implausible(byte: UInt8, error: ChipError) throws {
    var chip = try chip("bmm150", at: 0x10)
    func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: byte, count: count) }
    let steps: [ScriptedBus.Step] = [
      .get(0x40, 0x32), .set(0x4B, 0x83), .wait(1), .exchange([0x5D], bytes(2)), .exchange([0x62], bytes(4)),
      .exchange([0x68], bytes(10)),
    ]
    #expect(throws: error) { try configure(&chip, ChipSettings(), steps) }
  }

  @Test("nothing is written where POWER_CONTROL does not read as in suspend")
  func foreign() throws {
    var chip = try chip("bmm150", at: 0x10)
    #expect(
      throws: ChipError.wrongIdentity(chip: "bmm150", address: 0x10, register: 0x40, expected: [[0x32]], read: [0xAB])
    ) { try configure(&chip, ChipSettings(), [.get(0x40, 0xAB), .get(0x4B, 0xFF), .get(0x40, 0xAB)]) }
  }
}
