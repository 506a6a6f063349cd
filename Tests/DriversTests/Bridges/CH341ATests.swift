import Drivers
import Support
import Testing

/// Packets restated from the I²C stream commands of gschorcht/i2c-ch341-usb.
@Suite struct CH341ATests {
  private func bench(_ chips: [UInt8: any VirtualChip] = [:], hertz: Int = 100_000) throws -> (Bench, EmulatedCH341A) {
    let bus = VirtualI2CBus(chips)
    let emulator = EmulatedCH341A(bus)
    return (try Bench(emulator, bus, hertz: hertz), emulator)
  }

  @Test(arguments: [(1000, 0), (20_000, 0), (99_999, 0), (100_000, 1), (399_999, 1), (400_000, 2), (1_000_000, 3)])
  func setsASpeedThatIsNotAbove(_ hertz: Int, _ speed: UInt8) throws {
    let (bench, emulator) = try bench(hertz: hertz)
    #expect(emulator.speed == speed)
    #expect(bench.sent == [[0xAA, 0x60 | speed, 0x00]])
  }

  @Test func readsARegisterInOnePacketThatTellsEveryAcknowledgement() throws {
    var (bench, _) = try bench([0x1E: RegisterFile([0x28: 1, 0x29: 2, 0x2A: 3])])
    _ = try bench.bridge.read(1, from: 0x1E)
    bench.pipe.clearExchanges()
    #expect(try bench.bridge.write([0x28], thenRead: 3, at: 0x1E) == [1, 2, 3])
    #expect(
      bench.sent == [[0xAA, 0x74, 0x80, 0x3C, 0x80, 0x28, 0x74, 0x80, 0x3D, 0xC2, 0xC0, 0x75, 0x00]])
    // 30 bytes and three acknowledgements are more than a packet of answers holds.
    bench.pipe.clearExchanges()
    #expect(try bench.bridge.write([0x28], thenRead: 30, at: 0x1E).prefix(3) == [1, 2, 3])
    #expect(
      bench.sent == [[0xAA, 0x74, 0x80, 0x3C, 0x80, 0x28, 0x00], [0xAA, 0x74, 0x80, 0x3D, 0xDD, 0xC0, 0x75, 0x00]])
    _ = try bench.bridge.read(1, from: 0x1E)
    #expect(bench.sent.last == [0xAA, 0x74, 0x80, 0x3D, 0xC0, 0x75, 0x00])
  }

  @Test func keepsPacketsWithin32Bytes() throws {
    let chip = RegisterFile()
    var (bench, _) = try bench([0x1E: chip])
    for count in 1...70 {
      try bench.bridge.write((0..<count).map { UInt8($0) }, to: 0x1E)
      #expect(bench.bus.events.last == .stop)
    }
    #expect(bench.sent.allSatisfy { $0.count <= 32 })
    #expect(Array(chip.registers[0..<69]) == (1...69).map { UInt8($0) })
  }

  @Test(arguments: [0, 1, 12, 13, 14, 20]) func tellsRefusedData(_ taken: Int) throws {
    var (bench, _) = try bench([0x1E: RegisterFile([0xF0: 5])])
    bench.bus.fault = .dataNotAcknowledged(after: taken)
    #expect(throws: BusError.dataNotAcknowledged(0x1E)) {
      try bench.bridge.write([UInt8](repeating: 0, count: 30), to: 0x1E)
    }
    bench.bus.fault = nil
    #expect(try bench.bridge.registers(0xF0, at: 0x1E) == [5])
  }

  /// The chip would answer, with the content of the register that it was asked for before.
  @Test(arguments: [6, 31]) func tellsARegisterNumberThatIsRefused(_ count: Int) throws {
    var (bench, _) = try bench([0x1E: RegisterFile([0x28: 5])])
    _ = try bench.bridge.registers(0x28, at: 0x1E)
    bench.bus.fault = .dataNotAcknowledged(after: 0)
    #expect(throws: BusError.dataNotAcknowledged(0x1E)) {
      _ = try bench.bridge.write([0x00], thenRead: count, at: 0x1E)
    }
    bench.bus.fault = nil
    #expect(try bench.bridge.registers(0x28, at: 0x1E) == [5])
  }

  @Test func startsAfreshAfterAMissedAnswer() throws {
    var (bench, _) = try bench([0x1E: RegisterFile([0: 5, 1: 6])])
    bench.pipe.tamper = { _ throws(BusError) in nil }
    #expect(throws: BusError.timeout) { _ = try bench.bridge.registers(0, at: 0x1E) }
    bench.pipe.tamper = nil
    #expect(try bench.bridge.registers(1, at: 0x1E) == [6])
  }
}
