import CUMockdev
import Glibc

/// One queued request of usbfs (struct usbdevfs_urb of linux/usbdevice_fs.h, 64 bit): a copy of the caller's, which is
/// written back when it is reaped.
final class URB {
  enum Kind: UInt8 {
    case isochronous, interrupt, control, bulk
  }

  /// The size of the struct without isochronous frames.
  static let size = 56
  private static let statusOffset = 4, lengthOffset = 28, bufferOffset = 16

  let kind: Kind
  let endpoint: UInt8
  /// The caller's bytes, or the room for those that come.
  let content: [UInt8]
  let address: UInt
  /// The struct, for the pointer that a reap returns.
  let data: UnsafeMutablePointer<UMockdevIoctlData>
  private let buffer: UnsafeMutablePointer<UMockdevIoctlData>?

  init?(_ argument: UnsafeMutablePointer<UMockdevIoctlData>) {
    guard let data = umockdev_ioctl_data_resolve(argument, 0, gsize(Self.size), nil) else { return nil }
    let bytes = data.bytes
    self.data = data
    address = UInt(data.pointee.client_addr)
    guard let kind = Kind(rawValue: bytes[0]) else { return nil }
    self.kind = kind
    endpoint = bytes[1]
    let length = Int(bytes[24]) | Int(bytes[25]) << 8 | Int(bytes[26]) << 16
    buffer =
      length > 0 ? umockdev_ioctl_data_resolve(data, gsize(Self.bufferOffset), gsize(length), nil) : nil
    content = buffer?.bytes ?? []
  }

  deinit {
    if let buffer { umockdev_ioctl_data_unref(buffer) }
    umockdev_ioctl_data_unref(data)
  }

  var isIn: Bool {
    kind == .control ? content.first.map { $0 & 0x80 != 0 } ?? false : endpoint & 0x80 != 0
  }

  /// Ends it with a negative errno or 0, and the bytes that moved: for IN requests with what they are.
  func finish(status: Int32, count: Int, bytes: [UInt8] = []) {
    if !bytes.isEmpty, let buffer {
      let header = kind == .control ? 8 : 0
      var bytes = bytes
      umockdev_ioctl_data_update(buffer, gsize(header), &bytes, Int32(bytes.count))
    }
    var code = Self.bytes(status), length = Self.bytes(Int32(count))
    umockdev_ioctl_data_update(data, gsize(Self.statusOffset), &code, 4)
    umockdev_ioctl_data_update(data, gsize(Self.lengthOffset), &length, 4)
  }

  private static func bytes(_ number: Int32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}

extension UnsafeMutablePointer where Pointee == UMockdevIoctlData {
  /// A copy of the caller's memory.
  var bytes: [UInt8] {
    guard let start = pointee.data else { return [] }
    return Array(UnsafeBufferPointer(start: start, count: Int(pointee.data_len)))
  }
}
