import LodestoneCore

/// FTDI FT232H, FT2232H and FT4232H: the serial engine MPSSE plays I²C on AD0 (SCL) and AD1 with AD2 (SDA), which are
/// to be joined outside. A whole transfer is one buffer of opcodes, sent at once, its results read afterwards: one
/// round trip. Sources: FTDI AN_108 (opcodes), AN_255 (set-up), eblot/pyftdi i2c.py.
public struct FT232H: Bridge {
  /// The bridge's name in an address.
  public static let name = "ft232h"
  /// The sister chips with more channels, of which the first is used.
  public static let otherNames = ["ft2232h", "ft4232h"]
  /// FT232H, FT2232H, FT4232H.
  public static let identifiers = [0x6014, 0x6010, 0x6011].map { USBIdentifier(0x0403, $0) }
  /// The vendor's own.
  public static let interfaceClass: UInt8 = 0xFF
  /// A serial port, or a programmer of memories, as likely as a bridge.
  public static let isGeneric = true

  private static let longestTransfer = 65_280
  /// The number of results that may pile up before they are fetched: well below the chip's buffer of 1024.
  private static let resultsAtOnce = 64
  private static let patience = 1000

  private let pipe: any USBPipe
  private let code: MPSSE
  private var isOutOfStep = false

  /// Turns the engine on and checks that it answers, sets three-phase clocking and the clock, 1 kHz ... 1 MHz.
  public init(pipe: any USBPipe, hertz: Int) throws(BusError) {
    self.pipe = pipe
    let hertz = min(max(hertz, 1000), 1_000_000)
    let drivesZeroOnly = pipe.identifier.product == 0x6014
    code = MPSSE(hertz: hertz, drivesZeroOnly: drivesZeroOnly)
    try configurePort()
    for bogus: UInt8 in [0xAA, 0xAB] {
      try pipe.send([bogus], milliseconds: Self.patience)
      let answer = try receive(2)
      guard answer == [0xFA, bogus] else {
        throw .protocolViolation("the MPSSE answered \(answer.hexadecimal) to the bogus opcode \([bogus].hexadecimal)")
      }
    }
    try pipe.send(code.setup, milliseconds: Self.patience)
  }

  /// START, address, bytes, STOP.
  public mutating func write(_ bytes: [UInt8], to address: UInt8) throws(BusError) {
    try Self.check(bytes.count)
    _ = try transfer(bytes, 0, address)
  }

  /// START, address, bytes from the chip, STOP.
  public mutating func read(_ count: Int, from address: UInt8) throws(BusError) -> [UInt8] {
    try Self.check(count)
    return try transfer([], count, address)
  }

  /// A write, a repeated START, a read, STOP.
  public mutating func write(
    _ bytes: [UInt8], thenRead count: Int, at address: UInt8
  ) throws(BusError) -> [UInt8] {
    try Self.check(bytes.count)
    try Self.check(count)
    return try transfer(bytes, count, address)
  }

  /// Lets time pass.
  public mutating func wait(milliseconds: Double) { pipe.wait(milliseconds: milliseconds) }

  private static func check(_ count: Int) throws(BusError) {
    guard 1...longestTransfer ~= count else {
      throw .unsupported("\(count) bytes in one transfer; the FT232H is given 1 to \(longestTransfer)")
    }
  }

  // MARK: - Transfers

  /// A transfer; where the bus is held low, it is freed, and the transfer is done once more.
  private mutating func transfer(_ bytes: [UInt8], _ count: Int, _ address: UInt8) throws(BusError) -> [UInt8] {
    if isOutOfStep { try synchronize() }
    do {
      return try attempt(bytes, count, address)
    } catch {
      guard error == .busStuck, try free() else { throw error }
    }
    return try attempt(bytes, count, address)
  }

  /// The lines are looked at first: with SDA held low every address would seem to be acknowledged.
  private mutating func attempt(_ bytes: [UInt8], _ count: Int, _ address: UInt8) throws(BusError) -> [UInt8] {
    var run = Run(code)
    run.readLines()
    if !bytes.isEmpty {
      run.start()
      run.write(address << 1, .address)
      for byte in bytes {
        run.write(byte, .data)
        if run.results.count >= Self.resultsAtOnce, let failure = try perform(&run, address) { throw failure }
      }
    }
    if count > 0 {
      if bytes.isEmpty { run.start() } else { run.repeatStart() }
      run.write(address << 1 | 1, .address)
      for index in 1...count {
        run.read(isLast: index == count)
        if run.results.count >= Self.resultsAtOnce, let failure = try perform(&run, address) { throw failure }
      }
    }
    run.stop()
    // A line that fell low in between makes zeros that everybody acknowledges.
    run.settle()
    run.readLines()
    if let failure = try perform(&run, address) { throw failure }
    return run.bytes
  }

  /// Plays what has gathered and reads its results. What went wrong, after a STOP.
  private mutating func perform(_ run: inout Run, _ address: UInt8) throws(BusError) -> BusError? {
    isOutOfStep = true
    try pipe.send(run.opcodes + [MPSSE.sendImmediate], milliseconds: Self.patience)
    let answer = try receive(run.results.count)
    guard let failure = run.take(answer, address) else {
      isOutOfStep = false
      return nil
    }
    var end = Run(code)
    end.stop()
    try pipe.send(end.opcodes, milliseconds: Self.patience)
    isOutOfStep = false
    return failure
  }

  /// Nine clocks with SDA released, and a STOP; whether both lines are high then.
  private mutating func free() throws(BusError) -> Bool {
    var run = Run(code)
    for _ in 0..<9 { run.clock() }
    run.start()
    run.stop()
    run.settle()
    run.readLines()
    isOutOfStep = true
    try pipe.send(run.opcodes + [MPSSE.sendImmediate], milliseconds: Self.patience)
    let isFree = MPSSE.areHigh(try receive(1)[0])
    isOutOfStep = false
    return isFree
  }

  // MARK: - The port

  private func configurePort() throws(BusError) {
    try control(0x00, 0)  // reset
    try control(0x09, 16)  // latency timer in ms
    try control(0x0B, 0x0000)  // bit mode: reset
    try control(0x00, 1)  // purge what was received
    try control(0x00, 2)  // purge what is to be sent
    try control(0x06, 0)  // no event character
    try control(0x07, 0)  // no error character
    try control(0x0B, 0x0200)  // bit mode: MPSSE, all pins inputs
    pipe.wait(milliseconds: 50)
    try purge()
  }

  private func control(_ request: UInt8, _ value: UInt16) throws(BusError) {
    let request = USBRequest(
      type: 0x40, request: request, value: value, index: UInt16(pipe.interfaceNumber) + 1)
    try pipe.control(request, sending: [], milliseconds: Self.patience)
  }

  private mutating func synchronize() throws(BusError) {
    try control(0x00, 1)
    try control(0x00, 2)
    try purge()
    var run = Run(code)
    run.stop()
    try pipe.send(run.opcodes, milliseconds: Self.patience)
    isOutOfStep = false
  }

  /// Reads until a packet brings only the modem's status.
  private func purge() throws(BusError) {
    for _ in 0..<32 {
      do {
        if try pipe.receive(packetSize, milliseconds: 5).count <= 2 { return }
      } catch {
        guard error == .timeout else { throw error }
        return
      }
    }
  }

  private var packetSize: Int { max(pipe.packetSize, 3) }

  /// Reads `count` result bytes. Every packet begins with two bytes of modem status; where there is nothing to send,
  /// one with these alone comes at each tick of the latency timer.
  private func receive(_ count: Int) throws(BusError) -> [UInt8] {
    var results: [UInt8] = []
    var emptyPackets = 0
    while results.count < count, emptyPackets < 64 {
      let left = count - results.count
      let packets = (left + packetSize - 3) / (packetSize - 2)
      let received = try pipe.receive(packets * packetSize, milliseconds: Self.patience)
      let before = results.count
      for start in stride(from: 0, to: received.count, by: packetSize) {
        results += received[start..<min(start + packetSize, received.count)].dropFirst(2)
      }
      if results.count == before { emptyPackets += 1 }
    }
    guard results.count >= count else { throw .timeout }
    guard results.count == count else {
      throw .protocolViolation("the FT232H sent \(results.count) results instead of \(count)")
    }
    return results
  }
}

/// The kind of a result byte.
private enum FT232HResult {
  case lines, address, data, read
}

/// A buffer of opcodes in the making, and what results they will have.
private struct Run {
  private(set) var opcodes: [UInt8] = []
  private(set) var results: [FT232HResult] = []
  /// The data bytes read so far.
  private(set) var bytes: [UInt8] = []
  private let code: MPSSE

  init(_ code: MPSSE) {
    self.code = code
    opcodes.reserveCapacity(512)
  }

  mutating func readLines() {
    opcodes.append(MPSSE.readPins)
    results.append(.lines)
  }

  mutating func start() { opcodes += code.start }
  mutating func repeatStart() { opcodes += code.repeatedStart }
  mutating func stop() { opcodes += code.stop }
  mutating func clock() { opcodes += code.clock }
  /// Lets both lines rise.
  mutating func settle() { opcodes += code.settle }

  mutating func write(_ byte: UInt8, _ kind: FT232HResult) {
    opcodes += [0x11, 0, 0, byte]
    opcodes += code.acknowledgement
    results.append(kind)
  }

  mutating func read(isLast: Bool) {
    opcodes += isLast ? code.readLast : code.readMore
    results.append(.read)
  }

  /// Sorts the results; the first that tells of a failure wins. Then the buffer is empty.
  mutating func take(_ answer: [UInt8], _ address: UInt8) -> BusError? {
    var failure: BusError?
    for (kind, byte) in zip(results, answer) {
      let found: BusError?
      switch kind {
      case .lines: found = MPSSE.areHigh(byte) ? nil : .busStuck
      case .address: found = byte & 1 == 0 ? nil : .addressNotAcknowledged(address)
      case .data: found = byte & 1 == 0 ? nil : .dataNotAcknowledged(address)
      case .read:
        found = nil
        bytes.append(byte)
      }
      failure = failure ?? found
    }
    opcodes.removeAll(keepingCapacity: true)
    results.removeAll(keepingCapacity: true)
    return failure
  }
}

/// The building blocks of I²C in opcodes of the MPSSE. Pins: bit 0 SCL, bit 1 SDA out, bit 2 SDA in.
private struct MPSSE {
  static let sendImmediate: UInt8 = 0x87
  static let readPins: UInt8 = 0x81

  let setup: [UInt8]
  let start: [UInt8]
  let repeatedStart: [UInt8]
  let stop: [UInt8]
  /// One pulse of SCL with SDA released.
  let clock: [UInt8]
  /// Both lines let go of, for as long as weak pull-ups take.
  let settle: [UInt8]
  /// Lets go of SDA and reads the acknowledgement.
  let acknowledgement: [UInt8]
  /// A byte in, acknowledged.
  let readMore: [UInt8]
  /// A byte in, not acknowledged.
  let readLast: [UInt8]

  static func areHigh(_ pins: UInt8) -> Bool { pins & 0b101 == 0b101 }

  /// Seconds that one "set pins" opcode takes at the least, as pyftdi measured it.
  private static let pinTime = 0.5e-6
  /// Seconds, more than a line of 100 pF takes to rise with pull-ups of 75 kΩ, those inside the chip.
  private static let riseTime = 10e-6

  private static func pins(_ value: UInt8, _ direction: UInt8, times: Int = 1) -> [UInt8] {
    Array(repeatElement([0x80, value, direction], count: times).joined())
  }

  init(hertz: Int, drivesZeroOnly: Bool) {
    // Set-up and hold times of START and STOP: 4.7 µs in standard mode, 1.3 µs and less in fast mode (UM10204, table
    // 10).
    let hold = hertz <= 100_000 ? 4.7e-6 : 1.3e-6
    let times = Int(hold / Self.pinTime) + 1
    // Three-phase clocking makes a bit last three half periods: 60 MHz / (2 (1 + d)) is 1.5 times the bus clock.
    let divisor = UInt16(clamping: (20_000_000 + hertz - 1) / hertz - 1)
    setup  // 60 MHz, no adaptive clocking, three phases, no loopback, the divisor.
    =
      [0x8A, 0x97, 0x8C, 0x85, 0x86, UInt8(divisor & 0xFF), UInt8(divisor >> 8)]
      // Drive SCL and SDA low only, where the part can.
      + (drivesZeroOnly ? [0x9E, 0x07, 0x00] : []) + Self.pins(0b11, 0b11) + [Self.sendImmediate]
    let falls = Self.pins(0b01, 0b11, times: times) + Self.pins(0b00, 0b11, times: times)
    start = Self.pins(0b11, 0b11, times: times) + falls
    repeatedStart = Self.pins(0b10, 0b11, times: times) + Self.pins(0b11, 0b11, times: times) + falls
    let idle =
      drivesZeroOnly ? Self.pins(0b11, 0b11, times: times) : Self.pins(0b11, 0b11, times: times) + Self.pins(0b11, 0)
    stop =
      Self.pins(0b10, 0b11, times: times) + Self.pins(0b00, 0b11, times: times) + Self.pins(0b01, 0b11, times: times)
      + idle
    settle = Self.pins(0b11, drivesZeroOnly ? 0b11 : 0, times: Int(Self.riseTime / Self.pinTime))
    clock =
      drivesZeroOnly
      ? Self.pins(0b10, 0b11, times: times) + Self.pins(0b11, 0b11, times: times)
      : Self.pins(0b00, 0b01, times: times) + Self.pins(0b01, 0b01, times: times)
    let letGo = drivesZeroOnly ? Self.pins(0b10, 0b11) : Self.pins(0b00, 0b01)
    let takeBack = drivesZeroOnly ? [] : Self.pins(0b10, 0b11)
    acknowledgement = letGo + [0x22, 0x00] + takeBack
    readMore = letGo + [0x20, 0, 0] + takeBack + [0x13, 0x00, 0x00] + Self.pins(drivesZeroOnly ? 0b10 : 0b00, 0b11)
    readLast = letGo + [0x20, 0, 0] + takeBack + [0x13, 0x00, 0xFF] + Self.pins(0b10, 0b11)
  }
}
