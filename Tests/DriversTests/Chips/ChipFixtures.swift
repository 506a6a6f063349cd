import Support
import Testing

/// A chip of the registry as three register contents: what it always holds, and what it holds with nothing to report,
/// with a field of zero to report, and with one past the range.
struct ChipFixture: Sendable, CustomTestStringConvertible {
  let name: String
  let address: UInt8
  let make: @Sendable () -> any FixtureChip
  let idle: [UInt8: UInt8]
  let ready: [UInt8: UInt8]
  let saturated: [UInt8: UInt8]?

  var testDescription: String { name }

  init(
    _ name: String, at address: UInt8, _ fixed: [UInt8: UInt8], idle: [UInt8: UInt8] = [:], ready: [UInt8: UInt8],
    saturated: [UInt8: UInt8]? = nil, _ traits: FakeRegisters.Traits = .init()
  ) {
    self.init(name, at: address, idle: idle, ready: ready, saturated: saturated) { FakeRegisters(fixed, traits) }
  }

  init(
    _ name: String, at address: UInt8, idle: [UInt8: UInt8] = [:], ready: [UInt8: UInt8],
    saturated: [UInt8: UInt8]?, _ make: @escaping @Sendable () -> any FixtureChip
  ) {
    self.name = name
    self.address = address
    self.idle = idle
    self.ready = ready
    self.saturated = saturated
    self.make = make
  }

  static func named(_ name: String) -> ChipFixture? { all.first { $0.name == name } }

  /// The identities are those of the data sheets, restated here.
  static let all: [ChipFixture] = [
    ChipFixture(
      "lis3mdl", at: 0x1C, [0x0F: 0x3D], ready: [0x27: 0x08], saturated: [0x27: 0x08, 0x28: 0xFF, 0x29: 0x7F],
      .init(pointerMask: 0x7F)),
    ChipFixture(
      "lsm9ds1", at: 0x1E, [0x0F: 0x3D], ready: [0x27: 0x08], saturated: [0x27: 0x08, 0x2D: 0x80],
      .init(pointerMask: 0x7F)),
    ChipFixture(
      "lsm303c", at: 0x1E, [0x0F: 0x3D], ready: [0x27: 0x08], saturated: [0x27: 0x08, 0x2B: 0x80],
      .init(pointerMask: 0x7F)),
    ChipFixture(
      "lis2mdl", at: 0x1E, [0x4F: 0x40], ready: [0x67: 0x08], saturated: [0x67: 0x08, 0x6C: 0xFF, 0x6D: 0x7F]),
    ChipFixture("lsm303agr", at: 0x1E, [0x4F: 0x40], ready: [0x67: 0x08], saturated: [0x67: 0x08, 0x69: 0x80]),
    ChipFixture(
      "hmc5883l", at: 0x1E, [0x0A: 0x48, 0x0B: 0x34, 0x0C: 0x33], ready: [0x09: 0x01],
      saturated: [0x09: 0x01, 0x03: 0xF0]),
    ChipFixture(
      "lsm303dlhc", at: 0x1E, [0x0A: 0x48, 0x0B: 0x34, 0x0C: 0x33, 0x0F: 0x3C], ready: [0x09: 0x01],
      saturated: [0x09: 0x01, 0x07: 0xF0]),
    ChipFixture(
      "ak09916", at: 0x0C, [0x00: 0x48, 0x01: 0x09], ready: [0x10: 0x01], saturated: [0x10: 0x01, 0x18: 0x08]),
    ChipFixture(
      "ak09918", at: 0x0C, [0x00: 0x48, 0x01: 0x0C], ready: [0x10: 0x01], saturated: [0x10: 0x01, 0x18: 0x08]),
    ChipFixture(
      "ak09911", at: 0x0C, [0x00: 0x48, 0x01: 0x05, 0x60: 0x40, 0x61: 0x40, 0x62: 0x40], ready: [0x10: 0x01],
      saturated: [0x10: 0x01, 0x18: 0x08]),
    ChipFixture(
      "ak09912", at: 0x0C, [0x00: 0x48, 0x01: 0x04, 0x60: 0x80, 0x61: 0x80, 0x62: 0x80], ready: [0x10: 0x01],
      saturated: [0x10: 0x01, 0x18: 0x08]),
    ChipFixture(
      "ak09915", at: 0x0C, [0x00: 0x48, 0x01: 0x10], ready: [0x10: 0x01], saturated: [0x10: 0x01, 0x18: 0x08]),
    ChipFixture(
      "ak8963", at: 0x0C, [0x00: 0x48, 0x01: 0x9A, 0x10: 0x80, 0x11: 0x80, 0x12: 0x80], ready: [0x02: 0x01],
      saturated: [0x02: 0x01, 0x09: 0x08]),
    ChipFixture(
      "ak8975", at: 0x0C, [0x00: 0x48, 0x01: 0x9A, 0x10: 0x80, 0x11: 0x80, 0x12: 0x80], ready: [0x02: 0x01],
      saturated: [0x02: 0x01, 0x09: 0x08],
      .init(onWrite: { chip, register, value in if register == 0x0A { chip[0x0A] = value & 0x0F } })),
    ChipFixture("qmc5883l", at: 0x0D, [0x0C: 0x01, 0x0D: 0xFF], ready: [0x06: 0x01], saturated: [0x06: 0x03]),
    ChipFixture(
      "mag3110", at: 0x0E, [0x07: 0xC4], ready: [0x00: 0x08], saturated: [0x00: 0x08, 0x01: 0x75, 0x02: 0x30]),
    ChipFixture("ist8308", at: 0x0C, [0x00: 0x08], ready: [0x10: 0x01], saturated: [0x10: 0x01, 0x14: 0x7F]),
    ChipFixture("ist8310", at: 0x0E, [0x00: 0x10], ready: [0x02: 0x01], saturated: [0x02: 0x01, 0x04: 0x7F]),
    ChipFixture(
      "lsm303d", at: 0x1D, [0x0F: 0x49], ready: [0x07: 0x08, 0x27: 0x08],
      saturated: [0x07: 0x08, 0x0C: 0xFF, 0x0D: 0x7F], .init(pointerMask: 0x7F)),
    ChipFixture(
      "fxos8700", at: 0x1F, [0x0D: 0xC7], ready: [0x00: 0x08], saturated: [0x00: 0x08, 0x35: 0x2E, 0x36: 0xE0],
      .init(next: { $0 == 0x06 ? 0x33 : $0 &+ 1 })),
    ChipFixture("qmc6310", at: 0x1C, [0x00: 0x80], ready: [0x09: 0x01], saturated: [0x09: 0x03]),
    ChipFixture(
      "qmc6309", at: 0x7C, [0x00: 0x90, 0x09: 0x18], idle: [0x09: 0x18], ready: [0x09: 0x19], saturated: [0x09: 0x1B]),
    ChipFixture("qmc5883p", at: 0x2C, [0x00: 0x80], ready: [0x09: 0x01], saturated: [0x09: 0x03]),
    ChipFixture(
      "mmc5603", at: 0x30, [0x39: 0x10], ready: [0x18: 0x40, 0x00: 0x80, 0x02: 0x80, 0x04: 0x80],
      saturated: [0x18: 0x40, 0x00: 0xFF, 0x02: 0x80, 0x04: 0x80]),
    ChipFixture(
      "mmc5983ma", at: 0x30, [0x2F: 0x30], ready: [0x08: 0x01, 0x00: 0x80, 0x02: 0x80, 0x04: 0x80],
      saturated: [0x08: 0x01, 0x00: 0x80, 0x02: 0x00, 0x04: 0x80]),
    ChipFixture(
      "tmag5273", at: 0x35, [0x0D: 0x01, 0x0E: 0x49, 0x0F: 0x54], ready: [0x18: 0x01],
      saturated: [0x18: 0x01, 0x12: 0x7F, 0x13: 0xFF]),
    ChipFixture(
      "rm3100", at: 0x20, [0x36: 0x22, 0x05: 0xC8, 0x07: 0xC8, 0x09: 0xC8], ready: [0x34: 0x80],
      saturated: [0x34: 0x80, 0x24: 0x7F]),
    ChipFixture(
      "bmm350", at: 0x14, [0x00: 0x33, 0x55: 0x01], ready: [0x30: 0x04], saturated: [0x30: 0x04, 0x33: 0x7F],
      .init(
        leadingBytes: 2,
        onWrite: { chip, register, value in
          // The power unit shows its last command; the memory shows its word, here 0001 everywhere.
          if register == 0x06 { chip[0x07] = value << 5 }
          if register == 0x50 { (chip[0x52], chip[0x53]) = (0x00, 0x01) }
        })),
    ChipFixture(
      "bno055", at: 0x28, [0x00: 0xA0], ready: [0x0C: 0xD5, 0x0D: 0x03, 0x0E: 0x01],
      saturated: [0x0C: 0xD5, 0x0D: 0x03, 0x0F: 0x7F], .init(bankRegister: 0x07)),
    ChipFixture("lsm303dlhc-accel", at: 0x19, [0x0F: 0x33], ready: [0x27: 0x08], .init(pointerMask: 0x7F)),
    ChipFixture("lsm303agr-accel", at: 0x19, [0x0F: 0x33], ready: [0x27: 0x08], .init(pointerMask: 0x7F)),
    ChipFixture("lis3dh", at: 0x18, [0x0F: 0x33], ready: [0x27: 0x08], .init(pointerMask: 0x7F)),
    ChipFixture("lsm303c-accel", at: 0x1D, [0x0F: 0x41], ready: [0x27: 0x08]),
    ChipFixture("adxl345", at: 0x53, [0x00: 0xE5], ready: [0x30: 0x80]),
    ChipFixture("lsm9ds1-imu", at: 0x6B, [0x0F: 0x68], ready: [0x17: 0x03]),
    ChipFixture("lsm6ds", at: 0x6A, [0x0F: 0x6C], ready: [0x1E: 0x03]),
    ChipFixture("icm42688", at: 0x68, [0x75: 0x47], ready: [0x2D: 0x08]),
    ChipFixture("mpu6050", at: 0x68, [0x75: 0x68], ready: [0x3A: 0x01]),
    ChipFixture("l3gd20", at: 0x6B, [0x0F: 0xD4], ready: [0x27: 0x08], .init(pointerMask: 0x7F)),
    // A rate that it measured before tells it from a port expander: a burst goes round its first seven registers.
    ChipFixture(
      "fxas21002c", at: 0x21, [0x0C: 0xD7, 0x02: 0x01], ready: [0x00: 0x08],
      .init(next: { $0 == 0x06 ? 0x00 : $0 &+ 1 })),
    ChipFixture("itg3200", at: 0x68, [0x00: 0x68], ready: [0x1A: 0x01]),
    ChipFixture("icm20948", at: 0x69, [0x00: 0xEA], ready: [0x1A: 0x01], .init(bankRegister: 0x7F)),
    ChipFixture(
      "bmm150", at: 0x10,
      [
        0x40: 0x32, 0x5D: 0x00, 0x5E: 0x00, 0x62: 0x00, 0x63: 0x00, 0x64: 0x1A, 0x65: 0x18, 0x68: 0xFB, 0x69: 0x02,
        0x6A: 0xAB, 0x6B: 0x60, 0x6C: 0x8D, 0x6D: 0x1B, 0x70: 0xFD, 0x71: 0x1D, 0x49: 0x6E, 0x48: 0x34,
      ], idle: [0x48: 0x34], ready: [0x48: 0x35], saturated: [0x48: 0x35, 0x43: 0x80]),
    ChipFixture("tlv493d", at: 0x5E, ready: [:], saturated: [0: 0x7F, 4: 0xF0]) { FakeTLV493D() },
    ChipFixture("mlx90393", at: 0x0F, ready: [:], saturated: [0: 0xD5, 1: 0xF0]) { FakeMLX90393() },
  ]
}

/// A chip whose registers a test can set behind the driver's back.
protocol FixtureChip: VirtualChip {
  /// Makes these the registers' content, others as they are.
  func show(_ values: [UInt8: UInt8])
  /// Nothing to report.
  func rest()
}

/// A register file with the odd habits of some chips.
final class FakeRegisters: FixtureChip {
  struct Traits: Sendable {
    /// The bits of the first byte that are the register's number.
    var pointerMask: UInt8 = 0xFF
    /// Bytes before the first register of each read.
    var leadingBytes = 0
    /// The register that selects a bank; bank 0 holds the fixture.
    var bankRegister: UInt8?
    /// The register after this one in a burst.
    var next: @Sendable (UInt8) -> UInt8 = { $0 &+ 1 }
    /// The side effect of a write.
    var onWrite: @Sendable (FakeRegisters, UInt8, UInt8) -> Void = { _, _, _ in }
  }

  private var values: [Int: UInt8] = [:]
  private var shown: Set<UInt8> = []
  /// The registers that a driver has written to.
  private(set) var written: Set<UInt8> = []
  private let traits: Traits
  private var pointer: UInt8 = 0
  private var leading = 0

  init(_ fixed: [UInt8: UInt8], _ traits: Traits) {
    self.traits = traits
    for (register, value) in fixed { values[Int(register)] = value }
  }

  subscript(register: UInt8) -> UInt8 {
    get { values[key(register), default: 0] }
    set { values[key(register)] = newValue }
  }

  private func key(_ register: UInt8) -> Int {
    guard let bank = traits.bankRegister, register != bank else { return Int(register) }
    return Int(values[Int(bank), default: 0]) << 8 | Int(register)
  }

  func start(reading: Bool) { leading = traits.leadingBytes }

  func write(_ bytes: [UInt8]) -> Int {
    guard let first = bytes.first else { return 0 }
    pointer = first & traits.pointerMask
    for byte in bytes.dropFirst() {
      self[pointer] = byte
      written.insert(pointer)
      traits.onWrite(self, pointer, byte)
      pointer &+= 1
    }
    return bytes.count
  }

  func read(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in
      guard leading == 0 else {
        leading -= 1
        return 0x7F
      }
      defer { pointer = traits.next(pointer) }
      return self[pointer]
    }
  }

  func show(_ values: [UInt8: UInt8]) {
    shown.formUnion(values.keys)
    for (register, value) in values { self[register] = value }
  }

  func rest() {
    for register in shown { self[register] = 0 }
  }
}

/// Ten bytes without register numbers; a new frame at every read once it runs.
final class FakeTLV493D: FixtureChip {
  private var bytes: [UInt8] = [0, 0, 0, 0, 0, 0x30, 0x54, 0x18, 0x9C, 0x05]
  private var position = 0
  private var frame: UInt8 = 0
  private var isRunning = false

  func start(reading: Bool) {
    position = 0
    if reading, isRunning { frame = frame &+ 1 & 3 }
  }

  func write(_ bytes: [UInt8]) -> Int {
    isRunning = bytes.count == 4 && bytes[1] & 0x03 != 0
    return bytes.count
  }

  func read(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in
      defer { position += 1 }
      guard position < bytes.count else { return 0xFF }
      return position == 3 ? 0x10 | frame << 2 : bytes[position]
    }
  }

  func show(_ values: [UInt8: UInt8]) {
    for (register, value) in values { bytes[Int(register)] = value }
  }

  /// Power-down: the frame stands still.
  func rest() { isRunning = false }
}

/// Commands instead of registers; what `show` sets are the six data bytes, zero field at first.
final class FakeMLX90393: FixtureChip {
  private var registers: [UInt8: UInt16] = [0x24: 0xB668]
  private var data: [UInt8] = [0x80, 0, 0x80, 0, 0x80, 0]
  private var answer: [UInt8] = []
  private var isBusy = false

  func write(_ bytes: [UInt8]) -> Int {
    switch bytes.first {
    case 0xF0: answer = [0x04]
    case 0x50 where bytes.count == 2:
      let value = registers[bytes[1] >> 2, default: 0]
      answer = [0x00, UInt8(value >> 8), UInt8(value & 0xFF)]
    case 0x60 where bytes.count == 4:
      registers[bytes[3] >> 2] = UInt16(bytes[1]) << 8 | UInt16(bytes[2])
      answer = [0x00]
    case 0x3F: answer = [0x20]
    case 0x4F: answer = isBusy ? [0x10] : [0x03, 0xB6, 0x68] + data
    case 0x00, 0x80: answer = [0x00]
    default: answer = [0x10]
    }
    return bytes.count
  }

  func read(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in answer.isEmpty ? 0xFF : answer.removeFirst() }
  }

  func show(_ values: [UInt8: UInt8]) {
    if !values.isEmpty { isBusy = false }
    for (register, value) in values { data[Int(register)] = value }
  }

  func rest() { isBusy = true }
}
