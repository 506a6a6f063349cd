/// A reading of RIOT's sensor registry, over lines: `Dev: lis3mdl	Type: SENSE_MAG`, or `Reading from #0
/// (lis3mdl|SENSE_MAG)` of its shell, and below it `Data:	[0]        -129 mGs`, `	[1]         157 mGs`,
/// `	[2]        -435 mGs`. Source: RIOT-OS/RIOT, sys/phydat/phydat_str.c and sys/shell/cmds/saul_reg.c.
enum RIOTReading {
  /// The line as one with usual names; nil for any other line.
  static func words(_ line: Span<UInt8>) -> [UInt8]? {
    if line.holds("Dev: ") || line.holds("Reading from #") { return kind(line) }
    var start = line.holds("Data:") ? 5 : 0
    guard start < line.count, line[start] == .tab else { return nil }
    while start < line.count, line[start].isBlank { start += 1 }
    guard start + 3 < line.count, line[start] == UInt8(ascii: "["), line[start + 2] == UInt8(ascii: "]") else {
      return nil
    }
    let axis = line[start + 1] &- UInt8(ascii: "0")
    guard axis < 3 else { return nil }
    return [UInt8(ascii: "x") + axis, UInt8(ascii: ":")] + line.bytes(in: start + 3..<line.count)
  }

  /// The name of the sensor, by its class; `position` for one whose numbers are of no interest.
  private static func kind(_ line: Span<UInt8>) -> [UInt8]? {
    guard let start = line.indices.first(where: { line.holds("SENSE_", at: $0) || line.holds("ACT_", at: $0) }) else {
      return nil
    }
    let sensor = sensors.first { line.holds($0.kind, at: start) }
    return Array((sensor?.name ?? "position:").utf8)
  }

  private static let sensors: [(kind: StaticString, name: String)] = [
    ("SENSE_MAG", "mag:"), ("SENSE_ACCEL", "accel:"), ("SENSE_GYRO", "gyro:"),
  ]
}
