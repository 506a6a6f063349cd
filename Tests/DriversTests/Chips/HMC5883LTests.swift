import LodestoneCore
import Drivers
import Support
import Testing

@Suite("HMC5883L") struct HMC5883LTests {
  /// Identity "H43", rate with averaging of eight, gain, one measurement thrown away, continuous mode.
  private func start(rate: UInt8, gain: UInt8) -> [ScriptedBus.Step] {
    [.get(0x0A, 0x48, 0x34, 0x33)] + ScriptedBus.Step.keep(0x00, rate) + ScriptedBus.Step.keep(0x01, gain)
      + [.set(0x02, 0x01), .wait(6), .get(0x03, 1, 2, 3, 4, 5, 6), .set(0x02, 0x00)]
  }

  private func configured(_ settings: ChipSettings, rate: UInt8, gain: UInt8) throws -> any Chip {
    var chip = try chip("hmc5883l", at: 0x1E)
    try configure(&chip, settings, start(rate: rate, gain: gain))
    return chip
  }

  @Test("rates", arguments: [(75.0, UInt8(0x78)), (30, 0x74), (15, 0x70), (7.5, 0x6C), (10, 0x70), (0.75, 0x60)])
  func rates(rate: Double, control: UInt8) throws {
    let chip = try configured(ChipSettings(rate: rate), rate: control, gain: 0x20)
    #expect(chip.timing.latency == 0.003)
  }

  @Test(
    "one gauss at each gain, with x, z, y on the wire",
    arguments: [
      (88.0, UInt8(0x00), UInt16(1370)), (130, 0x20, 1090), (190, 0x40, 820), (250, 0x60, 660), (400, 0x80, 440),
      (470, 0xA0, 390), (560, 0xC0, 330), (810, 0xE0, 230),
    ])
  func gains(range: Double, control: UInt8, counts: UInt16) throws {
    var chip = try configured(ChipSettings(fieldRange: range), rate: 0x78, gain: control)
    let (high, low) = (UInt8(counts >> 8), UInt8(counts & 0xFF))
    // x = 1 G, z = 2 counts, y = −1 count.
    let measured = try measurement(
      of: &chip, .get(0x09, 0x01), .get(0x00, 0x78, control, 0x00, high, low, 0, 2, 0xFF, 0xFF))
    try expect(
      measured?.field?.microtesla, near: Vector3(100, -100 / Double(counts), 200 / Double(counts)), within: 1e-9)
  }

  @Test("not ready is nothing; −4096 on any axis is past the range", arguments: [0, 2, 4])
  func flags(axis: Int) throws {
    var chip = try configured(ChipSettings(), rate: 0x78, gain: 0x20)
    #expect(try measurement(of: &chip, .get(0x09, 0x00)) == nil)
    var bytes: [UInt8] = [0, 1, 0, 1, 0, 1]
    bytes.replaceSubrange(axis..<axis + 2, with: [0xF0, 0x00])
    #expect(
      try measurement(of: &chip, .get(0x09, 0x11), .exchange([0x00], [0x78, 0x20, 0x00] + bytes)) == .saturated())
  }

  /// "Configuration register A", "Configuration register B" and "Mode register": what they hold after power-on, and
  /// each alone. Once it has measured by itself the mode is idle.
  @Test(
    "a result by other settings than were made is none",
    arguments: [[0x10, 0x20, 0x02], [0x10, 0x80, 0x00], [0x78, 0x20, 0x00], [0x78, 0x80, 0x01]] as [[UInt8]])
  func lostSettings(registers: [UInt8]) throws {
    var chip = try configured(ChipSettings(fieldRange: 400), rate: 0x78, gain: 0x80)
    let data: [UInt8] = [0, 218, 0, 0, 0, 0]
    #expect(try measurement(of: &chip, .get(0x09, 0x01), .exchange([0x00], registers + data)) == nil)
    let kept = try measurement(of: &chip, .get(0x09, 0x01), .exchange([0x00], [0x78, 0x80, 0x00] + data))
    #expect(kept?.field != nil)
  }

  @Test("self-test: the positive bias makes 452, 452 and 421 counts at ±4.7 G")
  func selfTest() throws {
    var chip = try chip("hmc5883l", at: 0x1E)
    let steps =
      start(rate: 0x71, gain: 0xA0)
      + [.wait(133), .get(0x03, 0x01, 0xC4, 0x01, 0xA5, 0x01, 0xC4), .set(0x00, 0x70)]
    let test = try ownTest(of: &chip, steps)
    #expect(test.passed)
    #expect(test.checks.map { $0.value } == [452, 452, 421])
  }
}
