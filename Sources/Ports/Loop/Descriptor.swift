import Glibc

/// A file descriptor that is closed once: by `close()`, or when its owner goes away.
public final class Descriptor {
  /// The number for poll(2), or −1 after it was closed.
  public private(set) var number: Int32

  /// Takes ownership of an open descriptor.
  public init(owning number: Int32) { self.number = number }

  /// Opens a path; always close-on-exec.
  convenience init(opening path: String, flags: Int32) throws(SystemError) {
    let number = uninterrupted { open(path, flags | O_CLOEXEC, 0o666) }
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

  /// Opens what stands at a path for writes that wait. A FIFO that has no reader is an error (ENXIO) and not waited
  /// for.
  public static func openForWriting(_ path: String) throws(SystemError) -> Int32 {
    let number = uninterrupted { open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) }
    guard number >= 0 else { throw SystemError("open") }
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) & ~O_NONBLOCK)
    return number
  }

  /// Opens a watch of files, by inotify(7). The programs of a user share a few of them (fs.inotify.max_user_instances,
  /// often 128): where there is none left for a moment, one is waited for, two seconds at most.
  static func watch() throws(SystemError) -> Descriptor {
    var number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    for _ in 0..<100 where number < 0 && errno == EMFILE {
      pause(milliseconds: 20)
      number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    }
    guard number >= 0 else { throw SystemError("inotify_init1") }
    return Descriptor(owning: number)
  }
}
