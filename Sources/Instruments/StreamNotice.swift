import Core
import Drivers

/// Something about a stream that its user should know. Facts; the command words them.
public enum StreamNotice: Equatable, Sendable {
  /// The protocol was found by listening: its name, the baud rate where there is one, and why it was chosen.
  case detected(protocolName: String, baudRate: Int?, evidence: String)
  /// A unit was not said and has been chosen: of what, which, and why.
  case unitChosen(quantity: String, unit: String, evidence: String)
  /// Nothing has come for so many seconds.
  case silent(seconds: Double)
  /// Bytes come, but nothing in them is a message; a printable piece of them.
  case unrecognized(sample: String, expected: String)
  /// The device was unplugged, or its connection broke; it is waited for.
  case lost(String)
  /// It is back, after so many seconds.
  case returned(String, seconds: Double)
  /// Samples are missing: so many seconds of them.
  case gap(seconds: Double)
  /// The last line or frame of a recording was cut off and left out.
  case truncated(byteCount: Int)
  /// So many messages were rejected by the end of the stream, by reason.
  case rejected([Rejected])

  /// A count of rejected messages.
  public struct Rejected: Equatable, Sendable {
    /// Why.
    public var reason: String
    /// How many.
    public var count: Int
    /// A count.
    public init(reason: String, count: Int) {
      self.reason = reason
      self.count = count
    }
  }
}
