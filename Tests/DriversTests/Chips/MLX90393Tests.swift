import LodestoneCore
import Drivers
import Support
import Testing

@Suite("MLX90393") struct MLX90393Tests {
  /// A command and its answer.
  private func command(_ bytes: [UInt8], _ answer: UInt8...) -> [ScriptedBus.Step] { [.write(bytes), .read(answer)] }

  private var identified: [ScriptedBus.Step] {
    command([0x00], 0x02) + command([0x80], 0x00) + [.write([0xF0]), .wait(2), .read([0x04])]
  }

  private func configured(
    _ settings: ChipSettings = ChipSettings(), gain: UInt8 = 0x7C, conf3: (UInt8, UInt8) = (0x05, 0x52)
  ) throws -> any Chip {
    var chip = try chip("mlx90393", at: 0x0C)
    let registers =
      command([0x50, 0x90], 0x00, 0xB6, 0x68) + command([0x60, 0x00, gain, 0x00], 0x00)
      + command([0x50, 0x00], 0x00, 0x00, gain) + command([0x60, 0x00, 0x00, 0x04], 0x00)
      + command([0x50, 0x04], 0x00, 0x00, 0x00) + command([0x60, conf3.0, conf3.1, 0x08], 0x00)
      + command([0x50, 0x08], 0x00, conf3.0, conf3.1)
    try configure(&chip, settings, identified + registers)
    return chip
  }

  private func started(_ chip: inout any Chip) throws {
    let nothing = try scripted(&chip, command([0x3F], 0x20)) { try $0.measure(on: &$1) }
    #expect(nothing == nil)
  }

  @Test(
    "rates are filter and over-sampling, beside the lowest bit of RES 2",
    arguments: [(8.0, UInt8(0x5B)), (15, 0x57), (30, 0x53), (50, 0x52), (100, 0x51), (200, 0x49), (500, 0x40)])
  func rates(rate: Double, conf3: UInt8) throws {
    _ = try configured(ChipSettings(rate: rate), conf3: (0x05, conf3))
  }

  @Test(
    "a thousand counts at each range",
    arguments: [
      (13_200.0, UInt8(0x7C), 600.0, 968.0), (26_400, 0x4C, 1200, 1936), (52_888, 0x1C, 2404, 3872),
    ])
  func ranges(range: Double, gain: UInt8, xy: Double, z: Double) throws {
    var chip = try configured(ChipSettings(fieldRange: range), gain: gain)
    try started(&chip)
    func bytes(_ count: Int) -> [UInt8] { [UInt8((count + 32768) >> 8), UInt8((count + 32768) & 0xFF)] }
    let answer: [UInt8] = [0x03, 0xB6, 0x68] + bytes(1000) + bytes(-1000) + bytes(1000)
    let measured = try scripted(&chip, [.write([0x4F]), .read(answer)] + command([0x3F], 0x20)) {
      try $0.measure(on: &$1)
    }
    try expect(measured?.field?.microtesla, near: Vector3(xy, -xy, z), within: 1e-9)
    #expect(measured?.temperature == 35)
  }

  @Test("not done yet, past the range, a cold chip")
  func flags() throws {
    var chip = try configured()
    try started(&chip)
    let early = try scripted(&chip, [.write([0x4F]), .read([0x10, 0, 0, 0, 0, 0, 0, 0, 0])]) { try $0.measure(on: &$1) }
    #expect(early == nil)
    // 46696 − 1130 counts are 25 °C below the reference.
    let answer: [UInt8] = [0x03, 0xB1, 0xFE, 0x80, 0x00, 0x2A, 0x10, 0x80, 0x00]
    let past = try scripted(&chip, [.write([0x4F]), .read(answer)] + command([0x3F], 0x20)) { try $0.measure(on: &$1) }
    #expect(past?.saturated == true)
    #expect(past?.temperature == 10)
  }

  /// GAIN_SEL (CONF1), TCMP_EN (CONF2) and RES (CONF3) decide what a count is.
  @Test("a gain that is not kept is refused; what else stands in the register is not asked for")
  func notKept() throws {
    var chip = try chip("mlx90393", at: 0x0C)
    let before = identified + command([0x50, 0x90], 0x00, 0xB6, 0x68) + command([0x60, 0x00, 0x7C, 0x00], 0x00)
    #expect(throws: ChipError.notAccepted(chip: "mlx90393", register: 0, written: 0x7C, read: 0x0C)) {
      try configure(&chip, ChipSettings(), before + command([0x50, 0x00], 0x00, 0x00, 0x0C))
    }
    #expect(throws: ChipError.notAccepted(chip: "mlx90393", register: 1, written: 0x00, read: 0x00)) {
      try configure(
        &chip, ChipSettings(),
        before + command([0x50, 0x00], 0x00, 0xE0, 0x7C) + command([0x60, 0x00, 0x00, 0x04], 0x00)
          + command([0x50, 0x04], 0x00, 0x04, 0x00))
    }
  }

  /// Status byte, RS: set by a reset, told once. The default of CONF3 is another resolution.
  @Test("a part that was reset says nothing until it is set up again")
  func reset() throws {
    let data: [UInt8] = [0xB6, 0x68, 0x80, 0x01, 0x80, 0x02, 0x80, 0x03]
    var chip = try configured()
    try started(&chip)
    #expect(try scripted(&chip, [.write([0x4F]), .read([0x07] + data)]) { try $0.measure(on: &$1) } == nil)
    #expect(try scripted(&chip, []) { try $0.measure(on: &$1) } == nil)
    chip = try configured()
    #expect(try scripted(&chip, command([0x3F], 0x24)) { try $0.measure(on: &$1) } == nil)
    #expect(try scripted(&chip, []) { try $0.measure(on: &$1) } == nil)
  }

  /// In the finest resolution the low 16 bits of it are 170 µT.
  @Test("ten millitesla are ten, unless told otherwise")
  func magnet() throws {
    var chip = try configured()
    #expect(chip.fieldRange == 13_200)
    try started(&chip)
    let answer: [UInt8] = [0x03, 0xB6, 0x68, 0xC1, 0x1B, 0x80, 0x00, 0x80, 0x00]
    let measured = try scripted(&chip, [.write([0x4F]), .read(answer)] + command([0x3F], 0x20)) {
      try $0.measure(on: &$1)
    }
    try expect(measured?.field?.microtesla, near: Vector3(10_000.2, 0, 0), within: 1e-6)
    #expect(measured?.saturated == false)
  }

  /// Libraries print counts of the finest resolution.
  @Test("counts in a stream may be of the finest resolution")
  func counts() {
    let sizes = Chips.named("mlx90393")?.countSizes.map { $0.microtesla.x } ?? []
    #expect(sizes == [0.15, 0.3, 0.6, 1.2, 2.404])
  }

  @Test("who answers otherwise is not one, and an impossible reference is refused")
  func refusals() throws {
    var chip = try chip("mlx90393", at: 0x0C)
    let stranger = command([0x00], 0x02) + command([0x80], 0x00) + [.write([0xF0]), .wait(2), .read([0x02])]
    #expect(
      throws: ChipError.wrongIdentity(
        chip: "mlx90393", address: 0x0C, register: 0xF0, expected: [[0x00, 0x00, 0x04]], read: [0x02, 0x00, 0x02])
    ) { try configure(&chip, ChipSettings(), stranger) }
    #expect(
      throws: ChipError.implausible(chip: "mlx90393", what: "temperature reference", read: [0x00, 0xFF, 0xFF])
    ) { try configure(&chip, ChipSettings(), identified + command([0x50, 0x90], 0x00, 0xFF, 0xFF)) }
  }
}
