import LodestoneCore
import Drivers
import Support
import Testing

@Suite("LIS3MDL") struct LIS3MDLTests {
  /// ST's order: identity, SOFT_RST, full scale, CTRL_REG1, z mode, BDU, continuous conversion.
  private func start(range: UInt8, rate: UInt8, z: UInt8) -> [ScriptedBus.Step] {
    [.get(0x0F, 0x3D), .set(0x21, 0x04), .wait(10)] + ScriptedBus.Step.keep(0x21, range)
      + ScriptedBus.Step.keep(0x20, rate) + [.set(0x23, z), .set(0x24, 0x40), .set(0x22, 0x00)]
  }

  private func configured(_ settings: ChipSettings, range: UInt8, rate: UInt8, z: UInt8) throws -> any Chip {
    var chip = try chip("lis3mdl", at: 0x1C)
    try configure(&chip, settings, start(range: range, rate: rate, z: z))
    return chip
  }

  @Test("80 Hz with ultra-high performance and ±4 G unless told otherwise")
  func defaults() throws {
    let chip = try configured(ChipSettings(), range: 0x00, rate: 0xFC, z: 0x0C)
    // A conversion that can be repeated 155 times a second takes 6.45 ms.
    #expect(chip.timing.period == 0.0125 && abs(chip.timing.latency - 0.003226) < 1e-6)
    #expect(chip.fieldRange == 400)
  }

  @Test(
    "each rate has its mode",
    arguments: [
      (10.0, UInt8(0xF0), UInt8(0x0C)), (0.625, 0xE0, 0x0C), (155, 0xE2, 0x0C), (300, 0xC2, 0x08), (560, 0xA2, 0x04),
      (1000, 0x82, 0x00), (11, 0xF4, 0x0C),
    ])
  func rates(rate: Double, control1: UInt8, control4: UInt8) throws {
    _ = try configured(ChipSettings(rate: rate), range: 0x00, rate: control1, z: control4)
  }

  @Test(
    "one gauss at each full scale",
    arguments: [
      (400.0, UInt8(0x00), [UInt8(0xBA), 0x1A]), (800, 0x20, [0x5D, 0x0D]), (1200, 0x40, [0xE9, 0x08]),
      (1600, 0x60, [0xAF, 0x06]),
    ])
  func ranges(range: Double, control2: UInt8, gauss: [UInt8]) throws {
    var chip = try configured(ChipSettings(fieldRange: range), range: control2, rate: 0xFC, z: 0x0C)
    // 6842, 3421, 2281 and 1711 counts (data sheet, "Magnetic sensitivity").
    let data = [0x08] + gauss + [0, 0] + gauss
    let measured = try measurement(of: &chip, .exchange([0xA7], data))
    try expect(measured?.field?.microtesla, near: Vector3(100, 0, 100), within: 1e-9)
    #expect(measured?.saturated == false)
  }

  @Test("no data, clipped data, overwritten data")
  func flags() throws {
    var chip = try configured(ChipSettings(), range: 0x00, rate: 0xFC, z: 0x0C)
    #expect(try measurement(of: &chip, .get(0xA7, 0x00, 0, 0, 0, 0, 0, 0)) == nil)
    let clipped = try #require(try measurement(of: &chip, .get(0xA7, 0x08, 0, 0, 0xFF, 0x7F, 0, 0)))
    #expect(clipped.saturated)
    let negative = try #require(try measurement(of: &chip, .get(0xA7, 0x88, 0, 0, 0, 0, 0x00, 0x80)))
    #expect(negative.saturated && negative.overrun)
    let zero = try #require(try measurement(of: &chip, .get(0xA7, 0x08, 0, 0, 0, 0, 0, 0)))
    #expect(zero == .field(MagneticField(microtesla: .zero)))
  }

  @Test("temperature: 8 counts a degree around 25")
  func temperature() throws {
    var chip = try configured(ChipSettings(), range: 0x00, rate: 0xFC, z: 0x0C)
    let temperature = try scripted(&chip, [.get(0xAE, 0xF4, 0xFF)]) { try $0.temperature(on: &$1) }
    #expect(temperature == 23.5)
  }

  @Test("self-test: the mean of five moves by ST's limits")
  func selfTest() throws {
    var chip = try chip("lis3mdl", at: 0x1E)
    let quiet: [ScriptedBus.Step] = [.get(0x27, 0x08), .get(0xA7, 0x08, 0, 0, 0, 0, 0, 0)]
    // 2 G on x and y is 4562 counts at ±12 G, 0.5 G on z is 1140.
    let moved: [ScriptedBus.Step] = [.get(0x27, 0x08), .get(0xA7, 0x08, 0xD2, 0x11, 0xD2, 0x11, 0x74, 0x04)]
    var steps: [ScriptedBus.Step] = [
      .get(0x0F, 0x3D), .set(0x21, 0x40), .set(0x24, 0x40), .set(0x20, 0x1C), .set(0x22, 0x00), .wait(20),
      .get(0xA7, 0, 0, 0, 0, 0, 0, 0),
    ]
    for _ in 0..<5 { steps += quiet }
    steps += [.set(0x20, 0x1D), .wait(60), .get(0xA7, 0x08, 9, 9, 9, 9, 9, 9)]
    for _ in 0..<5 { steps += moved }
    steps += [.set(0x20, 0x1C), .set(0x22, 0x03)]
    let test = try ownTest(of: &chip, steps)
    #expect(test.passed)
    #expect(test.checks.map { ($0.value * 100).rounded() } == [200, 200, 50])
  }

  @Test("what it cannot do, it says")
  func refusals() throws {
    var chip = try chip("lis3mdl", at: 0x1C)
    #expect(
      throws: ChipError.notOffered(
        chip: "lis3mdl", setting: .fieldRange, asked: 1700, offered: [400, 800, 1200, 1600])
    ) {
      try configure(&chip, ChipSettings(fieldRange: 1700), [])
    }
    let steps: [ScriptedBus.Step] = [
      .get(0x0F, 0x3D), .set(0x21, 0x04), .wait(10), .set(0x21, 0x60), .get(0x21, 0x00),
    ]
    #expect(throws: ChipError.notAccepted(chip: "lis3mdl", register: 0x21, written: 0x60, read: 0x00)) {
      try configure(&chip, ChipSettings(fieldRange: 1600), steps)
    }
  }
}
