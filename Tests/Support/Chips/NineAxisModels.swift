import LodestoneCore

/// A chip with accelerometer and gyroscope: what lies still, or turns.
open class MotionChipModel: ChipModel {
  /// Specific force in g.
  public var acceleration = Vector3(0, 0, 1)
  /// Degrees per second.
  public var rotationRate = Vector3.zero

  /// Stores three numbers in a row, low byte first or high byte first.
  public func store(_ counts: Vector3, from register: UInt8, highFirst: Bool) {
    for axis in 0..<3 {
      let (code, place) = (code(counts[axis], bits: 16), register + 2 * UInt8(axis))
      if highFirst { storeBig(code, at: place) } else { store(code, at: place) }
    }
  }
}

/// The accelerometer and gyroscope of an ICM-20948 by its data sheet (DS-000189): registers in banks, and a
/// magnetometer behind the bypass.
public final class ICM20948Model: MotionChipModel {
  private var bank2 = [UInt8](repeating: 0, count: 256)
  /// BYPASS_EN, with the chip's own master off.
  public var isOpen: Bool { registers[0x0F] & 0x02 != 0 && registers[0x03] & 0x20 == 0 }

  public override func powerOn() {
    registers = [UInt8](repeating: 0, count: 256)
    bank2 = registers
    registers[0x00] = 0xEA
    registers[0x06] = 0x41
    (bank2[0x01], bank2[0x14]) = (0x01, 0x01)
    startConversion(nil)
  }

  public override func wrote(_ value: UInt8, to register: UInt8) {
    if registers[0x7F] == 0x20, register != 0x7F {
      bank2[Int(register)] = value
      registers[Int(register)] = register == 0x00 ? 0xEA : 0
    } else if register == 0x06 {
      if value & 0x80 != 0 { powerOn() }
      startConversion(conversionPeriod)
    }
  }

  public override var conversionPeriod: Double? {
    registers[0x06] & 0x40 == 0 ? (1 + Double(bank2[0x00])) / 1125 : nil
  }

  public override func convert() {
    let force = acceleration * [16384.0, 8192, 4096, 2048][Int(bank2[0x14] >> 1 & 3)]
    store(force, from: 0x2D, highFirst: true)
    store(rotationRate * [131, 65.5, 32.8, 16.4][Int(bank2[0x01] >> 1 & 3)], from: 0x33, highFirst: true)
  }

  public override func reads(_ register: UInt8) -> UInt8 {
    registers[0x7F] == 0x20 && register != 0x7F ? bank2[Int(register)] : registers[Int(register)]
  }
}

/// AKM AK09916, AK8963 and AK8975 by their data sheets: the next sample comes once ST2 has been read, and between two
/// modes lies power-down. The AK8975 has 13 bits, and measures on command only. Behind a bypass they answer only while
/// it is open.
public final class AKMModel: ChipModel {
  /// Where they differ.
  public enum Part: Sendable { case ak09916, ak8963, ak8975 }

  private let part: Part
  private let isOpen: () -> Bool
  private var mode: UInt8 = 0
  private var isReading = false

  /// A part that has just been powered.
  /// - Parameter isOpen: whether the bypass before it is open.
  public init(_ part: Part, isOpen: @escaping () -> Bool = { true }) {
    (self.part, self.isOpen) = (part, isOpen)
    super.init()
    powerOn()
  }

  private var control: UInt8 { part == .ak09916 ? 0x31 : 0x0A }
  private var reset: UInt8? { part == .ak09916 ? 0x32 : part == .ak8963 ? 0x0B : nil }
  private var status: UInt8 { part == .ak09916 ? 0x10 : 0x02 }
  private var status2: UInt8 { part == .ak09916 ? 0x18 : 0x09 }

  public override func powerOn() {
    registers = [UInt8](repeating: 0, count: 256)
    registers[0x00] = 0x48
    registers[0x01] = part == .ak09916 ? 0x09 : 0x9A
    (mode, isReading) = (0, false)
    startConversion(nil)
  }

  public override var acknowledgesAddress: Bool { isOpen() }

  public override func wrote(_ value: UInt8, to register: UInt8) {
    let value = part == .ak8975 && register == control ? value & 0x0F : value
    registers[Int(register)] = value
    switch register {
    case reset where value & 0x01 != 0: powerOn()
    case control where mode == 0 || value & 0x1F == 0:
      mode = value & 0x1F
      registers.replaceSubrange(0x60...0x62, with: mode == 0x0F ? [0xB0, 0xB2, 0xA6] : [0, 0, 0])
      startConversion(part == .ak8975 && mode == 0x01 ? 0.0073 : conversionPeriod)
    default: break
    }
  }

  public override var conversionPeriod: Double? {
    switch part {
    case .ak09916: [0x02: 0.1, 0x04: 0.05, 0x06: 0.02, 0x08: 0.01][mode]
    case .ak8963: [0x12: 0.125, 0x16: 0.01][mode]
    case .ak8975: nil
    }
  }

  /// 16 bits, 0.15 µT a count, or 13 and 0.3; the counts of the older two lack their sensitivity adjustment.
  public override func convert() {
    guard !isReading else { return }
    var counts = measured / (part == .ak8975 ? 0.3 : 0.15)
    if part == .ak8975 { (mode, registers[Int(control)]) = (0, 0) }
    if part != .ak09916 {
      counts = Vector3(
        counts.x / (1 + 48 * 0.5 / 128), counts.y / (1 + 50 * 0.5 / 128), counts.z / (1 + 38 * 0.5 / 128))
    }
    let bits = part == .ak8975 ? 13 : 16
    for axis in 0..<3 { store(code(counts[axis], bits: bits), at: status + 1 + 2 * UInt8(axis)) }
    registers[Int(status)] = 0x01
  }

  public override func next(after register: UInt8) -> UInt8 {
    part != .ak09916 && register == 0x0C ? 0x00 : part != .ak09916 && register == 0x12 ? 0x10 : register &+ 1
  }

  public override func reads(_ register: UInt8) -> UInt8 {
    if part != .ak09916, (0x10...0x12).contains(register) { return registers[0x50 + Int(register)] }
    if register > status, register < status2 { isReading = true }
    defer {
      if register == status2 {
        registers[Int(status)] = 0
        isReading = false
      }
    }
    return registers[Int(register)]
  }
}

/// InvenSense MPU-9250, or the older MPU-9150, by its register map (RM-MPU-9250A-00): asleep after a reset, the
/// magnetometer behind a bypass.
public final class MPU9250Model: MotionChipModel {
  /// WHO_AM_I.
  private let identity: UInt8

  /// A part that has just been powered: 71 is an MPU-9250, 68 an MPU-9150.
  public init(identity: UInt8 = 0x71) {
    self.identity = identity
    super.init()
  }

  /// BYPASS_EN, with the chip's own master off.
  public var isOpen: Bool { registers[0x37] & 0x02 != 0 && registers[0x6A] & 0x20 == 0 }

  public override func powerOn() {
    registers = [UInt8](repeating: 0, count: 256)
    registers[0x75] = identity
    registers[0x6B] = 0x40
    startConversion(nil)
  }

  public override func wrote(_ value: UInt8, to register: UInt8) {
    guard register == 0x6B else { return }
    if value & 0x80 != 0 { powerOn() }
    startConversion(conversionPeriod)
  }

  public override var conversionPeriod: Double? {
    registers[0x6B] & 0x40 == 0 ? (1 + Double(registers[0x19])) / 1000 : nil
  }

  public override func convert() {
    let force = acceleration * [16384.0, 8192, 4096, 2048][Int(registers[0x1C] >> 3 & 3)]
    store(force, from: 0x3B, highFirst: true)
    store(rotationRate * [131, 65.5, 32.8, 16.4][Int(registers[0x1B] >> 3 & 3)], from: 0x43, highFirst: true)
    registers[0x3A] |= 0x01
  }

  /// RAW_DATA_RDY falls when it is read.
  public override func reads(_ register: UInt8) -> UInt8 {
    defer { if register == 0x3A { registers[0x3A] = 0 } }
    return registers[Int(register)]
  }
}

/// Bosch BNO055 by its data sheet (BST-BNO055-DS000) in its raw mode: silent while it resets, two pages.
public final class BNO055Model: MotionChipModel {
  private var page1 = [UInt8](repeating: 0, count: 256)
  private var awake = 0.0

  public override func powerOn() {
    registers = [UInt8](repeating: 0, count: 256)
    page1 = registers
    registers[0x00] = 0xA0
    page1[0x09] = 0x0B
    startConversion(nil)
  }

  public override var acknowledgesAddress: Bool { time >= awake }

  public override func wrote(_ value: UInt8, to register: UInt8) {
    if registers[0x07] == 1, register != 0x07 {
      if registers[0x3D] == 0 { page1[Int(register)] = value }
      registers[Int(register)] = 0
    } else if register == 0x3F, value & 0x20 != 0 {
      powerOn()
      awake = time + 0.65
    } else if register == 0x3D {
      startConversion(conversionPeriod)
    }
  }

  /// AMG: the magnetometer's rate of MAG_CONFIG.
  public override var conversionPeriod: Double? {
    registers[0x3D] == 0x07 ? 1 / [2.0, 6, 8, 10, 15, 20, 25, 30][Int(page1[0x09] & 7)] : nil
  }

  public override func convert() {
    store(acceleration * 980.665, from: 0x08, highFirst: false)
    store(measured * 16, from: 0x0E, highFirst: false)
    store(rotationRate * 16.384, from: 0x14, highFirst: false)
  }

  public override func reads(_ register: UInt8) -> UInt8 {
    registers[0x07] == 1 && register != 0x07 ? page1[Int(register)] : registers[Int(register)]
  }
}

/// The accelerometer and gyroscope of an LSM9DS1 by its data sheet (DocID025715).
public final class LSM9DS1MotionModel: MotionChipModel {
  public override func powerOn() {
    registers = [UInt8](repeating: 0, count: 256)
    registers[0x0F] = 0x68
    registers[0x22] = 0x04
    startConversion(nil)
  }

  public override func wrote(_ value: UInt8, to register: UInt8) {
    switch register {
    case 0x22 where value & 0x01 != 0: powerOn()
    case 0x10, 0x20: startConversion(conversionPeriod)
    default: break
    }
  }

  public override var conversionPeriod: Double? {
    let code = Int(registers[0x10] >> 5)
    return code > 0 && code < 7 ? 1 / [0, 14.9, 59.5, 119, 238, 476, 952][code] : nil
  }

  public override func convert() {
    let milligravity = [0.061, 0.732, 0.122, 0.244][Int(registers[0x20] >> 3 & 3)]
    let range = [0.00875, 0.0175, 1, 0.07][Int(registers[0x10] >> 3 & 3)]
    store(rotationRate / range, from: 0x18, highFirst: false)
    store(acceleration * 1000 / milligravity, from: 0x28, highFirst: false)
    registers[0x17] = 0x03
  }
}
