import Ports

/// Where the bytes of a stream come from, and what can be done when they stop or make no sense.
protocol ByteLink: AnyObject {
  /// For messages: the address as its user knows it.
  var name: String { get }
  /// Which device this is.
  var identity: String { get }
  /// The open source; nil while the device is away.
  var source: (any ByteSource)? { get }
  /// Bytes come at the pace of the world.
  var isLive: Bool { get }
  /// The rate in force, where there is one.
  var baudRate: Int? { get }
  /// What poll(2) should wait for: the source, or a connection that is coming about.
  var descriptor: Int32? { get }
  /// Until it is readable, or writable.
  var interest: Poller.Interest { get }
  /// When to call `advance` though nothing became ready.
  var wakeTime: MonotonicTime? { get }

  /// Gives up a source that has gone; false when it must not be waited for.
  func lose() -> Bool
  /// Looks whether the device is back, or a connection has come about; true when the source is new.
  func advance(_ now: MonotonicTime) throws(StreamError) -> Bool
  /// Listens at another rate; false when there is none to try.
  func tryNextBaudRate() -> Bool
}

extension ByteLink {
  var baudRate: Int? { nil }
  var descriptor: Int32? { source?.descriptor }
  var interest: Poller.Interest { .readable }
  var wakeTime: MonotonicTime? { nil }
  func lose() -> Bool { false }
  func advance(_ now: MonotonicTime) throws(StreamError) -> Bool { false }
  func tryNextBaudRate() -> Bool { false }
}
