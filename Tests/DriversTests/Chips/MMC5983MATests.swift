import LodestoneCore
import Drivers
import Support
import Testing

@Suite("MMC5983MA") struct MMC5983MATests {
  private let setReset: [ScriptedBus.Step] = [.set(0x09, 0x08), .wait(0.5), .set(0x09, 0x10), .wait(0.5)]

  private func run(bandwidth: UInt8, control: UInt8) -> [ScriptedBus.Step] {
    [.set(0x09, 0x20), .set(0x0A, bandwidth), .set(0x0B, control)]
  }

  private func configured(
    _ settings: ChipSettings = ChipSettings(), bandwidth: UInt8 = 1, control: UInt8 = 0x0D
  ) throws -> any Chip {
    var chip = try chip("mmc5983ma", at: 0x30)
    let steps: [ScriptedBus.Step] = [.get(0x2F, 0x30), .set(0x0A, 0x80), .wait(10)]
    try configure(&chip, settings, steps + setReset + run(bandwidth: bandwidth, control: control))
    return chip
  }

  @Test(
    "each rate with the bandwidth it needs",
    arguments: [
      (1.0, UInt8(0), UInt8(0x09)), (10, 0, 0x0A), (20, 0, 0x0B), (50, 0, 0x0C), (100, 1, 0x0D), (200, 1, 0x0E),
      (1000, 3, 0x0F),
    ])
  func rates(rate: Double, bandwidth: UInt8, control: UInt8) throws {
    _ = try configured(ChipSettings(rate: rate), bandwidth: bandwidth, control: control)
  }

  /// Left-handed axes: ArduPilot (M_reset − M_set) and PX4 (8 G − raw) mirror all three.
  @Test("18 bits around 2^17, 16384 counts a gauss, z turned round")
  func scale() throws {
    var chip = try configured()
    // 131072 + 16384 = 0x24000: 90 00, 0. 131072 − 16384 = 0x1C000: 70 00, 0. 131072 + 3 = 0x20003: 80 00, 3.
    let measured = try measurement(
      of: &chip, .get(0x08, 0x11), .get(0x00, 0x90, 0x00, 0x70, 0x00, 0x80, 0x00, 0x0C), .set(0x08, 0x01))
    try expect(measured?.field?.microtesla, near: Vector3(100, -100, -0.018310546875), within: 1e-12)
  }

  @Test("either end of the codes is past the range", arguments: [UInt8(0x00), 0xFF])
  func saturation(end: UInt8) throws {
    var chip = try configured()
    let measured = try measurement(
      of: &chip, .get(0x08, 0x01), .get(0x00, end, end, 0x80, 0, 0x80, 0, end & 0xC0), .set(0x08, 0x01))
    #expect(measured?.saturated == true)
    #expect(try measurement(of: &chip, .get(0x08, 0x10)) == nil)
  }
}
