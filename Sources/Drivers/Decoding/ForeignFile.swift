/// Files of other programs that are told by their first bytes and not read, with what would make them readable.
enum ForeignFile {
  /// How such a file begins, what it is, and the remedy.
  private static let kinds: [(magic: [UInt8], name: String, remedy: String)] = [
    // PX4 guide, "ULog File Format".
    (
      Array("ULog".utf8) + [0x01, 0x12, 0x35], "a PX4 log (ULog)",
      "convert it with ulog2csv, and give the file of sensor_mag or vehicle_magnetometer"
    ),
    // ArduPilot's Logger: the description of the message that describes messages.
    (
      [0xA3, 0x95, 0x80, 0x80], "an ArduPilot dataflash log",
      "convert it with mavlogdump.py --format csv --types MAG, and give that file"
    ),
    ([0x1F, 0x8B, 0x08], "a gzip archive", "unpack it: zcat FILE | lodestone … --device -"),
    ([0x50, 0x4B, 0x03, 0x04], "a zip archive or a spreadsheet", "unpack it, or save the sheet as CSV"),
  ]

  /// Why a stream that begins with these bytes is of no use; nil where nothing is known against it.
  static func fault(of bytes: Span<UInt8>) -> WireFault? {
    for kind in kinds where bytes.count >= kind.magic.count && bytes.holds(kind.magic, in: 0..<kind.magic.count) {
      return .unreadable(kind.name, remedy: kind.remedy)
    }
    return nil
  }
}
