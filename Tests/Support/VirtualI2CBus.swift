import Drivers

/// An emulated I²C bus with chips on it, down to single bytes: what an emulated bridge plays its transfers on. It is an
/// `I2CBus` too, so that a chip driver can be tried on a chip model with no bridge between.
public final class VirtualI2CBus: I2CBus {
  /// Events on the two lines as a master sees them.
  public enum Event: Equatable, Sendable {
    /// START and the address, acknowledged or not.
    case start(UInt8, reading: Bool, acknowledged: Bool)
    /// As `start`, with no STOP since the last one.
    case repeatedStart(UInt8, reading: Bool, acknowledged: Bool)
    /// A byte from the master.
    case wrote(UInt8, acknowledged: Bool)
    /// A byte from the chip.
    case read(UInt8)
    /// STOP.
    case stop
  }

  /// A fault that stays until it is taken away.
  public enum Fault: Equatable, Sendable {
    /// Nobody acknowledges.
    case silent
    /// This many bytes of each write are acknowledged, the next one is not.
    case dataNotAcknowledged(after: Int)
    /// A chip holds SDA low until the master has given so many clocks.
    case dataHeldLow(clocks: Int)
    /// SCL is held low for good.
    case clockHeldLow
    /// Another master wins each arbitration.
    case arbitrationLost
  }

  /// The chips by 7-bit address.
  public var chips: [UInt8: any VirtualChip] = [:]
  /// The fault in force.
  public var fault: Fault?
  /// The latest events, oldest first, at most `eventLimit`.
  public private(set) var events: [Event] = []
  /// The monotonic time in seconds that the chips live by. Nil: time passes only by `wait` and `advance`.
  public var clock: (() -> Double)?

  private static let eventLimit = 4096
  private var lastTime: Double?
  private var isOpen = false
  private var selected: (any VirtualChip)?
  private var isReading = false
  private var written: [UInt8] = []

  /// A bus with these chips.
  public init(_ chips: [UInt8: any VirtualChip] = [:], clock: (() -> Double)? = nil) {
    self.chips = chips
    self.clock = clock
  }

  /// Forgets the events so far.
  public func clearEvents() { events.removeAll(keepingCapacity: true) }

  /// Lets time pass for every chip.
  public func advance(by seconds: Double) {
    for chip in chips.values { chip.advance(by: seconds) }
  }

  // MARK: - The lines, as a bridge drives them

  /// Whether SDA can rise when the master lets go of it.
  public var isDataHigh: Bool {
    if case .dataHeldLow = fault { false } else { true }
  }

  /// Whether SCL can rise when the master lets go of it.
  public var isClockHigh: Bool { fault != .clockHeldLow }

  /// Nine clocks or fewer with SDA released, as a master gives them to free the bus.
  public func pulseClock(_ count: Int = 1) {
    guard case .dataHeldLow(let clocks) = fault else { return }
    fault = clocks > count ? .dataHeldLow(clocks: clocks - count) : nil
  }

  /// START or repeated START and an address byte; whether it is acknowledged.
  public func start(_ address: UInt8, reading: Bool) -> Bool {
    finishWrite()
    passTime()
    let chip = chips[address]
    let acknowledged = fault != .silent && (chip?.acknowledgesAddress ?? false)
    note(
      isOpen
        ? .repeatedStart(address, reading: reading, acknowledged: acknowledged)
        : .start(address, reading: reading, acknowledged: acknowledged))
    isOpen = true
    isReading = reading
    selected = acknowledged ? chip : nil
    selected?.start(reading: reading)
    return acknowledged
  }

  /// A byte to the chip; whether it is acknowledged.
  public func put(_ byte: UInt8) -> Bool {
    var acknowledged = selected != nil && !isReading
    if case .dataNotAcknowledged(let limit) = fault, written.count >= limit { acknowledged = false }
    note(.wrote(byte, acknowledged: acknowledged))
    if acknowledged { written.append(byte) }
    return acknowledged
  }

  /// A byte from the chip; all ones where none answers.
  public func get() -> UInt8 {
    let byte = isReading ? selected?.read(1).first ?? 0xFF : 0xFF
    note(.read(byte))
    return byte
  }

  /// STOP.
  public func stop() {
    finishWrite()
    if isOpen { note(.stop) }
    isOpen = false
    selected = nil
  }

  /// Hands the chip what was written to it; whether it took it all.
  @discardableResult private func finishWrite() -> Bool {
    guard !written.isEmpty, let selected else { return true }
    defer { written.removeAll(keepingCapacity: true) }
    return selected.write(written) == written.count
  }

  private func note(_ event: Event) {
    if events.count >= Self.eventLimit { events.removeFirst(Self.eventLimit / 2) }
    events.append(event)
  }

  private func passTime() {
    guard let now = clock?() else { return }
    if let lastTime { advance(by: now - lastTime) }
    lastTime = now
  }

  // MARK: - I2CBus

  /// START, address, bytes, STOP.
  public func write(_ bytes: [UInt8], to address: UInt8) throws(BusError) {
    defer { stop() }
    try send(bytes, to: address)
  }

  /// START, address, bytes from the chip, STOP.
  public func read(_ count: Int, from address: UInt8) throws(BusError) -> [UInt8] {
    defer { stop() }
    return try receive(count, from: address)
  }

  /// A write and a read with a repeated START between.
  public func write(_ bytes: [UInt8], thenRead count: Int, at address: UInt8) throws(BusError) -> [UInt8] {
    defer { stop() }
    try send(bytes, to: address)
    return try receive(count, from: address)
  }

  /// Time passes for the chips; nobody sleeps.
  public func wait(milliseconds: Double) { advance(by: milliseconds / 1000) }

  private func send(_ bytes: [UInt8], to address: UInt8) throws(BusError) {
    try checkLines()
    guard start(address, reading: false) else { throw .addressNotAcknowledged(address) }
    for byte in bytes {
      guard put(byte) else { throw .dataNotAcknowledged(address) }
    }
    guard finishWrite() else { throw .dataNotAcknowledged(address) }
  }

  private func receive(_ count: Int, from address: UInt8) throws(BusError) -> [UInt8] {
    try checkLines()
    guard start(address, reading: true) else { throw .addressNotAcknowledged(address) }
    return (0..<count).map { _ in get() }
  }

  private func checkLines() throws(BusError) {
    if fault == .arbitrationLost { throw .arbitrationLost }
    guard isDataHigh, isClockHigh else { throw .busStuck }
  }
}
