import CUMockdev
import Glibc
import Synchronization

/// A small world of /sys and /dev with emulated USB devices in it. Only programs started with its `environment` see
/// it; in them the real libusb finds, claims and talks to the devices.
public final class USBTestbed: @unchecked Sendable {
  private let testbed: UnsafeMutablePointer<UMockdevTestbed>
  private let root: String
  /// umockdev keeps the current folder in the environment, which is not safe to change from two threads.
  private static let creation = Mutex(())

  /// An empty world.
  public init() {
    (testbed, root) = Self.creation.withLock { _ in
      let testbed: UnsafeMutablePointer<UMockdevTestbed> = umockdev_testbed_new()
      let folder = umockdev_testbed_get_root_dir(testbed)
      defer { g_free(folder) }
      return (testbed, folder.map { String(cString: $0) } ?? "")
    }
  }

  deinit { Self.creation.withLock { _ in g_object_unref(testbed) } }

  /// The variables that make a program see this world.
  public var environment: [String: String] {
    ["UMOCKDEV_DIR": root, "LD_PRELOAD": "libumockdev-preload.so.0"]
  }

  /// Plugs a device in at a port of bus 1 and says so to whoever watches.
  public func plug(_ function: any USBFunction, port: Int = 1, address: Int = 2) -> EmulatedUSBDevice {
    let node = "bus/usb/001/" + Self.padded(address)
    let device = EmulatedUSBDevice(function, node: "/dev/" + node, systemPath: "/sys/devices/usb1/1-\(port)")
    attach(device, port: port, address: address, node: node)
    return device
  }

  private func attach(_ device: EmulatedUSBDevice, port: Int, address: Int, node: String) {
    umockdev_testbed_attach_ioctl(testbed, device.node, device.handler, nil)
    let identity = device.function.identity
    let hex = identity.descriptors.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    var text = """
      P: /devices/usb1/1-\(port)
      N: \(node)
      E: SUBSYSTEM=usb
      E: DEVTYPE=usb_device
      E: DEVNAME=/dev/\(node)
      E: BUSNUM=001
      E: DEVNUM=\(Self.padded(address))
      A: busnum=1\\n
      A: devnum=\(address)\\n
      A: devpath=\(port)\\n
      A: speed=12\\n
      A: bConfigurationValue=1\\n
      A: idVendor=\(Self.hex4(identity.vendor))\\n
      A: idProduct=\(Self.hex4(identity.product))\\n
      A: manufacturer=\(identity.manufacturer)\\n
      A: product=\(identity.name)\\n
      H: descriptors=\(hex)

      """
    if !identity.serial.isEmpty { text += "A: serial=\(identity.serial)\\n\n" }
    umockdev_testbed_add_from_string(testbed, text, nil)
    // poll(2) must see whether a transfer is done, which a plain file cannot show: a pseudo-terminal can.
    let file = "\(root)/dev/\(node)"
    unlink(file)
    symlink(device.line.name, file)
    umockdev_testbed_uevent(testbed, device.systemPath, "add")
  }

  /// Pulls the device out: transfers in flight fail, its node goes.
  public func unplug(_ device: EmulatedUSBDevice) {
    device.vanish()
    umockdev_testbed_uevent(testbed, device.systemPath, "remove")
    umockdev_testbed_remove_device(testbed, device.systemPath)
    umockdev_testbed_detach_ioctl(testbed, device.node, nil)
    unlink(root + device.node)
  }

  private static func padded(_ number: Int) -> String {
    String(repeating: "0", count: max(0, 3 - String(number).count)) + String(number)
  }

  private static func hex4(_ number: UInt16) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}
