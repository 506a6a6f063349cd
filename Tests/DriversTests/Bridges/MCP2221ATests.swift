import Drivers
import Support
import Testing

/// Packets restated from Microchip DS20005565, section 3.1.
@Suite struct MCP2221ATests {
  private func bench(_ chips: [UInt8: any VirtualChip] = [:], hertz: Int = 100_000) throws -> (
    Bench, EmulatedMCP2221A
  ) {
    let bus = VirtualI2CBus(chips)
    let emulator = EmulatedMCP2221A(bus)
    return (try Bench(emulator, bus, hertz: hertz), emulator)
  }

  @Test(arguments: [(100_000, 117), (400_000, 27), (1_000_000, 27), (47_000, 253), (1, 253)])
  func setsTheDivider(_ hertz: Int, _ divider: UInt8) throws {
    let (bench, emulator) = try bench(hertz: hertz)
    #expect(emulator.divider == divider)
    #expect(bench.sent.last?.prefix(5) == [0x10, 0, 0, 0x20, divider])
  }

  @Test func doesNotCancelBeforeTheFirstTransfer() throws {
    let (bench, _) = try bench()
    #expect(!bench.sent.contains { $0[0] == 0x10 && $0[2] == 0x10 })
  }

  @Test func readsARegisterInFourKindsOfCommands() throws {
    var (bench, _) = try bench([0x1E: RegisterFile([0x0F: 0x3D])])
    bench.pipe.clearExchanges()
    #expect(try bench.bridge.registers(0x0F, at: 0x1E) == [0x3D])
    let commands = bench.sent.map { Array($0.prefix(5)) }
    #expect(commands.first == [0x94, 1, 0, 0x3C, 0x0F])
    #expect(commands.contains([0x93, 1, 0, 0x3D, 0]))
    #expect(Set(commands.map { $0[0] }) == [0x94, 0x10, 0x93, 0x40])
    #expect(bench.sent.allSatisfy { $0.count == 64 })
  }

  @Test func sendsTheSameHeaderWithEachChunk() throws {
    var (bench, _) = try bench([0x1E: RegisterFile()])
    bench.pipe.clearExchanges()
    try bench.bridge.write([UInt8](repeating: 7, count: 130), to: 0x1E)
    let chunks = bench.sent.filter { $0[0] == 0x90 }
    #expect(chunks.allSatisfy { $0[1...3] == [130, 0, 0x3C] })
    #expect(chunks.last?[4..<15] == [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 0])
  }

  @Test func cancelsAfterANackBeforeTheNextTransfer() throws {
    var (bench, _) = try bench()
    #expect(throws: BusError.addressNotAcknowledged(0x1E)) { _ = try bench.bridge.read(1, from: 0x1E) }
    #expect(bench.sent.contains { $0.prefix(3) == [0x10, 0, 0x10] })
  }

  @Test(arguments: [VirtualI2CBus.Fault.clockHeldLow, .dataHeldLow(clocks: 5)])
  func aHeldLineIsAStuckBus(_ fault: VirtualI2CBus.Fault) throws {
    var (bench, _) = try bench([0x1E: RegisterFile()])
    _ = try bench.bridge.read(1, from: 0x1E)
    bench.bus.fault = fault
    #expect(throws: BusError.busStuck) { _ = try bench.bridge.read(1, from: 0x1E) }
    bench.bus.fault = nil
    #expect(try bench.bridge.read(1, from: 0x1E) == [0])
  }

  @Test func tellsRefusedData() throws {
    var (bench, _) = try bench([0x1E: RegisterFile()])
    bench.bus.fault = .dataNotAcknowledged(after: 1)
    #expect(throws: BusError.dataNotAcknowledged(0x1E)) { try bench.bridge.write([1, 2, 3], to: 0x1E) }
  }

  @Test func takesUpAnEngineThatAnotherProgramLeftInAFailure() throws {
    let bus = VirtualI2CBus([0x1E: RegisterFile([0: 9])])
    let emulator = EmulatedMCP2221A(bus)
    var bench = try Bench(emulator, bus) { pipe in
      var read = [UInt8](repeating: 0, count: 64)
      read.replaceSubrange(0..<4, with: [0x91, 1, 0, 0x21])
      _ = emulator.receive(read)
      _ = emulator.receive([0x10] + [UInt8](repeating: 0, count: 63))
    }
    #expect(try bench.bridge.registers(0, at: 0x1E) == [9])
  }

  @Test func resetsByItsCommand() throws {
    let emulator = EmulatedMCP2221A(VirtualI2CBus())
    #expect(MCP2221A.reset(FunctionPipe(emulator, interfaceClass: 3)))
    #expect(emulator.resetCount == 1)
  }
}
