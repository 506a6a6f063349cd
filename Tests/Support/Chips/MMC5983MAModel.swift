import LodestoneCore

/// Memsic MMC5983MA by its data sheet (rev. A): control registers that read as zero, 18 bits around 2¹⁷, a done bit
/// that is cleared by writing it, and a bridge offset that only AUTO_SR removes.
public final class MMC5983MAModel: ChipModel {
  private var control: [UInt8] = [0, 0, 0]

  public override func powerOn() {
    registers = [UInt8](repeating: 0, count: 256)
    registers[0x2F] = 0x30
    control = [0, 0, 0]
    startConversion(nil)
  }

  public override func wrote(_ value: UInt8, to register: UInt8) {
    registers[Int(register)] = 0
    switch register {
    case 0x08: registers[0x08] = 0
    case 0x0A where value & 0x80 != 0: powerOn()
    case 0x09...0x0B:
      control[Int(register - 0x09)] = value
      if register == 0x0B { startConversion(conversionPeriod) }
    case 0x2F: registers[0x2F] = 0x30
    default: break
    }
  }

  /// CM_FREQ, and the bandwidths that 200 and 1000 Hz need.
  public override var conversionPeriod: Double? {
    guard control[2] & 0x08 != 0, control[2] & 7 > 0 else { return nil }
    let fastest = [50.0, 200, 225, 1000][Int(control[1] & 3)]
    return 1 / min([0, 1, 10, 20, 50, 100, 200, 1000][Int(control[2] & 7)], fastest)
  }

  public override func convert() {
    let offset = control[0] & 0x20 != 0 ? Vector3.zero : Vector3(-22, 14, 31)
    let counts = (measured + offset) * (16384 / 100)
    registers[6] = 0
    for axis in 0..<3 {
      let code = code(counts[axis], bits: 18) + 131_072
      registers[2 * axis] = UInt8(truncatingIfNeeded: code >> 10)
      registers[2 * axis + 1] = UInt8(truncatingIfNeeded: code >> 2)
      registers[6] |= UInt8(code & 3) << (6 - 2 * UInt8(axis))
    }
    registers[0x08] |= 0x01
  }
}
