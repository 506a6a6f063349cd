import LodestoneCore

/// Memsic MMC5603NJ by its data sheet: control registers that read as zero, 20 bits around 2¹⁹, a bridge offset that
/// only AUTO_SR removes, and a continuous mode that wants its rate, then CMM_FREQ_EN, then CMM_EN.
public final class MMC5603Model: ChipModel {
  /// The excess of each measurement without AUTO_SR, in µT.
  public var bridgeOffset = Vector3(12, -31, 7)

  private var rate: UInt8 = 0
  private var control0: UInt8 = 0
  private var control1: UInt8 = 0
  private var control2: UInt8 = 0
  private var knowsFrequency = false

  public override func powerOn() {
    registers = [UInt8](repeating: 0, count: 256)
    registers[0x39] = 0x10
    registers[0x18] = 0x10
    (rate, control0, control1, control2) = (0, 0, 0, 0)
    knowsFrequency = false
    startConversion(nil)
  }

  private var measurementTime: Double { [0.0066, 0.0035, 0.002, 0.0012][Int(control1 & 3)] }

  public override func wrote(_ value: UInt8, to register: UInt8) {
    registers[Int(register)] = [0x18, 0x39].contains(register) ? registers[Int(register)] : 0
    switch register {
    case 0x1A: rate = value
    case 0x1B:
      control0 = value
      if value & 0x80 != 0 { knowsFrequency = rate > 0 }
      if value & 0x01 != 0 { startConversion(measurementTime) }
    case 0x1C where value & 0x80 != 0: powerOn()
    case 0x1C: control1 = value
    case 0x1D:
      control2 = value
      startConversion(conversionPeriod)
    case 0x39: registers[0x39] = 0x10
    case 0x18: registers[0x18] = 0x10
    default: break
    }
  }

  public override var conversionPeriod: Double? {
    guard control2 & 0x10 != 0, knowsFrequency else { return nil }
    let wanted = control2 & 0x80 != 0 && rate == 255 ? 1000 : Double(rate)
    let fastest = [75.0, 150, 255, 1000][Int(control1 & 3)]
    return 1 / min(wanted, control2 & 0x80 != 0 ? fastest : min(fastest, 255))
  }

  public override func convert() {
    let offset = control0 & 0x20 != 0 ? Vector3.zero : bridgeOffset
    let counts = (measured + offset) * (16384 / 100)
    for axis in 0..<3 {
      let code = code(counts[axis], bits: 20) + 524_288
      registers[2 * axis] = UInt8(truncatingIfNeeded: code >> 12)
      registers[2 * axis + 1] = UInt8(truncatingIfNeeded: code >> 4)
      registers[6 + axis] = UInt8(truncatingIfNeeded: code << 4)
    }
    registers[0x18] |= 0x40
  }

  public override func reads(_ register: UInt8) -> UInt8 {
    if register <= 0x08 { registers[0x18] &= ~0x40 }
    return registers[Int(register)]
  }
}
