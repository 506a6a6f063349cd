import LodestoneCore
import Drivers
import Support
import Testing

@Suite("Probe") struct ProbeTests {
  /// A bus with the fixtures of these chips, and others by address.
  private func bus(_ names: String..., others: [UInt8: any VirtualChip] = [:]) throws -> VirtualI2CBus {
    var chips = others
    for name in names {
      let fixture = try #require(ChipFixture.named(name))
      chips[fixture.address] = fixture.make()
    }
    return VirtualI2CBus(chips)
  }

  private func found(_ bus: VirtualI2CBus) throws -> [String] {
    var bus = bus
    return try Probe.chips(on: &bus).map { "\($0)" }
  }

  @Test("finds each chip alone, by its own name or that of the part it cannot be told from", arguments: ChipFixture.all)
  func alone(fixture: ChipFixture) throws {
    let named = Self.twins[fixture.name] ?? fixture.name
    #expect(try found(bus(fixture.name)) == ["\(named)@0x\(String(fixture.address, radix: 16))"])
  }

  @Test("a neighbour tells twins apart")
  func companions() throws {
    #expect(try found(bus("lsm9ds1", "lsm9ds1-imu")) == ["lsm9ds1@0x1e", "lsm9ds1-imu@0x6b"])
    #expect(try found(bus("lis3mdl", "lsm6ds")) == ["lis3mdl@0x1c", "lsm6ds@0x6a"])
    #expect(try found(bus("lis2mdl", "lsm303agr-accel")) == ["lsm303agr-accel@0x19", "lsm303agr@0x1e"])
    // An LSM303AGR's accelerometer is at 0x19 always: at 0x18 it is a LIS3DH beside a LIS2MDL.
    let lis3dh = try #require(ChipFixture.named("lis3dh")).make()
    #expect(try found(bus("lis2mdl", others: [0x18: lis3dh])) == ["lis3dh@0x18", "lis2mdl@0x1e"])
    #expect(try found(bus("lsm303dlhc", "lsm303dlhc-accel")) == ["lsm303dlhc-accel@0x19", "lsm303dlhc@0x1e"])
    // A LIS3DH at 0x19 looks like the DLHC's accelerometer.
    #expect(try found(bus("hmc5883l", "lsm303dlhc-accel")) == ["lis3dh@0x19", "hmc5883l@0x1e"])
    #expect(try found(bus("lsm303c", "lsm303c-accel")) == ["lsm303c-accel@0x1d", "lsm303c@0x1e"])
    #expect(try found(bus("lis3mdl", "lsm303c-accel")) == ["lis3mdl@0x1c", "lsm303c-accel@0x1d"])
    #expect(try found(bus("hmc5883l", "adxl345")) == ["hmc5883l@0x1e", "adxl345@0x53"])
  }

  /// The names under which parts are found alone that only a neighbour tells from their twins.
  private static let twins = [
    "lsm9ds1": "lis3mdl", "lsm303c": "lis3mdl", "lsm303agr": "lis2mdl", "lsm303dlhc": "hmc5883l",
    "lsm303agr-accel": "lis3dh", "lsm303dlhc-accel": "lis3dh",
  ]

  @Test("chips that share an address keep apart, at each address that they can have", arguments: ChipFixture.all)
  func collisions(fixture: ChipFixture) throws {
    let named = Self.twins[fixture.name] ?? fixture.name
    let driver = try #require(Chips.named(fixture.name))
    for address in driver.addresses {
      let model = fixture.make()
      #expect(try found(VirtualI2CBus([address: model])) == ["\(named)@0x\(String(address, radix: 16))"])
      // Nothing is written but what a part's own file gives a reason for.
      let excused: Set<UInt8> = ["ak8963": [0x0A], "ak8975": [0x0A], "bmm150": [0x4B]][fixture.name] ?? []
      let written = (model as? FakeRegisters)?.written.subtracting(excused) ?? []
      #expect(written.isEmpty || driver.hidesOthers, "\(written)")
    }
  }

  /// A part that has been measuring holds any field: here bytes by which another part at its address is known (WIA of
  /// the AK8963 in the place of X_LSB, WHO_AM_I of the MAG3110 in that of DATAZL, the "H43" of the HMC5883L in those of
  /// the LSM303D's y and z, CHIP_ID of the QMC6310 or DEVID of the ADXL345 in that of the FXOS8700's status).
  @Test(
    "a byte of the field is no identity",
    arguments: [
      ("qmc5883l", UInt8(0x0D), [UInt8(0x00): UInt8(0x48)]), ("qmc5883l", 0x0D, [0x00: 0x48, 0x01: 0x05]),
      ("ist8310", 0x0E, [0x07: 0xC4]), ("lsm303d", 0x1E, [0x0A: 0x48, 0x0B: 0x34, 0x0C: 0x33]),
      ("lsm303d", 0x1D, [0x0D: 0xC7]), ("lsm303d", 0x1E, [0x0C: 0x00, 0x0D: 0xCA]), ("fxos8700", 0x1C, [0x00: 0x80]),
      ("fxos8700", 0x1D, [0x00: 0xE5]), ("tlv493d", 0x1F, [0: 0xC7]), ("tlv493d", 0x1F, [0: 0xC7, 1: 0xC7]),
    ])
  func fieldForIdentity(name: String, address: UInt8, bytes: [UInt8: UInt8]) throws {
    let model = try #require(ChipFixture.named(name)).make()
    model.show(bytes)
    #expect(try found(VirtualI2CBus([address: model])) == ["\(name)@0x\(String(address, radix: 16))"])
  }

  /// AKM's parts that have no driver here: AK09914, AK09913, AK09917 and AK09919 by their WIA2. Their control registers
  /// lie elsewhere than those of the AK8963, which tells itself from the AK8975 by a write.
  @Test("a younger AKM part without a driver is left alone", arguments: [UInt8(0x07), 0x08, 0x0D, 0x0E])
  func unknownAKM(second: UInt8) throws {
    let model = FakeRegisters([0x00: 0x48, 0x01: second], .init())
    var bus = VirtualI2CBus([0x0C: model])
    #expect(try found(bus) == [])
    let names: [UInt8: String] = [0x07: "AKM AK09914", 0x08: "AKM AK09913", 0x0D: "AKM AK09917", 0x0E: "AKM AK09919"]
    #expect(try Probe.answering(on: &bus) == [Stranger(at: 0x0C, part: names[second])])
    #expect(model.written == [])
  }

  /// Memsic data sheet MMC3416xPJ, "Product ID 1": 06 in register 20.
  @Test("a part without a driver is named, and what nobody knows is not")
  func strangersAreNamed() throws {
    let memsic = FakeRegisters([0x20: 0x06], .init())
    var bus = VirtualI2CBus([0x30: memsic, 0x1E: Unknown(0x5A)])
    #expect(try found(bus) == [])
    #expect(try Probe.answering(on: &bus) == [Stranger(at: 0x1E), Stranger(at: 0x30, part: "Memsic MMC34160PJ")])
    #expect(memsic.written == [])
  }

  @Test("a chip that has identified itself is asked nothing more")
  func leftAlone() throws {
    let bus = try bus("ak09916")
    #expect(try found(bus) == ["ak09916@0xc"])
    // The commands by which an MLX90393 at the same address would be known.
    #expect(!bus.events.contains { [.wrote(0x80, acknowledged: true), .wrote(0xF0, acknowledged: true)].contains($0) })
  }

  /// An AK8963 that another program has set to 16 bits, or that measures, tells by what stands in CNTL1.
  @Test("an AKM part that is at work is told without a write", arguments: [UInt8(0x16), 0x12, 0x10, 0x06, 0x02])
  func atWork(control: UInt8) throws {
    let model = try #require(ChipFixture.named("ak8963")).make()
    model.show([0x0A: control])
    let bus = VirtualI2CBus([0x0C: model])
    #expect(try found(bus) == ["ak8963@0xc"])
    #expect((model as? FakeRegisters)?[0x0A] == control)
  }

  @Test("what is not known is not written to")
  func strangers() throws {
    let addresses = Set(Chips.all.flatMap { $0.addresses })
    // A BMM150 shows its identity only after a write; its addresses are none of the others'.
    for content in [0x00, 0x5A, 0xFF] as [UInt8] {
      var strangers: [UInt8: any VirtualChip] = [:]
      for address in addresses where !(0x10...0x13).contains(address) { strangers[address] = Unknown(content) }
      #expect(try found(VirtualI2CBus(strangers)) == [])
      #expect(strangers.values.allSatisfy { ($0 as? Unknown)?.written == [] })
    }
  }

  /// A byte that is written to a PCF8574 is what its eight outputs are from then on, and a read tells its eight pins.
  /// NXP data sheet PCF8574 rev. 5, "Quasi-bidirectional I/Os".
  @Test("no output of a port expander is switched", arguments: [UInt8(0xFF), 0x00, 0x5A])
  func portExpanders(outputs: UInt8) throws {
    let expanders = (UInt8(0x20)...0x27).map { ($0, PortExpander(outputs)) }
    #expect(try found(VirtualI2CBus(Dictionary(uniqueKeysWithValues: expanders))) == [])
    for (_, expander) in expanders { #expect(expander.outputs == outputs) }
    // A chip beside it is found, and the expander is asked only where its address is named.
    let rm3100 = try #require(ChipFixture.named("rm3100")).make()
    let tmag5273 = try #require(ChipFixture.named("tmag5273")).make()
    let (first, named) = (PortExpander(outputs), PortExpander(outputs))
    var bus = VirtualI2CBus([0x20: first, 0x21: rm3100, 0x22: tmag5273, 0x23: named])
    #expect(try found(bus) == ["rm3100@0x21", "tmag5273@0x22"])
    let driver = try #require(Chips.named("rm3100"))
    #expect(try Probe.find(driver, on: &bus) == FoundChip(driver, at: 0x21))
    #expect(first.outputs == outputs && named.outputs == outputs)
    #expect(throws: ChipError.self) { try Probe.find(driver, at: 0x23, on: &bus) }
  }

  /// One byte at a time tells nothing of what is there: it is asked only where its address is named.
  @Test("nor through an adapter that knows only SMBus", arguments: [UInt8(0xFF), 0x00, 0x5A])
  func portExpandersOnSMBus(outputs: UInt8) throws {
    let expander = PortExpander(outputs)
    let rm3100 = try #require(ChipFixture.named("rm3100")).make()
    let lis3mdl = try #require(ChipFixture.named("lis3mdl")).make()
    var bus = SMBus(VirtualI2CBus([0x20: expander, 0x21: rm3100, 0x1C: lis3mdl]))
    #expect(try Probe.chips(on: &bus).map { "\($0)" } == ["lis3mdl@0x1c"])
    let driver = try #require(Chips.named("rm3100"))
    #expect(try Probe.find(driver, on: &bus) == nil)
    #expect(try Probe.find(driver, at: 0x21, on: &bus) == FoundChip(driver, at: 0x21))
    #expect(expander.outputs == outputs)
  }

  /// A LIS2MDL beside a LIS3DH at 0x19 answers as an LSM303AGR, whose accelerometer has another x and another scale.
  /// Named, it is what it is, and so is what is beside it.
  @Test("a part that is named has no companion of another's")
  func namedBeside() throws {
    var bus = try bus("lis2mdl", "lsm303agr-accel")
    let (named, accelerometer) = (try #require(Chips.named("lis2mdl")), try #require(Chips.named("lis3dh")))
    let known = FoundChip(named, at: 0x1E)
    let found = try Probe.chips(at: [0x18, 0x19, 0x1E], beside: known, on: &bus)
    #expect(found == [FoundChip(accelerometer, at: 0x19), known])
    #expect(Board.boards(of: found).first?.relation == nil)
  }

  /// A gyroscope of its own goes with the accelerometer that has none, where it is clear whose it is.
  @Test("a gyroscope in a part of its own")
  func gyroscopes() throws {
    func boards(_ names: String...) throws -> [Board] {
      let found = try names.map { name in
        let fixture = try #require(ChipFixture.named(name))
        return FoundChip(try #require(Chips.named(name)), at: fixture.address)
      }
      return Board.boards(of: found)
    }
    let nineAxes = try boards("lsm303d", "l3gd20")
    #expect(nineAxes.map { $0.gyroscope?.description } == ["l3gd20@0x6b"] && nineAxes.first?.motion == nil)
    #expect(nineAxes.first?.senses == [.field, .acceleration, .rotationRate])
    let three = try #require(boards("lsm303dlhc", "lsm303dlhc-accel", "l3gd20").first)
    #expect(three.chips.map { $0.driver.name } == ["lsm303dlhc", "lsm303dlhc-accel", "l3gd20"])
    #expect(three.relation == .identity)
    #expect(try boards("lis3mdl", "lsm6ds", "l3gd20").first?.gyroscope == nil)
    #expect(try boards("lis3mdl", "l3gd20").first?.gyroscope == nil)
    #expect(try boards("lsm303d", "hmc5883l", "l3gd20").allSatisfy { $0.gyroscope == nil })
  }

  /// Both read on from the register where the last read ended, wherever that was.
  @Test("a chip at a port expander's address is found again and again", arguments: ["rm3100", "tmag5273"])
  func foundAgain(name: String) throws {
    let driver = try #require(Chips.named(name))
    let bus = VirtualI2CBus([0x22: try #require(ChipFixture.named(name)).make()])
    for register in UInt8.min...(.max) {
      var bus = bus
      _ = try bus.registers(register, count: 1, at: 0x22)
      #expect(try Probe.chips(on: &bus) == [FoundChip(driver, at: 0x22)], "register \(register)")
    }
  }

  @Test("what hides behind an auxiliary bus is revealed, and not before its host is known")
  func revealed() throws {
    let host = Host(["mpu6050", "ak8963"], opensAt: 0x37, with: 0x02)
    #expect(try found(host.bus()) == ["ak8963@0xc", "mpu6050@0x68"])
    let older = Host(["mpu6050", "ak8975"], opensAt: 0x37, with: 0x02)
    #expect(try found(older.bus()) == ["ak8975@0xc", "mpu6050@0x68"])
    let other = Host(["icm20948", "ak09916"], opensAt: 0x0F, with: 0x02)
    #expect(try found(other.bus()) == ["ak09916@0xc", "icm20948@0x69"])
    var bus = try Host(["mpu6050", "hmc5883l"], opensAt: 0x37, with: 0x02).bus()
    let driver = try #require(Chips.named("hmc5883l"))
    #expect(try Probe.find(driver, on: &bus) == FoundChip(driver, at: 0x1E))
  }

  @Test("one chip by name: at any of its addresses, at the one given, or not there")
  func find() throws {
    let driver = try #require(Chips.named("lis3mdl"))
    var bus = try bus("lis3mdl", others: [0x1E: Unknown(0x5A)])
    #expect(try Probe.find(driver, on: &bus) == FoundChip(driver, at: 0x1C))
    #expect(try Probe.find(driver, at: 0x1D, on: &bus) == nil)
    #expect(
      throws: ChipError.wrongIdentity(
        chip: "lis3mdl", address: 0x1E, register: 0x0F, expected: [[0x3D]], read: [0x5A])
    ) { try Probe.find(driver, at: 0x1E, on: &bus) }
  }

  @Test("a bus that does not work is not an empty bus")
  func brokenBus() throws {
    var bus = try bus("lis3mdl")
    bus.fault = .clockHeldLow
    #expect(throws: ChipError.bus(.busStuck)) { try Probe.chips(on: &bus) }
    bus.fault = .silent
    #expect(try Probe.chips(on: &bus) == [])
  }

  @Test("a part that sleeps through the first access is found by the second")
  func sleeper() throws {
    let model = try #require(ChipFixture.named("tmag5273")).make()
    #expect(try found(VirtualI2CBus([0x35: Sleeper(model)])) == ["tmag5273@0x35"])
  }

  @Test("a magnetometer and its motion sensor make a board")
  func boards() throws {
    func board(_ names: String...) throws -> Board? {
      let chips = try names.map { name in
        let fixture = try #require(ChipFixture.named(name))
        return FoundChip(try #require(Chips.named(name)), at: fixture.address)
      }
      return Board.boards(of: chips).first
    }
    let mpu9250 = try #require(try board("mpu6050", "ak8963"))
    #expect(mpu9250.motion?.driver.name == "mpu6050")
    // MPU-9250 product specification, "Orientation of axes": the magnetometer's x is the accelerometer's y, z is turned
    // round.
    #expect(mpu9250.relation.map { $0 * Vector3(1, 2, 3) } == Vector3(2, 1, -3))
    // MPU-9150 product specification, "Orientation of axes": as the MPU-9250's.
    let mpu9150 = try #require(try board("mpu6050", "ak8975"))
    #expect(mpu9150.relation.map { $0 * Vector3(1, 2, 3) } == Vector3(2, 1, -3))
    let icm20948 = try #require(try board("ak09916", "icm20948"))
    #expect(icm20948.relation.map { $0 * Vector3(1, 2, 3) } == Vector3(1, -2, -3))
    let gy85 = try #require(try board("hmc5883l", "adxl345"))
    #expect(gy85.motion?.driver.name == "adxl345" && gy85.relation == nil)
    let both = try #require(try board("lis3mdl", "adxl345", "lsm6ds"))
    #expect(both.motion?.driver.name == "lsm6ds")
    let bno055 = try #require(try board("bno055"))
    #expect(bno055.motion == nil && bno055.relation == .identity)
    for name in ["lsm303d", "fxos8700"] {
      let both = try #require(try board(name, "adxl345"))
      #expect(both.motion == nil && both.relation == .identity)
    }
    #expect(try board("lsm6ds") == nil)
    let alone = try #require(try board("rm3100"))
    #expect(alone.motion == nil && alone.relation == nil)
  }

  @Test(
    "parts that are not where a package has them are parts of their own, whose axes lie anyhow",
    arguments: [
      ("lsm303agr", UInt8(0x1E), "lsm303agr-accel", UInt8(0x18), UInt8(0x19)), ("ak8963", 0x0D, "mpu6050", 0x68, 0x68),
    ])
  func packages(magnetometer: String, at address: UInt8, motion: String, at other: UInt8, packaged: UInt8) throws {
    func board(_ address: UInt8, _ other: UInt8) throws -> Board? {
      let chips = [
        FoundChip(try #require(Chips.named(magnetometer)), at: address),
        FoundChip(try #require(Chips.named(motion)), at: other),
      ]
      return Board.boards(of: chips).first
    }
    let apart = try #require(try board(address, other))
    #expect(apart.motion?.address == other && apart.relation == nil)
    let usual: UInt8 = magnetometer == "ak8963" ? 0x0C : address
    #expect(try board(usual, packaged)?.relation != nil)
  }
}

/// Reads one byte everywhere, and notes what is written beyond a register number.
private final class Unknown: VirtualChip {
  private let content: UInt8
  private(set) var written: [[UInt8]] = []

  init(_ content: UInt8) { self.content = content }

  func write(_ bytes: [UInt8]) -> Int {
    if bytes.count > 1 { written.append(bytes) }
    return bytes.count
  }
  func read(_ count: Int) -> [UInt8] { [UInt8](repeating: content, count: count) }
}

/// Eight pins without registers: a byte sets them, and a read tells them.
private final class PortExpander: VirtualChip {
  private(set) var outputs: UInt8

  init(_ outputs: UInt8) { self.outputs = outputs }

  func write(_ bytes: [UInt8]) -> Int {
    outputs = bytes.last ?? outputs
    return bytes.count
  }
  func read(_ count: Int) -> [UInt8] { [UInt8](repeating: outputs, count: count) }
}

/// A bus whose adapter knows only SMBus: without the number of a register it reads one byte.
private struct SMBus: I2CBus {
  private var bus: VirtualI2CBus

  init(_ bus: VirtualI2CBus) { self.bus = bus }

  mutating func write(_ bytes: [UInt8], to address: UInt8) throws(BusError) { try bus.write(bytes, to: address) }
  mutating func read(_ count: Int, from address: UInt8) throws(BusError) -> [UInt8] {
    guard count == 1 else { throw .unsupported("\(count) bytes in one transfer") }
    return try bus.read(count, from: address)
  }
  mutating func write(_ bytes: [UInt8], thenRead count: Int, at address: UInt8) throws(BusError) -> [UInt8] {
    try bus.write(bytes, thenRead: count, at: address)
  }
  mutating func wait(milliseconds: Double) { bus.wait(milliseconds: milliseconds) }
}

/// Acknowledges every access but the first.
private final class Sleeper: VirtualChip {
  private let chip: any VirtualChip
  private var accesses = 0

  init(_ chip: any VirtualChip) { self.chip = chip }

  var acknowledgesAddress: Bool {
    accesses += 1
    return accesses > 1
  }
  func start(reading: Bool) { chip.start(reading: reading) }
  func write(_ bytes: [UInt8]) -> Int { chip.write(bytes) }
  func read(_ count: Int) -> [UInt8] { chip.read(count) }
}

/// A chip and one behind it that answers only once a bit of a register is set.
private struct Host {
  let names: [String]
  let register: UInt8
  let bit: UInt8

  init(_ names: [String], opensAt register: UInt8, with bit: UInt8) {
    self.names = names
    self.register = register
    self.bit = bit
  }

  func bus() throws -> VirtualI2CBus {
    let host = try #require(ChipFixture.named(names[0]))
    let hidden = try #require(ChipFixture.named(names[1]))
    let model = try #require(host.make() as? FakeRegisters)
    let (register, bit) = (register, bit)
    return VirtualI2CBus([
      host.address: model, hidden.address: Hidden(hidden.make()) { model[register] & bit != 0 },
    ])
  }

  private final class Hidden: VirtualChip {
    private let chip: any VirtualChip
    private let isOpen: () -> Bool

    init(_ chip: any VirtualChip, _ isOpen: @escaping () -> Bool) {
      self.chip = chip
      self.isOpen = isOpen
    }
    var acknowledgesAddress: Bool { isOpen() }
    func start(reading: Bool) { chip.start(reading: reading) }
    func write(_ bytes: [UInt8]) -> Int { chip.write(bytes) }
    func read(_ count: Int) -> [UInt8] { chip.read(count) }
  }
}
