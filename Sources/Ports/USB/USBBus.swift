#if USB
import CLibUSB
import Drivers
import Glibc

/// The USB devices of this machine, through libusb. One is enough for a program; it owns libusb's context.
public final class USBBus {
  let context: OpaquePointer

  /// Whether libusb is installed.
  public static var isInstalled: Bool { libusb_load() }

  /// Loads libusb and starts it.
  public init() throws(PortError) {
    guard Self.isInstalled else { throw .libraryMissing(path: "USB bridges", package: "libusb-1.0-0") }
    var context: OpaquePointer?
    let code = Signals.blocked { libusb_init(&context) }  // it starts a thread
    guard code == 0, let context else { throw USBError.opening("/dev/bus/usb", call: "libusb_init", code: code) }
    self.context = context
  }

  deinit { libusb_exit(context) }

  /// The attached devices with a number that `isWanted`, in the order of their ports.
  public func devices(where isWanted: (USBIdentifier) -> Bool) -> [USBDevice] {
    withDeviceList { list in
      list.compactMap { pointer in
        guard let identifier = Self.identifier(of: pointer), isWanted(identifier) else { return nil }
        return USBDevice(pointer, identifier: identifier)
      }
    }.sorted { $0.path < $1.path }
  }

  /// Opens the first interface of this class of the device at the port of `device`, and takes it from the kernel's
  /// driver. Every other interface stays as it is.
  public func open(
    _ device: USBDevice, interfaceClass: UInt8, returningKernelDriver: Bool
  ) throws(PortError) -> USBInterface {
    let found = withDeviceList { list in
      list.first { USBDevice.path(of: $0) == device.path && Self.identifier(of: $0) == device.identifier }
        .map { libusb_ref_device($0) }
    }
    guard let pointer = found ?? nil else { throw .notThere(path: device.node) }
    defer { libusb_unref_device(pointer) }
    var device = device
    device.node = USBDevice.node(of: pointer)
    return try USBInterface(
      pointer, on: self, as: device, interfaceClass: interfaceClass, returningKernelDriver: returningKernelDriver)
  }

  private func withDeviceList<Result>(_ body: ([OpaquePointer]) -> Result) -> Result {
    var list: UnsafeMutablePointer<OpaquePointer?>?
    let count = libusb_get_device_list(context, &list)
    guard count > 0, let list else { return body([]) }
    defer { libusb_free_device_list(list, 1) }
    return body((0..<count).compactMap { list[$0] })
  }

  private static func identifier(of device: OpaquePointer) -> USBIdentifier? {
    var descriptor = libusb_device_descriptor()
    guard libusb_get_device_descriptor(device, &descriptor) == 0 else { return nil }
    return USBIdentifier(descriptor.idVendor, descriptor.idProduct)
  }
}
#endif
