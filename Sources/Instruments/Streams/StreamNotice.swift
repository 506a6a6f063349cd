import LodestoneCore
import Drivers
import LodestonePorts

/// A notice about a stream for its user. It holds facts; whoever shows it words them.
public enum StreamNotice: Equatable, Sendable {
  /// The part that sends nothing.
  public enum Silent: Equatable, Sendable {
    /// A board, which may wait for a request.
    case board
    /// A chip that answers, and measures nothing.
    case chip
    /// Whoever sends datagrams: unasked.
    case sender
    /// The daemon gpsd, which is there, and tells nothing that any of its devices measures.
    case gpsd
    /// Whoever writes to a pipe.
    case writer
    /// Whoever publishes at a topic of a broker, unasked; a broker need not say that this user may not read there.
    case publisher
  }

  /// The protocol was found by listening: which and why, and the baud rate where there is one.
  case detected(Detector.Finding, baudRate: Int?)
  /// A magnetometer was found on a bus and started: part numbers, and measurements a second, where that is known.
  case chipsFound(String, magnetometer: String, motion: String?, rate: Double?)
  /// Another program has the buffer of a device of the kernel: it is read one by one.
  case bufferInUse(String, by: [Holder])
  /// A strength of the field, in µT, that no magnet and no instrument has.
  case implausibleField(String, microtesla: Double)
  /// The length of the force at rest, in g, where it is far from 1: the accelerometer's scale is wrong.
  case oddGravity(String, g: Double)
  /// The numbers of the field are no field of the Earth in any unit, or zero, so that nothing is shown yet.
  case unclearField(WireScales.Field)
  /// The data could be in several forms, or is in none; a printable piece of it.
  case doubtful(WireFault, sample: String)
  /// Units that were not said have been chosen.
  case unitsChosen(WireScales)
  /// The numbers of the field have become many times as large or small, in the same direction, as in another unit, some
  /// lines ago: their unit is sought anew.
  case unitChanged
  /// So have those of the acceleration.
  case forceUnitChanged
  /// The numbers of the field have become so many times as large, in the same direction, as with another range of the
  /// chip that the board does not allow for.
  case rangeChanged(times: Double)
  /// The field has come without the unit that the stream stated for some time, and was left out: its unit is sought
  /// from now on.
  case unitMissing
  /// Listening at another baud rate: nothing made sense at the one before.
  case tryingBaudRate(Int)
  /// A receiver tells a date that can't be, which is left out until it is another: in seconds since 1970, and how often
  /// the week counter of GPS has run over since; 0 where that is not the reason.
  case wrongDate(unixTime: Double, rollovers: Int)
  /// The field has not changed in any digit for longer than noise allows.
  case stuck
  /// The field changes again.
  case changesAgain
  /// The board has turned faster than its gyroscope measures: the end of its range in degrees per second.
  case rateSaturated(limit: Double)
  /// No data has come for this many seconds, and who is silent.
  case silent(seconds: Double, of: Silent = .board)
  /// Bytes come, but nothing in them is a message; a printable piece of them, whether it is readable text, whether they
  /// come at a baud rate, which may be another, and the protocol that was given; nil where one is sought.
  case unrecognized(sample: String, isText: Bool, hasBaudRate: Bool = true, as: String? = nil)
  /// Messages come, and no heading, field or motion is in them: their protocol, and a printable piece of them.
  case nothingOfUse(protocol: String, sample: String)
  /// Lines come where a receiver's are wanted, and none of them is one; a printable piece of them.
  case noSentences(sample: String)
  /// The device was unplugged; it is waited for.
  case lost(String)
  /// The first connection to it has not come about yet; it is still tried.
  case unanswered(String)
  /// The connection to it broke, and why, where the other end has told; it is made again.
  case disconnected(String, reason: String? = nil)
  /// The device is back, after this many seconds.
  case returned(String, seconds: Double)
  /// Samples are missing, for this many seconds.
  case gap(seconds: Double)
  /// Lines that come now had waited on their way for up to this many seconds: their times are spread over them.
  case late(seconds: Double)
  /// A recording tells no times: its messages are counted, at a rate that was stated, or one a second where none was.
  case timesCounted(rate: Double?)
  /// The device has several compasses, counted from 1, of which one is read.
  case severalCompasses([Int], read: Int)
  /// The device is a flight controller, which has told how it turns what its sensors measure.
  case flightController(FlightController)
  /// The protocols that were weighed before one was found, and the orders of columns of a table without names.
  case weighed([Detector.Finding], [WeighedColumns])
  /// Another compass speaks in the stream, and its headings are left out: who it is, in the words of its protocol.
  case otherCompass(String)
  /// Two fields come in turn, as those of two boards, and nothing tells whose they are: they are read as one.
  case fieldsInTurn
  /// Numbers between −1 and 0 come without their sign.
  case signsLost
  /// Two headings come in turn, as those of two compasses: they are read as one.
  case headingsInTurn
  /// The vectors are along the axes of a frame that its name does not tell: read as they come. Empty where it has no
  /// name.
  case unknownFrame(String)
  /// The messages carry no checksum, though their kind has one: damage goes unseen.
  case noChecksums
  /// The columns of a table without names are taken for these.
  case columnsAssumed(AssumedColumns)
  /// The unit of a recording's times is assumed, as seconds in one of it: their steps leave it open.
  case timeAssumed(Double)
  /// The unit of the times is another than their steps told, by their pace against arrival.
  case timeCorrected(TimeCorrection)
  /// The columns of a table have changed in mid-stream.
  case columnsChanged
  /// Columns of a table that are no quantity of a sample and were not asked for, by their names.
  case columnsNotRead([String])
  /// A notice about a device beside the stream's own that tells values of causes, with its name.
  indirect case beside(String, StreamNotice)
  /// The times of the recording that tells values of causes are others than those of the recording it stands beside.
  case timesApart(String)
  /// The last line or frame of a recording was cut off and left out.
  case truncated(byteCount: Int)
  /// The first bytes of a stream were left out: only what came later told how to read them.
  case forgotten(byteCount: Int)
  /// Messages were rejected by the end of the stream: their numbers, by reason.
  case rejected(RejectedCounts)
}

extension StreamNotice {
  /// Both say that bytes make no message, and for the same reason, whatever the bytes.
  func isSameKind(as other: StreamNotice) -> Bool {
    switch (self, other) {
    case (.doubtful(let one, _), .doubtful(let two, _)): one == two
    case (.unrecognized(_, let one, _, _), .unrecognized(_, let two, _, _)): one == two
    case (.noSentences, .noSentences): true
    case (.nothingOfUse(let one, _), .nothingOfUse(let two, _)): one == two
    default: false
    }
  }
}

/// The number of messages that were left out, by reason.
public struct RejectedCounts: Equatable, Sendable {
  /// Bytes that are no message.
  public var unrecognized = 0
  /// A wrong checksum.
  public var checksum = 0
  /// Fields that are no numbers, too few, or not finite.
  public var malformed = 0
  /// The bytes of lines longer than any message.
  public var tooLong = 0
  /// Numbers beyond what any sensor measures.
  public var implausible = 0

  /// No counts yet.
  public init() {}

  /// The sum of all counts.
  public var total: Int { unrecognized + checksum + malformed + tooLong + implausible }

  mutating func count(_ reason: WireRejection) {
    switch reason {
    case .unrecognized: unrecognized += 1
    case .checksum: checksum += 1
    case .malformed: malformed += 1
    case .tooLong: tooLong += 1
    case .truncated: break
    }
  }
}
