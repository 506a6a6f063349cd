import CUMockdev
import Glibc
import Synchronization

/// An I²C bus of the kernel behind `/dev/i2c-N` (linux/i2c-dev.h).
public final class EmulatedI2CAdapter: IoctlDevice, @unchecked Sendable {
  /// The node.
  public let node: String
  /// The name of the kernel's driver.
  public let name: String
  /// The bus behind it.
  public let bus: VirtualI2CBus
  private let number: Int
  private let functions: UInt64
  private let lock = Mutex(())
  private var slave: UInt8 = 0
  private var claimed: Set<UInt8> = []
  private var failure: Int32?

  /// I2C_FUNC_I2C with everything that SMBus can be made of.
  public static let everything: UInt64 = 0x0EFF_0009
  /// Bytes and words only.
  public static let bytesOnly: UInt64 = 0x006E_0000

  /// Bus `number` of the machine.
  public init(
    _ bus: VirtualI2CBus, number: Int = 1, name: String = "Synopsys DesignWare I2C adapter",
    functions: UInt64 = everything
  ) {
    self.bus = bus
    self.number = number
    self.name = name
    self.functions = functions
    node = "/dev/i2c-\(number)"
  }

  /// A driver of the kernel takes the chip at an address.
  public func claim(_ address: UInt8) { lock.withLock { _ in _ = claimed.insert(address) } }

  /// Every transfer fails with this errno; nil: none does.
  public func fail(_ code: Int32?) { lock.withLock { _ in failure = code } }

  /// The device in the form of umockdev-record.
  var record: String {
    """
    P: /devices/i2c-\(number)
    E: SUBSYSTEM=i2c-dev
    E: DEVNAME=\(node)
    A: name=\(name)\\n

    """
  }

  func answer(_ client: IoctlClient) -> Int32 {
    guard let argument = umockdev_ioctl_client_get_arg(client) else { return EFAULT }
    let request = umockdev_ioctl_client_get_request(client)
    return lock.withLock { _ in
      switch request {
      case 0x0703, 0x0706:
        slave = argument.bytes[0]
        return request == 0x0703 && claimed.contains(slave) ? EBUSY : 0
      case 0x0705: return tellFunctions(argument)
      case 0x0707: return failure ?? transfer(argument)
      case 0x0720: return failure ?? smbus(argument)
      default: return ENOTTY
      }
    }
  }

  private func tellFunctions(_ argument: UnsafeMutablePointer<UMockdevIoctlData>) -> Int32 {
    guard let data = umockdev_ioctl_data_resolve(argument, 0, 8, nil) else { return EFAULT }
    defer { umockdev_ioctl_data_unref(data) }
    data.write((0..<8).map { UInt8(functions >> (8 * UInt64($0)) & 0xFF) })
    return 0
  }

  /// I2C_RDWR: messages with a START each, a STOP after the last.
  private func transfer(_ argument: UnsafeMutablePointer<UMockdevIoctlData>) -> Int32 {
    guard functions & 1 != 0 else { return EOPNOTSUPP }
    guard let request = umockdev_ioctl_data_resolve(argument, 0, 16, nil) else { return EFAULT }
    defer { umockdev_ioctl_data_unref(request) }
    let count = Int(request.bytes[8])
    guard 1...42 ~= count, let messages = umockdev_ioctl_data_resolve(request, 0, gsize(16 * count), nil) else {
      return EINVAL
    }
    defer { umockdev_ioctl_data_unref(messages) }
    defer { bus.stop() }
    for index in 0..<count {
      let header = Array(messages.bytes[(16 * index)..<(16 * index + 8)])
      let length = Int(header[4]) | Int(header[5]) << 8
      guard length <= 8192 else { return EINVAL }
      guard let buffer = umockdev_ioctl_data_resolve(messages, gsize(16 * index + 8), gsize(length), nil) else {
        return EFAULT
      }
      defer { umockdev_ioctl_data_unref(buffer) }
      let reading = header[2] & 1 != 0
      guard bus.start(header[0], reading: reading) else { return ENXIO }
      if reading {
        buffer.write((0..<length).map { _ in bus.get() })
      } else {
        for byte in buffer.bytes where !bus.put(byte) { return EREMOTEIO }
      }
    }
    return 0
  }

  /// I2C_SMBUS: bytes, bytes of a register, and blocks of them.
  private func smbus(_ argument: UnsafeMutablePointer<UMockdevIoctlData>) -> Int32 {
    guard let request = umockdev_ioctl_data_resolve(argument, 0, 16, nil) else { return EFAULT }
    defer { umockdev_ioctl_data_unref(request) }
    let header = request.bytes
    let reading = header[0] == 1, register = header[1]
    guard let data = umockdev_ioctl_data_resolve(request, 8, 34, nil) else { return EFAULT }
    defer { umockdev_ioctl_data_unref(data) }
    let content = data.bytes
    defer { bus.stop() }
    switch (header[4], reading) {
    case (1, true):
      guard bus.start(slave, reading: true) else { return ENXIO }
      data.write([bus.get()])
      return 0
    case (1, false): return put([register])
    case (2, false): return put([register, content[0]])
    case (8, false):
      guard functions & 0x0800_0000 != 0 else { return EOPNOTSUPP }
      return put([register] + content[1...min(32, Int(content[0]))])
    case (2, true), (8, true):
      guard header[4] == 2 || functions & 0x0400_0000 != 0 else { return EOPNOTSUPP }
      let code = put([register])
      guard code == 0 else { return code }
      guard bus.start(slave, reading: true) else { return ENXIO }
      let count = header[4] == 2 ? 1 : min(32, Int(content[0]))
      let bytes = (0..<count).map { _ in bus.get() }
      data.write(header[4] == 2 ? bytes : [UInt8(count)] + bytes)
      return 0
    default: return EOPNOTSUPP
    }
  }

  private func put(_ bytes: [UInt8]) -> Int32 {
    guard bus.start(slave, reading: false) else { return ENXIO }
    for byte in bytes where !bus.put(byte) { return EREMOTEIO }
    return 0
  }
}

extension UnsafeMutablePointer where Pointee == UMockdevIoctlData {
  /// Changes the caller's memory from its start on.
  func write(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    var bytes = bytes
    umockdev_ioctl_data_update(self, 0, &bytes, Int32(bytes.count))
  }
}
