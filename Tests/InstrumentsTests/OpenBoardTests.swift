import LodestoneCore
import Drivers
import Support
import Testing

@testable import Instruments

@Suite(.waiting) struct OpenBoardTests {
  private func chip(_ name: String) throws -> any Chip.Type { try #require(Chips.named(name)) }

  private func find(_ part: String, on bus: VirtualI2CBus) throws -> Board {
    var request = try ChipRequest(DeviceAddress("usb:"), OpenOptions())
    try request.take(chip: part, of: DeviceAddress("usb:\(part)"))
    return try OpenBoard.find(request, on: bus, name: "usb:test").board
  }

  @Test(arguments: BypassedBoard.all)
  func aMagnetometerBehindABypassComesBackWithItsPower(part: BypassedBoard) throws {
    let (bus, host) = part.make()
    let relation = try #require(try find(part.name, on: bus).relation)
    host.powerOn()
    let board = Board(
      magnetometer: FoundChip(try chip(part.magnetometer), at: 0x0C),
      motion: FoundChip(try chip(part.name), at: 0x68), relation: relation)
    let open = OpenBoard(board, on: bus, ChipRequest(try chip(part.magnetometer), ChipSettings(rate: 50)))
    for _ in 1...2 {
      try open.configure()
      let measurement = try open.pair(try #require(try open.measure()), at: 0)
      let field = try #require(measurement.field?.microtesla)
      #expect((field - relation * Vector3(15, 30, -45)).length < 0.1)
      host.powerOn()
      #expect(throws: ChipError.bus(.addressNotAcknowledged(0x0C))) { try open.measure() }
    }
  }

  @Test func aBoardIsNamedByAnyOfItsChips() throws {
    for part in BypassedBoard.all {
      for name in [part.name, "\(part.name)@0x68", part.magnetometer] {
        let board = try find(name, on: part.make().bus)
        #expect(board.magnetometer.driver.name == part.magnetometer)
        #expect(board.motion?.address == 0x68 && board.relation != nil)
      }
    }
    let agr = VirtualI2CBus([0x1E: RegisterFile([0x4F: 0x40]), 0x19: RegisterFile([0x0F: 0x33])])
    for name in ["lsm303agr", "lsm303agr-accel@0x19"] {
      #expect(try find(name, on: agr).relation == .identity)
    }
    // Two parts that look like it, where the magnetometer is named.
    let apart = try find("lis2mdl", on: agr)
    #expect(apart.motion?.driver.name == "lis3dh" && apart.relation == nil)
    // A motion sensor that any magnetometer may sit beside.
    let two = VirtualI2CBus([0x1C: RegisterFile([0x0F: 0x3D]), 0x6A: RegisterFile([0x0F: 0x6C])])
    #expect(try find("lsm6dsox", on: two).magnetometer.description == "lis3mdl@0x1c")
  }

  /// The gyroscope of an LSM9DS0, or that on a board with an LSM303: it was not looked for. A thousand counts of 17.5
  /// mdps.
  @Test func aGyroscopeOfItsOwnGoesWithTheField() throws {
    let six = RegisterFile([0x0F: 0x49, 0x87: 0x08, 0x88: 0x64, 0xA7: 0x08, 0xAD: 0x40])
    let turning = RegisterFile([0x0F: 0xD4, 0xA7: 0x08, 0xA8: 0xE8, 0xA9: 0x03])
    let bus = VirtualI2CBus([0x1D: six, 0x6B: turning])
    for name in ["lsm9ds0", "l3gd20"] { #expect(try find(name, on: bus).gyroscope?.address == 0x6B) }
    let open = OpenBoard(try find("lsm303d", on: bus), on: bus, ChipRequest(try chip("lsm303d")))
    try open.configure()
    func pair(at time: Double) throws -> Measurement { try open.pair(try #require(try open.measure()), at: time) }
    let measured = try pair(at: 1)
    #expect(measured.field != nil && measured.acceleration != nil)
    #expect(((measured.rotationRate?.degreesPerSecond ?? .zero) - Vector3(17.5, 0, 0)).length < 1e-9)
    // Nothing new for longer than a reading lasts.
    turning.registers[0xA7] = 0
    #expect(try pair(at: 1.05).rotationRate != nil && pair(at: 1.2).rotationRate == nil)
    #expect(try open.registers().map { $0.chip.driver.name } == ["lsm303d", "l3gd20"])
  }

  @Test func aBoardWithoutAMagnetometerIsNone() throws {
    let alone = VirtualI2CBus([0x68: RegisterFile([0x75: 0x71])])
    #expect(throws: StreamError.self) { try find("mpu9250", on: alone) }
    let (bus, _) = BypassedBoard.all[0].make()
    #expect(throws: StreamError.self) { try find("mpu9250@0x69", on: bus) }
    #expect(throws: StreamError.self) { try find("icm20948", on: bus) }
  }

  @Test func aNamedMagnetometerIsLookedForAloneWithWhatMovesWithIt() throws {
    let bus = VirtualI2CBus([0x1C: RegisterFile([0x0F: 0x3D]), 0x30: RegisterFile([0x39: 0x10])])
    _ = try find("lis3mdl", on: bus)
    var asked: Set<UInt8> = []
    for event in bus.events {
      switch event {
      case .start(let address, _, _), .repeatedStart(let address, _, _): asked.insert(address)
      default: break
      }
    }
    // Its own by the data sheet, and those of the ST, Analog Devices and InvenSense motion sensors.
    #expect(asked == [0x1C, 0x1E, 0x18, 0x19, 0x1D, 0x53, 0x68, 0x69, 0x6A, 0x6B])
  }
}

/// An InvenSense part and the AKM magnetometer in its package, by their register maps.
struct BypassedBoard: Sendable, CustomTestStringConvertible {
  let name: String
  let magnetometer: String
  let host: @Sendable () -> BypassHost
  /// Identity, fuses where it has some, a result of (100, 200, −300) counts of 0.15 µT that is always ready.
  let hidden: [UInt8: UInt8]
  var testDescription: String { name }

  static let all = [
    BypassedBoard(
      name: "mpu9250", magnetometer: "ak8963",
      host: { BypassHost(identity: (0x75, 0x71), power: 0x6B, pinConfig: 0x37) },
      hidden: [
        0x00: 0x48, 0x10: 0x80, 0x11: 0x80, 0x12: 0x80, 0x02: 0x01, 0x03: 100, 0x05: 200, 0x07: 0xD4, 0x08: 0xFE,
        0x09: 0x10,
      ]),
    BypassedBoard(
      name: "icm20948", magnetometer: "ak09916",
      host: { BypassHost(identity: (0x00, 0xEA), power: 0x06, pinConfig: 0x0F, bank: 0x7F) },
      hidden: [
        0x00: 0x48, 0x01: 0x09, 0x10: 0x01, 0x11: 100, 0x13: 200, 0x15: 0xD4, 0x16: 0xFE,
      ]),
  ]

  func make() -> (bus: VirtualI2CBus, host: BypassHost) {
    let host = host()
    return (VirtualI2CBus([0x68: host, 0x0C: BypassedChip(hidden, behind: host)]), host)
  }
}

/// Registers that forget what was written at power-on and at a reset, and a bypass that is closed then.
final class BypassHost: VirtualChip {
  private let identity: (register: UInt8, value: UInt8)
  private let power: UInt8
  private let pinConfig: UInt8
  private let bank: UInt8?
  private var banks: [UInt8: [UInt8: UInt8]] = [:]
  private var selected: UInt8 = 0
  private var pointer: UInt8 = 0

  init(identity: (UInt8, UInt8), power: UInt8, pinConfig: UInt8, bank: UInt8? = nil) {
    self.identity = identity
    self.power = power
    self.pinConfig = pinConfig
    self.bank = bank
    powerOn()
  }

  /// BYPASS_EN.
  var isOpen: Bool { (banks[0]?[pinConfig] ?? 0) & 0x02 != 0 }

  func powerOn() {
    banks = [0: [identity.register: identity.value]]
    selected = 0
  }

  func write(_ bytes: [UInt8]) -> Int {
    pointer = bytes.first ?? 0
    for byte in bytes.dropFirst() {
      if pointer == bank {
        selected = byte
      } else if selected == 0, pointer == power, byte & 0x80 != 0 {
        powerOn()
      } else {
        banks[selected, default: [:]][pointer] = byte
      }
      pointer &+= 1
    }
    return bytes.count
  }

  func read(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in
      defer { pointer &+= 1 }
      return banks[selected]?[pointer] ?? 0
    }
  }
}

/// A chip on the auxiliary bus of another.
private final class BypassedChip: VirtualChip {
  private let chip: RegisterFile
  private let host: BypassHost

  init(_ registers: [UInt8: UInt8], behind host: BypassHost) {
    chip = RegisterFile(registers)
    self.host = host
  }

  var acknowledgesAddress: Bool { host.isOpen }
  func write(_ bytes: [UInt8]) -> Int { chip.write(bytes) }
  func read(_ count: Int) -> [UInt8] { chip.read(count) }
}
