/// A channel as Zephyr's `sensor get` prints it since version 3.5: `channel type=11(magn_xyz) index=0 shift=1
/// num_samples=1 value=12395000000ns, (-0.129, 0.157, -0.435)`, or one axis in the brackets. Magnetic fields are in
/// gauss, accelerations in m/s² and rotation rates in rad/s. Source: zephyrproject-rtos/zephyr, sensor_shell.c and
/// sensor.h.
enum ZephyrChannel {
  /// The line as one with usual names and units; nil for any other line.
  static func words(_ line: Span<UInt8>) -> [UInt8]? {
    guard line.holds("channel type=", at: 0), let open = line.indices.first(where: { line[$0] == UInt8(ascii: "(") }),
      let close = (open..<line.count).first(where: { line[$0] == UInt8(ascii: ")") }),
      let values = line.indices.last(where: { line[$0] == UInt8(ascii: "(") }), values > close,
      let end = line.indices.last(where: { line[$0] == UInt8(ascii: ")") }), end > values
    else { return nil }
    let name = line.bytes(in: open + 1..<close)
    guard let unit = units.first(where: { name.starts(with: $0.channel.utf8) })?.unit else { return nil }
    var words: [UInt8] = []
    if let time = time(line, before: values) { words += Array("time_ns: ".utf8) + line.bytes(in: time) + [.space] }
    return words + name + Array(" (\(unit)): ".utf8) + line.bytes(in: values + 1..<end)
  }

  private static let units = [("magn_", "gauss"), ("accel_", "m/s2"), ("gyro_", "rad/s")].map {
    (channel: $0, unit: $1)
  }

  /// The digits before the last `ns`.
  private static func time(_ line: Span<UInt8>, before end: Int) -> Range<Int>? {
    guard let last = (1..<end).last(where: { line.holds("ns", at: $0) }) else { return nil }
    var start = last
    while start > 0, line[start - 1].isDigit { start -= 1 }
    return start < last ? start..<last : nil
  }
}
