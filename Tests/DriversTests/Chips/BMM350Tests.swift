import LodestoneCore
import Drivers
import Support
import Testing

@Suite("BMM350") struct BMM350Tests {
  /// Words 0D ... 18 of the one-time programmable memory.
  private static let words: [(UInt8, UInt8)] = [
    (0x05, 0xF6), (0x2F, 0x38), (0x01, 0x14), (0x0B, 0xE7), (0xF4, 0x0D), (0x03, 0x02), (0xFE, 0x05), (0x04, 0xFB),
    (0x03, 0xFE), (0x01, 0x05), (0x00, 0x00), (0x01, 0x80),
  ]

  /// A register read with its two leading bytes.
  private func get(_ register: UInt8, _ values: UInt8...) -> ScriptedBus.Step {
    .exchange([register], [0xAA, 0x55] + values)
  }

  private func memory(_ words: [(UInt8, UInt8)]) -> [ScriptedBus.Step] {
    var steps: [ScriptedBus.Step] = []
    for (number, word) in zip(0x0D...0x18 as ClosedRange<UInt8>, words) {
      steps += [.set(0x50, 0x20 | number), .wait(0.3), get(0x55, 0x01), get(0x52, word.0, word.1)]
    }
    return steps + [.set(0x50, 0x80)]
  }

  private var reset: [ScriptedBus.Step] { [get(0x00, 0x33), .set(0x7E, 0xB6), .wait(24), get(0x00, 0x33)] }
  private var degauss: [ScriptedBus.Step] {
    [.set(0x06, 0x07), .wait(14), get(0x07, 0xE0), .set(0x06, 0x05), .wait(18), get(0x07, 0xA0)]
  }
  private func run(_ rate: UInt8) -> [ScriptedBus.Step] {
    [
      .set(0x05, 0x07), .set(0x04, rate), .set(0x06, 0x02), .wait(1), .set(0x2E, 0x86), .set(0x06, 0x01), .wait(38),
    ]
  }

  private func configured(_ settings: ChipSettings = ChipSettings(), rate: UInt8 = 0x24) throws -> any Chip {
    var chip = try chip("bmm350", at: 0x14)
    try configure(&chip, settings, reset + memory(Self.words) + degauss + run(rate))
    return chip
  }

  @Test("rates with the most averaging", arguments: [(12.5, UInt8(0x37)), (100, 0x24), (200, 0x13), (400, 0x02)])
  func rates(rate: Double, register: UInt8) throws {
    _ = try configured(ChipSettings(rate: rate), rate: register)
  }

  /// By hand with Bosch's constants: offsets −200, 532, 487 µT; sensitivities 11, 13, −12 / 256; temperature
  /// 52000 · 0.000981282 − 25.49 °C, then · (1 + 5/512) − 2; reference 23.75 °C; crosstalk −2, 3, 5, 1 / 800.
  @Test("compensation")
  func compensation() throws {
    var chip = try configured()
    let data = get(0x31, 0xA0, 0x0F, 0x00, 0x3C, 0xF6, 0xFF, 0x90, 0xE8, 0xFF, 0x20, 0xCB, 0x00)
    let measured = try measurement(of: &chip, get(0x30, 0x04), data)
    try expect(measured?.field?.microtesla, near: Vector3(-169.21637, 514.06995, 446.37366), within: 0.001)
    #expect(abs((measured?.temperature ?? 0) - 23.786) < 0.001)
    #expect(try measurement(of: &chip, get(0x30, 0x00)) == nil)
  }

  @Test("past ±2000 µT")
  func saturation() throws {
    var chip = try configured()
    let data = get(0x31, 0x00, 0x00, 0x05, 0, 0, 0, 0, 0, 0, 0x20, 0xCB, 0x00)
    #expect(try measurement(of: &chip, get(0x30, 0x04), data)?.saturated == true)
  }

  @Test("a memory that was never programmed, or reports an error, is refused")
  func implausible() throws {
    var chip = try chip("bmm350", at: 0x14)
    let blank = [(UInt8, UInt8)](repeating: (0, 0), count: 12)
    #expect(
      throws: ChipError.implausible(
        chip: "bmm350", what: "one-time programmable memory", read: [UInt8](repeating: 0, count: 24))
    ) { try configure(&chip, ChipSettings(), reset + memory(blank)) }
    #expect(
      throws: ChipError.implausible(chip: "bmm350", what: "status of the programmable memory", read: [0x61])
    ) { try configure(&chip, ChipSettings(), reset + [.set(0x50, 0x2D), .wait(0.3), get(0x55, 0x61)]) }
  }

  @Test("a magnetic reset that is not confirmed is an error")
  func unconfirmed() throws {
    var chip = try chip("bmm350", at: 0x14)
    let steps = reset + memory(Self.words) + [.set(0x06, 0x07), .wait(14), get(0x07, 0x10)]
    #expect(throws: ChipError.notAccepted(chip: "bmm350", register: 0x06, written: 0x07, read: 0x10)) {
      try configure(&chip, ChipSettings(), steps)
    }
  }

  @Test("self-test: x and y excited both ways")
  func selfTest() throws {
    var chip = try chip("bmm350", at: 0x14)
    var steps = reset + [.set(0x05, 0x07)]
    // ±25000 counts are ±176.7 µT.
    let (up, down): ([UInt8], [UInt8]) = ([0xA8, 0x61, 0x00], [0x58, 0x9E, 0xFF])
    let rest = [UInt8](repeating: 0, count: 6)
    for (code, data) in [
      (0x0D, up + [0, 0, 0]), (0x0B, down + [0, 0, 0]), (0x15, [0, 0, 0] + up), (0x13, [0, 0, 0] + down),
    ] as [(UInt8, [UInt8])] {
      steps += [.set(0x60, code), .wait(1), .set(0x06, 0x04), .wait(6)]
      steps.append(.exchange([0x31], [0, 0] + data + rest))
    }
    let test = try ownTest(of: &chip, steps + [.set(0x60, 0x00)])
    #expect(test.passed)
    #expect(test.checks.allSatisfy { abs($0.value - 353.5) < 0.1 })
  }
}
