import LodestoneCore

/// QST QMC5883L by its data sheet (rev. 1.0): DRDY falls with the first data byte read, and the offset of the bridge
/// stays where the set/reset period was not written.
public final class QMC5883LModel: ChipModel {
  public override func powerOn() {
    registers = [UInt8](repeating: 0, count: 256)
    registers[0x0C] = 0x01
    registers[0x0D] = 0xFF
    startConversion(nil)
  }

  public override func wrote(_ value: UInt8, to register: UInt8) {
    switch register {
    case 0x0A where value & 0x80 != 0: powerOn()
    case 0x09: startConversion(conversionPeriod)
    case 0x0D: registers[0x0D] = 0xFF
    default: break
    }
  }

  public override var conversionPeriod: Double? {
    registers[0x09] & 3 == 1 ? 1 / [10.0, 50, 100, 200][Int(registers[0x09] >> 2 & 3)] : nil
  }

  public override func convert() {
    let countsPerGauss = registers[0x09] & 0x10 == 0 ? 12000.0 : 3000
    let offset = registers[0x0B] == 0x01 ? Vector3.zero : Vector3(15, 15, 15)
    let counts = (measured + offset) / 100 * countsPerGauss
    for axis in 0..<3 { store(code(counts[axis], bits: 16), at: 2 * UInt8(axis)) }
    let isPast = (0..<3).contains { abs(counts[$0]) >= 32767 }
    registers[0x06] = 0x01 | (isPast ? 0x02 : 0) | (registers[0x06] & 0x01 << 2)
  }

  public override func reads(_ register: UInt8) -> UInt8 {
    if register <= 0x05 { registers[0x06] &= ~0x01 }
    return registers[Int(register)]
  }
}

/// QST QMC5883P by its data sheet: modes change through suspend only, and reading the status clears DRDY.
public final class QMC5883PModel: ChipModel {
  private var mode: UInt8 = 0

  public override func powerOn() {
    registers = [UInt8](repeating: 0, count: 256)
    registers[0x00] = 0x80
    mode = 0
    startConversion(nil)
  }

  public override func wrote(_ value: UInt8, to register: UInt8) {
    switch register {
    case 0x0B where value & 0x80 != 0: powerOn()
    case 0x0A where mode == 0 || value & 3 == 0:
      mode = value & 3
      startConversion(conversionPeriod)
    default: break
    }
  }

  public override var conversionPeriod: Double? {
    mode == 1 ? 1 / [10.0, 50, 100, 200][Int(registers[0x0A] >> 2 & 3)] : nil
  }

  /// The signs of the axes are right once 29 holds 06.
  public override func convert() {
    let countsPerGauss = [1000.0, 2500, 3750, 15000][Int(registers[0x0B] >> 2 & 3)]
    let counts = measured / 100 * (registers[0x29] == 0x06 ? countsPerGauss : -countsPerGauss)
    for axis in 0..<3 { store(code(counts[axis], bits: 16), at: 1 + 2 * UInt8(axis)) }
    registers[0x09] = 0x01
  }

  public override func reads(_ register: UInt8) -> UInt8 {
    defer { if register == 0x09 { registers[0x09] = 0 } }
    return registers[Int(register)]
  }
}
