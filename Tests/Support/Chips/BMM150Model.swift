import LodestoneCore

/// Bosch BMM150 by its data sheet (BST-BMM150-DS001): in suspend only POWER_CONTROL can be read, the data need the trim
/// values of the part, normal mode runs at its rate, forced mode measures once.
public final class BMM150Model: ChipModel {
  private let (x1, y1, z1, z2, z3, z4) = (3.0, -5.0, 24_747.0, 763.0, -31.0, 77.0)
  private let (x2, y2, xy1, xy2, xyz1) = (26.0, 24.0, 29.0, -3.0, 7053.0)
  /// The Hall resistance's reading: not the factory's value, so that the compensation has something to do.
  private let hall = 6920.0
  private var awake: Double?

  public override func powerOn() {
    registers = [UInt8](repeating: 0, count: 256)
    registers[0x4C] = 0x06
    registers[0x4E] = 0x07
    awake = nil
    startConversion(nil)
    let trim: [UInt8: [UInt8]] = [
      0x5D: [0x03, 0xFB], 0x62: [0x4D, 0x00, 0x1A, 0x18],
      0x68: [0xFB, 0x02, 0xAB, 0x60, 0x8D, 0x1B, 0xE1, 0xFF, 0xFD, 0x1D],
    ]
    for (register, bytes) in trim {
      registers.replaceSubrange(Int(register)..<Int(register) + bytes.count, with: bytes)
    }
  }

  /// Three milliseconds after the power bit.
  private var isAwake: Bool { awake.map { time >= $0 + 0.0029 } ?? false }

  private var measurementTime: Double {
    let xy = 2 * Double(registers[0x51]) + 1
    let z = Double(registers[0x52]) + 1
    return (145 * xy + 500 * z + 980) / 1e6
  }

  public override func wrote(_ value: UInt8, to register: UInt8) {
    switch register {
    case 0x4B: power(value)
    case 0x4C:
      if value & 0x01 != 0, value & 0x06 == 0x06 { selfTest() }
      switch value >> 1 & 3 {
      case 0: startConversion(measurementTime)
      case 1: startConversion(measurementTime)
      default: startConversion(nil)
      }
    default: break
    }
  }

  /// Power bit, and a soft reset that keeps it, which a part in suspend does not hear.
  private func power(_ value: UInt8) {
    if value & 0x01 == 0 {
      powerOn()
      return
    }
    if awake == nil { awake = time }
    if value & 0x82 == 0x82, isAwake {
      (registers[0x4C], registers[0x51], registers[0x52]) = (0x06, 0, 0)
      startConversion(nil)
    }
    registers[0x4B] = 0x01
  }

  private func selfTest() {
    registers[0x4C] &= ~0x01
    for register in [0x42, 0x44, 0x46] { registers[register] |= 0x01 }
  }

  public override var conversionPeriod: Double? {
    guard registers[0x4C] >> 1 & 3 == 0 else { return nil }
    return max(1 / [10.0, 2, 6, 8, 15, 20, 25, 30][Int(registers[0x4C] >> 3 & 7)], measurementTime)
  }

  /// The inverse of the data sheet's compensation.
  public override func convert() {
    let field = measured
    let ratio = xyz1 * 16384 / hall - 16384
    let gain = xy2 * ratio * ratio / 0x1000_0000 + ratio * xy1 / 0x4000 + 256
    let x = (16 * field.x - 8 * x1) * 8192 / (gain * (x2 + 160))
    let y = (16 * field.y - 8 * y1) * 8192 / (gain * (y2 + 160))
    let slope = (z2 + z1 * hall / 32768) * 4
    let z = (16 * field.z * slope + z3 * (hall - xyz1)) / 131_072 + z4
    store(code13(x) << 3, at: 0x42)
    store(code13(y) << 3, at: 0x44)
    store((abs(z) < 16384 ? Int(z.rounded()) : -16384) << 1, at: 0x46)
    store(Int(hall) << 2 | 0x01, at: 0x48)
    if registers[0x4C] >> 1 & 3 == 1 { registers[0x4C] |= 0x06 }
  }

  private func code13(_ value: Double) -> Int { abs(value) < 4096 ? Int(value.rounded()) : -4096 }

  public override func reads(_ register: UInt8) -> UInt8 {
    if register == 0x4B { return registers[0x4B] }
    guard isAwake else { return 0 }
    if register == 0x40 { return 0x32 }
    defer { if register == 0x49 { registers[0x48] &= ~0x01 } }
    return registers[Int(register)]
  }
}
