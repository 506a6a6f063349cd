/// The FT232H (or FT2232H) with its MPSSE interpreted down to the levels of the pins: START and STOP are edges of SDA
/// while SCL is high, an acknowledgement is what SDA says when it is let go of.
public final class EmulatedFT232H: USBFunction {
  /// The bus behind it, on AD0, and AD1 joined with AD2.
  public let bus: VirtualI2CBus
  /// Who it says it is.
  public let identity: USBIdentity
  /// The bus clock in hertz that divisor and clocking make.
  public var busHertz: Double { 60e6 / (2 * (1 + Double(divisor))) / (isDividedBy5 ? 5 : 1) / (isThreePhase ? 1.5 : 1) }

  private static let packetSize = 512
  private let drivesZeroOnlyAtAll: Bool
  private var isMPSSE = false
  private var isThreePhase = false
  private var isDividedBy5 = true
  private var divisor: UInt16 = 0
  private var openDrain: UInt8 = 0
  private var value: UInt8 = 0
  private var direction: UInt8 = 0
  private var pending: [UInt8] = []
  private var results: [UInt8] = []
  private var owesEmptyPacket = false

  private enum Phase: Equatable {
    case idle
    case address
    case write
    case read
    /// A byte has been read; its acknowledgement is the master's next bit.
    case masterAcknowledges
    /// Nobody is concerned until the next START.
    case deaf
  }
  private var phase = Phase.idle
  /// The chip's bit at the next acknowledgement.
  private var acknowledges = false

  /// A bridge to `bus`. Product 0x6014 has open drains, 0x6010 has not.
  public init(_ bus: VirtualI2CBus, product: UInt16 = 0x6014, serial: String = "FT1ABCDE") {
    self.bus = bus
    drivesZeroOnlyAtAll = product == 0x6014
    identity = USBIdentity(
      vendor: 0x0403, product: product, manufacturer: "FTDI", name: "USB <-> Serial", serial: serial,
      interfaces: [
        .init(
          classCode: 0xFF,
          endpoints: [.init(0x81, kind: 2, packetSize: 512), .init(0x02, kind: 2, packetSize: 512)],
          kernelDriver: "ftdi_sio")
      ])
  }

  /// A serial port.
  public func powerUp() {
    (isMPSSE, isThreePhase, isDividedBy5, divisor, openDrain) = (false, false, true, 0, 0)
    (value, direction, pending, results, phase) = (0, 0, [], [], .idle)
  }

  /// Vendor requests of the serial port.
  public func control(_ setup: USBSetup, _ data: [UInt8]) -> [UInt8]? {
    guard setup.type == 0x40, setup.index == 1 else { return nil }
    switch setup.request {
    case 0x00 where setup.value == 1: results = []
    case 0x00 where setup.value == 2: pending = []
    case 0x00, 0x06, 0x07, 0x09: break
    case 0x0B:
      isMPSSE = setup.value >> 8 == 2
      if !isMPSSE { (direction, openDrain) = (0, 0) }
    default: return nil
    }
    return []
  }

  /// Packets that begin with the modem's status; now and then one with nothing else, as the latency timer sends.
  public func send(limit: Int) -> [UInt8]? {
    guard !results.isEmpty else { return nil }
    guard !owesEmptyPacket else {
      owesEmptyPacket = false
      return [0x32, 0x60]
    }
    var transfer: [UInt8] = []
    while !results.isEmpty, transfer.count + 3 <= limit {
      let payload = results.prefix(Self.packetSize - 2)
      results.removeFirst(payload.count)
      transfer += [0x32, 0x60] + payload
    }
    owesEmptyPacket = true
    return transfer
  }

  /// Opcodes, in transfers cut anywhere.
  public func receive(_ bytes: [UInt8]) -> Bool {
    guard isMPSSE else { return true }
    pending += bytes
    var index = 0
    while index < pending.count, let length = length(at: index), index + length <= pending.count {
      execute(Array(pending[index..<(index + length)]))
      index += length
    }
    pending.removeFirst(index)
    return true
  }

  // MARK: - Opcodes (AN_108)

  private func length(at index: Int) -> Int? {
    switch pending[index] {
    case 0x80, 0x82, 0x86, 0x9E, 0x13, 0x20: return 3
    case 0x22: return 2
    case 0x11:
      guard index + 2 < pending.count else { return nil }
      return 4 + Int(pending[index + 1]) + Int(pending[index + 2]) << 8
    default: return 1
    }
  }

  private func execute(_ opcode: [UInt8]) {
    switch opcode[0] {
    case 0x80: setPins(opcode[1], opcode[2])
    case 0x81: results.append((isClockHigh ? 1 : 0) | (isDataHigh ? 0b110 : 0))
    case 0x82, 0x84, 0x85, 0x87, 0x96, 0x97: break
    case 0x83: results.append(0xFF)
    case 0x86: divisor = UInt16(opcode[1]) | UInt16(opcode[2]) << 8
    case 0x8A: isDividedBy5 = false
    case 0x8B: isDividedBy5 = true
    case 0x8C: isThreePhase = true
    case 0x8D: isThreePhase = false
    case 0x9E where drivesZeroOnlyAtAll: openDrain = opcode[1]
    case 0x11: for byte in opcode.dropFirst(3) { clockOut(byte) }
    case 0x13: acknowledge(opcode[2] & 0x80 == 0)
    case 0x20: for _ in 0...(Int(opcode[1]) | Int(opcode[2]) << 8) { results.append(clockIn()) }
    case 0x22: results.append(readAcknowledgement())
    default: results += [0xFA, opcode[0]]
    }
  }

  // MARK: - Pins

  /// The master's grip on a pin: it pulls it low, or lets it rise (or pushes it high, which looks the same).
  private func isLow(_ pin: UInt8) -> Bool { direction & pin != 0 && value & pin == 0 }
  private var isClockHigh: Bool { !isLow(1) && bus.isClockHigh }
  private var isDataHigh: Bool { !isLow(2) && bus.isDataHigh }
  /// Whether a chip could pull SDA low against the master.
  private var isDataReleased: Bool { direction & 2 == 0 || (value & 2 != 0 && openDrain & 2 != 0) }

  private func setPins(_ newValue: UInt8, _ newDirection: UInt8) {
    let before = (clock: isClockHigh, data: isDataHigh)
    (value, direction) = (newValue, newDirection)
    if !before.clock && isClockHigh && isDataReleased { bus.pulseClock() }
    guard before.clock, isClockHigh, before.data != isDataHigh else { return }
    if isDataHigh {
      bus.stop()
      phase = .idle
    } else {
      phase = .address
    }
  }

  // MARK: - Bytes; they begin with SCL low, or nobody understands them.

  private func clockOut(_ byte: UInt8) {
    // The last bit stays on SDA.
    value = value & ~2 | (byte & 1) << 1
    guard isThreePhase, isLow(1), direction & 2 != 0 else { return phase = .deaf }
    guard bus.isClockHigh, bus.isDataHigh else { return }
    switch phase {
    case .address:
      acknowledges = bus.start(byte >> 1, reading: byte & 1 != 0)
      phase = !acknowledges ? .deaf : byte & 1 != 0 ? .read : .write
    case .write: acknowledges = bus.put(byte)
    default: acknowledges = false
    }
  }

  private func readAcknowledgement() -> UInt8 {
    guard bus.isDataHigh else { return 0 }
    guard isDataReleased else { return isLow(2) ? 0 : 1 }
    defer { acknowledges = false }
    return acknowledges ? 0 : 1
  }

  private func clockIn() -> UInt8 {
    guard bus.isDataHigh, !isLow(2) else { return 0 }
    guard phase == .read, isDataReleased else { return 0xFF }
    phase = .masterAcknowledges
    return bus.get()
  }

  private func acknowledge(_ acknowledged: Bool) {
    value = value & ~2 | (acknowledged ? 0 : 2)
    if phase == .masterAcknowledges { phase = acknowledged ? .read : .deaf }
  }
}
