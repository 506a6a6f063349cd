import LodestoneCore

/// ST LIS3MDL by its data sheet (DocID024204): bit 7 of the register number counts up, a burst wraps from OUT_Z_H to
/// OUT_X_L, ZYXDA falls when OUT_Z_H is read, ZYXOR tells that a result was overwritten.
public final class LIS3MDLModel: ChipModel {
  /// At ±4, ±8, ±12 and ±16 gauss.
  public var countsPerGauss = [6842.0, 3421, 2281, 1711]
  private var countsUp = false

  /// "Register mapping": power-down, and OM and ODR as after reset.
  public override func powerOn() {
    registers = [UInt8](repeating: 0, count: 256)
    registers[0x0F] = 0x3D
    registers[0x20] = 0x10
    registers[0x22] = 0x03
    startConversion(nil)
  }

  public override func selected(by byte: UInt8) -> UInt8 {
    countsUp = byte & 0x80 != 0
    return byte & 0x7F
  }

  public override func next(after register: UInt8) -> UInt8 {
    guard countsUp else { return register }
    return register == 0x2D ? 0x28 : (register &+ 1) & 0x7F
  }

  public override func wrote(_ value: UInt8, to register: UInt8) {
    switch register {
    case 0x21 where value & 0x04 != 0: powerOn()
    case 0x20, 0x22: startConversion(registers[0x22] & 0x03 < 2 ? 1 / rate : nil)
    default: break
    }
  }

  public override var conversionPeriod: Double? { registers[0x22] & 0x03 == 0 ? 1 / rate : nil }

  private var rate: Double {
    let control = registers[0x20]
    let mode = Int(control >> 5 & 3)
    return control & 0x02 != 0
      ? [1000, 560, 300, 155][mode] : [0.625, 1.25, 2.5, 5, 10, 20, 40, 80][Int(control >> 2 & 7)]
  }

  public override func convert() {
    let countsPerGauss = countsPerGauss[Int(registers[0x21] >> 5 & 3)]
    var gauss = measured / 100
    if registers[0x20] & 0x01 != 0 { gauss += Vector3(2, 2, 0.5) }
    for axis in 0..<3 { store(code(gauss[axis] * countsPerGauss, bits: 16), at: 0x28 + 2 * UInt8(axis)) }
    if registers[0x20] & 0x80 != 0 { store(code((22.5 - 25) * 8, bits: 16), at: 0x2E) }
    registers[0x27] = registers[0x27] & 0x08 != 0 ? 0xFF : 0x0F
  }

  public override func reads(_ register: UInt8) -> UInt8 {
    defer { if register == 0x2D { registers[0x27] = 0 } }
    return registers[Int(register)]
  }
}
