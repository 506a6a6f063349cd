import Drivers
import LodestoneCore

/// NMEA 2000 as raw lines of Yacht Devices' gateways: heading with deviation and variation (PGN 127250), rate of turn
/// (127251), attitude (127257), variation (127258), as far as they are known. Signal K, OpenCPN and canboat read them.
public struct NMEA2000Format: HeadingFormat {
  /// `--format n2k`.
  public static let name = "n2k"
  private var writer: NMEA2000Writer

  /// Lines with the time of day where the stream tells it, else with the stream's own.
  public init(_ schema: RecordSchema, _ facts: StreamFacts) { writer = NMEA2000Writer(schema, facts) }

  /// A line for each parameter group.
  public mutating func append(_ row: borrowing Row, to text: inout TextBuffer) {
    writer.forEachFrame(of: row) { text.append(ydwg: $0, timeOfDay: $1) }
  }
}

/// NMEA 2000 as Actisense's W2K-1 writes it ("N2K ASCII").
public struct N2KASCIIFormat: HeadingFormat {
  /// `--format n2k-ascii`.
  public static let name = "n2k-ascii"
  private var writer: NMEA2000Writer

  /// Lines with the time of day where the stream tells it, else with the stream's own.
  public init(_ schema: RecordSchema, _ facts: StreamFacts) { writer = NMEA2000Writer(schema, facts) }

  /// A line for each parameter group.
  public mutating func append(_ row: borrowing Row, to text: inout TextBuffer) {
    writer.forEachFrame(of: row) { text.append(n2kASCII: $0, timeOfDay: $1) }
  }
}

/// Records as frames of NMEA 2000.
private struct NMEA2000Writer {
  /// The sender's address in lines that go to no bus: a gateway puts its own in its place.
  private static let source: UInt8 = 35
  /// Sequence numbers begin again after the highest; the two above mean something else.
  private static let sequenceCount: UInt8 = 253

  private let facts: StreamFacts
  private let places: HeadingPlaces
  private var sequence: UInt8 = 0

  init(_ schema: RecordSchema, _ facts: StreamFacts) {
    self.facts = facts
    places = HeadingPlaces(schema)
  }

  /// Hands over the frames of a record, each with its time of day in seconds.
  mutating func forEachFrame(of row: borrowing Row, _ send: (CANFrame, Double) -> Void) {
    guard let time = row[0] else { return }
    var heading = NMEA2000.Heading()
    heading.magnetic = row[places.magnetic]
    heading.trueNorth = places.deviated(places.trueNorth, row)
    heading.deviation = row[places.deviation]
    if let magnetic = heading.magnetic, let trueNorth = row[places.trueNorth] {
      heading.variation = Angle.shortestTurn(from: magnetic, to: trueNorth)
    }
    heading.pitch = row[places.pitch]
    heading.roll = row[places.roll]
    heading.rateOfTurn = row[places.rateOfTurn]
    let timeOfDay = (facts.start(of: time) ?? 0) + time
    NMEA2000.forEachFrame(of: heading, sequence: sequence, source: Self.source) { send($0, timeOfDay) }
    sequence = (sequence + 1) % Self.sequenceCount
  }
}
