/// Files of other programs that are told by their first bytes and not read, with what would make them readable.
enum ForeignFile {
  /// The bytes with which such a file begins, its name, and the remedy.
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
    ([0x42, 0x5A, 0x68], "a bzip2 archive", "unpack it with bunzip2"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "an xz archive", "unpack it with unxz"),
    ([0x28, 0xB5, 0x2F, 0xFD], "a zstd archive", "unpack it with unzstd"),
    (
      Array("#ROSBAG V".utf8), "a ROS bag",
      "rostopic echo -b FILE -p /imu/mag > mag.csv writes a topic as CSV"
    ),
    ([0x89] + Array("MCAP".utf8), "an MCAP recording (ROS 2)", "mcap cat --json FILE writes its messages as JSON"),
    (
      Array("SQLite format 3".utf8), "an SQLite database (a ROS 2 bag?)",
      "ros2 topic echo --csv /imu/mag writes a topic as CSV while the bag is played"
    ),
    (Array("MATLAB ".utf8), "a MATLAB file", "writematrix saves a variable as CSV"),
    ([0x89] + Array("HDF".utf8), "an HDF5 file (or a MATLAB file of version 7.3)", "export the table as CSV"),
    (Array("PAR1".utf8), "a Parquet table", "save it as CSV, with duckdb or pandas"),
    ([0x93] + Array("NUMPY".utf8), "a NumPy array", "numpy.savetxt saves it as CSV"),
    (
      Array("H Product:Blackbox".utf8), "a Blackbox log of a flight controller",
      "convert it with blackbox_decode, and give the CSV"
    ),
    ([0xD4, 0xC3, 0xB2, 0xA1], "a packet capture (pcap)", "give what candump or tcpdump -A prints"),
    ([0x0A, 0x0D, 0x0D, 0x0A], "a packet capture (pcapng)", "give what candump or tcpdump -A prints"),
    (Array("%PDF".utf8), "a PDF document", "save the table in it as CSV"),
    ([0x89] + Array("PNG".utf8), "a picture", "give the numbers it was drawn from"),
    ([0xFF, 0xD8, 0xFF], "a picture", "give the numbers it was drawn from"),
    ([0xD0, 0xCF, 0x11, 0xE0], "a spreadsheet", "save the sheet as CSV"),
    ([0x7F] + Array("ELF".utf8), "a program", "give what it prints: program | lodestone … --device -"),
    (Array("TDSm".utf8), "a LabVIEW file (TDMS)", "export the channels as CSV"),
    (Array("#group,".utf8), annotated, pivot), (Array("#datatype,".utf8), annotated, pivot),
    (
      Array("FMT, ".utf8), "an ArduPilot dataflash log as text",
      "mavlogdump.py --format csv --types MAG writes the magnetometer's table"
    ),
  ]

  // InfluxDB, "Annotated CSV".
  private static let annotated = "InfluxDB's annotated CSV, which has an axis a row"
  private static let pivot =
    "let the query end in |> pivot(rowKey: [\"_time\"], columnKey: [\"_field\"], valueColumn: \"_value\"), and export it "
    + "without annotations"

  /// The reason why a stream that begins with these bytes is of no use; nil where nothing is known against it.
  static func fault(of bytes: Span<UInt8>) -> WireFault? {
    for kind in kinds where bytes.count >= kind.magic.count && bytes.holds(kind.magic, in: 0..<kind.magic.count) {
      return .unreadable(kind.name, remedy: kind.remedy)
    }
    return isIMF(bytes)
      ? .unreadable("an INTERMAGNET file (IMF 1.23)", remedy: "the observatories offer the same data in IAGA-2002")
      : nil
  }

  /// `BOU JAN0110 001 00 HDZF R EDI …`: code, date, day, hour, components. Source: INTERMAGNET technical manual,
  /// IMFV1.22.
  private static func isIMF(_ bytes: Span<UInt8>) -> Bool {
    let pattern = Array("AAA AAADDDD DDD DD AAAA A AAA".utf8)
    guard bytes.count >= pattern.count else { return false }
    return pattern.indices.allSatisfy { index in
      switch pattern[index] {
      case UInt8(ascii: "A"): bytes[index].isCapital
      case UInt8(ascii: "D"): bytes[index].isDigit
      default: bytes[index] == .space
      }
    }
  }
}
