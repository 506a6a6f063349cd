import LodestoneCore

/// ST LSM303D by its data sheet (DocID023312): bit 7 of the register number counts up, both sensors sleep after
/// power-on, a ready flag falls when the upper byte of z is read. Its magnetometer needs an accelerometer at 100 Hz for
/// 100 Hz.
public final class LSM303DModel: MotionChipModel {
  private var countsUp = false

  public override func powerOn() {
    registers = [UInt8](repeating: 0, count: 256)
    registers[0x0F] = 0x49
    (registers[0x12], registers[0x20]) = (0xE8, 0x07)
    (registers[0x24], registers[0x25], registers[0x26]) = (0x18, 0x20, 0x01)
    startConversion(nil)
  }

  public override func selected(by byte: UInt8) -> UInt8 {
    countsUp = byte & 0x80 != 0
    return byte & 0x7F
  }

  public override func next(after register: UInt8) -> UInt8 { countsUp ? (register &+ 1) & 0x7F : register }

  public override func wrote(_ value: UInt8, to register: UInt8) {
    if [0x20, 0x24, 0x26].contains(register) { startConversion(conversionPeriod) }
  }

  public override var conversionPeriod: Double? {
    let code = Int(registers[0x24] >> 2 & 7)
    guard registers[0x26] & 0x03 == 0, code < 6, code < 5 || registers[0x20] >> 4 > 5 else { return nil }
    return 1 / [3.125, 6.25, 12.5, 25, 50, 100][code]
  }

  /// 0.080, 0.160, 0.320 and 0.479 mG, and 0.061, 0.122, 0.183, 0.244 and 0.732 mg a count.
  public override func convert() {
    let milligauss = [0.080, 0.160, 0.320, 0.479][Int(registers[0x25] >> 5 & 3)]
    store(measured * 10 / milligauss, from: 0x08, highFirst: false)
    registers[0x07] = registers[0x07] & 0x08 != 0 ? 0xFF : 0x0F
    guard registers[0x20] >> 4 > 0, registers[0x20] & 0x07 == 0x07 else { return }
    let milligravity = [0.061, 0.122, 0.183, 0.244, 0.732, 1, 1, 1][Int(registers[0x21] >> 3 & 7)]
    store(acceleration * 1000 / milligravity, from: 0x28, highFirst: false)
    registers[0x27] = 0x0F
  }

  public override func reads(_ register: UInt8) -> UInt8 {
    defer {
      if register == 0x0D { registers[0x07] = 0 }
      if register == 0x2D { registers[0x27] = 0 }
    }
    return registers[Int(register)]
  }
}

/// NXP FXOS8700CQ by its data sheet (rev. 8): registers change in standby only, OUT_Z is followed by M_OUT_X where
/// M_CTRL_REG2 says so, both sensors take turns at half the rate, ZYXDR falls when OUT_Z is read.
public final class FXOS8700Model: MotionChipModel {
  public override func powerOn() {
    registers = [UInt8](repeating: 0, count: 256)
    registers[0x0D] = 0xC7
    startConversion(nil)
  }

  private var isActive: Bool { registers[0x2A] & 0x01 != 0 }

  public override func wrote(_ value: UInt8, to register: UInt8) {
    if register == 0x2A {
      registers[0x0B] = value & 0x01
      registers[0x00] = 0
      startConversion(conversionPeriod)
    } else if isActive {
      registers[Int(register)] = 0xEE
    }
  }

  public override func next(after register: UInt8) -> UInt8 {
    register == 0x06 && registers[0x5C] & 0x20 != 0 ? 0x33 : register &+ 1
  }

  public override var conversionPeriod: Double? {
    guard isActive, registers[0x5B] & 0x03 == 0x03 else { return nil }
    return 2 / [800, 400, 200, 100, 50, 12.5, 6.25, 1.5625][Int(registers[0x2A] >> 3 & 7)]
  }

  /// 14 bits of acceleration, left-justified; 0.1 µT a count.
  public override func convert() {
    let counts = acceleration * [4096.0, 2048, 1024, 0][Int(registers[0x0E] & 3)]
    store(Vector3(counts.x.rounded(), counts.y.rounded(), counts.z.rounded()) * 4, from: 0x01, highFirst: true)
    store(measured * 10, from: 0x33, highFirst: true)
    registers[0x00] = registers[0x00] & 0x08 != 0 ? 0xFF : 0x0F
  }

  public override func reads(_ register: UInt8) -> UInt8 {
    defer { if register == 0x06 { registers[0x00] = 0 } }
    return registers[Int(register)]
  }
}

/// NXP FXAS21002C by its data sheet (rev. 2.1): stands by after power-on, registers change in standby only, a burst
/// begins anew behind OUT_Z, ZYXDR falls when OUT_Z is read.
public final class FXAS21002CModel: MotionChipModel {
  private var isActive: Bool { registers[0x13] & 0x02 != 0 }

  public override func powerOn() {
    registers = [UInt8](repeating: 0, count: 256)
    registers[0x0C] = 0xD7
    startConversion(nil)
  }

  public override func wrote(_ value: UInt8, to register: UInt8) {
    if register == 0x13 {
      registers[0x00] = 0
      startConversion(isActive ? 0.06 : nil)
    } else if isActive {
      registers[Int(register)] = 0xEE
    }
  }

  public override func next(after register: UInt8) -> UInt8 { register == 0x06 ? 0x00 : register &+ 1 }

  public override var conversionPeriod: Double? {
    isActive ? 1 / [800, 400, 200, 100, 50, 25, 12.5, 12.5][Int(registers[0x13] >> 2 & 7)] : nil
  }

  /// 62.5, 31.25, 15.625 and 7.8125 mdps a count.
  public override func convert() {
    store(rotationRate * (16 * Double(1 << (registers[0x0D] & 3))), from: 0x01, highFirst: true)
    registers[0x00] = registers[0x00] & 0x08 != 0 ? 0xFF : 0x0F
  }

  public override func reads(_ register: UInt8) -> UInt8 {
    defer { if register == 0x06 { registers[0x00] = 0 } }
    return registers[Int(register)]
  }
}
