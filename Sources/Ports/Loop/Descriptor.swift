import Glibc

/// A file descriptor that is closed once: by `close()`, or when its owner goes away.
public final class Descriptor {
  /// The number for poll(2), or −1 after it was closed.
  public private(set) var number: Int32

  /// Takes ownership of an open descriptor.
  public init(owning number: Int32) { self.number = number }

  /// Opens a path; always close-on-exec.
  convenience init(opening path: String, flags: Int32, mode: mode_t = 0o666) throws(SystemError) {
    let number = uninterrupted { open(path, flags | O_CLOEXEC, mode) }
    guard number >= 0 else { throw SystemError("open") }
    self.init(owning: number)
  }

  /// Closes it now. A second time does nothing.
  public func close() {
    guard number >= 0 else { return }
    _ = Glibc.close(number)  // never repeated: Linux frees the number even when it reports an error
    number = -1
  }

  /// Hands the open descriptor over to another owner.
  func release() -> Int32 {
    defer { number = -1 }
    return number
  }

  deinit { close() }

  /// Opens a file to be read and changed in place; made where there is none.
  public convenience init(openingToUpdate path: String) throws(SystemError) {
    try self.init(opening: path, flags: O_RDWR | O_CREAT | O_NOCTTY | O_NONBLOCK)
  }

  /// Opens what stands at a path for writes that wait. A FIFO that has no reader is an error (ENXIO) and not waited for.
  public static func openForWriting(_ path: String) throws(SystemError) -> Int32 {
    let number = uninterrupted { open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) }
    guard number >= 0 else { throw SystemError("open") }
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) & ~O_NONBLOCK)
    return number
  }
}
