import LodestoneCore
import LodestonePorts
import Support
import Testing

/// Other programs and the kernel's drivers keep what they have, unless the user names it and nothing uses it.
@Suite(.waiting) struct NeighbourTests {
  static let bridges = EmulatedBridges.all.keys.sorted()

  private func bench(_ bridge: String, hasDrivers: Bool = true) throws -> ChipBench {
    let model = LIS3MDLModel()
    model.field = { _ in USBTests.field }
    return try ChipBench(bridge, [0x1C: model], hasDrivers: hasDrivers)
  }

  /// A shell that has a node open until it is told to end.
  private func holder(of node: String, in testbed: Testbed) throws -> ChildProgram {
    let shell = try #require(
      testbed.start("/bin/sh", arguments: ["-c", "exec 3<>\(node); echo ready; read line"]))
    #expect(shell.line() == "ready")
    return shell
  }

  // MARK: Listing

  @Test(arguments: bridges, ["", "--probe"]) func listingTakesNothingFromTheKernel(
    bridge: String, option: String
  ) throws {
    let bench = try bench(bridge)
    let interface = bridge == "mcp2221" ? 2 : 0
    let port = try bench.testbed.addNode("ttyUSB7", below: bench.device, interface: interface)
    let other = try holder(of: "/dev/ttyUSB7", in: bench.testbed)
    let ended = Finished(try bench.start(["devices", option].filter { !$0.isEmpty }))
    #expect(ended.exitCode == 0)
    #expect(bench.device.interfaceLog == [])
    #expect(bench.bus.events.isEmpty)
    #expect(ended.text.contains("in use by sh (process \(other.process))"), "\(ended.text)")
    #expect(port.path.hasPrefix("/dev/pts/"))
  }

  private typealias Finished = ChipBench.Finished

  @Test func theKernelsWayIsTold() throws {
    let bench = try bench("cp2112")
    let bus = try bench.testbed.addNode("i2c-3", below: bench.device)
    defer { bus.close() }
    let text = try bench.run("devices").text
    #expect(
      text.contains(
        "a kernel driver (cp2112) has it: i2c:/dev/i2c-3 reaches it, usb:cp2112?serial=0012AB34 takes it over"),
      "\(text)")
    #expect(bench.device.interfaceLog == [])
  }

  @Test(arguments: ["mcp2221", "cp2112", "i2c-tiny-usb"]) func whatIsFreeIsProbed(bridge: String) throws {
    let text = try bench(bridge, hasDrivers: false).run("devices").text
    #expect(text.contains("/lis3mdl@0x1c"), "\(text)")
  }

  /// It may be a JTAG adapter, or the programmer of a memory.
  @Test(arguments: ["ft232h", "ch341a"]) func whatMayBeSomethingElseIsProbedOnlyWhenAsked(bridge: String) throws {
    let bench = try bench(bridge, hasDrivers: false)
    let quiet = try bench.run("devices").text
    #expect(quiet.hasPrefix("usb:\(bridge)") && !quiet.contains("lis3mdl"), "\(quiet)")
    #expect(bench.device.interfaceLog == [])
    let asked = try bench.run("devices", "--probe").text
    #expect(asked.contains("usb:\(bridge)/lis3mdl@0x1c"), "\(asked)")
  }

  @Test func aMainboardsBusIsNeverProbed() throws {
    let bench = try bench("mcp2221")
    bench.testbed.unplug(bench.device)
    bench.testbed.add(EmulatedI2CAdapter(bench.bus, name: "SMBus I801 adapter at efa0"))
    let text = try bench.run("devices", "--probe").text
    #expect(text.contains("i2c:/dev/i2c-1  SMBus"), "\(text)")
    let none = try bench.run("heading", "--count", "1")
    #expect(none.exitCode == 66 && none.words.contains("no device is attached"), "\(none.words)")
    #expect(bench.bus.events.isEmpty)
    let named = try bench.run("heading", "--device", "i2c:/dev/i2c-1", "--count", "3", "--format", "json")
    #expect(named.exitCode == 0 && named.readings.count == 3, "\(named.words)")
  }

  // MARK: Taking over

  @Test(arguments: bridges) func aBridgeIsTakenOnlyWhereNothingUsesIt(bridge: String) throws {
    let bench = try bench(bridge)
    let interface = bridge == "mcp2221" ? 2 : 0
    let port = try bench.testbed.addNode("hidraw7", below: bench.device, interface: interface)
    defer { port.close() }
    let other = try holder(of: "/dev/hidraw7", in: bench.testbed)
    let refused = try bench.run("heading", "--device", "usb:\(bridge)", "--count", "1")
    #expect(refused.exitCode == 75)
    #expect(refused.words.contains("/dev/hidraw7: in use by sh (process \(other.process))"), "\(refused.words)")
    #expect(bench.device.interfaceLog == [])
    _ = other.ask("go")
    let taken = try bench.run("heading", "--device", "usb:\(bridge)", "--count", "3", "--format", "json")
    #expect(taken.exitCode == 0 && taken.readings.count == 3, "\(taken.words)")
  }

  @Test func equalSerialNumbersAreToldApartByTheirPorts() throws {
    let bench = try bench("mcp2221")
    let bus = VirtualI2CBus([0x1C: LIS3MDLModel()], clock: ChipBench.seconds)
    _ = bench.testbed.plug(EmulatedMCP2221A(bus), port: 2, address: 3)
    let ended = try bench.run("heading", "--device", "usb:", "--count", "1")
    #expect(ended.words.contains("usb:mcp2221?path=1-1 and usb:mcp2221?path=1-2"), "\(ended.words)")
    let chosen = try bench.run("heading", "--device", "usb:mcp2221?path=1-1", "--count", "3", "--format", "json")
    #expect(chosen.exitCode == 0, "\(chosen.words)")
    for reading in chosen.readings { #expect((reading.field - USBTests.field).length < 1) }
  }

  @Test func aPortThatAProgramReadsWithoutAClaimIsBusy() throws {
    let testbed = Testbed()
    let board = try PtyBoard(rate: 50, lines: ["$HCHDM,101.0,M*29\r\n"])
    let plug = SerialPlug(board, in: testbed, as: "ttyUSB0", serial: "A1")
    defer { plug.unplug() }
    let other = try holder(of: "/dev/ttyUSB0", in: testbed)
    let program = try #require(
      testbed.start("lodestone", arguments: ["heading", "--device", "/dev/ttyUSB0"], joinsErrors: true))
    let ended = Finished(program)
    #expect(ended.exitCode == 75)
    #expect(ended.words.contains("in use by sh (process \(other.process))"), "\(ended.words)")
  }
}
