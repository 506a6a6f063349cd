import LodestoneCore

/// PNI RM3100 by its manual (1017252): cycle counts decide gain and speed, the rate is taken when continuous mode is
/// started, DRDY falls when a result is read or any register is written.
public final class RM3100Model: ChipModel {
  private var rateInForce = 0.0

  public override func powerOn() {
    registers = [UInt8](repeating: 0, count: 256)
    registers[0x36] = 0x22
    registers[0x35] = 0x1B
    registers[0x0B] = 0x96
    for register in [0x05, 0x07, 0x09] { registers[register] = 0xC8 }
    startConversion(nil)
  }

  private func cycles(_ axis: Int) -> Double {
    Double(Int(registers[4 + 2 * axis]) << 8 | Int(registers[5 + 2 * axis]))
  }

  /// The manual's table for the usual counts, 0.3671 · CC + 1.5 between them.
  private func gain(_ axis: Int) -> Double {
    [50: 20, 100: 38, 200: 75, 300: 113, 400: 150][cycles(axis)] ?? 0.3671 * cycles(axis) + 1.5
  }

  /// Three axes one after the other, a third of the single-axis rates in the manual.
  private var fastest: Double { [50: 533, 100: 283, 200: 147][cycles(0)] ?? 29400 / max(cycles(0), 1) }

  public override func wrote(_ value: UInt8, to register: UInt8) {
    registers[0x34] = 0
    registers[0x36] = 0x22
    switch register {
    case 0x00 where value & 0x70 == 0x70: startConversion(1 / fastest)
    case 0x01:
      rateInForce = min(600 / Double(1 << (Int(registers[0x0B]) & 0x0F - 2)), fastest)
      startConversion(conversionPeriod)
    default: break
    }
  }

  public override var conversionPeriod: Double? { registers[0x01] & 0x71 == 0x71 ? 1 / rateInForce : nil }

  public override func convert() {
    let field = measured
    for axis in 0..<3 {
      let code = code(field[axis] * gain(axis), bits: 24)
      for place in 0..<3 {
        registers[0x24 + 3 * axis + place] = UInt8(truncatingIfNeeded: code >> (16 - 8 * place))
      }
    }
    if registers[0x33] & 0x80 != 0 { registers[0x33] |= 0x70 }
    registers[0x34] = 0x80
  }

  public override func reads(_ register: UInt8) -> UInt8 {
    if (0x24...0x2C).contains(register) { registers[0x34] = 0 }
    return registers[Int(register)]
  }
}
