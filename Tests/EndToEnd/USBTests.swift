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
}
