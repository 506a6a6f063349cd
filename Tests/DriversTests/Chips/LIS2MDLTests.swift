import LodestoneCore
import Drivers
import Support
import Testing

@Suite("LIS2MDL and the LSM303AGR's magnetometer") struct LIS2MDLTests {
  private func configured(_ name: String, rate: Double? = nil, control: UInt8 = 0x8C) throws -> any Chip {
    var chip = try chip(name, at: 0x1E)
    let steps: [ScriptedBus.Step] = [
      .get(0x4F, 0x40), .set(0x60, 0x20), .wait(5), .set(0x60, 0x40), .wait(20), .set(0x61, 0x02), .set(0x62, 0x10),
      .set(0x60, control), .get(0x60, control),
    ]
    try configure(&chip, ChipSettings(rate: rate), steps)
    return chip
  }

  @Test("rates", arguments: [(10.0, UInt8(0x80)), (20, 0x84), (50, 0x88), (100, 0x8C)])
  func rates(rate: Double, control: UInt8) throws {
    _ = try configured("lis2mdl", rate: rate, control: control)
    _ = try configured("lsm303agr", rate: rate, control: control)
  }

  /// Left-handed axes: DS12144, 1.2, and the orientation that ST's X-CUBE-MEMS1 gives its boards, north, east, up.
  @Test("1.5 mG a count, x turned round, temperature in the same burst")
  func measurements() throws {
    var chip = try configured("lis2mdl")
    // 1000 counts = 150 µT; −80 counts of temperature = 15 °C.
    let measured = try measurement(of: &chip, .get(0x67, 0x0F, 0xE8, 0x03, 0x18, 0xFC, 0, 0, 0xB0, 0xFF))
    try expect(measured?.field?.microtesla, near: Vector3(-150, -150, 0), within: 1e-9)
    #expect(measured?.temperature == 15)
    #expect(try measurement(of: &chip, .get(0x67, 0x07, 0, 0, 0, 0, 0, 0, 0, 0)) == nil)
    let past = try measurement(of: &chip, .get(0x67, 0x8F, 0xFF, 0x7F, 0, 0, 0, 0, 0, 0))
    #expect(past?.saturated == true && past?.overrun == true)
  }

  @Test("the LSM303AGR has no thermometer here")
  func withoutTemperature() throws {
    var chip = try configured("lsm303agr")
    let measured = try measurement(of: &chip, .get(0x67, 0x0F, 0xE8, 0x03, 0, 0, 0, 0))
    try expect(measured?.field?.microtesla, near: Vector3(-150, 0, 0), within: 1e-9)
    #expect(measured?.temperature == nil)
  }

  @Test("self-test: means of fifty differ by 15 to 500 mG", arguments: [(UInt8(100), true), (5, false)])
  func selfTest(counts: UInt8, passes: Bool) throws {
    var chip = try chip("lis2mdl", at: 0x1E)
    var steps: [ScriptedBus.Step] = [
      .get(0x4F, 0x40), .set(0x60, 0x8C), .set(0x61, 0x00), .set(0x62, 0x10), .wait(20),
      .get(0x67, 0, 0, 0, 0, 0, 0, 0),
    ]
    for _ in 0..<50 { steps += [.get(0x67, 0x08), .get(0x67, 0x08, 0, 0, 0, 0, 0, 0)] }
    steps += [.set(0x62, 0x12), .wait(60), .get(0x67, 0x08, 1, 1, 1, 1, 1, 1)]
    for _ in 0..<50 { steps += [.get(0x67, 0x08), .get(0x67, 0x08, counts, 0, counts, 0, counts, 0)] }
    steps.append(.set(0x62, 0x10))
    let test = try ownTest(of: &chip, steps)
    #expect(test.passed == passes)
    #expect(test.checks.allSatisfy { abs($0.value - 1.5 * Double(counts)) < 1e-9 })
  }
}
