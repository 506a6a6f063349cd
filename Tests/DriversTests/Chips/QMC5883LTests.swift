import LodestoneCore
import Drivers
import Support
import Testing

@Suite("QMC5883L") struct QMC5883LTests {
  private func configured(_ settings: ChipSettings = ChipSettings(), control: UInt8 = 0x09) throws -> any Chip {
    var chip = try chip("qmc5883l", at: 0x0D)
    let steps: [ScriptedBus.Step] = [
      .get(0x00, 0x12), .get(0x0C, 0x01), .get(0x0D, 0xFF), .set(0x0A, 0x80), .wait(1), .set(0x0B, 0x01),
      .set(0x0A, 0x00), .set(0x09, control), .get(0x09, control),
    ]
    try configure(&chip, settings, steps)
    return chip
  }

  @Test(
    "range and rate in one register, over-sampling of 512",
    arguments: [
      (200.0, 10.0, UInt8(0x01)), (200, 50, 0x05), (200, 100, 0x09), (200, 200, 0x0D), (800, 10, 0x11), (800, 50, 0x15),
      (800, 100, 0x19), (800, 200, 0x1D),
    ])
  func control(range: Double, rate: Double, control: UInt8) throws {
    var chip = try configured(ChipSettings(fieldRange: range, rate: rate), control: control)
    // One gauss: 12000 counts (2EE0) at ±2 G, 3000 (0BB8) at ±8 G.
    let (low, high): (UInt8, UInt8) = range == 200 ? (0xE0, 0x2E) : (0xB8, 0x0B)
    let measured = try measurement(of: &chip, .get(0x06, 0x01), .get(0x00, low, high, 0, 0, low, high))
    try expect(measured?.field?.microtesla, near: Vector3(100, 0, 100), within: 1e-9)
  }

  @Test("DRDY, OVL, DOR")
  func flags() throws {
    var chip = try configured()
    #expect(try measurement(of: &chip, .get(0x06, 0x00)) == nil)
    #expect(try measurement(of: &chip, .get(0x06, 0x04)) == nil)
    let past = try measurement(of: &chip, .get(0x06, 0x03), .get(0x00, 0xFF, 0x7F, 0, 0, 0, 0))
    #expect(past?.saturated == true && past?.overrun == false)
    let skipped = try measurement(of: &chip, .get(0x06, 0x05), .get(0x00, 0, 0, 0, 0, 0, 0))
    #expect(skipped?.overrun == true && skipped?.saturated == false)
  }

  @Test("an AK8963 at this address is recognised before its test registers are touched")
  func notAnAK8963() throws {
    var chip = try chip("qmc5883l", at: 0x0D)
    #expect(
      throws: ChipError.wrongIdentity(
        chip: "qmc5883l", address: 0x0D, register: 0x0C, expected: [[0x01]], read: [0x00])
    ) { try configure(&chip, ChipSettings(), [.get(0x00, 0x48), .get(0x0C, 0x00)]) }
  }
}
