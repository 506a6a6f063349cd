import LodestoneCore

/// ST LIS2MDL by its data sheet (DS12144): Zyxda falls when OUTZ_H is read; only offset cancellation removes the
/// bridge's offset, and only with COMP_TEMP_EN the sensitivity holds.
public final class LIS2MDLModel: ChipModel {
  public override func powerOn() {
    registers = [UInt8](repeating: 0, count: 256)
    registers[0x4F] = 0x40
    registers[0x60] = 0x03
    startConversion(nil)
  }

  public override func wrote(_ value: UInt8, to register: UInt8) {
    switch register {
    case 0x60 where value & 0x60 != 0: powerOn()
    case 0x60: startConversion(conversionPeriod)
    default: break
    }
  }

  public override var conversionPeriod: Double? {
    registers[0x60] & 3 == 0 ? 1 / [10.0, 20, 50, 100][Int(registers[0x60] >> 2 & 3)] : nil
  }

  public override func convert() {
    let offset = registers[0x61] & 0x02 != 0 ? Vector3.zero : Vector3(18, -9, 12)
    let counts = (measured + offset) / (registers[0x60] & 0x80 != 0 ? 0.15 : 0.165)
    for axis in 0..<3 { store(code(counts[axis], bits: 16), at: 0x68 + 2 * UInt8(axis)) }
    registers[0x67] = 0x0F
  }

  public override func reads(_ register: UInt8) -> UInt8 {
    defer { if register == 0x6D { registers[0x67] = 0 } }
    return registers[Int(register)]
  }
}
