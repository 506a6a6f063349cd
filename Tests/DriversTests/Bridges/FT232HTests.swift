import Drivers
import Support
import Testing

/// Opcodes restated from FTDI AN_108; the emulator follows the pins.
@Suite struct FT232HTests {
  private func bench(
    _ chips: [UInt8: any VirtualChip] = [:], hertz: Int = 100_000, product: UInt16 = 0x6014
  ) throws -> (Bench, EmulatedFT232H) {
    let bus = VirtualI2CBus(chips)
    let emulator = EmulatedFT232H(bus, product: product)
    return (try Bench(emulator, bus, hertz: hertz), emulator)
  }

  @Test(arguments: [(100_000, [0x86, 199, 0] as [UInt8]), (400_000, [0x86, 49, 0])])
  func setsTheClock(_ hertz: Int, _ divisor: [UInt8]) throws {
    let (bench, emulator) = try bench(hertz: hertz)
    #expect(emulator.busHertz == Double(hertz))
    let setup = try #require(bench.sent.last)
    #expect(setup.prefix(4) == [0x8A, 0x97, 0x8C, 0x85])
    #expect(Array(setup[4..<7]) == divisor)
    #expect(Array(setup[7..<10]) == [0x9E, 0x07, 0x00])
  }

  @Test func neverClocksFasterThanAsked() throws {
    for hertz in [1000, 33_333, 99_999, 123_456, 399_999, 1_000_000] {
      let (_, emulator) = try bench(hertz: hertz)
      #expect(emulator.busHertz <= Double(hertz))
      #expect(emulator.busHertz > Double(hertz) * 0.94)
    }
  }

  @Test(arguments: [0x6014, 0x6010, 0x6011] as [UInt16]) func worksWithAndWithoutOpenDrains(_ product: UInt16) throws {
    let chip = RegisterFile([0x0F: 0x3D])
    var (bench, _) = try bench([0x1E: chip], product: product)
    bench.bus.clearEvents()
    #expect(try bench.bridge.registers(0x0F, at: 0x1E) == [0x3D])
    #expect(
      bench.bus.events == [
        .start(0x1E, reading: false, acknowledged: true), .wrote(0x0F, acknowledged: true),
        .repeatedStart(0x1E, reading: true, acknowledged: true), .read(0x3D), .stop,
      ])
    try bench.bridge.write([0x20, 0xAA, 0x55], to: 0x1E)
    #expect(chip.registers[0x20...0x21] == [0xAA, 0x55])
    #expect(try bench.bridge.registers(0x20, count: 2, at: 0x1E) == [0xAA, 0x55])
    #expect(throws: BusError.addressNotAcknowledged(0x1C)) { _ = try bench.bridge.read(1, from: 0x1C) }
    #expect(try bench.bridge.registers(0x0F, at: 0x1E) == [0x3D])
  }

  @Test func readsARegisterInOneRoundTrip() throws {
    var (bench, _) = try bench([0x1E: RegisterFile()])
    bench.pipe.clearExchanges()
    _ = try bench.bridge.registers(0, count: 6, at: 0x1E)
    #expect(bench.sent.count == 1)
    #expect(bench.sent.last?.last == 0x87)
  }

  @Test(arguments: [0x6014, 0x6010] as [UInt16]) func freesABusThatAChipHolds(_ product: UInt16) throws {
    var (bench, _) = try bench([0x1E: RegisterFile([0: 7])], product: product)
    bench.bus.fault = .dataHeldLow(clocks: 8)
    #expect(try bench.bridge.registers(0, at: 0x1E) == [7])
    #expect(bench.bus.fault == nil)
  }

  @Test func tellsABusThatStaysHeld() throws {
    var (bench, _) = try bench([0x1E: RegisterFile()])
    for fault in [VirtualI2CBus.Fault.dataHeldLow(clocks: 1000), .clockHeldLow] {
      bench.bus.fault = fault
      #expect(throws: BusError.busStuck) { _ = try bench.bridge.registers(0, at: 0x1E) }
    }
    bench.bus.fault = nil
    #expect(try bench.bridge.registers(0, at: 0x1E) == [0])
  }

  /// SDA that falls low in the middle of a burst makes every further byte a zero, and every acknowledgement a good one.
  @Test(arguments: [0x6014, 0x6010] as [UInt16], [2, 200]) func tellsALineThatFallsLowInABurst(
    _ product: UInt16, _ length: Int
  ) throws {
    let bus = VirtualI2CBus()
    bus.chips[0x1E] = ShortCircuit(after: 2, on: bus)
    var bench = try Bench(EmulatedFT232H(bus, product: product), bus)
    #expect(throws: BusError.busStuck) { _ = try bench.bridge.write([0], thenRead: length + 1, at: 0x1E) }
    bus.fault = nil
    #expect(try bench.bridge.write([0], thenRead: 2, at: 0x1E) == [0x55, 0x55])
  }

  /// The answer to the freeing of a bus that comes late is not taken for the next transfer's.
  @Test func aLateAnswerToTheFreeingIsThrownAway() throws {
    let bus = VirtualI2CBus([0x1E: RegisterFile([0: 7])])
    let late = LateFunction(EmulatedFT232H(bus))
    var bench = try Bench(late, bus)
    bus.fault = .dataHeldLow(clocks: 8)
    // The empty packets of the latency timer count: lines, results, then what freeing reads.
    late.isLate = { _ in bus.fault == nil }
    #expect(throws: BusError.timeout) { _ = try bench.bridge.registers(0, at: 0x1E) }
    late.isLate = nil
    #expect(try bench.bridge.registers(0, at: 0x1E) == [7])
  }

  @Test(arguments: [0, 1, 5, 100]) func tellsRefusedData(_ taken: Int) throws {
    var (bench, _) = try bench([0x1E: RegisterFile([0xF0: 5])])
    bench.bus.fault = .dataNotAcknowledged(after: taken)
    #expect(throws: BusError.dataNotAcknowledged(0x1E)) {
      try bench.bridge.write([UInt8](repeating: 0, count: 200), to: 0x1E)
    }
    bench.bus.fault = nil
    #expect(try bench.bridge.registers(0xF0, at: 0x1E) == [5])
  }

  @Test func refusesAPortThatIsNoMPSSE() throws {
    let bus = VirtualI2CBus()
    #expect(throws: BusError.self) {
      _ = try Bench(EmulatedFT232H(bus), bus) { pipe in
        pipe.tamper = { (answer) throws(BusError) in answer.isEmpty ? [] : [0x32, 0x60] }
      }
    }
  }
}

/// A chip that holds SDA low for good once so many bytes have been read from it.
private final class ShortCircuit: VirtualChip {
  private let bus: VirtualI2CBus
  private var left: Int

  init(after count: Int, on bus: VirtualI2CBus) { (left, self.bus) = (count, bus) }

  func write(_ bytes: [UInt8]) -> Int { bytes.count }

  func read(_ count: Int) -> [UInt8] {
    left -= count
    if left == 0 { bus.fault = .dataHeldLow(clocks: 1000) }
    return [UInt8](repeating: 0x55, count: count)
  }
}
