import LodestoneCore

/// A protocol on a byte stream: bytes in, messages out. No port, no clock, no memory beyond what it has been fed and is
/// not done with.
///
/// A protocol is a value. It is shown all bytes that have arrived and not been consumed, with the position to go on
/// from; it moves the position past what it is done with and says one thing, or nothing when it needs more bytes.
/// Noise is an event, not an error: a stream never fails.
public protocol WireProtocol: Sendable {
  /// The name in an address (`?protocol=razor`), lower case.
  static var name: String { get }

  /// The evidence that tells this protocol from others by listening.
  static var proof: WireProof { get }

  /// The axes of its vectors. Decoding and encoding leave them as they are on the wire; `WireStream` turns them.
  static var axes: WireAxes { get }

  /// The request for one message, where the device speaks only when it is asked; nil where it speaks by itself.
  static var request: [UInt8]? { get }

  /// The question that finds out whether a silent device speaks this protocol; nil where there is no harmless one.
  static var probe: [UInt8]? { get }

  /// The device never speaks by itself, and answers `request`.
  static var onlyAnswers: Bool { get }

  /// The requests for facts that the messages leave open; they only read. A device that speaks by itself is sent one
  /// request at a time, each after the answer to the one before. Empty where nothing is open, or no longer.
  var openQuestions: [[UInt8]] { get }

  /// The bytes to send before each request, for the causes that are sought; empty for none.
  var besideRequest: [UInt8] { get }

  /// The evidence in what this decoder has read for its protocol: `proof`, or more where the stream has said more than
  /// it must, as the header of a table does.
  var evidence: WireProof { get }

  /// The fault that makes all messages of this stream useless; nil where the stream shows none.
  var fault: WireFault? { get }

  /// The open question that messages are held back for; nil where there is none.
  var doubt: WireFault? { get }

  /// Another compass of the stream, whose headings are left out; nil where there is none.
  var otherCompass: String? { get }

  /// The frame along whose axes the vectors are, by its name in the messages; nil where these are known, or none is
  /// named.
  var unknownFrame: String? { get }

  /// The cells that may tell which of several sensors a message is of; nil where messages have none.
  var origins: MessageOrigins? { get }

  /// Whether none of its messages has carried the checksum that its kind has: damage goes unseen.
  var lacksChecksums: Bool { get }

  /// Bytes of messages that were too many to keep until it was known how to read them.
  var forgottenCount: Int { get }

  /// The number of times that the meaning of the messages has changed in mid-stream, as by another header in a table.
  var changeCount: Int { get }

  /// The unit of the messages' times is not named: their steps told it.
  var timeIsAssumed: Bool { get }

  /// Seconds in one unit of a recording's times, where their steps leave open which it is; nil where they do not.
  var openTimeScale: Double? { get }

  /// The times of the messages count samples instead of telling seconds.
  var timeIsIndex: Bool { get }

  /// The names of the axes that are taken for a field's.
  var fieldNaming: FieldNaming { get }

  /// The compasses that were heard, counted from 1, where a device has several; only one of them is read.
  var compasses: [Int] { get }

  /// µT in one number of the field, where the messages do not say it and the device has been heard to tell it in answer
  /// to `openQuestions`; nil while it has not.
  var fieldScale: Double? { get }

  /// The flight controller that the device has told to be; nil while it has not, and for anything else.
  var flightController: FlightController? { get }

  /// A decoder at the start of a stream.
  init()

  /// Tells which values are wanted beside the field, by their names: those that it finds are in the messages.
  mutating func seek(_ causes: CauseNames)

  /// Tells when the bytes that it is shown next arrived, in seconds of the stream: messages that wait keep it.
  mutating func hear(at arrival: Double)

  /// A decoder at the start of the stream that this one has read so far, which knows what this one has learnt of it.
  func fromStart() -> Self

  /// The next thing said in `bytes` at or after `position`, and `position` moved past it. Nil, and the position on the
  /// first byte still needed, when the message that begins there is not complete. Never leaves more than 4096 bytes
  /// unconsumed: what is longer than that is rejected. Allocates nothing for a measurement.
  /// - Parameter message: where a message is written, all of it; what it holds otherwise means nothing. A message is
  ///   too large to be handed around for each line of a long recording.
  mutating func next(
    in bytes: Span<UInt8>, from position: inout Int, into message: inout WireMessage
  ) -> WireStep?

  /// The next event after the end of the stream, called after `next` has returned nil until it returns nil itself. A
  /// last line or frame that was cut off is rejected, never read as if it were whole.
  mutating func finish(in bytes: Span<UInt8>, from position: inout Int) -> WireEvent?

  /// Appends what a device that speaks this protocol would send for a message: the inverse of `next`, to the wire's
  /// resolution. What the protocol has no place for is left out. Values without a unit are in µT, g and deg/s.
  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8])
}

extension WireProtocol {
  /// The axes of samples, or unknown ones.
  public static var axes: WireAxes { .rightForwardUp }

  /// Nil: the device speaks by itself.
  public static var request: [UInt8]? { nil }

  /// True where only its answer to a request identifies the protocol.
  public static var onlyAnswers: Bool { proof == .request && request != nil }

  /// Empty: the messages leave nothing open.
  public var openQuestions: [[UInt8]] { [] }

  /// Empty: the request asks for everything.
  public var besideRequest: [UInt8] { [] }

  /// The proof of the protocol.
  public var evidence: WireProof { Self.proof }

  /// Nil: a message is as good as it is.
  public var fault: WireFault? { nil }

  /// Nil: messages are clear.
  public var doubt: WireFault? { nil }

  /// False: the protocol knows the unit of its times.
  public var timeIsAssumed: Bool { false }

  /// Nil: the protocol knows the unit of its times.
  public var openTimeScale: Double? { nil }

  /// False: they tell seconds.
  public var timeIsIndex: Bool { false }

  /// Unsaid: the protocol knows what is a field.
  public var fieldNaming: FieldNaming { .unsaid }

  /// None: there is one.
  public var compasses: [Int] { [] }

  /// Nil: one device speaks.
  public var otherCompass: String? { nil }

  /// Nil: its axes are known.
  public var unknownFrame: String? { nil }

  /// Nil: one sensor speaks, or the protocol itself tells them apart.
  public var origins: MessageOrigins? { nil }

  /// False: messages carry one, or their kind has none.
  public var lacksChecksums: Bool { false }

  /// Zero: no message waits.
  public var forgottenCount: Int { 0 }

  /// Zero: messages mean what they mean.
  public var changeCount: Int { 0 }

  /// Nil: it is none.
  public var flightController: FlightController? { nil }

  /// Nil: the messages say it, or nothing does.
  public var fieldScale: Double? { nil }

  /// Ignores it: there are none.
  public mutating func seek(_ causes: CauseNames) {}

  /// Ignores it: no message waits.
  public mutating func hear(at arrival: Double) {}

  /// A decoder that knows nothing: all that matters comes again.
  public func fromStart() -> Self { Self() }

  /// The request for a message: it serves as the probe as well.
  public static var probe: [UInt8]? { request }

  /// The next thing said, with its message.
  public mutating func next(in bytes: Span<UInt8>, from position: inout Int) -> WireEvent? {
    var message = WireMessage()
    return next(in: bytes, from: &position, into: &message).map { WireEvent($0, message) }
  }

  /// Rejects what was left unconsumed.
  public mutating func finish(in bytes: Span<UInt8>, from position: inout Int) -> WireEvent? {
    guard position < bytes.count else { return nil }
    defer { position = bytes.count }
    return .rejected(.truncated, byteCount: bytes.count - position)
  }
}

/// The kind of evidence that identifies a stream's protocol, from the weakest to the strongest.
public enum WireProof: Int, Comparable, Sendable {
  /// No evidence that could not be chance: the protocol is chosen by name or by its answer to a request.
  case request
  /// Lines of bare numbers.
  case numbers
  /// A length or an end mark that comes back at its place.
  case framing
  /// Words that no other protocol uses.
  case signature
  /// A checksum.
  case checksum

  /// Whether `a` is the weaker evidence.
  public static func < (a: WireProof, b: WireProof) -> Bool { a.rawValue < b.rawValue }
}

/// The reason why a stream that is understood is of no use.
public enum WireFault: Equatable, Sendable {
  /// The header of a table names some axes of the field and lacks these.
  case missingFieldAxes([String])
  /// Contents that cannot be read: what they are, and what to do to have them read.
  case unreadable(String, remedy: String)
  /// Bare numbers in this number of columns, where two orders explain the rows so far equally well; whether one of
  /// those has no magnetic field.
  case ambiguousColumns(Int, mayLackField: Bool)
  /// Bare numbers in this number of columns, too many for their order to be found.
  case manyColumns(Int)
  /// Numbers that no order of columns makes a magnetic field of the Earth.
  case noField
  /// The user has named one number of columns, and the rows have another.
  case otherColumnCount(named: Int, found: Int)
  /// Rows of bare numbers, as many as given: too few yet to tell the columns.
  case fewRows(Int)
  /// Three bare numbers that look like heading, pitch and roll in degrees, or like roll, pitch and heading.
  case angles(headingIsFirst: Bool)
  /// Rows of bare numbers of several sensors in turn, without a name that tells them apart.
  case sensorsInTurn
  /// Headings without a unit, none of which is past a full turn in radians.
  case headingUnit
  /// The headings go past a full turn: they are in a unit that is not known, such as tenths of a degree.
  case headingsPastTurn
  /// Lines of one number each, which may be a heading in degrees.
  case loneNumbers
  /// Lines of one angle, whose name leaves open whether it is a heading; the last of them.
  case loneAngles(String)
  /// Lines of numbers that were worked out of many, as the least and the greatest of each axis; the last of them.
  case derived(String)
  /// Three axes in an arbitrary unit, and nothing says of what.
  case unnamedAxes
  /// Numbers to the base of 16.
  case hexadecimal
  /// Sentences of a known protocol, and every checksum is wrong.
  case wrongChecksums

  /// Rows of numbers are read, and only what they mean is open: no other baud rate would tell more.
  public var isLegible: Bool {
    switch self {
    case .ambiguousColumns, .manyColumns, .noField, .otherColumnCount, .fewRows, .angles, .sensorsInTurn, .headingUnit,
      .headingsPastTurn, .hexadecimal:
      true
    case .missingFieldAxes, .unreadable, .loneNumbers, .loneAngles, .derived, .unnamedAxes, .wrongChecksums: false
    }
  }
}

/// One thing a stream said, where a message is written elsewhere.
public enum WireStep: Equatable, Sendable {
  /// A message: numbers that a sample is made of.
  case message
  /// A valid message with nothing for us in it (a satellite status, a header row, a heartbeat).
  case other
  /// Bytes that are no message: why, and how many.
  case rejected(WireRejection, byteCount: Int)
}

extension WireEvent {
  /// A step with the message that was written for it.
  init(_ step: WireStep, _ message: @autoclosure () -> WireMessage) {
    switch step {
    case .message: self = .message(message())
    case .other: self = .other
    case .rejected(let reason, let count): self = .rejected(reason, byteCount: count)
    }
  }

  /// The event taken apart, its message written where it is wanted.
  func step(into message: inout WireMessage) -> WireStep {
    switch self {
    case .message(let own):
      message = own
      return .message
    case .other: return .other
    case .rejected(let reason, let count): return .rejected(reason, byteCount: count)
    }
  }
}

/// The columns of a table without names, as its numbers tell them.
public struct AssumedColumns: Equatable, Sendable {
  /// The columns as a header would name them, `mx`, `ax`, `gx` and so on; empty for a column that is left out.
  public var columns: [String]
  /// Seconds in one unit of the time; nil where there is no time.
  public var timeScale: Double?
}

/// An order of columns that was weighed for a table without names.
public struct WeighedColumns: Equatable, Sendable {
  /// The columns as a header would name them; empty for a column that is left out.
  public var columns: [String]
  /// The logarithm of how likely it makes the rows.
  public var score: Double
}

/// One thing a stream said.
public enum WireEvent: Equatable, Sendable {
  /// Numbers that a sample is made of.
  case message(WireMessage)
  /// A valid message with nothing for us in it (a satellite status, a header row, a heartbeat).
  case other
  /// Bytes that are no message: why, and how many.
  case rejected(WireRejection, byteCount: Int)
}

/// The reason why bytes were not taken as a message.
public enum WireRejection: Equatable, Sendable {
  /// No message of this protocol.
  case unrecognized
  /// A frame whose checksum does not match.
  case checksum
  /// The frame of this protocol with fields that are no numbers, too few, or not finite.
  case malformed
  /// A line or frame past the limit of 4096 bytes.
  case tooLong
  /// The stream ended within a line or frame.
  case truncated
}
