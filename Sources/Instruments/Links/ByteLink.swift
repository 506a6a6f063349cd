import LodestonePorts

/// The source of a stream's bytes, and what can be done when they stop or make no sense.
protocol ByteLink: AnyObject {
  /// The address as its user knows it, for messages.
  var name: String { get }
  /// The device's name, under which its calibration is kept.
  var identity: String { get }
  /// The open source; nil while the device is away.
  var source: (any ByteSource)? { get }
  /// Whether bytes come at the pace of the world.
  var isLive: Bool { get }
  /// Whether the user is told when nothing arrives, or nothing that makes sense, and does not have to wait for its end.
  var isWatched: Bool { get }
  /// Who sends. All but a board do so unasked, now and then or steadily: where no message came of it, what has arrived
  /// is told instead of the silence after it.
  var sender: StreamNotice.Silent { get }
  /// Whether the device is there, and waited for where it is not.
  var presence: Presence { get set }
  /// The reason why the source has gone, in the words of the other end; nil where it has told none.
  var lossReason: String? { get }
  /// The error that ends the stream, where looking for the source again would not help; nil elsewhere.
  var lossError: StreamError? { get }
  /// The rate in force, where there is one.
  var baudRate: Int? { get }
  /// The descriptor for poll(2): the source's, or that of a connection that is being made.
  var descriptor: Int32? { get }
  /// The condition to wait for: readable, or writable.
  var interest: Poller.Interest { get }
  /// The time to call `advance` though nothing became ready.
  var wakeTime: MonotonicTime? { get }

  /// The time since which bytes are waited for; nil for as long as there is a stream.
  var awaitedSince: MonotonicTime? { get }
  /// Seconds after opening in which the device may be silent, or make no sense: it restarts.
  var bootSeconds: Double { get }

  /// Whether what arrives was sent before the port was opened, or at the rate before: it is not to be read.
  var isStale: Bool { get }
  /// Takes note that nothing is left to read: what comes from now on has been sent since.
  func noteEmpty(_ now: MonotonicTime)
  /// Gives up a source that has gone.
  func close()
  /// Looks whether the device is back, or a connection has come about; true when the source is new.
  func advance(_ now: MonotonicTime) throws(StreamError) -> Bool
  /// Takes note of what has arrived, to judge the baud rate by it.
  func hear(_ bytes: Span<UInt8>)
  /// Turns to another baud rate when it is time to; true when it has. What is understood ends the search, until it
  /// makes sense no longer.
  func tune(_ now: MonotonicTime, isUnderstood: Bool) -> Bool
  /// Writes to the device, all of it or not at all as far as one can tell; false where that is not possible now.
  func write(_ bytes: [UInt8]) -> Bool
}

extension ByteLink {
  var isWatched: Bool { isLive }
  var baudRate: Int? { nil }
  var lossReason: String? { nil }
  var lossError: StreamError? { nil }
  var descriptor: Int32? { source?.descriptor }
  var interest: Poller.Interest { .readable }
  var wakeTime: MonotonicTime? { nil }
  var awaitedSince: MonotonicTime? { nil }
  var bootSeconds: Double { 0 }
  var isStale: Bool { false }
  var sender: StreamNotice.Silent { .board }
  func noteEmpty(_ now: MonotonicTime) {}
  func close() {}
  func advance(_ now: MonotonicTime) throws(StreamError) -> Bool { false }
  func hear(_ bytes: Span<UInt8>) {}
  func tune(_ now: MonotonicTime, isUnderstood: Bool) -> Bool { false }
  func write(_ bytes: [UInt8]) -> Bool { false }

  /// Takes note that the source has gone; throws where that is the end.
  func lose(_ now: MonotonicTime) throws(StreamError) -> StreamEvent {
    if let lossError { throw lossError }
    return try presence.lose(name, now, reason: lossReason)
  }
}
