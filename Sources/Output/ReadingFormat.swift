import Core
import Navigation

/// A way to write readings of the compass: one line a reading, into a buffer that is used again.
public protocol ReadingFormat: Sendable {
  /// The name for `--format`.
  static var name: String { get }
  /// A format set up for one stream.
  init(_ stream: StreamFacts)
  /// What comes before the first reading; nothing in most formats.
  func appendHeader(to text: inout TextBuffer)
  /// One reading, its line ends included.
  mutating func append(_ reading: borrowing Reading, to text: inout TextBuffer)
}

extension ReadingFormat {
  /// Nothing.
  public func appendHeader(to text: inout TextBuffer) {}
}

/// What a format may say about the stream as a whole.
public struct StreamFacts: Sendable {
  /// Two letters that name the kind of talker in NMEA 0183: HC is a magnetic compass.
  public var talker: String
  /// UTC of time zero, as seconds since 1970-01-01; nil where a recording does not tell.
  public var unixStart: Double?

  /// Facts about a stream.
  public init(talker: String = "HC", unixStart: Double? = nil) {
    self.talker = talker
    self.unixStart = unixStart
  }
}

/// Every format of `lodestone heading`. A new one is a file and a line here.
public enum ReadingFormats {
  /// In the order the help lists them.
  public static let all: [any ReadingFormat.Type] = [
    TextReadings.self, JSONReadings.self, CSVReadings.self, NMEAReadings.self, SignalKReadings.self,
  ]
}
