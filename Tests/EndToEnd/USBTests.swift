import LodestoneCore
import Support
import Testing

/// `usb:` through the built command, the real libusb, emulated bridges and models of chips.
@Suite(.waiting) struct USBTests {
  static let bridges = EmulatedBridges.all.keys.sorted()
  static let field = Vector3(18.4, 11.2, -42.9)
  /// The heading of the y axis, clockwise from the horizontal part of the field; level.
  static let heading = 360 - 58.671

  @Test(arguments: bridges, ModelledChip.all)
  func showsTheHeadingOfTheField(bridge: String, chip: ModelledChip) throws {
    let model = chip.make()
    model.field = { _ in Self.field }
    let bench = try ChipBench(bridge, [chip.address: model])
    let ended = try bench.run(
      "heading", "--device", "usb:\(bridge)/\(chip.name)", "--count", "20", "--format", "json")
    #expect(ended.exitCode == 0, "\(ended.words)")
    let readings = ended.readings
    try #require(readings.count == 20, "\(ended.words)")
    let mean = readings.map { $0.field }.reduce(Vector3.zero, +) / 20
    #expect((mean - Self.field).length < 0.1 + 2 * chip.resolution, "\(mean)")
    for reading in readings { #expect(abs(reading.heading - Self.heading) < 2 + 3 * chip.resolution) }
    for (one, next) in zip(readings, readings.dropFirst()) { #expect(next.time > one.time) }
  }

  /// A CH341A has no serial number: beside another each is named by its port, so that neither has the other's
  /// calibration.
  @Test func bridgesThatAreAlikeAreToldApartByTheirPorts() throws {
    let bench = try ChipBench("ch341a", [0x1C: LIS3MDLModel()])
    func device(_ address: String) throws -> String {
      let ended = try bench.run("record", address, "--count", "1", "--format", "csv", "--quiet")
      #expect(ended.exitCode == 0, "\(ended.text)")
      return try #require(ended.lines.first { $0.hasPrefix("# device") }, "\(ended.text)")
    }
    #expect(try device("usb:ch341a").contains("ch341a-lis3mdl@0x1c"))
    let bus = VirtualI2CBus([0x1C: LIS3MDLModel()], clock: ChipBench.seconds)
    let other = try #require(EmulatedBridges.make("ch341a", bus))
    _ = bench.testbed.plug(other, port: 2, address: 3)
    #expect(try device("usb:ch341a?path=1-1").contains("ch341a-at-1-1-lis3mdl@0x1c"))
    #expect(try device("usb:ch341a?path=1-2").contains("ch341a-at-1-2-lis3mdl@0x1c"))
  }
}
