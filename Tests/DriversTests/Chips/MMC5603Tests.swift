import LodestoneCore
import Drivers
import Support
import Testing

@Suite("MMC5603") struct MMC5603Tests {
  private let setReset: [ScriptedBus.Step] = [.set(0x1B, 0x08), .wait(1), .set(0x1B, 0x10), .wait(1)]

  private func run(_ rate: UInt8, _ bandwidth: UInt8, _ control2: UInt8) -> [ScriptedBus.Step] {
    [.set(0x1A, rate), .set(0x1C, bandwidth), .set(0x1B, 0xA0), .set(0x1D, control2)]
  }

  private func configured(
    _ settings: ChipSettings = ChipSettings(), rate: UInt8 = 75, bandwidth: UInt8 = 0, control2: UInt8 = 0x10
  ) throws -> any Chip {
    var chip = try chip("mmc5603", at: 0x30)
    let steps: [ScriptedBus.Step] = [.get(0x39, 0x10), .set(0x1C, 0x80), .wait(20)]
    try configure(&chip, settings, steps + setReset + run(rate, bandwidth, control2))
    return chip
  }

  @Test(
    "rates take the longest measurement that fits",
    arguments: [
      (10.0, UInt8(10), UInt8(0), UInt8(0x10)), (75, 75, 0, 0x10), (100, 100, 1, 0x10), (200, 200, 2, 0x10),
      (255, 255, 2, 0x10), (1000, 255, 3, 0x90),
    ])
  func rates(rate: Double, register: UInt8, bandwidth: UInt8, control2: UInt8) throws {
    _ = try configured(ChipSettings(rate: rate), rate: register, bandwidth: bandwidth, control2: control2)
  }

  @Test("20 bits around 2^19, 16384 counts a gauss")
  func scale() throws {
    var chip = try configured()
    // 524288 + 16384 = 0x84000, 524288 − 16384 = 0x7C000, 524288 + 1 = 0x80001.
    let measured = try measurement(
      of: &chip, .get(0x18, 0x40), .get(0x00, 0x84, 0x00, 0x7C, 0x00, 0x80, 0x00, 0x00, 0x00, 0x10))
    try expect(measured?.field?.microtesla, near: Vector3(100, -100, 0.006103515625), within: 1e-12)
    #expect(measured?.saturated == false)
  }

  @Test("codes at both ends are past the range", arguments: [UInt8(0x00), 0xFF])
  func saturation(end: UInt8) throws {
    var chip = try configured()
    let measured = try measurement(
      of: &chip, .get(0x18, 0x50), .get(0x00, 0x80, 0, end, end, 0x80, 0, 0, end, 0))
    #expect(measured?.saturated == true)
    #expect(try measurement(of: &chip, .get(0x18, 0x10)) == nil)
  }
}
