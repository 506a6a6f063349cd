#if USB
import CLibUSB
import Glibc

/// libusb's result codes, and what they mean for a port and for a bus.
enum USBError {
  static let timeout = LIBUSB_ERROR_TIMEOUT.rawValue
  static let stall = LIBUSB_ERROR_PIPE.rawValue
  static let noDevice = LIBUSB_ERROR_NO_DEVICE.rawValue
  static let notFound = LIBUSB_ERROR_NOT_FOUND.rawValue
  static let access = LIBUSB_ERROR_ACCESS.rawValue
  static let busy = LIBUSB_ERROR_BUSY.rawValue
  static let inputOutput = LIBUSB_ERROR_IO.rawValue

  /// A code in libusb's words.
  static func text(_ code: Int32) -> String {
    guard let text = libusb_strerror(code) else { return "USB error \(code)" }
    return String(cString: text)
  }

  /// Why the device at `node` could not be opened or claimed.
  static func opening(_ node: String, call: String, code: Int32) -> PortError {
    switch code {
    case access:
      guard let access = NodeAccess(path: node) else { return .gone(path: node) }
      return .notPermitted(path: node, access: access)
    case busy: return .busy(path: node, heldBy: Holder.all(of: node))
    case noDevice, notFound: return .gone(path: node)
    default: return .system(path: node, SystemError(call, code: systemCode(code)))
    }
  }

  /// The nearest errno.
  private static func systemCode(_ code: Int32) -> Int32 {
    switch code {
    case timeout: ETIMEDOUT
    case stall: EPIPE
    case LIBUSB_ERROR_NO_MEM.rawValue: ENOMEM
    case LIBUSB_ERROR_NOT_SUPPORTED.rawValue: ENOTSUP
    case LIBUSB_ERROR_INVALID_PARAM.rawValue: EINVAL
    case LIBUSB_ERROR_INTERRUPTED.rawValue: EINTR
    default: EIO
    }
  }
}
#endif
