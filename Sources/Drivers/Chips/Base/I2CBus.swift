/// An I²C bus as a chip driver sees it: 7-bit addresses, right-aligned. Whoever provides one splits long transfers,
/// bounds every wait, and frees a stuck bus; the driver says what to transfer and never retries by itself.
public protocol I2CBus {
  /// START, address + W, bytes, STOP.
  mutating func write(_ bytes: [UInt8], to address: UInt8) throws(BusError)

  /// START, address + R, `count` bytes, STOP.
  mutating func read(_ count: Int, from address: UInt8) throws(BusError) -> [UInt8]

  /// START, address + W, bytes, repeated START, address + R, `count` bytes, STOP: how a register is read.
  mutating func write(_ bytes: [UInt8], thenRead count: Int, at address: UInt8) throws(BusError) -> [UInt8]

  /// Waits at least this long: the data sheet's own waits. A test's bus only notes it.
  mutating func wait(milliseconds: Double)
}

/// An error on the bus.
public enum BusError: Error, Equatable, Sendable {
  /// Nobody acknowledged the address: no chip there, or a chip asleep.
  case addressNotAcknowledged(UInt8)
  /// The chip stopped acknowledging in the middle of a write.
  case dataNotAcknowledged(UInt8)
  /// Another master, or a short circuit.
  case arbitrationLost
  /// SDA or SCL is held low, and nine clocks and a bridge reset did not free it.
  case busStuck
  /// The bridge did not answer in time.
  case timeout
  /// The bridge is gone.
  case disconnected
  /// The bridge cannot transfer so much at once, or cannot do this kind of transfer.
  case unsupported(String)
  /// The bridge answered what its protocol does not allow.
  case protocolViolation(String)
}

extension I2CBus {
  /// Reads `count` registers from `register` on, by a write of the number and a repeated start.
  public mutating func registers(_ register: UInt8, count: Int = 1, at address: UInt8) throws(BusError) -> [UInt8] {
    let bytes = try write([register], thenRead: count, at: address)
    guard bytes.count == count else { throw .protocolViolation("\(bytes.count) bytes instead of \(count)") }
    return bytes
  }
}
