import LodestoneCore
import Drivers

/// The counts of a byte stream's contents and omissions, for the report at its end.
struct StreamTally {
  /// Messages that were left out.
  var rejected = RejectedCounts()
  /// Bytes of a last line or frame that was cut off.
  var truncated = 0
  /// Bytes that came before it was known how to read them, and were too many to keep.
  var forgotten = 0
  /// Whether a sample has come.
  var hadSample = false
  /// Whether a message has been read, even one of no use.
  var hasUnderstood = false
  /// The number of positions from a receiver, fix or not.
  var positionCount = 0
  /// Whether the end of the bytes has been reached, though not all of them may be understood yet.
  private(set) var hasEnded = false
  private var firstBytes: [UInt8] = []
  /// Whether not a byte has come, or none that could be a message's.
  private(set) var isEmpty = false

  /// The bytes have ended: what they began with is kept where nothing has been understood.
  mutating func end(_ reader: SampleReader) {
    hasEnded = true
    firstBytes = Array(reader.wire.pending.prefix(60))
    isEmpty = reader.count == 0 && reader.wire.pending.isEmpty && rejected.total == 0 && reader.wire.finding == nil
  }

  /// The notices about bytes that were left out.
  var notices: [StreamNotice] {
    (forgotten > 0 ? [.forgotten(byteCount: forgotten)] : [])
      + (truncated > 0 ? [.truncated(byteCount: truncated)] : [])
      + (rejected.total > 0 ? [.rejected(rejected)] : [])
  }

  /// The error that nothing was a sample.
  /// - Parameter given: the protocol that was given; nil where one was sought.
  func nothingValid(_ name: String, as given: String?) -> StreamError {
    .nothingValid(name, sample: firstBytes.harmlessText, isEmpty: isEmpty, as: given)
  }
}
