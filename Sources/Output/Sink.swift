import LodestoneCore
import LodestonePorts

/// A place that lines go to, in whatever format: a file, a pseudo-terminal, programs on the network. It never waits:
/// what cannot be taken is queued up to a bound, and then lost and counted.
public protocol Sink: LoopCompanion {
  /// The address at which others find it, with the port or path that the system chose.
  var name: String { get }
  /// The losses of readers so far.
  var losses: [SinkLoss] { get }
  /// Sets a closure that is called with what the user should know while it is used.
  func tell(_ say: @escaping (SinkNotice) -> Void)
  /// Prepares for a stream, before its first line.
  func begin(_ stream: SinkStream)
  /// Notes that the device is gone or silent: what was sent last does not hold until more is sent.
  func deviceIsAway()
  /// Sends whole lines that belong together to whoever is there.
  func send(_ lines: UnsafeRawBufferPointer) throws(OutputError)
  /// Whether it takes events.
  var takesEvents: Bool { get }
  /// Sends an event by its name.
  func send(event: String) throws(OutputError)
  /// Gives readers until the deadline to take what waits.
  func finish(until deadline: MonotonicTime) throws(OutputError)
}

extension Sink {
  /// No losses.
  public var losses: [SinkLoss] { [] }
  /// Tells nothing.
  public func tell(_ say: @escaping (SinkNotice) -> Void) {}
  /// Needs no preparation.
  public func begin(_ stream: SinkStream) {}
  /// Keeps nothing that would have to be withdrawn.
  public func deviceIsAway() {}
  /// False: it takes lines alone.
  public var takesEvents: Bool { false }
  /// Ignores events.
  public func send(event: String) throws(OutputError) {}
  /// Returns at once: nothing waits.
  public func finish(until deadline: MonotonicTime) throws(OutputError) {}
}

/// A sink that an address names: `tcp://:10110`.
public protocol AddressedSink: Sink, SendableMetatype {
  /// The word before the colon.
  static var scheme: String { get }
  /// The word for an encrypted connection; nil where there is none.
  static var encryptedScheme: String? { get }
  /// An address and what it does, for the help.
  static var example: String { get }
  /// A rule for its addresses that is easily missed, in words for the error; nil for none.
  static var limits: String? { get }
  /// The only format that it takes; nil where it takes every one.
  static var format: (any Format.Type)? { get }
  /// Whether the text is an address of this kind.
  static func accepts(_ address: String) -> Bool
  /// Opens what the address names.
  init(address: String) throws(SinkError)
}

extension AddressedSink {
  /// No encrypted connection.
  public static var encryptedScheme: String? { nil }
  /// No further rule for its addresses.
  public static var limits: String? { nil }
  /// Every format.
  public static var format: (any Format.Type)? { nil }
}

/// A sink that keeps the latest record for readers that come later, besides sending all of them to those that are
/// there.
public protocol StateSink: AddressedSink {
  /// The highest rate, in Hz, at which the latest record is replaced.
  var stateRate: Double { get set }
}

/// The stream that a sink is sent.
public struct SinkStream: Sendable {
  /// The columns behind the lines.
  public var schema: RecordSchema
  /// The stream as a whole.
  public var facts: StreamFacts
  /// The format's name.
  public var format: String
  /// The header that a reader gets before the first line.
  public var header: [UInt8]
  /// The events that the stream may report, by name.
  public var events: [String] = []

  /// A stream of lines.
  public init(schema: RecordSchema, facts: StreamFacts, format: String, header: [UInt8]) {
    self.schema = schema
    self.facts = facts
    self.format = format
    self.header = header
  }
}

/// Facts that a sink's user should know while it is used.
public enum SinkNotice: Equatable, Sendable {
  /// The receiver is not there, for a reason; it is looked for again.
  case away(BrokerTrouble, reason: String)
  /// The receiver is there after all, or again; the number of messages that were lost meanwhile.
  case arrived(lost: Int)
  /// The receiver does not take what is put at a place, for a reason.
  case refused(String, reason: String)
  /// Another program sends to the same place: readers there get the records of both.
  case shared
}

/// Losses of readers that did not keep up.
public enum SinkLoss: Equatable, Sendable {
  /// Messages that were dropped.
  case messages(Int)
  /// Messages that did not reach the broker, or that it rejected.
  case undelivered(Int)
  /// Clients that were dropped.
  case clients(Int)
  /// Clients that were turned away, because there may be no more than the limit.
  case refusals(Int, limit: Int)
  /// Datagrams that could not be sent.
  case datagrams(Int)
  /// Frames that the bus did not take.
  case frames(Int)
}

/// The reason why a sink cannot be opened.
public enum SinkError: Error, Equatable, Sendable {
  /// The text names no sink.
  case badAddress(String)
  /// The network refuses: the address, and why.
  case network(String, SocketError)
  /// The client of a broker cannot be made: the address, and why.
  case broker(String, MQTTError)
  /// A file or pseudo-terminal that cannot be opened.
  case port(PortError)
  /// The symbolic link to a pseudo-terminal cannot be made.
  case link(String, SystemError)
}

extension String {
  /// The text behind the first colon.
  var afterColon: String { firstIndex(of: ":").map { String(self[index(after: $0)...]) } ?? "" }
}
