import CLinux
import Glibc

/// A serial port or pseudo-terminal, open for raw bytes: 8 data bits, no parity, one stop bit, no flow control. It
/// never waits: poll its descriptor.
///
/// Opening raises DTR and RTS, whatever a program does; on an Arduino-like board that pulse restarts the sketch, which
/// is then deaf for about two seconds. With `hangsUpOnClose` false (the default) the lines stay up after closing, so
/// that the next opening does not restart it again.
public final class SerialPort: ByteSource {
  /// How to open a port.
  public struct Options: Equatable, Sendable {
    /// Bits per second. Ports without a real line (cdc_acm, ptys) take any.
    public var baudRate: Int
    /// Whether a port that another program has claimed is refused, and claimed, so that no other program takes bytes.
    public var isExclusive = true
    /// Whether DTR is dropped when the port is closed, as Linux does by default: the next opening restarts an
    /// Arduino-like board.
    public var hangsUpOnClose = false
    /// Raises (true) or drops (false) DTR and RTS after opening; nil leaves them raised as opening did. Some ESP32
    /// boards are held in reset by them.
    public var modemLines: Bool?
    /// Whether the driver is asked to hand bytes over at once (1 ms instead of 16 ms on FTDI chips).
    public var wantsLowLatency = true

    /// The defaults at a baud rate.
    public init(baudRate: Int = 115_200) { self.baudRate = baudRate }
  }

  /// The path as it was given.
  public let path: String
  private let owned: Descriptor

  /// The descriptor for poll(2); −1 after closing.
  public var descriptor: Int32 { owned.number }

  /// Opens the port at a path: a node below /dev, a link to one (as in /dev/serial/by-id), a pty's slave.
  public init(path: String, options: Options = Options()) throws(PortError) {
    guard let kind = NodeKind.at(path) else { throw PortError(opening: path, SystemError("stat")) }
    guard kind == .terminal else { throw .notATerminal(path: path, kind: kind) }
    self.path = path
    do {
      owned = try Descriptor(opening: path, flags: O_RDWR | O_NOCTTY | O_NONBLOCK)
    } catch {
      throw PortError(opening: path, error)
    }
    if options.isExclusive { try claim() }
    try configure(options)
  }

  deinit { close() }

  /// Gives the port back. A second time does nothing.
  public func close() {
    guard owned.number >= 0 else { return }
    if isClaimed { _ = linux_serial_set_exclusive(owned.number, 0) }  // a pty whose master lives on would stay claimed
    owned.close()
  }

  private var isClaimed = false

  /// TIOCEXCL keeps other users out but not root, and flock(2) keeps out those who ask, root included.
  private func claim() throws(PortError) {
    if linux_serial_is_exclusive(descriptor) == 1 {
      let holders = Holder.all(of: path)
      guard holders.isEmpty else { throw .busy(path: path, heldBy: holders) }
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      throw .busy(path: path, heldBy: Holder.all(of: path))
    }
    isClaimed = linux_serial_set_exclusive(descriptor, 1) == 0
  }

  private func configure(_ options: Options) throws(PortError) {
    let rate = try checked(options.baudRate)
    guard linux_serial_make_raw(descriptor, rate, options.hangsUpOnClose ? 1 : 0) == 0 else {
      throw settingFailed(baudRate: options.baudRate)
    }
    try confirm(options.baudRate)
    if let up = options.modemLines { _ = linux_serial_set_modem_lines(descriptor, up ? 1 : 0) }
    if options.wantsLowLatency { _ = linux_serial_set_low_latency(descriptor, 1) }
  }

  /// Changes the rate while the port stays open, and throws away what arrived at the old one.
  public func setBaudRate(_ baudRate: Int) throws(PortError) {
    guard linux_serial_set_baud_rate(descriptor, try checked(baudRate)) == 0 else {
      throw settingFailed(baudRate: baudRate)
    }
    try confirm(baudRate)
    discardInput()
  }

  /// The rate in force as the driver says it, or nil when the port is gone.
  public var baudRate: Int? {
    var rate: UInt32 = 0
    guard linux_serial_baud_rate(descriptor, &rate) == 0 else { return nil }
    return Int(rate)
  }

  private func checked(_ baudRate: Int) throws(PortError) -> UInt32 {
    guard (1...100_000_000).contains(baudRate) else {
      throw .unsupportedBaudRate(path: path, requested: baudRate, actual: nil)
    }
    return UInt32(baudRate)
  }

  /// A driver that cannot make the rate answers with the nearest it can; a line works within about 3 percent.
  private func confirm(_ baudRate: Int) throws(PortError) {
    guard let actual = self.baudRate else { throw .gone(path: path) }
    guard abs(Double(actual) / Double(baudRate) - 1) <= 0.03 else {
      throw .unsupportedBaudRate(path: path, requested: baudRate, actual: actual)
    }
  }

  private func settingFailed(baudRate: Int) -> PortError {
    switch errno {
    case EINVAL: .unsupportedBaudRate(path: path, requested: baudRate, actual: self.baudRate)
    case EIO, ENXIO, ENODEV: .gone(path: path)
    case ENOTTY: .notATerminal(path: path, kind: .characterDevice)
    default: .system(path: path, SystemError("ioctl"))
    }
  }

  /// Reads what has arrived. Unplugging is `.gone`, after the bytes that came before it where the driver keeps them.
  public func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
    readOutcome(descriptor, into: buffer, atZero: .gone)  // a hung-up tty reads 0 or EIO, depending on the driver
  }

  /// Writes as much as there is room for.
  public func write(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
    writeOutcome(descriptor, from: bytes)
  }

  /// Bytes that have arrived and not been read; nil when the port is gone.
  public var waitingByteCount: Int? {
    var count: Int32 = 0
    guard ioctl(descriptor, UInt(FIONREAD), &count) == 0 else { return nil }
    return Int(count)
  }

  /// Throws away what has arrived and not been read.
  public func discardInput() { tcflush(descriptor, TCIFLUSH) }

  /// Waits until everything written has left. The one call that waits: as long as the line needs.
  public func drain() { _ = uninterrupted { tcdrain(descriptor) } }
}
