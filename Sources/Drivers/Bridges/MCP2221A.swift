import LodestoneCore

/// Microchip MCP2221 and MCP2221A: packets of 64 bytes each way, one answer to each command. The I²C engine works while
/// the host polls it. Sources: Microchip DS20005565 (section 3.1), Linux drivers/hid/hid-mcp2221.c, EasyMCP2221.
public struct MCP2221A: Bridge {
  /// The bridge's name in an address.
  public static let name = "mcp2221"
  /// The part with its letter.
  public static let otherNames = ["mcp2221a"]
  /// Microchip's default.
  public static let identifiers = [USBIdentifier(0x04D8, 0x00DD)]
  /// A human interface device beside a serial port that stays untouched.
  public static let interfaceClass: UInt8 = 0x03

  private enum Command {
    static let status: UInt8 = 0x10
    static let fetch: UInt8 = 0x40
    static let write: UInt8 = 0x90
    static let read: UInt8 = 0x91
    static let readRepeatedStart: UInt8 = 0x93
    static let writeNoStop: UInt8 = 0x94
  }

  /// States of the engine, in byte 8 of a status and byte 2 of a transfer's answer.
  private enum State {
    static let idle: UInt8 = 0x00
    static let startTimeout: UInt8 = 0x12
    static let repeatedStartTimeout: UInt8 = 0x17
    static let addressTimeout: UInt8 = 0x23
    static let addressRefused: UInt8 = 0x25
    static let writeTimeout: UInt8 = 0x44
    static let writtenNoStop: UInt8 = 0x45
    static let readTimeout: UInt8 = 0x52
    static let readPartial: UInt8 = 0x54
    static let readComplete: UInt8 = 0x55
    static let stopTimeout: UInt8 = 0x62
  }

  private static let packet = 64
  private static let chunk = 60
  /// Milliseconds that a packet may take. A command takes 2 ms; Linux gives it 4 s.
  private static let patience = 1000

  private let pipe: any USBPipe
  private let hertz: Int
  /// An answer was missed: whatever comes next may belong to an earlier command.
  private var isOutOfStep = true
  /// The engine has been given a transfer.
  private var hasTransferred = false
  /// The bus was held when it was last looked at.
  private var isStuck = false

  /// Frees the engine if it hangs in a transfer, and sets the clock, 47 ... 400 kHz: some parts start at 500 kHz.
  public init(pipe: any USBPipe, hertz: Int) throws(BusError) {
    self.pipe = pipe
    self.hertz = min(max(hertz, 47_000), 400_000)
    if try Status(status()).state != State.idle, try !recover() { throw .busStuck }
    try setClock()
  }

  /// START, address, bytes, STOP. Up to 65535 bytes; none at all the chip cannot send.
  public mutating func write(_ bytes: [UInt8], to address: UInt8) throws(BusError) {
    try send(bytes, to: address, command: Command.write, until: State.idle)
  }

  /// START, address, bytes from the chip, STOP. 1 ... 65535 bytes.
  public mutating func read(_ count: Int, from address: UInt8) throws(BusError) -> [UInt8] {
    try receive(count, from: address, command: Command.read)
  }

  /// A write with no STOP and a read that begins with a repeated START.
  public mutating func write(
    _ bytes: [UInt8], thenRead count: Int, at address: UInt8
  ) throws(BusError) -> [UInt8] {
    try Self.check(count)
    try send(bytes, to: address, command: Command.writeNoStop, until: State.writtenNoStop)
    return try receive(count, from: address, command: Command.readRepeatedStart)
  }

  /// Lets time pass.
  public mutating func wait(milliseconds: Double) { pipe.wait(milliseconds: milliseconds) }

  /// Resets the bridge by command 0x70, which is not answered.
  public static func reset(_ pipe: any USBPipe) -> Bool {
    let command: [UInt8] = [0x70, 0xAB, 0xCD, 0xEF]
    try? pipe.send(command + [UInt8](repeating: 0, count: packet - command.count), milliseconds: patience)
    return true
  }

  // MARK: - Transfers

  private mutating func send(
    _ bytes: [UInt8], to address: UInt8, command: UInt8, until end: UInt8
  ) throws(BusError) {
    try Self.check(bytes.count)
    try checkFree()
    let header = Self.header(command, bytes.count, address << 1)
    for start in stride(from: 0, to: bytes.count, by: Self.chunk) {
      try submit(header + bytes[start..<min(start + Self.chunk, bytes.count)], for: address)
    }
    for _ in 0..<polls(bytes.count) {
      let status = try Status(status())
      if status.state == end { return }
      if let error = Self.failure(status.state, address) { throw try recovered(from: error) }
      pipe.wait(milliseconds: 1)
    }
    throw try recovered(from: .timeout)
  }

  private mutating func receive(_ count: Int, from address: UInt8, command: UInt8) throws(BusError) -> [UInt8] {
    try Self.check(count)
    try checkFree()
    try submit(Self.header(command, count, address << 1 | 1), for: address)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for _ in 0..<polls(count) {
      let answer = try ask([Command.fetch])
      let state = answer[2], length = Int(answer[3])
      if let error = Self.failure(state, address) { throw try recovered(from: error) }
      guard answer[1] == 0, state == State.readPartial || state == State.readComplete else {
        pipe.wait(milliseconds: 1)
        continue
      }
      guard length <= Self.chunk, bytes.count + length <= count else {
        throw try recovered(from: .protocolViolation("a packet of \(length) bytes, \(bytes.count) of \(count) read"))
      }
      bytes += answer[4..<(4 + length)]
      if bytes.count == count { return bytes }
      guard state == State.readPartial else {
        throw try recovered(from: .protocolViolation("\(bytes.count) bytes instead of \(count)"))
      }
    }
    // The answers did not tell; perhaps the engine's state does.
    let state = try Status(status()).state
    throw try recovered(from: Self.failure(state, address) ?? .timeout)
  }

  /// Gives the engine a command, again while it is still at the last one.
  private mutating func submit(_ command: [UInt8], for address: UInt8) throws(BusError) {
    for _ in 0..<polls(Self.chunk) {
      let answer = try ask(command)
      hasTransferred = true
      if answer[1] == 0 { return }
      if let error = Self.failure(answer[2], address) { throw try recovered(from: error) }
      pipe.wait(milliseconds: 1)
    }
    throw try recovered(from: .timeout)
  }

  /// The number of polls, a millisecond or more apart, after which a transfer of `byteCount` bytes counts as hung.
  private func polls(_ byteCount: Int) -> Int { 50 + 20_000 * (byteCount + 2) / hertz }

  private static func header(_ command: UInt8, _ count: Int, _ address: UInt8) -> [UInt8] {
    [command, UInt8(count & 0xFF), UInt8(count >> 8), address]
  }

  private static func check(_ count: Int) throws(BusError) {
    guard 1...65535 ~= count else {
      throw .unsupported("\(count) bytes in one transfer; the MCP2221A takes 1 to 65535")
    }
  }

  /// The error when the engine stays in a state; nil for other states. Waiting for the address (0x21) is no answer yet.
  private static func failure(_ state: UInt8, _ address: UInt8) -> BusError? {
    switch state {
    case State.addressRefused, State.addressTimeout: .addressNotAcknowledged(address)
    case State.writeTimeout: .dataNotAcknowledged(address)
    case State.readTimeout: .timeout
    case State.startTimeout, State.repeatedStartTimeout, State.stopTimeout: .busStuck
    default: nil
    }
  }

  // MARK: - The engine

  /// The answer to a "status, set parameters" command (DS20005565, table 3-2).
  private struct Status {
    let state: UInt8
    /// Whether the engine has done a transfer: before the first it must not be cancelled, or it locks up until a reset.
    let hasBeenUsed: Bool
    let areLinesHigh: Bool

    init(_ answer: [UInt8]) {
      state = answer[8]
      hasBeenUsed = answer[21] != 0
      areLinesHigh = answer[22] != 0 && answer[23] != 0
    }

    var isFree: Bool { state == State.idle && areLinesHigh }
  }

  private mutating func status() throws(BusError) -> [UInt8] { try ask([Command.status]) }

  /// Cancels the engine after a failure: the next transfer would give wrong data. The error, or a stuck bus; a
  /// bus that was held and is free again was somebody else's.
  private mutating func recovered(from error: BusError) throws(BusError) -> BusError {
    isStuck = try !recover()
    if isStuck { return .busStuck }
    return error == .busStuck ? .arbitrationLost : error
  }

  /// Makes sure that no transfer still runs after a missed answer, nor its bytes wait to be fetched: the next one would
  /// get those.
  private mutating func checkFree() throws(BusError) {
    guard isStuck || isOutOfStep else { return }
    isStuck = try !recover()
    if isStuck { throw .busStuck }
  }

  /// Cancels until the engine is idle and both lines are high. The chip cannot clock a slave free by itself.
  private mutating func recover() throws(BusError) -> Bool {
    let now = try Status(status())
    guard now.hasBeenUsed || hasTransferred else { return now.isFree }
    for _ in 0..<3 {
      _ = try ask([Command.status, 0, 0x10])
      if try Status(status()).isFree { return true }
      pipe.wait(milliseconds: 10)
      if try Status(status()).isFree { return true }
    }
    return false
  }

  private mutating func setClock() throws(BusError) {
    let divider = UInt8(clamping: (12_000_000 + hertz - 1) / hertz - 3)
    for _ in 0..<3 {
      let answer = try ask([Command.status, 0, 0, 0x20, divider])
      if answer[3] == 0x20 { return }
      guard try recover() else { throw .busStuck }
    }
    throw .protocolViolation("the MCP2221A refuses a clock of \(hertz) Hz")
  }

  /// Sends one command, and returns its answer of 64 bytes, which begins with the command.
  private mutating func ask(_ command: [UInt8]) throws(BusError) -> [UInt8] {
    if isOutOfStep { try pipe.drain() }
    isOutOfStep = true
    try pipe.send(
      command + [UInt8](repeating: 0, count: max(0, Self.packet - command.count)), milliseconds: Self.patience)
    let answer = try pipe.receive(Self.packet, milliseconds: Self.patience)
    guard answer.count == Self.packet, answer[0] == command[0] else {
      throw .protocolViolation(
        "the MCP2221A answered \(answer.prefix(4).hexadecimal) to \(command.prefix(4).hexadecimal)")
    }
    isOutOfStep = false
    return answer
  }
}
