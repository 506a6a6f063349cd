import LodestoneCore

/// Honeywell HMC5883L by its data sheet (900405): x, z, y high byte first, −4096 past the converter's range, RDY that a
/// read does not clear, a pointer that wraps from 08 to 03, outputs that stay locked until all six are read, and the
/// old gain in the first result after a change; and one measurement by itself after power-on, 56 ms later.
public final class HMC5883LModel: ChipModel {
  private var gainInForce: UInt8 = 0x20
  private var readBytes: Set<UInt8> = []
  private var pending: [UInt8]?

  public override func powerOn() {
    registers = [UInt8](repeating: 0, count: 256)
    registers[0x00] = 0x10
    registers[0x01] = 0x20
    registers[0x02] = 0x01
    registers.replaceSubrange(0x0A...0x0C, with: [0x48, 0x34, 0x33])
    (gainInForce, readBytes, pending) = (0x20, [], nil)
    startConversion(0.056)
  }

  public override func next(after register: UInt8) -> UInt8 {
    register == 0x08 ? 0x03 : register == 0x0C ? 0x00 : register &+ 1
  }

  public override func wrote(_ value: UInt8, to register: UInt8) {
    guard register == 0x02 else { return }
    registers[0x09] &= ~0x01
    startConversion(value & 0x03 < 2 ? 0.006 : nil)
  }

  public override var conversionPeriod: Double? {
    registers[0x02] & 0x03 == 0 ? 1 / [0.75, 1.5, 3, 7.5, 15, 30, 75, 75][Int(registers[0x00] >> 2 & 7)] : nil
  }

  public override func convert() {
    let countsPerGauss = [1370.0, 1090, 820, 660, 440, 390, 330, 230][Int(gainInForce >> 5)]
    gainInForce = registers[0x01]
    var gauss = measured / 100
    switch registers[0x00] & 0x03 {
    case 1: gauss += Vector3(1.16, 1.16, 1.08)
    case 2: gauss += Vector3(-1.16, -1.16, -1.08)
    default: break
    }
    let bytes = [gauss.x, gauss.z, gauss.y].flatMap { component -> [UInt8] in
      let counts = (component * countsPerGauss).rounded()
      let code = abs(counts) < 2048 ? Int(counts) : -4096
      return [UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code)]
    }
    if registers[0x02] & 0x03 == 1 { registers[0x02] = registers[0x02] & 0xFC | 0x02 }
    if readBytes.isEmpty { show(bytes) } else { pending = bytes }
  }

  private func show(_ bytes: [UInt8]) {
    registers.replaceSubrange(0x03...0x08, with: bytes)
    registers[0x09] |= 0x01
  }

  /// Once a data byte is read the output is locked until the other five are.
  public override func reads(_ register: UInt8) -> UInt8 {
    let value = registers[Int(register)]
    guard (0x03...0x08).contains(register) else { return value }
    readBytes.insert(register)
    registers[0x09] |= 0x02
    if readBytes.count == 6 {
      readBytes = []
      registers[0x09] &= ~0x02
      if let pending { show(pending) }
      pending = nil
    }
    return value
  }
}
