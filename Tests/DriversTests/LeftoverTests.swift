import LodestoneCore
import Drivers
import Support
import Testing

/// Chips as a program that was broken off, or an earlier run of this one, has left them.
@Suite("Chips as others left them") struct LeftoverTests {
  /// ICM-20948 (DS-000189, "REG_BANK_SEL") and BNO055 (BST-BNO055-DS000, "PAGE ID"): the identity is in bank or page 0.
  @Test(
    "another bank or page is left, and the chip found and set up",
    arguments: [
      ("icm20948", UInt8(0x7F), UInt8(0x10)), ("icm20948", 0x7F, 0x20), ("icm20948", 0x7F, 0x30),
      ("bno055", 0x07, 0x01),
    ])
  func banks(name: String, register: UInt8, selected: UInt8) throws {
    let fixture = try #require(ChipFixture.named(name))
    let model = try #require(fixture.make() as? FakeRegisters)
    model[register] = selected
    var bus = VirtualI2CBus([fixture.address: model])
    #expect(try Probe.chips(on: &bus).map { $0.driver.name } == [name])
    model[register] = selected
    var chip = try chip(name, at: fixture.address)
    try chip.configure(ChipSettings(), on: &bus)
    model.show(fixture.ready)
    #expect(try chip.measure(on: &bus) != nil)
  }

  /// A transfer that fails between the choice of a page and the way back, however often: the next set-up helps.
  @Test("a set-up that breaks off anywhere is done again from the start", arguments: ChipFixture.all)
  func brokenOff(fixture: ChipFixture) throws {
    var index = 0
    while true {
      let model = fixture.make()
      var bus = FailingBus(VirtualI2CBus([fixture.address: model]), failing: index..<Int.max)
      var chip = try chip(fixture.name, at: fixture.address)
      let isWhole = (try? chip.configure(ChipSettings(), on: &bus)) != nil
      bus.failing = 0..<0
      #expect(throws: Never.self, "after \(index) transfers") { try chip.configure(ChipSettings(), on: &bus) }
      if isWhole { break }
      index += 1
    }
    #expect(index > 0)
  }

  /// A DS1307's memory begins anew after 64 bytes, and may hold what the ICM-20948's REG_BANK_SEL does.
  @Test("the memory of a clock is not written", arguments: [UInt8(0x10), 0x20, 0x30])
  func clock(byte: UInt8) throws {
    let clock = Memory([0x3F: byte])
    var bus = VirtualI2CBus([0x68: clock])
    #expect(try Probe.chips(on: &bus) == [])
    #expect(clock.written == [])
  }

  /// NXP data sheet MAG3110 rev. 9.2, table 32: 0.08 Hz; SYSMOD stays until the measurement is over.
  @Test("a MAG3110 at its slowest rate is waited for")
  func slowest() throws {
    var bus = VirtualI2CBus([0x0E: SlowMAG3110()])
    var chip = try chip("mag3110", at: 0x0E)
    #expect(throws: Never.self) { try chip.configure(ChipSettings(), on: &bus) }
  }

  /// Parts without a reset: SELF of ASTC makes a field for the test (AKM data sheet MS1187-E-02), STE of BIST runs one
  /// (PNI user manual 1017252), and MAG_GAIN_CONFIG and MAG_OFFSET_CONFIG change the numbers (TI data sheet SLYS045).
  @Test(
    "a test that was left on is turned off, and corrections are taken back",
    arguments: [
      ("ak8975", UInt8(0x0C)), ("rm3100", 0x33), ("tmag5273", 0x09), ("tmag5273", 0x0A), ("tmag5273", 0x0B),
    ])
  func corrections(name: String, register: UInt8) throws {
    let fixture = try #require(ChipFixture.named(name))
    let model = try #require(fixture.make() as? FakeRegisters)
    model[register] = 0x40
    var bus = VirtualI2CBus([fixture.address: model])
    var chip = try chip(name, at: fixture.address)
    try chip.configure(ChipSettings(), on: &bus)
    #expect(model[register] == 0x00)
  }

  /// An FXAS21002C stands by after power-on with all zeros from register 0 to 6, and there a burst begins anew: it reads
  /// as a port expander whose outputs are low.
  @Test("an FXAS21002C that stands by is found beside the FXOS8700 that it is sold with, and elsewhere left alone")
  func standby() throws {
    func gyroscope() -> FakeRegisters { FakeRegisters([0x0C: 0xD7], .init(next: { $0 == 0x06 ? 0x00 : $0 &+ 1 })) }
    let fxos8700 = try #require(ChipFixture.named("fxos8700"))
    var bus = VirtualI2CBus([0x1F: fxos8700.make(), 0x21: gyroscope()])
    let found = try Probe.chips(on: &bus)
    #expect(found.map { "\($0)" } == ["fxos8700@0x1f", "fxas21002c@0x21"])
    #expect(Board.boards(of: found).map { $0.gyroscope?.description } == ["fxas21002c@0x21"])
    let alone = gyroscope()
    bus = VirtualI2CBus([0x1C: try #require(ChipFixture.named("lis3mdl")).make(), 0x21: alone])
    #expect(try Probe.chips(on: &bus).map { "\($0)" } == ["lis3mdl@0x1c"])
    #expect(alone.written == [])
  }
}

/// Sixty-four bytes, whose numbers begin anew.
private final class Memory: VirtualChip {
  private var bytes = [UInt8](repeating: 0, count: 64)
  private var pointer = 0
  private(set) var written: [[UInt8]] = []

  init(_ content: [Int: UInt8]) {
    for (place, byte) in content { bytes[place] = byte }
  }

  func write(_ bytes: [UInt8]) -> Int {
    pointer = Int(bytes.first ?? 0) % 64
    if bytes.count > 1 { written.append(bytes) }
    return bytes.count
  }

  func read(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in
      defer { pointer = (pointer + 1) % 64 }
      return bytes[pointer]
    }
  }
}

/// A MAG3110 at the beginning of a measurement of 12.5 s.
private final class SlowMAG3110: VirtualChip {
  private let registers = FakeRegisters([0x07: 0xC4, 0x08: 0x02, 0x10: 0xF9], .init())
  private var left = 12.5

  func write(_ bytes: [UInt8]) -> Int { registers.write(bytes) }
  func read(_ count: Int) -> [UInt8] { registers.read(count) }

  func advance(by seconds: Double) {
    left -= seconds
    if left <= 0, registers[0x10] & 0x01 == 0 { registers[0x08] = 0x00 }
  }
}
