import Drivers
import Support
import Testing

/// Reports restated from Silicon Labs AN495.
@Suite struct CP2112Tests {
  private func bench(
    _ chips: [UInt8: any VirtualChip] = [:], hertz: Int = 100_000, version: UInt8 = 2
  ) throws -> (Bench, EmulatedCP2112) {
    let bus = VirtualI2CBus(chips)
    let emulator = EmulatedCP2112(bus, version: version)
    return (try Bench(emulator, bus, hertz: hertz), emulator)
  }

  @Test(arguments: [(100_000, [0x00, 0x01, 0x86, 0xA0] as [UInt8]), (400_000, [0x00, 0x06, 0x1A, 0x80])])
  func configures(_ hertz: Int, _ clock: [UInt8]) throws {
    let (_, emulator) = try bench(hertz: hertz)
    // Clock, own address as it was, no reading ahead, no time-outs, SCL low time-out, one retry.
    #expect(emulator.configuration == [6] + clock + [2, 0, 0, 0, 0, 0, 1, 0, 1])
  }

  @Test func readsARegisterByReport11() throws {
    var (bench, _) = try bench([0x1E: RegisterFile([0x0F: 0x3D])])
    _ = try bench.bridge.registers(0x0F, at: 0x1E)
    bench.pipe.clearExchanges()
    #expect(try bench.bridge.registers(0x0F, at: 0x1E) == [0x3D])
    let reports = bench.sent.map { Array($0.prefix(6)) }
    #expect(reports.first == [0x11, 0x3C, 0, 1, 1, 0x0F])
    #expect(reports.last == [0x12, 0, 1, 0, 0, 0])
    #expect(reports.dropFirst().dropLast().allSatisfy { $0 == [0x15, 1, 0, 0, 0, 0] })
  }

  @Test func firstSiliconHasNoRepeatedStart() throws {
    var (bench, _) = try bench([0x1E: RegisterFile()], version: 1)
    #expect(throws: BusError.self) { _ = try bench.bridge.registers(0, at: 0x1E) }
    #expect(bench.bus.events == [])
    try bench.bridge.write([0], to: 0x1E)
    #expect(try bench.bridge.read(1, from: 0x1E) == [0])
  }

  @Test(arguments: [
    (VirtualI2CBus.Fault.silent, BusError.addressNotAcknowledged(0x1E)),
    (.dataNotAcknowledged(after: 0), .dataNotAcknowledged(0x1E)), (.clockHeldLow, .busStuck),
    (.arbitrationLost, .arbitrationLost),
  ])
  func tellsFailuresApart(_ fault: VirtualI2CBus.Fault, _ error: BusError) throws {
    var (bench, _) = try bench([0x1E: RegisterFile([0: 4])])
    bench.bus.fault = fault
    #expect(throws: error) { try bench.bridge.write([0, 1], to: 0x1E) }
    bench.bus.fault = nil
    #expect(try bench.bridge.registers(0, at: 0x1E) == [4])
  }

  @Test func limitsWritesAndTheirPartBeforeARead() throws {
    var (bench, _) = try bench([0x1E: RegisterFile()])
    bench.bus.clearEvents()
    let bytes = [UInt8](repeating: 0, count: 62)
    #expect(throws: BusError.self) { try bench.bridge.write(bytes, to: 0x1E) }
    #expect(throws: BusError.self) { _ = try bench.bridge.write(Array(bytes.prefix(17)), thenRead: 1, at: 0x1E) }
    #expect(throws: BusError.self) { _ = try bench.bridge.read(513, from: 0x1E) }
    #expect(bench.bus.events == [])
    #expect(try bench.bridge.write(Array(bytes.prefix(16)), thenRead: 512, at: 0x1E).count == 512)
  }

  @Test func neverWritesWhatCanBeWrittenOnce() throws {
    var (bench, _) = try bench([0x1E: RegisterFile()])
    try bench.bridge.write([0x20, 1], to: 0x1E)
    for case .control(let request, _) in bench.pipe.exchanges {
      #expect(!(0x20...0x24).contains(request.value & 0xFF))
    }
  }
}
