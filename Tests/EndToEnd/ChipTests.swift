import LodestoneCore
import Support
import Testing

/// `devices` and `chip` on emulated bridges, and chips on a bus of the kernel.
@Suite(.waiting) struct ChipTests {
  private func bench(hasDrivers: Bool = true) throws -> ChipBench {
    let magnetometer = LIS3MDLModel()
    magnetometer.field = { _ in USBTests.field }
    let motion = LSM6DSOXModel()
    motion.acceleration = { _ in Vector3(0, 0.6, 0.8) }
    return try ChipBench("mcp2221", [0x1C: magnetometer, 0x6A: motion], hasDrivers: hasDrivers)
  }

  @Test func devicesShowsTheChipsAndTheAddressToType() throws {
    let bench = try bench(hasDrivers: false)
    let ended = try bench.run("devices", "--json")
    let text = String(ended.lines.joined().filter { $0 != " " })
    #expect(text.contains(#""address":"usb:mcp2221/lis3mdl@0x1c?serial=0001234567""#), "\(text)")
    #expect(text.contains(#""chip":"lis3mdl""#))
    #expect(text.contains(#""sensors":["field","acceleration","rotation"]"#))
    #expect(!text.contains(#""rate_hz":null"#))
  }

  @Test func devicesLeavesABusyBridgeAlone() throws {
    let bench = try bench()
    for interface in UInt32(0)..<4 { bench.device.occupy(interface: interface) }
    let text = try bench.run("devices", "--json").lines.joined()
    #expect(text.contains("in use by"), "\(text)")
    #expect(bench.device.interfaceLog.allSatisfy { !$0.hasPrefix("claim") })
  }

  @Test func busesOfTheKernelAreAskedOnlyWhenTold() throws {
    let bench = try bench()
    bench.testbed.unplug(bench.device)
    let adapter = EmulatedI2CAdapter(bench.bus)
    bench.testbed.add(adapter)
    let quiet = try bench.run("devices").lines.joined(separator: "\n")
    #expect(quiet.contains("i2c:/dev/i2c-1  Synopsys"), "\(quiet)")
    #expect(bench.bus.events.isEmpty)
    let asked = try bench.run("devices", "--probe").lines.joined(separator: "\n")
    #expect(asked.contains("i2c:/dev/i2c-1/lis3mdl@0x1c"), "\(asked)")
  }

  @Test(arguments: ModelledChip.all) func streamsFromABusOfTheKernel(chip: ModelledChip) throws {
    let model = chip.make()
    model.field = { _ in USBTests.field }
    let bench = try ChipBench("mcp2221", [chip.address: model])
    bench.testbed.unplug(bench.device)
    bench.testbed.add(EmulatedI2CAdapter(bench.bus))
    for address in ["i2c:/dev/i2c-1/\(chip.name)", "i2c:/dev/i2c-1"] {
      let ended = try bench.run("heading", "--device", address, "--count", "10", "--format", "json")
      #expect(ended.exitCode == 0, "\(ended.words)")
      let readings = ended.readings
      #expect(readings.count == 10)
      for reading in readings { #expect(abs(reading.heading - USBTests.heading) < 2 + 3 * chip.resolution) }
    }
  }

  @Test func theKernelsOwnChipsAreLeftToIt() throws {
    let bench = try bench()
    bench.testbed.unplug(bench.device)
    let adapter = EmulatedI2CAdapter(bench.bus)
    bench.testbed.add(adapter)
    adapter.claim(0x1C)
    let ended = try bench.run("heading", "--device", "i2c:/dev/i2c-1/lis3mdl@0x1c", "--count", "1")
    #expect(ended.exitCode != 0)
    #expect(ended.words.contains("driver of the kernel has the chip"), "\(ended.words)")
    let absent = try bench.run("heading", "--device", "i2c:/dev/i2c-7/lis3mdl", "--count", "1")
    #expect(absent.exitCode == 66)
    let unnamed = try bench.run("heading", "--device", "i2c:", "--count", "1")
    #expect(unnamed.exitCode == 66)
    #expect(unnamed.words.contains("i2c:/dev/i2c-1"), "\(unnamed.words)")
  }

  @Test func aMotionSensorOnTheBoardGivesTheTilt() throws {
    let bench = try bench()
    let ended = try bench.run("heading", "--device", "usb:", "--count", "20", "--format", "json")
    #expect(ended.exitCode == 0, "\(ended.words)")
    let last = try #require(ended.lines.last { $0.hasPrefix("{") })
    #expect(last.contains("\"pitch_deg\":36.") || last.contains("\"pitch_deg\":37."), "\(last)")
  }

  /// A hand's quick turn, and a push, are past the smallest ranges of a part.
  @Test func aQuickTurnIsNotCutOff() throws {
    let motion = LSM6DSOXModel()
    motion.acceleration = { _ in Vector3(0, 0, 3.2) }
    motion.rotationRate = { _ in Vector3(0, 0, 420) }
    let ended = try ChipBench("mcp2221", [0x1C: LIS3MDLModel(), 0x6A: motion]).run(
      "record", "usb:", "--count", "20", "--format", "csv", "--quiet")
    let rows = MainJobTests.rows(ended.text).filter { $0["gz_dps"] != "" }
    #expect(rows.count > 5, "\(ended.text)")
    for row in rows {
      let (force, rate) = (row["az_g"].flatMap(Double.init) ?? 0, row["gz_dps"].flatMap(Double.init) ?? 0)
      #expect(abs(force - 3.2) < 0.02 && abs(rate - 420) < 1, "\(row)")
    }
  }

  /// A slow magnetometer beside a fast gyroscope: what each measures comes at its own pace, in the order of time.
  @Test func eachSensorHasARateOfItsOwn() throws {
    let ended = try bench().run(
      "record", "usb:", "--rate", "field=20,rotation=104", "--count", "200", "--format", "csv", "--quiet")
    #expect(ended.exitCode == 0, "\(ended.words)")
    let rows = MainJobTests.rows(ended.text)
    let times = rows.compactMap { $0["time_s"].flatMap(Double.init) }
    #expect(times.count == 200 && zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }, "\(times)")
    let fields = rows.filter { $0["mx_uT"] != "" }
    // Five to one; a busy machine is late for both.
    #expect((10...130).contains(fields.count), "\(fields.count) of 200")
    #expect(rows.allSatisfy { $0["az_g"] != "" || $0["mx_uT"] != "" })
    for row in rows where row["mx_uT"] == "" {
      let force = row["ay_g"].flatMap(Double.init) ?? 0
      #expect(row["gx_dps"] != "" && abs(force - 0.6) < 0.02, "\(row)")
    }
  }

  /// A magnetometer alone has no second rate.
  @Test func aRateForASensorThatIsNotThereIsAnError() throws {
    let bench = try ChipBench("mcp2221", [0x1C: LIS3MDLModel()])
    let ended = try bench.run("heading", "usb:", "--rate", "field=20,rotation=100", "--count", "1")
    #expect(ended.exitCode == 64 && ended.words.contains("has one rate for all that it measures"), "\(ended.words)")
  }

  /// AKM's younger parts by WIA1 and WIA2: an AK09911, here with fuses of 80, by which a count is 0.975 µT, and an
  /// AK09914, which has no driver and is not written to. Their registers lie elsewhere than those of the AK8963.
  @Test func aYoungerAKMPartIsNoAK8963() throws {
    let known = RegisterFile([
      0x00: 0x48, 0x01: 0x05, 0x10: 0x01, 0x13: 16, 0x15: 0xD4, 0x16: 0xFF, 0x60: 80, 0x61: 80, 0x62: 80,
    ])
    let read = try ChipBench("ft232h", [0x0D: known]).run("heading", "usb:", "--count", "1", "--format", "json")
    let field = try #require(read.readings.first, "\(read.text)").field
    #expect((field - Vector3(0, 15.6, -42.9)).length < 0.01, "\(field)")
    let stranger = RegisterFile([0x00: 0x48, 0x01: 0x07])
    let ended = try ChipBench("ft232h", [0x0C: stranger]).run("heading", "usb:", "--count", "1")
    #expect(ended.words.contains("found AKM AK09914 at 0xc, which has no driver yet: read it"), "\(ended.words)")
    #expect(stranger.registers[0x02...].allSatisfy { $0 == 0 })
  }

  @Test func infoShowsWhatItMeasures() throws {
    let text = try bench().run("chip", "info", "usb:").lines.joined(separator: "\n")
    #expect(text.contains("LIS3MDL"))
    #expect(text.contains("±400.00, ±800.00, ±1200.00, ±1600.00 µT"), "\(text)")
    #expect(text.contains("LSM6DS"))
  }

  @Test func registersAreOnlyRead() throws {
    let bench = try bench()
    let ended = try bench.run("chip", "registers", "usb:")
    #expect(ended.exitCode == 0, "\(ended.words)")
    #expect(ended.lines.contains { $0.hasPrefix("0x0f") && $0.hasSuffix("0x3d") }, "\(ended.words)")
  }

  @Test(arguments: ModelledChip.all) func selfTestsPassOnModels(chip: ModelledChip) throws {
    let bench = try ChipBench("ft232h", [chip.address: chip.make()])
    let ended = try bench.run("chip", "self-test", "usb:")
    if ended.exitCode == 64 {
      #expect(ended.words.contains("describes no self-test"))
    } else {
      #expect(ended.exitCode == 0, "\(ended.words)")
      #expect(ended.lines.allSatisfy { $0.hasPrefix("pass") })
    }
  }
}
