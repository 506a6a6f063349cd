import LodestoneCore
import LodestoneOutput

/// The last minutes as a recording, of a fast device as many rows as there is room for. They are kept as the text that
/// is asked for, which is half as large as samples.
struct RecentSamples: ~Copyable {
  /// Seconds that are kept.
  private static let span = 300.0
  /// Rows of a piece: old ones are dropped by the piece.
  private static let pieceCount = 512
  /// Pieces that are kept at the most.
  private static let limit = 120
  /// Rows that are kept of a fast device.
  static let mostRows = limit * pieceCount

  /// Rows one after the other.
  private struct Piece {
    /// The time of the last row.
    var end: Double
    /// Knows the columns of its first row.
    var writer: RecordingWriter
    var text: [UInt8]
  }

  /// The causes that the stream was asked for.
  let causes: [String]
  private var writer: RecordingWriter
  /// Knows the columns of the first of the rows that are no piece yet; nil where there is none.
  private var top: RecordingWriter?
  private var pieces: [Piece] = []
  private var rows = TextBuffer(capacity: 48_000)
  private var count = 0

  /// A record without samples, with columns for these causes, in the order in which the stream was asked for them.
  init(causes: [String] = [], countSize: Double? = nil) {
    self.causes = causes
    self.countSize = countSize
    writer = RecordingWriter(causes: RecordedCauses(causes))
    writer.countSize = countSize
  }

  /// The size in µT of one of the field's numbers as the device sends them; nil where they come in µT.
  var countSize: Double? { didSet { writer.countSize = countSize } }

  /// Keeps a sample, and drops what is too old.
  mutating func add(_ sample: borrowing Sample) {
    let sample = copy sample
    if top == nil {
      guard RecordingWriter.takes(sample) else { return }
      // What stands above the rows is written when the recording is asked for.
      if pieces.isEmpty { writer.takeColumns(of: sample) }
      top = writer
    }
    let metadata = RecordingWriter.Metadata(device: "", unixStart: nil)
    guard writer.append(sample, metadata: metadata, to: &rows) else { return }
    count += 1
    if count == Self.pieceCount { close(at: sample.time) }
  }

  private mutating func close(at time: Double) {
    pieces.append(Piece(end: time, writer: top ?? writer, text: rows.withUnsafeBytes { Array($0) }))
    top = nil
    rows.removeAll()
    count = 0
    let old = pieces.firstIndex { $0.end >= time - Self.span } ?? 0
    pieces.removeFirst(max(old, pieces.count - Self.limit, 0))
  }

  /// The samples as a recording; empty before the first.
  func recording(_ metadata: RecordingWriter.Metadata) -> [UInt8] {
    guard let writer = pieces.first?.writer ?? self.top else { return [] }
    var top = TextBuffer(capacity: 512)
    writer.appendTop(metadata, to: &top)
    return top.withUnsafeBytes { Array($0) } + pieces.flatMap { $0.text } + rows.withUnsafeBytes { Array($0) }
  }
}
