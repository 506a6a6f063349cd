import CUMockdev
import Glibc
import Synchronization

/// A USB device as the kernel's usbfs shows it to a program: requests queued, done, cancelled; interfaces claimed and
/// taken from kernel drivers. What it does with the data is its function's.
public final class EmulatedUSBDevice: IoctlDevice, @unchecked Sendable {
  /// A failure of a transfer.
  public enum Fault: Equatable, Sendable {
    /// One transfer is refused.
    case stall
    /// From one transfer on none ends, until the fault is taken away.
    case hang
    /// The device is pulled out while one transfer runs.
    case unplug
    /// One answer is cut to so many bytes.
    case cut(to: Int)
    /// One answer has bits flipped in one byte.
    case corrupt(byte: Int, mask: UInt8)
  }

  /// Its node.
  public let node: String
  /// Its place in /sys.
  public let systemPath: String
  let function: any USBFunction
  let line = ReadinessLine()
  private let lock = Mutex(())

  // All that follows is guarded by `lock`.
  private enum Owner: Equatable {
    case kernel(String)
    case program(IoctlClient)
  }
  /// One program that has the node open.
  private final class Queue {
    let client: IoctlClient
    var pending: [URB] = []
    var done: [URB] = []

    init(_ client: IoctlClient) {
      self.client = client
      g_object_ref(client)
    }

    deinit { g_object_unref(client) }
  }
  private var queues: [IoctlClient: Queue] = [:]
  private var owners: [UInt32: Owner] = [:]
  private var fault: Fault?
  private var transfersBeforeFault = 0
  private var isHanging = false
  private var isGone = false
  private var transfers = 0
  private var drivers: [String] = []

  /// Drivers of the kernel have its interfaces.
  private let hasDrivers: Bool
  /// Shows in sysfs which driver has an interface; nil for none.
  private let showDriver: (_ interface: UInt32, _ driver: String?) -> Void

  init(
    _ function: any USBFunction, node: String, systemPath: String, hasDrivers: Bool,
    showDriver: @escaping (_ interface: UInt32, _ driver: String?) -> Void
  ) {
    self.function = function
    self.node = node
    self.systemPath = systemPath
    self.hasDrivers = hasDrivers
    self.showDriver = showDriver
    function.powerUp()
    guard hasDrivers else { return }
    for (number, interface) in function.identity.interfaces.enumerated() {
      if let driver = interface.kernelDriver { owners[UInt32(number)] = .kernel(driver) }
    }
  }

  /// Shows the drivers that it was plugged in with.
  func showDrivers() {
    lock.withLock { _ in
      for (number, owner) in owners { if case .kernel(let driver) = owner { showDriver(number, driver) } }
    }
  }

  // MARK: - For tests

  /// Runs `body` while no transfer runs: to change what the function plays on.
  public func whileIdle<Result>(_ body: () -> Result) -> Result { lock.withLock { _ in body() } }

  /// Sets a fault for the transfer after so many more; nil takes it away and lets a hung device go on.
  public func fail(_ fault: Fault?, after transfers: Int = 0) {
    lock.withLock { _ in
      self.fault = fault
      transfersBeforeFault = transfers
      isHanging = false
      serveAll()
    }
  }

  /// How many transfers have begun.
  public var transferCount: Int { lock.withLock { _ in transfers } }

  /// The interfaces' history: `detach usbhid`, `claim 2`, `release 2`, `attach`.
  public var interfaceLog: [String] { lock.withLock { _ in drivers } }

  /// Gives an interface to another program, for good.
  public func occupy(interface: UInt32) {
    lock.withLock { _ in
      owners[interface] = .kernel("usbfs")
      showDriver(interface, "usbfs")
    }
  }

  /// The device is pulled out: transfers in flight end, later calls find no device.
  func vanish() { lock.withLock { _ in leave() } }

  /// Nobody has it open any more.
  func forgetPrograms() {
    lock.withLock { _ in
      queues.removeAll()
      owners = owners.filter { if case .program = $0.value { false } else { true } }
    }
  }

  // MARK: - usbfs

  /// Request numbers of linux/usbdevice_fs.h; the type is 'U'.
  private enum Call: UInt {
    case clearHalt = 21, reset = 20, submit = 10, discard = 11, reap = 12, reapNoDelay = 13
    case driver = 8, claim = 15, release = 16, interfaceCall = 18, capabilities = 26, disconnectClaim = 27
    case setInterface = 4, speed = 31
  }

  /// One ioctl.
  func answer(_ client: IoctlClient) -> Int32 {
    let request = UInt(umockdev_ioctl_client_get_request(client))
    guard (request >> 8) & 0xFF == UInt(UInt8(ascii: "U")), let call = Call(rawValue: request & 0xFF),
      let argument = umockdev_ioctl_client_get_arg(client)
    else {
      return ENOTTY
    }
    let size = (request >> 16) & 0x3FFF
    return lock.withLock { _ in perform(call, argument, size, client) }
  }

  private func perform(
    _ call: Call, _ argument: UnsafeMutablePointer<UMockdevIoctlData>, _ size: UInt, _ client: IoctlClient
  ) -> Int32 {
    let queue = queues[client] ?? Queue(client)
    queues[client] = queue
    if isGone && call != .reap && call != .reapNoDelay { return ENODEV }
    switch call {
    case .submit: return submit(argument, queue)
    case .discard: return discard(argument, queue)
    case .reap, .reapNoDelay: return reap(argument, queue)
    case .clearHalt, .setInterface: return 0
    case .reset:
      function.powerUp()
      return 0
    case .speed: return 0
    case .capabilities:
      // Zero packets, no packet size limit, reap after disconnect.
      return write([0x15, 0, 0, 0], to: argument, size)
    case .driver, .claim, .release, .disconnectClaim, .interfaceCall:
      guard let data = umockdev_ioctl_data_resolve(argument, 0, gsize(size), nil) else { return EFAULT }
      defer { umockdev_ioctl_data_unref(data) }
      return interfaceCall(call, data, client)
    }
  }

  private func write(
    _ bytes: [UInt8], to argument: UnsafeMutablePointer<UMockdevIoctlData>, _ size: UInt
  ) -> Int32 {
    guard let data = umockdev_ioctl_data_resolve(argument, 0, gsize(size), nil) else { return EFAULT }
    var bytes = bytes
    umockdev_ioctl_data_update(data, 0, &bytes, Int32(bytes.count))
    umockdev_ioctl_data_unref(data)
    return 0
  }

  // MARK: - Interfaces

  private func interfaceCall(
    _ call: Call, _ data: UnsafeMutablePointer<UMockdevIoctlData>, _ client: IoctlClient
  ) -> Int32 {
    let bytes = data.bytes
    let number = UInt32(bytes[0]) | UInt32(bytes[1]) << 8
    guard Int(number) < function.identity.interfaces.count else { return call == .driver ? ENODATA : EINVAL }
    switch call {
    case .driver: return tellDriver(number, data)
    case .claim: return claim(number, client)
    case .disconnectClaim:
      if case .kernel(let driver) = owners[number] {
        if driver == "usbfs" { return EBUSY }
        detach(number, driver)
      }
      return claim(number, client)
    case .release:
      guard owners[number] == .program(client) else { return EINVAL }
      owners[number] = nil
      drivers.append("release \(number)")
      return 0
    default: return connectCall(bytes, number)
    }
  }

  private func tellDriver(_ number: UInt32, _ data: UnsafeMutablePointer<UMockdevIoctlData>) -> Int32 {
    let name: String
    switch owners[number] {
    case .kernel(let driver): name = driver
    case .program: name = "usbfs"
    case nil: return ENODATA
    }
    var bytes = Array(name.utf8) + [0]
    umockdev_ioctl_data_update(data, 4, &bytes, Int32(bytes.count))
    return 0
  }

  private func claim(_ number: UInt32, _ client: IoctlClient) -> Int32 {
    if case .program(let other) = owners[number], umockdev_ioctl_client_get_connected(other) == 0 {
      owners[number] = nil
    }
    guard owners[number] == nil || owners[number] == .program(client) else { return EBUSY }
    owners[number] = .program(client)
    drivers.append("claim \(number)")
    return 0
  }

  private func detach(_ number: UInt32, _ driver: String) {
    owners[number] = nil
    drivers.append("detach \(driver)")
    showDriver(number, nil)
  }

  /// USBDEVFS_IOCTL with DISCONNECT (22) or CONNECT (23) in it.
  private func connectCall(_ bytes: [UInt8], _ number: UInt32) -> Int32 {
    switch bytes[4] {
    case 22:
      guard case .kernel(let driver) = owners[number], driver != "usbfs" else { return ENODATA }
      detach(number, driver)
      return 0
    case 23:
      guard owners[number] == nil, hasDrivers,
        let driver = function.identity.interfaces[Int(number)].kernelDriver
      else {
        return EBUSY
      }
      owners[number] = .kernel(driver)
      drivers.append("attach \(driver)")
      showDriver(number, driver)
      return 0
    default: return ENOTTY
    }
  }

  // MARK: - Transfers

  private func submit(_ argument: UnsafeMutablePointer<UMockdevIoctlData>, _ queue: Queue) -> Int32 {
    guard let urb = URB(argument) else { return EINVAL }
    transfers += 1
    queue.pending.append(urb)
    var cut: Fault?
    if let fault {
      if transfersBeforeFault > 0 {
        transfersBeforeFault -= 1
      } else {
        cut = begin(fault, urb, queue)
      }
    }
    if !isGone { serve(queue, cut) }
    return 0
  }

  /// The fault's moment has come. Returns what is left to be done to the answer.
  private func begin(_ fault: Fault, _ urb: URB, _ queue: Queue) -> Fault? {
    switch fault {
    case .stall:
      self.fault = nil
      finish(urb, queue, status: -EPIPE)
    case .hang: isHanging = true
    case .unplug: leave()
    case .cut, .corrupt:
      guard urb.isIn else { return nil }
      self.fault = nil
      return fault
    }
    return nil
  }

  private func serveAll() {
    for queue in queues.values { serve(queue, nil) }
  }

  /// Does what can be done now, in order.
  private func serve(_ queue: Queue, _ fault: Fault?) {
    guard !isHanging else { return }
    for urb in queue.pending { run(urb, queue, fault) }
    // An OUT transfer may be what an IN transfer has waited for.
    for urb in queue.pending where urb.isIn { run(urb, queue, fault) }
  }

  private func run(_ urb: URB, _ queue: Queue, _ fault: Fault?) {
    switch urb.kind {
    case .control: runControl(urb, queue, fault)
    case .bulk, .interrupt:
      if urb.isIn {
        guard let bytes = function.send(limit: urb.content.count) else { return }
        answer(urb, queue, bytes, fault)
      } else {
        let taken = function.receive(urb.content)
        finish(urb, queue, status: taken ? 0 : -EPIPE, count: urb.content.count)
      }
    case .isochronous: finish(urb, queue, status: -EINVAL)
    }
  }

  private func runControl(_ urb: URB, _ queue: Queue, _ fault: Fault?) {
    guard let setup = USBSetup(urb.content) else { return finish(urb, queue, status: -EINVAL) }
    let data = setup.isIn ? [] : Array(urb.content.dropFirst(8).prefix(Int(setup.length)))
    guard let reply = function.standardReply(setup) ?? function.control(setup, data) else {
      return finish(urb, queue, status: -EPIPE)
    }
    if setup.isIn {
      answer(urb, queue, Array(reply.prefix(Int(setup.length))), fault)
    } else {
      finish(urb, queue, status: 0, count: data.count)
    }
  }

  private func answer(_ urb: URB, _ queue: Queue, _ bytes: [UInt8], _ fault: Fault?) {
    var bytes = bytes
    switch fault {
    case .cut(let count): bytes = Array(bytes.prefix(count))
    case .corrupt(let index, let mask): if index < bytes.count { bytes[index] ^= mask }
    default: break
    }
    finish(urb, queue, status: 0, count: bytes.count, bytes: bytes)
  }

  private func finish(_ urb: URB, _ queue: Queue, status: Int32, count: Int = 0, bytes: [UInt8] = []) {
    urb.finish(status: status, count: count, bytes: bytes)
    queue.pending.removeAll { $0 === urb }
    queue.done.append(urb)
    showReadiness()
  }

  private func discard(_ argument: UnsafeMutablePointer<UMockdevIoctlData>, _ queue: Queue) -> Int32 {
    let address = argument.bytes.prefix(8).enumerated().reduce(UInt(0)) { $0 | UInt($1.element) << (8 * $1.offset) }
    guard let urb = queue.pending.first(where: { $0.address == address }) else { return EINVAL }
    finish(urb, queue, status: -ENOENT)
    return 0
  }

  private func reap(_ argument: UnsafeMutablePointer<UMockdevIoctlData>, _ queue: Queue) -> Int32 {
    guard !queue.done.isEmpty else { return isGone ? ENODEV : EAGAIN }
    guard let data = umockdev_ioctl_data_resolve(argument, 0, 8, nil) else { return EFAULT }
    let urb = queue.done.removeFirst()
    umockdev_ioctl_data_set_ptr(data, 0, urb.data)
    umockdev_ioctl_data_unref(data)
    showReadiness()
    return 0
  }

  private func showReadiness() {
    line.isReady = isGone || queues.values.contains { !$0.done.isEmpty }
  }

  private func leave() {
    guard !isGone else { return }
    isGone = true
    for queue in queues.values {
      for urb in queue.pending { finish(urb, queue, status: -ESHUTDOWN) }
    }
    line.hangUp()
  }
}
