import LodestoneCore

/// A way to write records of any kind: lines, into a buffer that is used again.
public protocol Format: Sendable {
  /// The name for `--format`.
  static var name: String { get }
  /// The columns that a record must have for a line of it, in words.
  static var needs: String { get }
  /// Whether records of this kind can be written.
  static func suits(_ schema: RecordSchema) -> Bool
  /// A format set up for the records of one stream.
  init(_ schema: RecordSchema, _ facts: StreamFacts)
  /// Appends the header before the first record; nothing in most formats.
  func appendHeader(to text: inout TextBuffer)
  /// Appends one record with its line ends; nothing where the record has no value that the format writes.
  mutating func append(_ row: borrowing Row, to text: inout TextBuffer)
  /// Appends the end behind the last record; nothing in most formats.
  mutating func appendEnd(to text: inout TextBuffer)
}

extension Format {
  /// A value of any kind.
  public static var needs: String { "a value" }
  /// Any kind.
  public static func suits(_ schema: RecordSchema) -> Bool { true }
  /// No header.
  public func appendHeader(to text: inout TextBuffer) {}
  /// Appends nothing.
  public mutating func appendEnd(to text: inout TextBuffer) {}
}

/// Facts about the stream as a whole that a format may tell.
public struct StreamFacts: Sendable {
  /// The device's identity. It comes from outside and is escaped where it is written.
  public var device: String
  /// UTC of time zero, as seconds since 1970-01-01; nil where a recording does not tell, and while the machine's clock
  /// is not set.
  public var unixStart: Double? { clock == nil ? recordedStart : clock?.start() }
  /// The units of fields and distances.
  public var units: DisplayUnits
  /// Two letters that name the kind of talker in NMEA 0183: HC is a magnetic compass.
  public var talker: String
  /// The NMEA 0183 sentence that carries an attitude.
  public var attitudeSentence: AttitudeSentence

  private let recordedStart: Double?
  /// The clock of a live stream.
  private let clock: LiveClock?

  /// Facts about a stream.
  /// - Parameters:
  ///   - unixStart: UTC of time zero, as seconds since 1970-01-01; nil where a recording does not tell.
  ///   - isLive: `unixStart` was read from the machine's clock, which may be set later.
  public init(
    device: String = "", unixStart: Double? = nil, isLive: Bool = false, units: DisplayUnits = DisplayUnits(),
    talker: String = "HC", attitudeSentence: AttitudeSentence = .pashr
  ) {
    self.device = device
    recordedStart = unixStart
    clock = isLive ? unixStart.map { LiveClock(unixStart: $0) } : nil
    self.units = units
    self.talker = talker
    self.attitudeSentence = attitudeSentence
  }

  /// UTC of time zero, as seconds since 1970-01-01, for a record with this time, which in a live stream has just come;
  /// nil where it is not known. Times of 31 years and more are UTC themselves: no board has run for that long.
  public func start(of time: Double) -> Double? {
    (clock == nil ? recordedStart : clock?.start(of: time)) ?? (time >= 1e9 ? 0 : nil)
  }
}
