import Calibration
import LodestoneCore
import Drivers
import LodestonePorts

/// A device, file or simulation as a stream of samples. It never waits: whoever runs it polls the descriptor and the
/// wake time, and asks for events until there are none.
public protocol SampleStream: AnyObject {
  /// The descriptor for poll(2) to wait for; nil where bytes are always there, or only time can bring more.
  var descriptor: Int32? { get }
  /// The condition to wait for: readable, or writable while a connection is being made.
  var interest: Poller.Interest { get }
  /// The time to ask again although nothing became readable; nil for never.
  var wakeTime: MonotonicTime? { get }
  /// Whether samples come at the pace of the world, and not as fast as they are asked for: a slow reader must not delay
  /// them.
  var isLive: Bool { get }
  /// The device's name, under which its calibration is kept: the same after it was plugged in elsewhere.
  var identity: String { get }
  /// UTC of time zero, as seconds since 1970-01-01; nil for a recording that does not tell.
  var unixStart: Double? { get }
  /// The thread that reads it; it may be given more to do. Nil for most.
  var sideThread: SideThread? { get }

  /// Tells what a calibration of the device expects of its field, before the first event is asked for: it helps where
  /// the stream does not say its unit.
  func expect(_ expectation: FieldExpectation)

  /// Tells which values are wanted beside the field, before the first event is asked for: each sample has those that
  /// the device tells.
  func seek(_ causes: CauseNames)

  /// Tells that positions are wanted of it, and not samples, before the first event is asked for; false for a device
  /// that tells none.
  func seekPositions() -> Bool

  /// Whether it never ends by itself, however fast it is read.
  var isEndless: Bool { get }

  /// The calibration that the device brings along, used where none is saved; nil for most.
  var builtInProfile: Profile? { get }

  /// Tells what is asked of whoever holds the device: a simulation does it by itself.
  func follow(_ request: HandRequest)

  /// Shows all bytes before they are understood, with the moment in seconds since the stream was opened; false for a
  /// stream that is not made of bytes.
  func tap(_ listener: @escaping ByteListener) -> Bool

  /// The next event; `.waiting` when there is none now.
  func next() throws(StreamError) -> StreamEvent

  /// The next event where it is a sample that is at hand: true, and it is written where it is wanted. False, and
  /// nothing has happened, where `next` has to tell.
  func nextSample(into sample: inout Sample) -> Bool
}

/// A listener for the bytes of a stream as they arrive, with the moment in seconds since the stream was opened.
public typealias ByteListener = (UnsafeRawBufferPointer, Double) throws(StreamError) -> Void

extension SampleStream {
  /// None: it is read in place.
  public var sideThread: SideThread? { nil }
  /// False: it is no receiver.
  public func seekPositions() -> Bool { false }
  /// Ignores it: the unit is known.
  public func expect(_ expectation: FieldExpectation) {}
  /// Ignores it: there are none.
  public func seek(_ causes: CauseNames) {}
  /// False: `next` tells everything.
  public func nextSample(into sample: inout Sample) -> Bool { false }
  /// True of a live stream.
  public var isEndless: Bool { isLive }
  /// No calibration.
  public var builtInProfile: Profile? { nil }
  /// Ignores it: a person holds the device.
  public func follow(_ request: HandRequest) {}
  /// False: it is not made of bytes.
  public func tap(_ listener: @escaping ByteListener) -> Bool { false }
  /// Readable.
  public var interest: Poller.Interest { .readable }
}

/// One event of a stream.
public enum StreamEvent: Sendable {
  /// A sample.
  case sample(Sample)
  /// A notice for the user.
  case notice(StreamNotice)
  /// A receiver says where it is, or that it has no fix.
  case position(Position)
  /// No event now.
  case waiting
  /// The end: there will be no more.
  case ended
}

/// The reason why a stream cannot be opened, or has ended.
public enum StreamError: Error, Equatable, Sendable {
  /// The text names no device.
  case badAddress(String, BadAddress)
  /// The device cannot be opened or read.
  case port(PortError)
  /// The device was unplugged.
  case gone(String)
  /// A source of the program's own failed, with what it threw.
  case source(String, reason: String)
  /// The connection to it broke.
  case disconnected(String)
  /// The other end cannot be reached, or the port not be listened at.
  case unreachable(String, SocketError)
  /// The broker cannot be reached, or refuses the connection.
  case broker(String, MQTTError)
  /// A recording has ended, and nothing in it was a sample; what arrived instead, printable, and the protocol that was
  /// given; nil where one was sought.
  case nothingValid(String, sample: String, isEmpty: Bool, as: String? = nil)
  /// A recording has ended that was understood by this protocol, and no message of it told a heading, a field or a
  /// motion.
  case nothingOfUse(String, protocol: String)
  /// A recording has ended that was understood, and no receiver spoke in it.
  case noPositions(String)
  /// A recording has ended that holds positions and nothing else.
  case onlyPositions(String)
  /// A device of this kind tells no positions.
  case noReceiver(String)
  /// A device tells values beside another one, and none is sought.
  case nothingSought(String)
  /// Its data is understood and of no use, and why.
  case useless(String, WireFault)
  /// Units of the field that fit about equally well, and whether the board was turned about.
  case ambiguousUnit(String, [FieldUnit], isTurned: Bool)
  /// Its sensors have one rate, and several were asked for.
  case oneRate(String)
  /// Its field has a known unit, and counts were asked for.
  case noCounts(String)
  /// The device tells the unit of its field, and the user gave another one, or a chip of counts.
  case otherUnit(String, FieldUnit)
  /// The field is zero on all axes.
  case zeroField(String)
  /// The numbers called x, y and z of a field look like heading, roll and pitch in degrees.
  case anglesForField(String)
  /// The numbers of the field, or of the acceleration beside it, were put together wrongly from the bytes of a chip.
  case damagedField(String, CountFault)
  /// Its calibration is in counts, with these counts per µT, and this stream has another scale: `times` times as large,
  /// or, where that is nil, a unit that it states.
  case otherScale(String, countsPerMicrotesla: Double, times: Double?)
  /// A chip that cannot be used, or its bus, with what was read; first the device.
  case chip(String, ChipError)
  /// No such bridge is attached; its name in an address where one was given.
  case noBridge(String?)
  /// The kernel has no such bus or device, or none is named; those there are, as addresses.
  case notInKernel(String, found: [String])
  /// A driver of the kernel has the chip at this address of the bus.
  case chipTaken(String, address: UInt8, driver: String)
  /// No such chip on the bus, or no magnetometer at all; what was found instead.
  case noChip(String, wanted: String?, found: [String])
  /// More than one magnetometer on the bus, and none named.
  case severalChips(String, found: [String])
  /// No device given and none, or more than one, attached.
  case noDevice(found: [String])
}

/// The reason why a text is no address.
public enum BadAddress: Equatable, Sendable {
  /// No such scheme.
  case unknownScheme(String)
  /// No such option; the ones that there are.
  case unknownOption(String, allowed: [String])
  /// The option's value is not what it takes.
  case badValue(option: String, value: String, expected: String)
  /// No protocol, bridge or chip of this name; the ones that there are.
  case unknownName(String, allowed: [String])
  /// Something is missing from it.
  case incomplete(String)
  /// A bus with chips is wanted, and it is something else.
  case noBus
}
