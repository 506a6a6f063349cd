import Glibc
import LodestonePorts
import Synchronization

/// An emulated USB device behind the kernel's own USB stack, whose drivers find it like any other: the far end of a
/// connection of vhci_hcd. It takes root and that module. Source: Documentation/usb/usbip_protocol.rst of Linux.
public final class USBIPDevice: @unchecked Sendable {
  private let function: any USBFunction
  private let port: Int
  private let socket: Int32
  /// The endpoints of the interface with the engine; the others stay silent.
  private let endpoints: (input: UInt8, output: UInt8)
  private let isHuman: Bool
  private let lock = Mutex(())
  /// Transfers from the device that wait for something to be said. Guarded by `lock`.
  private var pending: [(number: UInt32, endpoint: UInt8, count: Int)] = []
  /// The host has sent something that the device has not answered yet. Guarded by `lock`.
  private var isAsked = false
  /// When the host asks an interrupt endpoint again for what it did not ask for. Guarded by `lock`.
  private var nextPoll = MonotonicTime.now

  private static let controller = "/sys/devices/platform/vhci_hcd.0"
  /// `enum usb_device_speed` of linux/usb/ch9.h: its packets of 512 bytes take a high-speed port.
  private static let highSpeed = 3
  private static let headerSize = 48
  /// Between two packets of an interrupt endpoint, in seconds. The CP2112's driver takes the report with the data only
  /// if it runs before the empty one that ends the stream: on a real bus it has a frame of a millisecond for that,
  /// which here is as much longer as an emulated machine is slower.
  private static let pollInterval = 0.02

  /// Plugs a device into a port of the virtual controller.
  public init(_ function: any USBFunction, port: Int = 0) throws {
    self.function = function
    self.port = port
    let interfaces = function.identity.interfaces
    let interface = interfaces.first { $0.classCode == 0x03 } ?? interfaces.first
    isHuman = interface?.classCode == 0x03
    let kind: UInt8 = isHuman ? 3 : 2
    let ends = (interface?.endpoints ?? []).filter { $0.kind == kind }.map { $0.address }
    endpoints = (ends.first { $0 & 0x80 != 0 } ?? 0, ends.first { $0 & 0x80 == 0 } ?? 0)
    var pair: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
      throw SystemError("socketpair")
    }
    socket = pair[0]
    function.powerUp()
    _ = try BackgroundThread { [self] in serve() }
    defer { close(pair[1]) }
    try Self.write("\(port) \(pair[1]) \(0x10000 + port + 2) \(Self.highSpeed)", to: "attach")
  }

  /// Pulls the plug.
  public func unplug() {
    try? Self.write("\(port)", to: "detach")
    shutdown(socket, Int32(SHUT_RDWR))
  }

  private static func write(_ text: String, to attribute: String) throws {
    let file = open("\(controller)/\(attribute)", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { throw SystemError("open") }
    defer { close(file) }
    guard Glibc.write(file, text, text.utf8.count) == text.utf8.count else { throw SystemError("write") }
  }

  // MARK: - The protocol

  private func serve() {
    while let header = nextHeader() {
      let number = Self.number(header, 4)
      let isIn = Self.number(header, 12) == 1
      let endpoint = UInt8(Self.number(header, 16) & 0x0F) | (isIn ? 0x80 : 0)
      switch Self.number(header, 0) {
      case 1:
        let count = Int(Self.number(header, 24))
        guard let data = isIn || count == 0 ? [] : receive(count) else { return }
        let setup = USBSetup(Array(header[40...]))
        lock.withLock { _ in submit(number, endpoint, count, setup, data) }
      case 2: lock.withLock { _ in unlink(number, Self.number(header, 20)) }
      default: return
      }
    }
  }

  /// The host's next message; meanwhile the device says what it has to.
  private func nextHeader() -> [UInt8]? {
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    while let wait = lock.withLock({ _ in heldBack() }) {
      guard poll(&entry, 1, Int32(wait * 1000) + 1) == 0 else { break }
      lock.withLock { _ in servePending() }
    }
    return receive(Self.headerSize)
  }

  /// How long the interrupt endpoint is still silent, in seconds; nil where the host does not listen to it, or may hear
  /// it now.
  private func heldBack() -> Double? {
    guard isHuman, pending.contains(where: { $0.endpoint == endpoints.input }) else { return nil }
    let wait = nextPoll - MonotonicTime.now
    return wait > 0 ? wait : nil
  }

  private func submit(_ number: UInt32, _ endpoint: UInt8, _ count: Int, _ setup: USBSetup?, _ data: [UInt8]) {
    if endpoint & 0x0F == 0, let setup {
      guard let reply = function.standardReply(setup) ?? function.control(setup, data) else {
        return answer(number, status: -EPIPE)
      }
      if setup.isIn { return answer(number, bytes: Array(reply.prefix(count))) }
      answer(number, count: data.count)
    } else if endpoint & 0x80 != 0 {
      pending.append((number, endpoint, count))
      servePending()
    } else {
      // A report may be shorter than the packet; the rest of it is nothing.
      let rest = isHuman ? max(0, 64 - data.count) : 0
      isAsked = true
      let isTaken = endpoint != endpoints.output || function.receive(data + [UInt8](repeating: 0, count: rest))
      answer(number, status: isTaken ? 0 : -EPIPE, count: isTaken ? data.count : 0)
      servePending()
    }
  }

  private func servePending() {
    while isAsked || heldBack() == nil, let index = pending.firstIndex(where: { $0.endpoint == endpoints.input }),
      let bytes = function.send(limit: pending[index].count)
    {
      answer(pending.remove(at: index).number, bytes: bytes)
      (isAsked, nextPoll) = (false, MonotonicTime.now + Self.pollInterval)
    }
  }

  private func unlink(_ number: UInt32, _ other: UInt32) {
    let isPending = pending.contains { $0.number == other }
    pending.removeAll { $0.number == other }
    send(Self.bytes([4, number, 0, 0, 0, UInt32(bitPattern: isPending ? -ECONNRESET : 0), 0, 0, 0, 0, 0, 0]))
  }

  private func answer(_ number: UInt32, status: Int32 = 0, count: Int? = nil, bytes: [UInt8] = []) {
    let header: [UInt32] = [
      3, number, 0, 0, 0, UInt32(bitPattern: status), UInt32(count ?? bytes.count), 0, 0, 0, 0, 0,
    ]
    send(Self.bytes(header) + bytes)
  }

  private func send(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      sent += count
    }
  }

  private func receive(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var received = 0
    while received < count {
      let more = bytes[received...].withUnsafeMutableBytes { read(socket, $0.baseAddress, $0.count) }
      guard more > 0 else { return nil }
      received += more
    }
    return bytes
  }

  /// Numbers are big-endian.
  private static func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func bytes(_ numbers: [UInt32]) -> [UInt8] {
    numbers.flatMap { number in (0..<4).map { UInt8(number >> (24 - 8 * UInt32($0)) & 0xFF) } }
  }
}
