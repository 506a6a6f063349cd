import Drivers
import Support

/// Passes transfers on but for some, counted from 0, which time out.
struct FailingBus: I2CBus {
  private var bus: VirtualI2CBus
  /// Those that fail.
  var failing: Range<Int>
  private(set) var count = 0

  init(_ bus: VirtualI2CBus, failing: Range<Int>) { (self.bus, self.failing) = (bus, failing) }

  private mutating func step() throws(BusError) {
    defer { count += 1 }
    if failing.contains(count) { throw .timeout }
  }

  mutating func write(_ bytes: [UInt8], to address: UInt8) throws(BusError) {
    try step()
    try bus.write(bytes, to: address)
  }
  mutating func read(_ count: Int, from address: UInt8) throws(BusError) -> [UInt8] {
    try step()
    return try bus.read(count, from: address)
  }
  mutating func write(_ bytes: [UInt8], thenRead count: Int, at address: UInt8) throws(BusError) -> [UInt8] {
    try step()
    return try bus.write(bytes, thenRead: count, at: address)
  }
  mutating func wait(milliseconds: Double) { bus.wait(milliseconds: milliseconds) }
}
