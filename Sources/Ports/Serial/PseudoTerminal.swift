import CLinux
import Glibc

/// A pseudo-terminal whose master side is ours: other programs open `path` as if a board were attached there. It never
/// waits.
///
/// While nobody has the slave open, the master polls as hung up without end; so watch `descriptor` only while
/// `hasReader`, and `readerChanges` always.
public final class PseudoTerminal: ByteSource {
  /// The slave, as in `/dev/pts/7`.
  public let path: String
  private let master: Descriptor
  private let openings: Descriptor

  /// The master, for poll(2).
  public var descriptor: Int32 { master.number }

  /// Becomes readable when the slave is opened or closed; then call `noteReaderChanges`.
  public var readerChanges: Int32 { openings.number }

  /// A new pair in raw mode, with nobody at the slave.
  public init() throws(SystemError) {
    var name = [CChar](repeating: 0, count: 64)
    let number = linux_pty_open(&name, name.count)
    guard number >= 0 else { throw SystemError("posix_openpt") }
    master = Descriptor(owning: number)
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // Settings given to the master are the slave's.
    guard linux_serial_make_raw(number, 115_200, 0) == 0 else { throw SystemError("ioctl") }
    // A slave that was never opened is not told apart from one that is open; one that was opened and closed is.
    try Descriptor(opening: path, flags: O_RDWR | O_NOCTTY | O_NONBLOCK).close()
    openings = try .watch()
    guard inotify_add_watch(openings.number, path, UInt32(IN_OPEN | IN_CLOSE)) >= 0 else {
      throw SystemError("inotify_add_watch")
    }
  }

  /// Whether a program has the slave open.
  public var hasReader: Bool { !Poller.look(at: descriptor, for: []).contains(.hungUp) }

  /// The rate that the program at the slave has set, which a board at the end of a real line would have to meet.
  public var baudRate: Int? {
    var rate: UInt32 = 0
    return linux_serial_baud_rate(descriptor, &rate) == 0 ? Int(rate) : nil
  }

  /// Takes note of the openings and closings that have been reported, and says whether somebody is there now.
  public func noteReaderChanges() -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      while Glibc.read(readerChanges, buffer.baseAddress, buffer.count) > 0 {}
    }
    return hasReader
  }

  /// Reads the bytes that the program at the slave has written. `.gone` while nobody is there; it may come back.
  public func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
    readOutcome(descriptor, into: buffer, atZero: .gone)
  }

  /// Writes as much as the program at the slave leaves room for; `.gone` while nobody is there.
  public func write(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
    guard hasReader else { return .gone }
    return writeOutcome(descriptor, from: bytes)
  }

  /// Throws away what was written and that nobody has read: it was for a program that has left.
  public func discardUnread() {
    tcflush(descriptor, TCOFLUSH)  // on its way
    guard let slave = try? Descriptor(opening: path, flags: O_RDWR | O_NOCTTY | O_NONBLOCK) else { return }
    tcflush(slave.number, TCIFLUSH)  // arrived
  }

  /// Bytes that have been written and that the program at the slave has not read; they are lost when the plug is
  /// pulled. The system does not count those that it is moving to where the program reads: there are none only when
  /// several looks in a row, over a tenth of a second, have found none: a busy system takes its time.
  public var unreadByteCount: Int {
    guard let slave = try? Descriptor(opening: path, flags: O_RDWR | O_NOCTTY | O_NONBLOCK) else { return 0 }
    for look in 0..<20 {
      if look > 0 { pause(milliseconds: 5) }
      var count: Int32 = 0
      guard ioctl(slave.number, UInt(FIONREAD), &count) == 0 else { return 0 }
      if count > 0 { return Int(count) }
    }
    return 0
  }

  /// Pulls the plug: the program at the slave sees its device go. A second time does nothing.
  public func close() { master.close() }
}
