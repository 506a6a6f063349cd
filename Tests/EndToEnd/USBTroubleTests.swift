import LodestoneCore
import Glibc
import Support
import Testing

/// Trouble between a chip and the command: on the bus, at the bridge, at the plug.
@Suite(.waiting) struct USBTroubleTests {
  static let bridges = EmulatedBridges.all.keys.sorted()

  private func bench(_ bridge: String = "mcp2221") throws -> (ChipBench, LIS3MDLModel) {
    let model = LIS3MDLModel()
    model.field = { _ in USBTests.field }
    return (try ChipBench(bridge, [0x1C: model]), model)
  }

  /// The next readings, this many.
  private func readings(_ count: Int, of program: ChildProgram) -> [ChipBench.Reading] {
    var readings: [ChipBench.Reading] = []
    while readings.count < count, let line = program.line() {
      if let reading = ChipBench.Reading(line) { readings.append(reading) }
    }
    return readings
  }

  @Test(arguments: bridges) func oneRefusedTransferIsTriedAgain(bridge: String) throws {
    let (bench, _) = try bench(bridge)
    let program = try bench.start("heading", "--device", "usb:", "--count", "60", "--format", "json")
    #expect(readings(10, of: program).count == 10)
    bench.device.fail(.stall)
    let after = readings(50, of: program)
    #expect(after.count == 50)
    for reading in after { #expect((reading.field - USBTests.field).length < 1) }
    while program.line() != nil {}
    #expect(program.exitCode() == 0)
  }

  @Test(arguments: bridges) func aChipThatIsDeafForAMomentIsAskedAgain(bridge: String) throws {
    let model = LIS3MDLModel()
    model.field = { _ in USBTests.field }
    let chip = DeafChip(model)
    let bench = try ChipBench(bridge, [0x1C: chip])
    let program = try bench.start("heading", "--device", "usb:", "--count", "40", "--format", "json")
    #expect(readings(10, of: program).count == 10)
    bench.device.whileIdle { chip.deafness = 3 }
    #expect(readings(30, of: program).count == 30)
    while program.line() != nil {}
    #expect(program.exitCode() == 0)
  }

  @Test(arguments: bridges) func aBusThatStaysSilentIsWaitedFor(bridge: String) throws {
    let (bench, _) = try bench(bridge)
    let program = try bench.start("heading", "--device", "usb:", "--count", "30", "--format", "json")
    #expect(readings(10, of: program).count == 10)
    bench.device.whileIdle { bench.bus.fault = .silent }
    #expect(program.line(holding: "waiting for it to come back") != nil)
    bench.device.whileIdle { bench.bus.fault = nil }
    #expect(program.line(holding: "is back") != nil)
    #expect(readings(15, of: program).count == 15)
  }

  @Test(arguments: bridges) func anUnpluggedBridgeIsWaitedForAndPickedUpAgain(bridge: String) throws {
    let (bench, model) = try bench(bridge)
    let program = try bench.start("heading", "--device", "usb:\(bridge)", "--count", "30", "--format", "json")
    let before = readings(10, of: program)
    #expect(before.count == 10)
    bench.device.fail(.unplug, after: 1)
    #expect(program.line(holding: "waiting for it to come back") != nil)
    bench.testbed.unplug(bench.device)
    // Power was gone, and the chip was set up elsewhere: it measures at ±16 gauss, CTRL_REG2 and CTRL_REG3.
    model.powerOn()
    for setting in [[0x21, 0x60], [0x22, 0x00]] as [[UInt8]] { _ = model.write(setting) }
    _ = bench.testbed.plug(try #require(EmulatedBridges.make(bridge, bench.bus)), address: 9)
    #expect(program.line(holding: "is back") != nil)
    let after = readings(15, of: program)
    #expect(after.count == 15)
    for reading in after { #expect((reading.field - USBTests.field).length < 0.5) }
    if let last = before.last, let first = after.first { #expect(first.time > last.time) }
    while program.line() != nil {}
    #expect(program.exitCode() == 0)
  }

  @Test(arguments: bridges) func anUnplugEndsTheStreamWhereNobodyWaits(bridge: String) throws {
    let (bench, _) = try bench(bridge)
    let program = try bench.start("heading", "--device", "usb:", "--no-reconnect", "--format", "json")
    #expect(readings(5, of: program).count == 5)
    bench.device.fail(.unplug, after: 1)
    let ended = ChipBench.Finished(program)
    #expect(ended.exitCode == 69)
    #expect(ended.words.contains("has gone"))
  }

  @Test(arguments: bridges) func aHungBridgeGoesOnWhenItAnswersAgain(bridge: String) throws {
    let (bench, _) = try bench(bridge)
    let program = try bench.start("heading", "--device", "usb:", "--count", "30", "--format", "json")
    #expect(readings(10, of: program).count == 10)
    bench.device.fail(.hang)
    #expect(program.line(holding: "waiting for it to come back") != nil)
    bench.device.fail(nil)
    #expect(program.line(holding: "is back") != nil)
    #expect(readings(15, of: program).count == 15)
  }

  /// The bus is closed to be opened again, and the device is not given up.
  @Test func aHoleIsTold() throws {
    let (bench, _) = try bench("cp2112")
    let program = try bench.start("heading", "--device", "usb:", "--format", "json")
    #expect(readings(10, of: program).count == 10)
    func releases() -> Int { bench.device.interfaceLog.count { $0.hasPrefix("release") } }
    let before = releases()
    bench.device.fail(.hang)
    #expect(eventually { releases() > before })
    bench.device.fail(nil)
    var words = ""
    while let line = program.line() {
      if line.contains("samples are missing") || line.contains("is back after") {
        words = line
        break
      }
    }
    #expect(!words.isEmpty)
    #expect(program.end(by: SIGINT) == 130)
  }

  @Test(arguments: bridges) func aBusyInterfaceIsRefused(bridge: String) throws {
    let (bench, _) = try bench(bridge)
    for interface in UInt32(0)..<4 { bench.device.occupy(interface: interface) }
    let ended = try bench.run("heading", "--device", "usb:", "--count", "1")
    #expect(ended.exitCode == 75)
    #expect(ended.words.contains("in use by"))
  }

  @Test func twoBridgesAreListedToChooseFrom() throws {
    let (bench, _) = try bench()
    _ = bench.testbed.plug(EmulatedI2CTinyUSB(VirtualI2CBus(), serial: "A1"), port: 2, address: 3)
    let ended = try bench.run("heading", "--device", "usb:", "--count", "1")
    #expect(ended.exitCode == 66)
    #expect(ended.words.contains("usb:mcp2221?serial=0001234567 and usb:i2c-tiny-usb?serial=A1"))
    for address in ["usb:mcp2221", "usb:serial=0001234567", "usb:?serial=0001234567", "usb:mcp2221/lis3mdl@0x1c"] {
      let ended = try bench.run("heading", "--device", address, "--count", "3", "--format", "json")
      #expect(ended.exitCode == 0 && ended.readings.count == 3, "\(address): \(ended.words)")
    }
  }

  @Test func whatIsNotThereIsSaid() throws {
    let (bench, _) = try bench()
    for (address, code, words) in [
      ("usb:cp2112", 66, "no such bridge is attached"),
      ("usb:serial=NONE", 66, "no such bridge is attached"),
      ("usb:mcp2221/mmc5603", 66, "can't find mmc5603"),
      ("usb:mcp2221/hmc5883l@0x1e", 66, "found lis3mdl@0x1c"),
      ("usb:mcp2221/lis3mdl@0x44", 64, "0x1c"),
      ("usb:nonsense", 64, "nothing is called 'nonsense'"),
      ("usb:?range=many", 64, "400uT"),
      ("usb:?rate=100000", 64, "rate"),
    ] {
      let ended = try bench.run("heading", "--device", address, "--count", "1")
      #expect(ended.exitCode == Int32(code), "\(address): \(ended.words)")
      #expect(ended.words.contains(words), "\(address): \(ended.words)")
    }
  }

  /// A board sold with a magnetometer that it has not, and a chip that answers and is not known, are told for what they
  /// are.
  @Test func whatIsThereInsteadOfAMagnetometerIsSaid() throws {
    let fake = try ChipBench("mcp2221", [0x68: RegisterFile([0x75: 0x70])])
    let alone = try fake.run("heading", "--device", "usb:mcp2221/mpu9250", "--count", "1")
    #expect(alone.exitCode == 66)
    #expect(alone.words.contains("can't find a magnetometer beside mpu6050"), "\(alone.words)")
    #expect(alone.words.contains("found mpu6050@0x68, no magnetometer"), "\(alone.words)")

    let stranger = try ChipBench("mcp2221", [0x1E: RegisterFile([0x0F: 0x4B])])
    let unknown = try stranger.run("heading", "--device", "usb:mcp2221", "--count", "1")
    #expect(unknown.exitCode == 66)
    #expect(unknown.words.contains("found an unknown chip at 0x1e"), "\(unknown.words)")
  }

  @Test func aStrangeOrFrozenChipIsRefusedWithWhatWasRead() throws {
    let (bench, model) = try bench()
    model.noise = 0
    let frozen = try bench.run("heading", "--device", "usb:?rate=300", "--format", "json")
    #expect(frozen.exitCode == 65)
    #expect(frozen.words.contains("in a row of exactly (18.4"), "\(frozen.words)")

    let dead = try ChipBench("mcp2221", [0x1C: RegisterFile()])
    let zeros = try dead.run("heading", "--device", "usb:mcp2221/lis3mdl", "--format", "json")
    #expect(zeros.exitCode == 66)
    #expect(zeros.words.contains("reads 0x00 instead of 0x3d"), "\(zeros.words)")
    // Nothing but register numbers has been written to it.
    var written = 0
    for event in dead.bus.events {
      switch event {
      case .start, .repeatedStart, .stop: written = 0
      case .wrote: written += 1
      case .read: break
      }
      #expect(written < 2)
    }
  }

  @Test func aStuckChipIsSetUpAgainAndThenRefused() throws {
    let (bench, model) = try bench()
    model.isStuck = true
    let ended = try bench.run("heading", "--device", "usb:", "--format", "json")
    #expect(ended.exitCode == 74)
    #expect(ended.words.contains("for a measurement from the lis3mdl"), "\(ended.words)")
  }

  /// A chip that answers and measures nothing is not gone: it is told once, and again only after it has measured.
  @Test func aChipThatStopsMeasuringIsTold() throws {
    let model = LIS3MDLModel()
    let chip = ConfiguredChip(model)
    let bench = try ChipBench("mcp2221", [0x1C: chip])
    let program = try bench.start("heading", "--device", "usb:", "--format", "json")
    #expect(readings(10, of: program).count == 10)
    let one = bench.device.whileIdle { chip.settings }
    for _ in 0..<2 {
      let before = bench.device.whileIdle {
        model.isStuck = true
        return chip.settings
      }
      #expect(eventually { bench.device.whileIdle { chip.settings } >= before + 5 * one })
      bench.device.whileIdle { model.isStuck = false }
      var told: [String] = []
      var isOver = false
      // A busy machine leaves holes of its own: the chip's is behind what is told of it.
      for _ in 0..<2000 where !isOver {
        guard let line = program.line() else { break }
        let isHole = line.contains("samples are missing")
        isOver = isHole && !told.isEmpty
        if !isHole, ChipBench.Reading(line) == nil { told.append(line) }
      }
      #expect(told.count { $0.contains("answers, and has measured nothing for") } == 1, "\(told)")
      #expect(!told.contains { $0.contains("has gone") || $0.contains("is back") }, "\(told)")
      #expect(readings(10, of: program).count == 10)
    }
    #expect(program.end(by: SIGINT) == 130)
  }

  @Test func saturationIsFlaggedAndTheTeslameterTakesAnotherRange() throws {
    let (bench, model) = try bench()
    // Counted from the first measurement: the program may take its time to start.
    var begin: Double?
    model.field = { time in
      begin = begin ?? time
      return time - (begin ?? time) < 3 ? USBTests.field : Vector3(900, 20, -30)
    }
    let ended = try bench.run(
      "teslameter", "--device", "usb:", "--zero-seconds", "1", "--duration", "5", "--format", "json")
    #expect(ended.exitCode == 0, "\(ended.words)")
    #expect(ended.lines.contains { $0.contains("saturated") })
    let last = try #require(ended.lines.last { $0.hasPrefix("{") })
    #expect(last.contains("\"bx_uT\":900.") || last.contains("\"bx_uT\":899."), "\(last)")
  }
}

/// A chip that does not hear its address for a while.
private final class DeafChip: VirtualChip {
  /// How many more STARTs it does not acknowledge.
  var deafness = 0
  private let chip: ChipModel

  init(_ chip: ChipModel) { self.chip = chip }

  var acknowledgesAddress: Bool {
    guard deafness > 0 else { return true }
    deafness -= 1
    return false
  }

  func write(_ bytes: [UInt8]) -> Int { chip.write(bytes) }
  func read(_ count: Int) -> [UInt8] { chip.read(count) }
  func advance(by seconds: Double) { chip.advance(by: seconds) }
}

/// A chip that counts how often its settings are written.
private final class ConfiguredChip: VirtualChip {
  private(set) var settings = 0
  private let chip: ChipModel

  init(_ chip: ChipModel) { self.chip = chip }

  func write(_ bytes: [UInt8]) -> Int {
    if bytes.count > 1 { settings += 1 }
    return chip.write(bytes)
  }

  func read(_ count: Int) -> [UInt8] { chip.read(count) }
  func advance(by seconds: Double) { chip.advance(by: seconds) }
}
