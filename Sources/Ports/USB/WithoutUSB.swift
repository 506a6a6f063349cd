#if !USB
import Drivers
import Glibc

/// The USB devices of this machine, for a package without the trait USB: there are none.
public final class USBBus {
  /// False.
  public static var isInstalled: Bool { false }

  /// Throws: there is no libusb.
  public init() throws(PortError) {
    throw .system(path: "/dev/bus/usb", SystemError("built without the trait USB", code: ENOTSUP))
  }

  /// No devices.
  public func devices(where isWanted: (USBIdentifier) -> Bool) -> [USBDevice] { [] }

  func open(
    _ device: USBDevice, interfaceClass: UInt8, returningKernelDriver: Bool
  ) throws(PortError) -> any USBPipe { throw .notThere(path: device.node) }
}
#endif
