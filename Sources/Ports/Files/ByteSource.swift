import Glibc

/// The result of a read that never waits.
public enum ReadOutcome: Equatable, Sendable {
  /// Bytes were read: their number, at least one.
  case bytes(Int)
  /// Nothing yet: poll for it.
  case wouldBlock
  /// The end of a file, or of a connection that the other side closed in order.
  case ended
  /// The device was unplugged, the other end of the pty closed, or the connection broke.
  case gone
  /// Anything else.
  case failed(SystemError)

  /// Whether no more bytes come.
  public var isEnd: Bool {
    switch self {
    case .bytes, .wouldBlock: false
    case .ended, .gone, .failed: true
    }
  }
}

/// The result of a write that never waits.
public enum WriteOutcome: Equatable, Sendable {
  /// Bytes were taken: their number, perhaps fewer than given.
  case bytes(Int)
  /// No room now: poll for it.
  case wouldBlock
  /// Nobody will ever read it.
  case gone
  /// Anything else.
  case failed(SystemError)
}

/// A source of bytes: a port, a file, a socket. It is polled by its descriptor and never waits.
public protocol ByteSource: AnyObject {
  /// The descriptor for poll(2).
  var descriptor: Int32 { get }

  /// Reads what is there into the buffer, which must not be empty.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome
}

/// The outcome of read(2) on a non-blocking descriptor, where `atZero` is what zero bytes mean there.
func readOutcome(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, atZero: ReadOutcome) -> ReadOutcome {
  let count = uninterrupted { read(descriptor, buffer.baseAddress, buffer.count) }
  if count > 0 { return .bytes(count) }
  if count == 0 { return atZero }
  switch errno {
  case EAGAIN: return .wouldBlock
  case EIO, ENXIO, ENODEV, ECONNRESET, ETIMEDOUT, ESHUTDOWN, EHOSTUNREACH, ENETUNREACH, ENETDOWN: return .gone
  default: return .failed(SystemError("read"))
  }
}

/// The outcome of write(2) on a non-blocking descriptor.
func writeOutcome(_ descriptor: Int32, from bytes: UnsafeRawBufferPointer) -> WriteOutcome {
  let count = uninterrupted { write(descriptor, bytes.baseAddress, bytes.count) }
  return count >= 0 ? .bytes(count) : writeFailure("write")
}

/// The outcome of a failed write, by `errno`.
func writeFailure(_ call: String) -> WriteOutcome {
  switch errno {
  case EAGAIN: return .wouldBlock
  case EIO, ENXIO, ENODEV, EPIPE, ECONNRESET, ETIMEDOUT, ESHUTDOWN: return .gone
  default: return .failed(SystemError(call))
  }
}
