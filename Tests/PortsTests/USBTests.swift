import Support
import Testing

/// The product's USB code and the real libusb with emulated devices.
@Suite(.waiting) struct USBTests {
  /// A probe in a world with one emulated bridge in it.
  struct Bench {
    let testbed = Testbed()
    let bus: VirtualI2CBus
    let device: EmulatedUSBDevice
    let probe: ChildProgram

    init(_ name: String, _ chips: [UInt8: any VirtualChip] = [0x1E: RegisterFile([0x0F: 0x3D])]) throws {
      bus = VirtualI2CBus(chips)
      device = testbed.plug(try #require(EmulatedBridges.make(name, bus)))
      probe = try #require(testbed.start("BusProbe"))
    }
  }

  static let names = EmulatedBridges.all.keys.sorted()

  @Test func listsBridges() throws {
    let testbed = Testbed()
    _ = testbed.plug(EmulatedI2CTinyUSB(VirtualI2CBus(), serial: "A1"))
    _ = testbed.plug(EmulatedMCP2221A(VirtualI2CBus()), port: 2, address: 3)
    let probe = try #require(testbed.start("BusProbe"))
    #expect(
      probe.ask("list") == "ok i2c-tiny-usb 403:c631 A1 1-1 free; mcp2221 4d8:dd 0001234567 1-2 free")
  }

  @Test(arguments: names) func opensReadsAndGivesBack(_ name: String) throws {
    let bench = try Bench(name)
    #expect(bench.probe.ask("open \(name)") == "ok \(name)")
    #expect(bench.probe.ask("writeread 1e 1 0f") == "ok 3d")
    #expect(bench.probe.ask("write 1e 20 70 01") == "ok ")
    #expect(bench.probe.ask("writeread 1e 2 20") == "ok 70 01")
    #expect(bench.probe.ask("writeread 1c 1 0f") == "error addressNotAcknowledged(28)")
    #expect(bench.probe.ask("close") == "ok ")
  }

  @Test(arguments: names) func tellsStallTimeoutAndUnplugApart(_ name: String) throws {
    let bench = try Bench(name)
    #expect(bench.probe.ask("open \(name)") == "ok \(name)")
    bench.device.fail(.stall)
    #expect(bench.probe.ask("writeread 1e 1 0f")?.hasPrefix("error protocolViolation(\"the bridge refused") == true)
    #expect(bench.probe.ask("writeread 1e 1 0f") == "ok 3d")
    bench.device.fail(.hang)
    #expect(bench.probe.ask("writeread 1e 1 0f") == "error timeout")
    bench.device.fail(nil)
    #expect(bench.probe.ask("writeread 1e 1 0f") == "ok 3d")
    bench.device.fail(.unplug, after: 1)
    #expect(bench.probe.ask("writeread 1e 1 0f") == "error disconnected")
    bench.testbed.unplug(bench.device)
    #expect(bench.probe.ask("writeread 1e 1 0f") == "error disconnected")
    #expect(bench.probe.ask("list") == "ok ")
  }

  @Test func noticesPluggingAndUnplugging() throws {
    let bench = try Bench("mcp2221")
    #expect(bench.probe.ask("watch") == "ok ")
    bench.testbed.unplug(bench.device)
    #expect(bench.probe.ask("changed") == "ok true")
    #expect(bench.probe.ask("list") == "ok ")
    _ = bench.testbed.plug(EmulatedMCP2221A(bench.bus), address: 7)
    #expect(bench.probe.ask("changed") == "ok true")
    #expect(bench.probe.ask("list") == "ok mcp2221 4d8:dd 0001234567 1-1 free")
    #expect(bench.probe.ask("open mcp2221") == "ok mcp2221")
    #expect(bench.probe.ask("writeread 1e 1 0f") == "ok 3d")
  }

  @Test func takesOnlyTheI2CInterfaceOfAnMCP2221() throws {
    let bench = try Bench("mcp2221")
    #expect(bench.probe.ask("open mcp2221") == "ok mcp2221")
    #expect(bench.probe.ask("close") == "ok ")
    #expect(bench.device.interfaceLog == ["detach mcp2221", "claim 2", "release 2", "attach mcp2221"])
  }

  @Test func givesOtherBridgesBackToTheKernel() throws {
    let bench = try Bench("i2c-tiny-usb")
    #expect(bench.probe.ask("open i2c-tiny-usb") == "ok i2c-tiny-usb")
    #expect(bench.probe.ask("close") == "ok ")
    #expect(bench.device.interfaceLog == ["detach i2c-tiny-usb", "claim 0", "release 0", "attach i2c-tiny-usb"])
  }

  @Test(arguments: names) func refusesAnInterfaceThatAnotherProgramHas(_ name: String) throws {
    let bench = try Bench(name)
    for interface in 0..<4 { bench.device.occupy(interface: UInt32(interface)) }
    let answer = try #require(bench.probe.ask("open \(name)"))
    #expect(answer.contains("busy(path: \"/dev/bus/usb/001/002\""))
  }

  /// An engine that was cancelled before its first transfer is locked up until a reset. The chip leaves and comes back.
  @Test func resetsABridgeWhoseBusIsStuck() throws {
    let testbed = Testbed()
    let locked = EmulatedMCP2221A(VirtualI2CBus([0x1E: RegisterFile([0x0F: 0x3D])]))
    let device = testbed.plug(locked)
    device.whileIdle {
      _ = locked.receive([0x10, 0, 0x10] + [UInt8](repeating: 0, count: 61))
      _ = locked.send(limit: 64)
    }
    let probe = try #require(testbed.start("BusProbe"))
    probe.send("open mcp2221")
    #expect(eventually { device.whileIdle { locked.resetCount } == 1 })
    testbed.unplug(device)
    _ = testbed.plug(EmulatedMCP2221A(locked.bus), address: 3)
    #expect(probe.line() == "ok mcp2221")
    #expect(probe.ask("writeread 1e 1 0f") == "ok 3d")
  }
}
