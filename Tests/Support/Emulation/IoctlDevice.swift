import CUMockdev
import Glibc

/// A program that has an emulated node open.
typealias IoctlClient = UnsafeMutablePointer<UMockdevIoctlClient>

/// A device node whose ioctl(2) calls are answered here. Called on a thread of umockdev's.
protocol IoctlDevice: AnyObject, Sendable {
  /// The node, as in `/dev/i2c-1`.
  var node: String { get }

  /// One call; 0, or the errno it fails with.
  func answer(_ client: IoctlClient) -> Int32
}

extension IoctlDevice {
  /// Answers for the node from now on. The testbed and the programs that have the node open keep the device.
  func attach(to testbed: UnsafeMutablePointer<UMockdevTestbed>) {
    let handler: UnsafeMutablePointer<UMockdevIoctlBase> = umockdev_ioctl_base_new()
    let call: @convention(c) (UnsafeMutablePointer<UMockdevIoctlBase>?, IoctlClient?, gpointer?) -> gboolean = {
      _, client, user in
      guard let client, let user else { return 0 }
      let code = Unmanaged<DeviceBox>.fromOpaque(user).takeUnretainedValue().device.answer(client)
      umockdev_ioctl_client_complete(client, code == 0 ? 0 : -1, code)
      return 1
    }
    g_signal_connect_data(
      handler, "handle-ioctl", unsafeBitCast(call, to: GCallback.self),
      Unmanaged.passRetained(DeviceBox(self)).toOpaque(),
      { user, _ in if let user { Unmanaged<DeviceBox>.fromOpaque(user).release() } }, GConnectFlags(rawValue: 0))
    umockdev_testbed_attach_ioctl(testbed, node, handler, nil)
    g_object_unref(handler)
  }
}

private final class DeviceBox {
  let device: any IoctlDevice
  init(_ device: any IoctlDevice) { self.device = device }
}
