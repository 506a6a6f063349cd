import LodestoneCore
import Drivers
import Support
import Testing

@Suite("LSM303 parts") struct LSM303Tests {
  private func magnetometer(_ settings: ChipSettings, control: UInt8, gain: UInt8) throws -> any Chip {
    var chip = try chip("lsm303dlhc", at: 0x1E)
    let steps: [ScriptedBus.Step] =
      [.get(0x0A, 0x48, 0x34, 0x33), .get(0x0F, 0x3C)] + ScriptedBus.Step.keep(0x00, control)
      + ScriptedBus.Step.keep(0x01, gain)
    try configure(
      &chip, settings, steps + [.set(0x02, 0x01), .wait(6), .get(0x03, 0, 0, 0, 0, 0, 0), .set(0x02, 0x00)])
    return chip
  }

  @Test(
    "the DLHC's gains: z has its own",
    arguments: [
      (130.0, UInt8(0x20), 1100, 980), (190, 0x40, 855, 760), (250, 0x60, 670, 600), (400, 0x80, 450, 400),
      (470, 0xA0, 400, 355), (560, 0xC0, 330, 295), (810, 0xE0, 230, 205),
    ])
  func gains(range: Double, gain: UInt8, xy: Int, z: Int) throws {
    var chip = try magnetometer(ChipSettings(fieldRange: range), control: 0x18, gain: gain)
    func bytes(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
    let measured = try measurement(
      of: &chip, .get(0x09, 0x01), .exchange([0x00], [0x18, gain, 0x00] + bytes(xy) + bytes(z) + bytes(xy)))
    try expect(measured?.field?.microtesla, near: Vector3(100, 100, 100), within: 1e-9)
  }

  @Test("the DLHC's rates, to 220 Hz", arguments: [(7.5, UInt8(0x0C)), (15, 0x10), (75, 0x18), (220, 0x1C)])
  func rates(rate: Double, control: UInt8) throws {
    _ = try magnetometer(ChipSettings(rate: rate), control: control, gain: 0x20)
  }

  /// The WHO_AM_I_M of the DLHC in st_magn_core.c and in Pololu's library; an HMC5883L has no register there.
  @Test("an HMC5883L is no DLHC", arguments: [UInt8(0x00), 0x20, 0xFF])
  func otherIdentity(read: UInt8) throws {
    var chip = try chip("lsm303dlhc", at: 0x1E)
    #expect(
      throws: ChipError.wrongIdentity(
        chip: "lsm303dlhc", address: 0x1E, register: 0x0F, expected: [[0x3C]], read: [read])
    ) { try configure(&chip, ChipSettings(), [.get(0x0A, 0x48, 0x34, 0x33), .get(0x0F, read)]) }
  }

  /// Data sheet DocID024975, "Sensor characteristics" and "Register mapping": 0.58 mG a count at ±16 G, no other range,
  /// no FAST_ODR.
  @Test(
    "the C's magnetometer: a thousand counts are 58 µT, 8 counts a degree",
    arguments: [(80.0, UInt8(0xFC)), (10, 0xF0)])
  func magnetometerC(rate: Double, control1: UInt8) throws {
    var chip = try chip("lsm303c", at: 0x1E)
    let steps: [ScriptedBus.Step] =
      [.get(0x0F, 0x3D), .set(0x21, 0x04), .wait(10)] + ScriptedBus.Step.keep(0x21, 0x60)
      + ScriptedBus.Step.keep(0x20, control1) + [.set(0x23, 0x0C), .set(0x24, 0x40), .set(0x22, 0x00)]
    try configure(&chip, ChipSettings(rate: rate), steps)
    let measured = try measurement(of: &chip, .get(0xA7, 0x08, 0xE8, 0x03, 0, 0, 0x18, 0xFC))
    try expect(measured?.field?.microtesla, near: Vector3(58, 0, -58), within: 1e-9)
    #expect(chip.fieldRanges == [1600] && chip.rates.last == 80)
    #expect(try scripted(&chip, [.get(0xAE, 0xF8, 0xFF)]) { try $0.temperature(on: &$1) } == 24)
    #expect(try scripted(&chip, []) { try $0.selfTest(on: &$1) } == nil)
  }

  @Test(
    "the C's accelerometer: a thousand counts at each range, and its rates",
    arguments: [(2.0, UInt8(0x04), 0.061, 100.0, UInt8(0x3F)), (4, 0x24, 0.122, 10, 0x1F), (8, 0x34, 0.244, 800, 0x6F)])
  func accelerometerC(range: Double, scale: UInt8, g: Double, rate: Double, control1: UInt8) throws {
    var chip = try chip("lsm303c-accel", at: 0x1D)
    let steps: [ScriptedBus.Step] =
      [.get(0x0F, 0x41), .set(0x24, 0x40), .wait(10)] + ScriptedBus.Step.keep(0x23, scale)
      + ScriptedBus.Step.keep(0x20, control1)
    try configure(&chip, ChipSettings(accelerationRange: range, rate: rate), steps)
    let measured = try measurement(of: &chip, .get(0x27, 0x88, 0xE8, 0x03, 0x18, 0xFC, 0, 0))
    try expect(measured?.acceleration?.g, near: Vector3(g, -g, 0), within: 1e-9)
    #expect(measured?.overrun == true)
    #expect(try measurement(of: &chip, .get(0x27, 0x07, 0, 0, 0, 0, 0, 0)) == nil)
  }

  private func accelerometer(_ name: String, _ settings: ChipSettings, scale: UInt8, rate: UInt8 = 0x57) throws
    -> any Chip
  {
    var chip = try chip(name, at: 0x19)
    let thermometer: [ScriptedBus.Step] = name == "lsm303agr-accel" ? [.set(0x1F, 0xC0)] : []
    // High-pass filter (CTRL_REG2_A), FIFO (CTRL_REG5_A, FIFO_CTRL_REG_A): left on by another program, for want of a
    // reset.
    let leftovers: [ScriptedBus.Step] = [.get(0x0F, 0x33), .set(0x21, 0x00), .set(0x24, 0x00), .set(0x2E, 0x00)]
    let steps = leftovers + ScriptedBus.Step.keep(0x23, scale) + ScriptedBus.Step.keep(0x20, rate) + thermometer
    try configure(&chip, settings, steps)
    return chip
  }

  /// The axes of the AGR are left-handed: the micro:bit's software mirrors both of its sensors against those of other
  /// boards.
  @Test(
    "a thousand counts at each range, twelve bits left-justified; x of the AGR turned round",
    arguments: [
      ("lsm303agr-accel", 2.0, UInt8(0x88), 0.98), ("lsm303agr-accel", 4, 0x98, 1.95),
      ("lsm303agr-accel", 8, 0xA8, 3.9), ("lsm303agr-accel", 16, 0xB8, 11.72), ("lsm303dlhc-accel", 2, 0x88, 1),
      ("lsm303dlhc-accel", 4, 0x98, 2), ("lsm303dlhc-accel", 8, 0xA8, 4), ("lsm303dlhc-accel", 16, 0xB8, 12),
      ("lis3dh", 2, 0x88, 1), ("lis3dh", 16, 0xB8, 12),
    ])
  func acceleration(name: String, range: Double, scale: UInt8, g: Double) throws {
    var chip = try accelerometer(name, ChipSettings(accelerationRange: range), scale: scale)
    // 1000 << 4 = 3E80, −1000 << 4 = C180; the low nibble is noise of other modes.
    let measured = try measurement(of: &chip, .get(0xA7, 0x0F, 0x80, 0x3E, 0x80, 0xC1, 0x0F, 0x00))
    let x = name == "lsm303agr-accel" ? -g : g
    try expect(measured?.acceleration?.g, near: Vector3(x, -g, 0), within: 1e-9)
    #expect(measured?.field == nil)
    #expect(try measurement(of: &chip, .get(0xA7, 0x07, 0, 0, 0, 0, 0, 0)) == nil)
  }

  @Test("accelerometer rates", arguments: [(1.0, UInt8(0x17)), (10, 0x27), (25, 0x37), (200, 0x67), (400, 0x77)])
  func accelerometerRates(rate: Double, control: UInt8) throws {
    _ = try accelerometer("lsm303agr-accel", ChipSettings(rate: rate), scale: 0x88, rate: control)
  }

  @Test("the AGR's thermometer: 256 counts a degree around 25")
  func temperature() throws {
    var chip = try accelerometer("lsm303agr-accel", ChipSettings(), scale: 0x88)
    #expect(try scripted(&chip, [.get(0x8C, 0x00, 0xFE)]) { try $0.temperature(on: &$1) } == 23)
  }
}
