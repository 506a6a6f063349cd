import LodestoneCore

/// ST LSM6DSOX by its data sheet (DS12814): accelerometer and gyroscope with a ready flag each, that falls when the
/// upper byte of the last axis is read.
public final class LSM6DSOXModel: ChipModel {
  /// Specific force in g, by the chip's time.
  public var acceleration: (Double) -> Vector3 = { _ in Vector3(0, 0, 1) }
  /// Degrees per second, by the chip's time.
  public var rotationRate: (Double) -> Vector3 = { _ in .zero }

  public override func powerOn() {
    registers = [UInt8](repeating: 0, count: 256)
    registers[0x0F] = 0x6C
    registers[0x12] = 0x04
    registers[0x18] = 0xE0
    startConversion(nil)
  }

  public override func wrote(_ value: UInt8, to register: UInt8) {
    switch register {
    case 0x12 where value & 0x01 != 0: powerOn()
    case 0x10, 0x11: startConversion(conversionPeriod)
    case 0x0F: registers[0x0F] = 0x6C
    default: break
    }
  }

  public override var conversionPeriod: Double? {
    let code = Int(max(registers[0x10], registers[0x11]) >> 4)
    let rates = [0, 12.5, 26, 52, 104, 208, 416, 833]
    return code > 0 && code < rates.count ? 1 / rates[code] : nil
  }

  public override func convert() {
    let milligravity = [0.061, 0.488, 0.122, 0.244][Int(registers[0x10] >> 2 & 3)]
    let range = registers[0x11] & 0x02 != 0 ? 4.375 : [8.75, 17.5, 35, 70][Int(registers[0x11] >> 2 & 3)]
    let (force, rate) = (acceleration(time), rotationRate(time))
    for axis in 0..<3 {
      let (a, g) = (force[axis] + jitter() / 200, rate[axis] + jitter())
      if registers[0x10] >> 4 > 0 { store(code(a * 1000 / milligravity, bits: 16), at: 0x28 + 2 * UInt8(axis)) }
      if registers[0x11] >> 4 > 0 { store(code(g * 1000 / range, bits: 16), at: 0x22 + 2 * UInt8(axis)) }
    }
    store(code((24 - 25) * 256, bits: 16), at: 0x20)
    registers[0x1E] = (registers[0x10] >> 4 > 0 ? 0x01 : 0) | (registers[0x11] >> 4 > 0 ? 0x02 : 0) | 0x04
  }

  public override func reads(_ register: UInt8) -> UInt8 {
    defer {
      if register == 0x27 { registers[0x1E] &= ~0x02 }
      if register == 0x2D { registers[0x1E] &= ~0x01 }
    }
    return registers[Int(register)]
  }
}
