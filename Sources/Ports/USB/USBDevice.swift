import Drivers
import Glibc
import LodestoneCore

#if USB
import CLibUSB
#endif

/// An attached USB device: what can be known without opening it.
public struct USBDevice: Equatable, Sendable {
  /// Vendor and product number.
  public var identifier: USBIdentifier
  /// Bus and ports, as the kernel writes them: `1-2.4`. Stays the same when the device is plugged in again there.
  public var path: String
  /// The node to open: `/dev/bus/usb/001/005`. Changes with each plugging.
  public var node: String
  /// The device's own strings, where it has them, without control characters.
  public var manufacturer: String?
  /// The product name that it reports.
  public var product: String?
  /// The serial number, which distinguishes it from others of its kind.
  public var serial: String?
}

#if USB
extension USBDevice {
  init(_ device: OpaquePointer, identifier: USBIdentifier) {
    self.identifier = identifier
    path = Self.path(of: device)
    node = Self.node(of: device)
    let folder = "/sys/bus/usb/devices/\(path)/"
    manufacturer = deviceText(folder + "manufacturer")
    product = deviceText(folder + "product")
    serial = deviceText(folder + "serial")
    if serial == nil { readStrings(device) }
  }

  /// Asks the device itself for its strings: sysfs is missing, or has none.
  private mutating func readStrings(_ device: OpaquePointer) {
    var descriptor = libusb_device_descriptor()
    guard libusb_get_device_descriptor(device, &descriptor) == 0,
      descriptor.iSerialNumber != 0 || descriptor.iProduct != 0 || descriptor.iManufacturer != 0
    else { return }
    var handle: OpaquePointer?
    guard libusb_open(device, &handle) == 0, let handle else { return }
    defer { libusb_close(handle) }
    manufacturer = manufacturer ?? Self.string(descriptor.iManufacturer, of: handle)
    product = product ?? Self.string(descriptor.iProduct, of: handle)
    serial = serial ?? Self.string(descriptor.iSerialNumber, of: handle)
  }

  private static func string(_ index: UInt8, of handle: OpaquePointer) -> String? {
    guard index != 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = libusb_get_string_descriptor_ascii(handle, index, &bytes, Int32(bytes.count))
    guard count > 0 else { return nil }
    let shown = String(decoding: bytes.prefix(Int(count)), as: UTF8.self).withoutHarmful
    return shown.isEmpty ? nil : shown
  }

  /// Bus and ports; of a root hub its bus and 0.
  static func path(of device: OpaquePointer) -> String {
    var ports = [UInt8](repeating: 0, count: 7)
    let depth = libusb_get_port_numbers(device, &ports, Int32(ports.count))
    let chain = depth > 0 ? ports.prefix(Int(depth)).map { String($0) }.joined(separator: ".") : "0"
    return "\(libusb_get_bus_number(device))-\(chain)"
  }

  /// The node that usbfs has for a device.
  static func node(of device: OpaquePointer) -> String {
    let bus = libusb_get_bus_number(device).padded(to: 3), address = libusb_get_device_address(device).padded(to: 3)
    return "/dev/bus/usb/\(bus)/\(address)"
  }
}
#endif
