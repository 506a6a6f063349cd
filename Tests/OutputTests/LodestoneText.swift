import LodestoneCore
import LodestoneOutput

/// Records as a format writes them, its header included.
enum LodestoneText {
  static func of<Reading: Record>(_ readings: [Reading], as format: any Format.Type, _ facts: StreamFacts) -> String {
    var writer = RecordWriter(Reading.schema, as: format, facts)
    var bytes = writer.stream.header
    for reading in readings { try? writer.write(reading) { bytes += $0 } }
    return String(decoding: bytes, as: UTF8.self)
  }
}
