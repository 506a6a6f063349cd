import LodestoneCore
import Drivers
import Support
import Testing

@Suite("BNO055") struct BNO055Tests {
  private let reset: [ScriptedBus.Step] = [
    .get(0x00, 0xA0), .set(0x3D, 0x00), .wait(19), .set(0x3F, 0x20), .wait(650), .fail(.addressNotAcknowledged(0x28)),
    .wait(10), .get(0x00, 0x00), .get(0x07, 0x00), .get(0x00, 0x00), .wait(10), .get(0x00, 0xA0), .wait(50),
    .set(0x3F, 0x00),
  ]

  private func configured(rate: Double? = nil, magnetometer: UInt8 = 0x1D) throws -> any Chip {
    var chip = try chip("bno055", at: 0x28)
    let steps: [ScriptedBus.Step] = [
      .set(0x3E, 0x00), .set(0x3B, 0x00), .set(0x07, 0x01), .set(0x09, magnetometer), .set(0x07, 0x00),
      .set(0x3D, 0x07), .wait(20),
    ]
    try configure(&chip, ChipSettings(rate: rate), reset + steps)
    return chip
  }

  @Test(
    "silence and zeros while it starts are waited out; AMG", arguments: [(20.0, UInt8(0x1D)), (30, 0x17), (2, 0x18)])
  func start(rate: Double, magnetometer: UInt8) throws {
    _ = try configured(rate: rate, magnetometer: magnetometer)
  }

  @Test("all three sensors in one burst")
  func measurements() throws {
    var chip = try configured()
    // 9.81 m/s² on z; 1600, −800 and 16 sixteenths of a µT; 16384 counts of ±2000 °/s.
    let measured = try measurement(
      of: &chip,
      .get(0x08, 0, 0, 0, 0, 0xD5, 0x03, 0x40, 0x06, 0xE0, 0xFC, 0x10, 0x00, 0x00, 0x40, 0, 0, 0x00, 0xC0))
    try expect(measured?.acceleration?.g, near: Vector3(0, 0, 9.81 / 9.80665), within: 1e-9)
    try expect(measured?.field?.microtesla, near: Vector3(100, -50, 1), within: 1e-9)
    try expect(measured?.rotationRate?.degreesPerSecond, near: Vector3(1000, 0, -1000), within: 1e-9)
    #expect(measured?.saturated == false)
    #expect(try measurement(of: &chip, .exchange([0x08], [UInt8](repeating: 0, count: 18))) == nil)
    // The magnetometer has not measured yet.
    #expect(
      try measurement(of: &chip, .get(0x08, 0, 0, 0, 0, 0xD5, 0x03, 0, 0, 0, 0, 0, 0, 0x00, 0x40, 0, 0, 0, 0)) == nil)
  }

  @Test("temperature and the test at power-on")
  func upkeep() throws {
    var chip = try configured()
    #expect(try scripted(&chip, [.get(0x34, 0xF6)]) { try $0.temperature(on: &$1) } == -10)
    #expect(try ownTest(of: &chip, reset + [.get(0x36, 0x0F)]).passed)
    let failed = try ownTest(of: &chip, reset + [.get(0x36, 0x0D)])
    #expect(failed.checks.filter { !$0.passed }.map { $0.name } == ["magnetometer passed"])
  }
}
