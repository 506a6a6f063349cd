import LodestoneCore
import Drivers
import Support
import Testing

@Suite("MAG3110") struct MAG3110Tests {
  private func configured(rate: Double? = nil, control: UInt8 = 0x11) throws -> any Chip {
    var chip = try chip("mag3110", at: 0x0E)
    let steps: [ScriptedBus.Step] = [
      .get(0x07, 0xC4), .set(0x10, 0x00), .get(0x08, 0x02), .wait(1), .get(0x08, 0x00),
      .write([0x09, 0, 0, 0, 0, 0, 0]), .set(0x11, 0x80), .set(0x10, control), .get(0x10, control),
    ]
    try configure(&chip, ChipSettings(rate: rate), steps)
    return chip
  }

  @Test(
    "standby is waited for; 80 Hz / 2^DR / 2^OS",
    arguments: [(80.0, UInt8(0x01)), (40, 0x09), (20, 0x11), (10, 0x19), (5, 0x39), (0.625, 0x99)])
  func rates(rate: Double, control: UInt8) throws {
    _ = try configured(rate: rate, control: control)
  }

  /// Left-handed axes: NXP's driver_MAG3110.c "inverts the MAG3110 Z-axis reading to enforce +Z = up".
  @Test("0.1 µT a count, high byte first, z turned round; ready, overwritten, past ±30000")
  func measurements() throws {
    var chip = try configured()
    let measured = try measurement(of: &chip, .get(0x00, 0x0F, 0x03, 0xE8, 0xFC, 0x18, 0x00, 0x01))
    try expect(measured?.field?.microtesla, near: Vector3(100, -100, -0.1), within: 1e-9)
    #expect(try measurement(of: &chip, .get(0x00, 0x07, 0, 0, 0, 0, 0, 0)) == nil)
    let past = try measurement(of: &chip, .get(0x00, 0x8F, 0, 0, 0x8A, 0xD0, 0, 0))
    #expect(past?.saturated == true && past?.overrun == true)
  }

  @Test("a part that never reaches standby is not waited for for ever")
  func stuck() throws {
    var chip = try chip("mag3110", at: 0x0E)
    var steps: [ScriptedBus.Step] = [.get(0x07, 0xC4), .set(0x10, 0x00)]
    for _ in 0..<1300 { steps += [.get(0x08, 0x01), .wait(10)] }
    steps.append(.get(0x08, 0x01))
    #expect(throws: ChipError.timedOut(chip: "mag3110", waitingFor: "standby", milliseconds: 13_000)) {
      try configure(&chip, ChipSettings(), steps)
    }
  }
}
