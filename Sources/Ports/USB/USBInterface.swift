#if USB
import CLibUSB
import Drivers
import Glibc

/// One claimed interface of an open USB device. Released and closed when it goes.
public final class USBInterface: USBPipe {
  /// The device's vendor and product number.
  public let identifier: USBIdentifier
  /// The number of the interface.
  public let interfaceNumber: UInt8
  /// The packet size of the IN endpoint; 0 where there is none.
  public var packetSize: Int { input?.packetSize ?? 0 }

  private let bus: USBBus
  private let handle: OpaquePointer
  private let node: String
  private let input: USBEndpoint?
  private let output: USBEndpoint?
  private var isGone = false

  /// The longest single transfer: more than any bridge can do at once.
  private static let longestTransfer = 1 << 17

  init(
    _ device: OpaquePointer, on bus: USBBus, as facts: USBDevice, interfaceClass: UInt8, returningKernelDriver: Bool
  ) throws(PortError) {
    let node = facts.node
    guard let found = Layout(of: device, interfaceClass: interfaceClass) else { throw .notThere(path: node) }
    var opened: OpaquePointer?
    let code = libusb_open(device, &opened)
    guard code == 0, let opened else { throw USBError.opening(node, call: "libusb_open", code: code) }
    // A signal must not end the program before the kernel's driver has the interface back.
    Signals.hold()
    do throws(PortError) {
      try Self.claim(found.number, of: opened, node: node, returningKernelDriver: returningKernelDriver)
    } catch {
      libusb_close(opened)
      Signals.release()
      throw error
    }
    self.bus = bus
    self.node = node
    identifier = facts.identifier
    handle = opened
    interfaceNumber = found.number
    input = found.input
    output = found.output
  }

  deinit {
    libusb_release_interface(handle, Int32(interfaceNumber))
    libusb_close(handle)
    Signals.release()
  }

  private static func claim(
    _ number: UInt8, of handle: OpaquePointer, node: String, returningKernelDriver: Bool
  ) throws(PortError) {
    if returningKernelDriver {
      libusb_set_auto_detach_kernel_driver(handle, 1)
    } else if libusb_kernel_driver_active(handle, Int32(number)) == 1 {
      let code = libusb_detach_kernel_driver(handle, Int32(number))
      guard code == 0 || code == USBError.notFound else {
        throw USBError.opening(node, call: "libusb_detach_kernel_driver", code: code)
      }
    }
    let code = libusb_claim_interface(handle, Int32(number))
    guard code == 0 else { throw USBError.opening(node, call: "libusb_claim_interface", code: code) }
  }

  // MARK: - Transfers

  /// A control request with these bytes as its data stage.
  public func control(_ request: USBRequest, sending bytes: [UInt8], milliseconds: Int) throws(BusError) {
    var bytes = bytes
    let count = try control(request, &bytes, milliseconds)
    guard count == bytes.count else { throw .protocolViolation("\(count) of \(bytes.count) bytes were taken") }
  }

  /// A control request answered with at most `count` bytes.
  public func control(_ request: USBRequest, receiving count: Int, milliseconds: Int) throws(BusError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: min(max(count, 0), 4096))
    let received = try control(request, &bytes, milliseconds)
    return Array(bytes.prefix(received))
  }

  private func control(_ request: USBRequest, _ bytes: inout [UInt8], _ milliseconds: Int) throws(BusError) -> Int {
    try checkPresent()
    let count = UInt16(clamping: bytes.count)
    let code = libusb_control_transfer(
      handle, request.type, request.request, request.value, request.index, &bytes, count, Self.bound(milliseconds))
    // A control endpoint forgets a stall by itself.
    guard code >= 0 else { throw error(code) }
    return Int(code)
  }

  /// Sends all bytes to the OUT endpoint.
  public func send(_ bytes: [UInt8], milliseconds: Int) throws(BusError) {
    guard let output else { throw .unsupported("the interface has no OUT endpoint") }
    guard bytes.count <= Self.longestTransfer else { throw .unsupported("\(bytes.count) bytes in one USB transfer") }
    var bytes = bytes
    let count = bytes.count
    let (sent, code) = transfer(output, &bytes, count, milliseconds)
    guard code == 0 else { throw error(code, at: output) }
    guard sent == count else { throw .protocolViolation("\(sent) of \(count) bytes were taken") }
  }

  /// One transfer of at most `count` bytes from the IN endpoint; what came before a time-out counts.
  public func receive(_ count: Int, milliseconds: Int) throws(BusError) -> [UInt8] {
    guard let input else { throw .unsupported("the interface has no IN endpoint") }
    // Whole packets: a device that sends more than was asked for must not overflow the transfer.
    let packet = max(input.packetSize, 1)
    let room = (min(max(count, 1), Self.longestTransfer) + packet - 1) / packet * packet
    var bytes = [UInt8](repeating: 0, count: room)
    let (received, code) = transfer(input, &bytes, room, milliseconds)
    guard code == 0 || (code == USBError.timeout && received > 0) else { throw error(code, at: input) }
    return Array(bytes.prefix(min(received, count)))
  }

  private func transfer(
    _ endpoint: USBEndpoint, _ bytes: inout [UInt8], _ count: Int, _ milliseconds: Int
  ) -> (count: Int, code: Int32) {
    guard !isGone else { return (0, USBError.noDevice) }
    var done: Int32 = 0
    let call = endpoint.isInterrupt ? libusb_interrupt_transfer : libusb_bulk_transfer
    let code = call(handle, endpoint.address, &bytes, Int32(clamping: count), &done, Self.bound(milliseconds))
    return (min(max(Int(done), 0), bytes.count), code)
  }

  /// Waits at least this long.
  public func wait(milliseconds: Double) { pause(milliseconds: milliseconds) }

  private static func bound(_ milliseconds: Int) -> UInt32 { UInt32(clamping: max(1, milliseconds)) }

  // MARK: - Errors

  private func checkPresent() throws(BusError) {
    if isGone { throw .disconnected }
  }

  private func error(_ code: Int32, at endpoint: USBEndpoint? = nil) -> BusError {
    switch code {
    case USBError.timeout: return .timeout
    case USBError.noDevice:
      isGone = true
      return .disconnected
    case USBError.stall:
      if let endpoint { libusb_clear_halt(handle, endpoint.address) }
      return .stalled
    case USBError.inputOutput where leaves():
      isGone = true
      return .disconnected
    default: return .protocolViolation("USB: \(USBError.text(code))")
    }
  }

  /// A device that is pulled out fails transfers for some milliseconds before its node goes.
  private func leaves() -> Bool {
    for _ in 0..<20 {
      if access(node, F_OK) != 0 { return true }
      wait(milliseconds: 10)
    }
    return false
  }
}

/// One direction of an interface.
private struct USBEndpoint {
  let address: UInt8
  let packetSize: Int
  let isInterrupt: Bool
}

/// The endpoints of an interface, as the descriptors tell.
private struct Layout {
  var number: UInt8 = 0
  var input: USBEndpoint?
  var output: USBEndpoint?

  /// The first interface of this class. A human interface device needs an endpoint each way; nil without. Where no
  /// interface says that it is the vendor's own, the first is: some firmwares say so only of the device.
  init?(of device: OpaquePointer, interfaceClass: UInt8) {
    var configuration: UnsafeMutablePointer<libusb_config_descriptor>?
    guard libusb_get_active_config_descriptor(device, &configuration) == 0, let configuration else { return nil }
    defer { libusb_free_config_descriptor(configuration) }
    let settings = UnsafeBufferPointer(
      start: configuration.pointee.interface, count: Int(configuration.pointee.bNumInterfaces)
    ).compactMap { $0.num_altsetting > 0 ? $0.altsetting?.pointee : nil }
    let isHuman = interfaceClass == UInt8(LIBUSB_CLASS_HID.rawValue)
    let found = settings.lazy.filter { $0.bInterfaceClass == interfaceClass }.map { Layout($0) }
      .first { !isHuman || ($0.input != nil && $0.output != nil) }
    guard let layout = found ?? (isHuman ? nil : settings.first.map { Layout($0) }) else { return nil }
    self = layout
  }

  private init(_ setting: libusb_interface_descriptor) {
    number = setting.bInterfaceNumber
    for endpoint in UnsafeBufferPointer(start: setting.endpoint, count: Int(setting.bNumEndpoints)) {
      let kind = endpoint.bmAttributes & 3
      guard kind == 2 || kind == 3 else { continue }
      let found = USBEndpoint(
        address: endpoint.bEndpointAddress, packetSize: Int(endpoint.wMaxPacketSize & 0x7FF), isInterrupt: kind == 3)
      if found.address & 0x80 != 0 {
        input = Self.preferred(input, found)
      } else {
        output = Self.preferred(output, found)
      }
    }
  }

  /// Data goes over the bulk endpoint where an interface has an interrupt endpoint too.
  private static func preferred(_ known: USBEndpoint?, _ new: USBEndpoint) -> USBEndpoint {
    guard let known else { return new }
    return known.isInterrupt && !new.isInterrupt ? new : known
  }
}
#endif
