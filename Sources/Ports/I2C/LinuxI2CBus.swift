import CLinux
import Drivers
import Glibc

/// An I²C bus of the kernel, through i2c-dev. The kernel's driver bounds its waits and frees a stuck bus as far as its
/// hardware can. Adapters that know only SMBus get SMBus transfers, of at most 32 bytes.
/// Source: Linux Documentation/i2c/dev-interface.rst, fault-codes.rst.
public final class LinuxI2CBus: I2CBus {
  /// The node.
  public let path: String
  private let descriptor: Descriptor
  private let functions: UInt
  /// Whether the adapter's driver says "timed out" where nobody acknowledged.
  private let timesOutOnSilence: Bool
  /// Whether the adapter's driver says "input/output error" where nobody acknowledged.
  private let failsOnSilence: Bool
  /// Whether the adapter's driver does not listen for acknowledgements, and hands out ones where nobody drives the
  /// line.
  private let readsSilence: Bool
  private var checkedAddresses: Set<UInt8> = []

  /// The kernel copies no more in one message.
  private static let longestMessage = 8192
  private static let longestBlock = Int(I2C_SMBUS_BLOCK_MAX)
  /// The least count of bytes of nothing but ones that is no result of a chip: three axes take six.
  private static let fewestOnes = 6

  /// Opens a bus by its node.
  public init(path: String) throws(PortError) {
    self.path = path
    do {
      descriptor = try Descriptor(opening: path, flags: O_RDWR)
    } catch {
      throw PortError(opening: path, error)
    }
    var functions: UInt = 0
    let code = ioctl(descriptor.number, UInt(I2C_FUNCS), &functions)
    guard code >= 0 else { throw .notAFile(path: path, kind: NodeKind.at(path) ?? .unknown) }
    self.functions = functions
    let name = smallText("/sys/class/i2c-dev/\(lastComponent(path))/name") ?? ""
    timesOutOnSilence = name.contains("CP2112")
    failsOnSilence = name.contains("MCP2221")
    readsSilence = name.lowercased().contains("ch341")
  }

  /// START, address, bytes, STOP.
  public func write(_ bytes: [UInt8], to address: UInt8) throws(BusError) {
    try check(address, bytes.count)
    guard does(I2C_FUNC_I2C) else { return try smbusWrite(bytes, to: address) }
    _ = try transfer(bytes, 0, address)
  }

  /// START, address, bytes from the chip, STOP.
  public func read(_ count: Int, from address: UInt8) throws(BusError) -> [UInt8] {
    try check(address, count)
    guard does(I2C_FUNC_I2C) else { return try smbusRead(count, from: address) }
    return try transfer([], count, address)
  }

  /// A write, a repeated START, a read, STOP.
  public func write(_ bytes: [UInt8], thenRead count: Int, at address: UInt8) throws(BusError) -> [UInt8] {
    try check(address, bytes.count)
    try check(address, count)
    guard does(I2C_FUNC_I2C) else { return try smbusRegisters(bytes, count, at: address) }
    return try transfer(bytes, count, address)
  }

  /// Lets time pass.
  public func wait(milliseconds: Double) { pause(milliseconds: milliseconds) }

  private func does(_ function: Int32) -> Bool { functions & UInt(UInt32(bitPattern: function)) != 0 }

  /// A chip that a driver of the kernel has is not to be disturbed: asking for its address is refused.
  private func check(_ address: UInt8, _ count: Int) throws(BusError) {
    guard 1...Self.longestMessage ~= count else {
      throw .unsupported("\(count) bytes in one transfer; \(path) takes 1 to \(Self.longestMessage)")
    }
    if checkedAddresses.contains(address) { return }
    if ioctl(descriptor.number, UInt(I2C_SLAVE), CInt(address)) < 0, errno == EBUSY {
      throw .unsupported("a driver of the kernel has the chip at this address of \(path)")
    }
    checkedAddresses.insert(address)
  }

  // MARK: - I²C

  private func transfer(_ bytes: [UInt8], _ count: Int, _ address: UInt8) throws(BusError) -> [UInt8] {
    var bytes = bytes
    var answer = [UInt8](repeating: 0, count: count)
    let code = bytes.withUnsafeMutableBufferPointer { output in
      answer.withUnsafeMutableBufferPointer { input in
        var messages = [
          i2c_msg(addr: UInt16(address), flags: 0, len: UInt16(output.count), buf: output.baseAddress),
          i2c_msg(addr: UInt16(address), flags: UInt16(I2C_M_RD), len: UInt16(input.count), buf: input.baseAddress),
        ].filter { $0.len > 0 }
        return messages.withUnsafeMutableBufferPointer { list in
          var request = i2c_rdwr_ioctl_data(msgs: list.baseAddress, nmsgs: UInt32(list.count))
          return uninterrupted { ioctl(descriptor.number, UInt(I2C_RDWR), &request) }
        }
      }
    }
    guard code >= 0 else { throw failure(errno, address) }
    if readsSilence, count >= Self.fewestOnes, answer.allSatisfy({ $0 == 0xFF }) {
      throw .addressNotAcknowledged(address)
    }
    return answer
  }

  private func failure(_ code: Int32, _ address: UInt8) -> BusError {
    switch code {
    case ENXIO, EREMOTEIO: .addressNotAcknowledged(address)
    case ETIMEDOUT: timesOutOnSilence ? .addressNotAcknowledged(address) : .timeout
    case EAGAIN: .arbitrationLost
    case EBUSY: .busStuck
    case EIO where failsOnSilence: .addressNotAcknowledged(address)
    // i2c-stub says so of a chip that it does not have; a bus that has gone has lost its node too.
    case ENODEV where access(path, F_OK) == 0: .addressNotAcknowledged(address)
    case ENODEV, ESHUTDOWN, ENOENT: .disconnected
    case EOPNOTSUPP, EINVAL: .unsupported("\(path) cannot do this transfer")
    default: .protocolViolation(SystemError("transfer on \(path)", code: code).description)
    }
  }

  // MARK: - SMBus: a first byte is always the number of a register, or the only byte there is.

  private func smbusWrite(_ bytes: [UInt8], to address: UInt8) throws(BusError) {
    var data = i2c_smbus_data()
    let register = bytes[0], content = bytes.dropFirst()
    switch content.count {
    case 0: try smbus(.write, register, I2C_SMBUS_BYTE, &data, address)
    case 1:
      data.byte = bytes[1]
      try smbus(.write, register, I2C_SMBUS_BYTE_DATA, &data, address)
    case 2...Self.longestBlock where does(I2C_FUNC_SMBUS_WRITE_I2C_BLOCK):
      withUnsafeMutableBytes(of: &data) { $0.copyBytes(from: [UInt8(content.count)] + content) }
      try smbus(.write, register, I2C_SMBUS_I2C_BLOCK_DATA, &data, address)
    default: throw tooMuch(bytes.count)
    }
  }

  private func smbusRead(_ count: Int, from address: UInt8) throws(BusError) -> [UInt8] {
    guard count == 1 else { throw tooMuch(count) }
    var data = i2c_smbus_data()
    try smbus(.read, 0, I2C_SMBUS_BYTE, &data, address)
    return [data.byte]
  }

  private func smbusRegisters(_ bytes: [UInt8], _ count: Int, at address: UInt8) throws(BusError) -> [UInt8] {
    guard bytes.count == 1 else { throw tooMuch(bytes.count) }
    var data = i2c_smbus_data()
    switch count {
    case 1:
      try smbus(.read, bytes[0], I2C_SMBUS_BYTE_DATA, &data, address)
      return [data.byte]
    case 2...Self.longestBlock where does(I2C_FUNC_SMBUS_READ_I2C_BLOCK):
      withUnsafeMutableBytes(of: &data) { $0[0] = UInt8(count) }
      try smbus(.read, bytes[0], I2C_SMBUS_I2C_BLOCK_DATA, &data, address)
      let block = withUnsafeBytes(of: data) { Array($0) }
      guard Int(block[0]) == count else { throw .protocolViolation("\(block[0]) bytes instead of \(count)") }
      return Array(block[1...count])
    default: throw tooMuch(count)
    }
  }

  private func tooMuch(_ count: Int) -> BusError {
    .unsupported("\(count) bytes in one transfer; \(path) knows only SMBus")
  }

  private enum Direction: UInt8 {
    case write, read
  }

  private func smbus(
    _ direction: Direction, _ command: UInt8, _ size: Int32, _ data: inout i2c_smbus_data, _ address: UInt8
  ) throws(BusError) {
    guard ioctl(descriptor.number, UInt(I2C_SLAVE), CInt(address)) >= 0 else {
      throw failure(errno, address)
    }
    let code = withUnsafeMutablePointer(to: &data) { pointer in
      var request = i2c_smbus_ioctl_data(
        read_write: direction.rawValue, command: command, size: UInt32(size), data: pointer)
      return uninterrupted { ioctl(descriptor.number, UInt(I2C_SMBUS), &request) }
    }
    guard code >= 0 else { throw failure(errno, address) }
  }
}
