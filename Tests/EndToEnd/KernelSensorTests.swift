import Support
import Testing

/// Sensors that drivers of the kernel serve, as attributes in an emulated /sys: the three of a HID sensor hub, which
/// are devices of their own.
@Suite(.waiting) struct KernelSensorTests {
  /// A device with three axes of a kind: counts and the size of one, in gauss, m/s² or rad/s.
  private static func device(_ number: Int, _ name: String, _ kind: String, _ counts: [Int], scale: String) -> String {
    let axes = zip(["x", "y", "z"], counts).map { "A: in_\(kind)_\($0)_raw=\($1)\\n" }
    return """
      P: /devices/hub/iio:device\(number)
      E: SUBSYSTEM=iio
      E: DEVTYPE=iio_device
      A: name=\(name)\\n
      A: in_\(kind)_scale=\(scale)\\n
      A: in_\(kind)_sampling_frequency=50\\n
      \(axes.joined(separator: "\n"))

      """
  }

  private func run(_ arguments: String...) throws -> String {
    let testbed = Testbed()
    testbed.add(record: Self.device(0, "magn_3d", "magn", [100, 200, -400], scale: "0.001"))
    testbed.add(record: Self.device(1, "accel_3d", "accel", [0, 0, 1000], scale: "0.00980665"))
    testbed.add(record: Self.device(2, "gyro_3d", "anglvel", [0, 100, -200], scale: "0.001"))
    return ChipBench.Finished(try #require(testbed.start("lodestone", arguments: arguments, joinsErrors: true))).text
  }

  @Test func devicesListsWhatMovesWithAMagnetometer() throws {
    let listed = try run("devices", "--json").filter { !$0.isWhitespace }
    #expect(listed.contains(#""sensors":["field","acceleration","rotation"]"#), "\(listed)")
  }

  /// A milliradian is 0.0573°; 0.1 rad/s are 5.7296 °/s. A busy machine may be too slow for a rate now and then.
  @Test func theGyroscopeIsReadBesideTheField() throws {
    let text = try run("record", "-d", "iio:", "--count", "100", "--format", "json")
    #expect(text.contains("found magn_3d with accel_3d and gyro_3d at iio:magn_3d"), "\(text)")
    #expect(text.contains(#""mx_uT":10.0000,"my_uT":20.0000,"mz_uT":-40.0000"#), "\(text)")
    #expect(text.contains(#""gx_dps":0.0000,"gy_dps":5.7296,"gz_dps":-11.459"#), "\(text)")
  }
}
