import CLinux
import Glibc
import Support
import Testing

/// The product's I²C code with emulated buses of the kernel.
@Suite struct LinuxI2CBusTests {
  struct Bench {
    let testbed = Testbed()
    let bus: VirtualI2CBus
    let adapter: EmulatedI2CAdapter
    let probe: ChildProgram

    init(
      functions: UInt64 = EmulatedI2CAdapter.everything, name: String = "i2c",
      _ chips: [UInt8: any VirtualChip] = [0x1E: RegisterFile([0x0F: 0x3D])]
    ) throws {
      bus = VirtualI2CBus(chips)
      adapter = EmulatedI2CAdapter(bus, name: name, functions: functions)
      testbed.add(adapter)
      probe = try #require(testbed.start("BusProbe"))
    }
  }

  @Test func readsWithARepeatedStart() throws {
    let bench = try Bench()
    #expect(bench.probe.ask("bus /dev/i2c-1") == "ok ")
    #expect(bench.probe.ask("writeread 1e 1 0f") == "ok 3d")
    #expect(
      bench.bus.events == [
        .start(0x1E, reading: false, acknowledged: true), .wrote(0x0F, acknowledged: true),
        .repeatedStart(0x1E, reading: true, acknowledged: true), .read(0x3D), .stop,
      ])
    #expect(bench.probe.ask("write 1e 20 70 01") == "ok ")
    #expect(bench.probe.ask("write 1e 20") == "ok ")
    #expect(bench.probe.ask("read 1e 2") == "ok 70 01")
    #expect(bench.probe.ask("writeread 1c 1 0f") == "error addressNotAcknowledged(28)")
  }

  @Test func fallsBackToSMBus() throws {
    let bench = try Bench(functions: EmulatedI2CAdapter.everything & ~1)
    #expect(bench.probe.ask("bus /dev/i2c-1") == "ok ")
    #expect(bench.probe.ask("writeread 1e 1 0f") == "ok 3d")
    #expect(bench.probe.ask("write 1e 20 70") == "ok ")
    #expect(bench.probe.ask("write 1e 21 01 02 03") == "ok ")
    #expect(bench.probe.ask("writeread 1e 4 20") == "ok 70 01 02 03")
    #expect(bench.probe.ask("write 1e 0f") == "ok ")
    #expect(bench.probe.ask("read 1e 1") == "ok 3d")
    #expect(bench.probe.ask("read 1e 2")?.hasPrefix("error unsupported") == true)
    #expect(bench.probe.ask("writeread 1e 33 0f")?.hasPrefix("error unsupported") == true)
    #expect(bench.probe.ask("writeread 1c 1 0f") == "error addressNotAcknowledged(28)")
  }

  @Test func refusesBlocksWhereTheAdapterKnowsOnlyBytes() throws {
    let bench = try Bench(functions: EmulatedI2CAdapter.bytesOnly)
    #expect(bench.probe.ask("bus /dev/i2c-1") == "ok ")
    #expect(bench.probe.ask("writeread 1e 1 0f") == "ok 3d")
    #expect(bench.probe.ask("writeread 1e 6 0f")?.hasPrefix("error unsupported") == true)
  }

  @Test(arguments: [
    (ENXIO, "addressNotAcknowledged(30)"), (EREMOTEIO, "addressNotAcknowledged(30)"), (ETIMEDOUT, "timeout"),
    (EAGAIN, "arbitrationLost"), (EBUSY, "busStuck"), (ENODEV, "addressNotAcknowledged(30)"),
    (ESHUTDOWN, "disconnected"),
  ])
  func tellsFailuresApart(_ code: Int32, _ error: String) throws {
    let bench = try Bench()
    #expect(bench.probe.ask("bus /dev/i2c-1") == "ok ")
    bench.adapter.fail(code)
    #expect(bench.probe.ask("writeread 1e 1 0f") == "error \(error)")
    bench.adapter.fail(nil)
    #expect(bench.probe.ask("writeread 1e 1 0f") == "ok 3d")
  }

  /// The kernel's driver of the CP2112 reports a missing acknowledgement so.
  @Test func aTimeoutOfACP2112IsSilence() throws {
    let bench = try Bench(name: "CP2112 SMBus Bridge on hidraw0")
    #expect(bench.probe.ask("bus /dev/i2c-1") == "ok ")
    bench.adapter.fail(ETIMEDOUT)
    #expect(bench.probe.ask("writeread 1e 1 0f") == "error addressNotAcknowledged(30)")
  }

  /// And that of the MCP2221A so; another adapter has failed then.
  @Test(arguments: [("MCP2221 usb-i2c bridge", "addressNotAcknowledged(30)"), ("other", "protocolViolation")])
  func anErrorOfAnMCP2221IsSilence(_ name: String, _ error: String) throws {
    let bench = try Bench(name: name)
    #expect(bench.probe.ask("bus /dev/i2c-1") == "ok ")
    bench.adapter.fail(EIO)
    #expect(bench.probe.ask("writeread 1e 1 0f")?.hasPrefix("error \(error)") == true)
  }

  /// The drivers for a CH341 that are not in the kernel (i2c-ch341.c of F. Zago, i2c-ch341-usb.c of G. Schorcht) read
  /// without looking at acknowledgements: of a chip that has gone, a field of −1 on each axis. A register may hold FF.
  @Test(arguments: [
    ("CH341 I2C USB bus 001 device 004", "error addressNotAcknowledged(30)"),
    ("i2c-ch341-usb at bus 001 device 004", "error addressNotAcknowledged(30)"), ("other", "ok ff ff ff ff ff ff ff"),
  ])
  func onesFromACH341AreSilence(_ name: String, _ answer: String) throws {
    let ones = Dictionary(uniqueKeysWithValues: (UInt8(0x27)...0x2D).map { ($0, UInt8(0xFF)) })
    let bench = try Bench(name: name, [0x1E: RegisterFile(ones)])
    #expect(bench.probe.ask("bus /dev/i2c-1") == "ok ")
    #expect(bench.probe.ask("writeread 1e 7 27") == answer)
    #expect(bench.probe.ask("writeread 1e 1 27") == "ok ff")
    #expect(bench.probe.ask("writeread 1e 7 26") == "ok 00 ff ff ff ff ff ff")
  }

  @Test func leavesAChipToItsKernelDriver() throws {
    let bench = try Bench()
    bench.adapter.claim(0x1E)
    #expect(bench.probe.ask("bus /dev/i2c-1") == "ok ")
    #expect(bench.probe.ask("writeread 1e 1 0f")?.hasPrefix("error unsupported") == true)
    #expect(bench.bus.events == [])
  }

  @Test func tellsWhatIsMissing() throws {
    let bench = try Bench()
    #expect(bench.probe.ask("bus /dev/i2c-7") == "error notThere(path: \"/dev/i2c-7\")")
    #expect(bench.probe.ask("bus /dev/null")?.hasPrefix("error notAFile") == true)
  }

  @Test func listsBuses() throws {
    let bench = try Bench(name: "bus\u{1B}[31m one")
    bench.testbed.add(
      record: """
        P: /devices/i2c-1/1-001c
        E: SUBSYSTEM=i2c

        """)
    #expect(bench.probe.ask("buses") == "ok /dev/i2c-1 bus[31m one free")
  }
}
