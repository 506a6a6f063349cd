import Drivers
import Support
import Testing

/// Requests restated from harbaum/I2C-Tiny-USB and Nicolai-Electronics/rp2040-i2c-interface.
@Suite struct I2CTinyUSBTests {
  private func bench(
    _ chips: [UInt8: any VirtualChip] = [:], hertz: Int = 100_000, firmware: EmulatedI2CTinyUSB.Firmware = .avr
  ) throws -> (Bench, EmulatedI2CTinyUSB) {
    let bus = VirtualI2CBus(chips)
    let emulator = EmulatedI2CTinyUSB(bus, firmware: firmware)
    return (try Bench(emulator, bus, hertz: hertz), emulator)
  }

  @Test(arguments: [(100_000, 10), (400_000, 3), (1_000_000, 2), (90_000, 12), (1, 1000)])
  func setsABitPeriodThatIsNotTooShort(_ hertz: Int, _ delay: UInt16) throws {
    #expect(try bench(hertz: hertz).1.delay == delay)
  }

  @Test(arguments: [EmulatedI2CTinyUSB.Firmware.avr, .rp2040])
  func readsARegisterByBeginAndEnd(_ firmware: EmulatedI2CTinyUSB.Firmware) throws {
    var (bench, _) = try bench([0x1E: RegisterFile([0x0F: 0x3D])], firmware: firmware)
    bench.pipe.clearExchanges()
    #expect(try bench.bridge.registers(0x0F, at: 0x1E) == [0x3D])
    #expect(
      bench.pipe.exchanges == [
        .control(USBRequest(type: 0x41, request: 5, value: 0, index: 0x1E), sent: [0x0F]),
        .controlIn(USBRequest(type: 0xC1, request: 3), count: 1),
        .controlIn(USBRequest(type: 0xC1, request: 6, value: 1, index: 0x1E), count: 1),
        .controlIn(USBRequest(type: 0xC1, request: 3), count: 1),
      ])
  }

  @Test func aStallIsNotATimeout() throws {
    var (bench, _) = try bench([0x1E: RegisterFile()])
    bench.pipe.tamper = { _ throws(BusError) in throw .stalled }
    #expect(throws: BusError.stalled) { try bench.bridge.write([1], to: 0x1E) }
  }

  @Test func refusesALinkThatDoesNotEcho() throws {
    let bus = VirtualI2CBus()
    #expect(throws: BusError.self) {
      _ = try Bench(EmulatedI2CTinyUSB(bus), bus) { pipe in
        pipe.tamper = { (answer) throws(BusError) in answer.map { ~$0 } }
      }
    }
  }
}
