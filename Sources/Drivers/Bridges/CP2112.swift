import LodestoneCore

/// Silicon Labs CP2112: reports of 64 bytes, the transfer running while the host asks for its status. There is no
/// number that joins an answer to its question, so after any failure the two are brought into step again.
/// Sources: Silicon Labs AN495, Linux drivers/hid/hid-cp2112.c, fboss CP2112.cpp.
public struct CP2112: Bridge {
  /// The bridge's name in an address.
  public static let name = "cp2112"
  /// The product, its evaluation kits.
  public static let identifiers = [0xEA90, 0xEA91, 0xEA93].map { USBIdentifier(0x10C4, $0) }
  /// A human interface device.
  public static let interfaceClass: UInt8 = 0x03

  private enum Report {
    static let reset: UInt8 = 0x01
    static let version: UInt8 = 0x05
    static let configuration: UInt8 = 0x06
    static let read: UInt8 = 0x10
    static let writeRead: UInt8 = 0x11
    static let force: UInt8 = 0x12
    static let data: UInt8 = 0x13
    static let write: UInt8 = 0x14
    static let askStatus: UInt8 = 0x15
    static let status: UInt8 = 0x16
    static let cancel: UInt8 = 0x17
  }

  /// Byte 1 of a status or data report.
  private enum Outcome {
    static let idle: UInt8 = 0
    static let busy: UInt8 = 1
    static let complete: UInt8 = 2
    static let failed: UInt8 = 3
  }

  private static let packet = 64
  private static let longestWrite = 61
  private static let longestRead = 512
  private static let longestWriteBeforeRead = 16
  private static let patience = 1000

  private let pipe: any USBPipe
  private let hertz: Int
  /// Silicon of version 1 puts a STOP where the repeated START belongs.
  private let repeatsStart: Bool
  private var isOutOfStep = true

  /// Sets the clock, 10 ... 400 kHz; one retry, because none cannot be said; a reset of the bus where SCL stays low for
  /// 25 ms; and no reading ahead, which spoils the first byte.
  public init(pipe: any USBPipe, hertz: Int) throws(BusError) {
    self.pipe = pipe
    self.hertz = min(max(hertz, 10_000), 400_000)
    let version = try Self.feature(Report.version, count: 3, of: pipe)
    guard version[1] == 0x0C else { throw .protocolViolation("the CP2112 says it is part \(version.hexadecimal)") }
    repeatsStart = version[2] >= 2
    var configuration = try Self.feature(Report.configuration, count: 14, of: pipe)
    let rate = UInt32(self.hertz)
    let bytes = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: rate >> $0) }
    configuration.replaceSubrange(1...4, with: bytes)
    configuration[6] = 0
    configuration[11] = 1
    configuration.replaceSubrange(12...13, with: [0, 1])
    try pipe.control(
      USBRequest(
        type: 0x21, request: 0x09, value: 0x0300 | UInt16(Report.configuration), index: UInt16(pipe.interfaceNumber)),
      sending: configuration, milliseconds: Self.patience)
  }

  /// START, address, 1 ... 61 bytes, STOP.
  public mutating func write(_ bytes: [UInt8], to address: UInt8) throws(BusError) {
    try Self.check(bytes.count, atMost: Self.longestWrite)
    try run([Report.write, address << 1, UInt8(bytes.count)] + bytes, at: address, byteCount: bytes.count)
  }

  /// START, address, 1 ... 512 bytes from the chip, STOP.
  public mutating func read(_ count: Int, from address: UInt8) throws(BusError) -> [UInt8] {
    try Self.check(count, atMost: Self.longestRead)
    let length = UInt16(count)
    try run([Report.read, address << 1, UInt8(length >> 8), UInt8(length & 0xFF)], at: address, byteCount: count)
    return try collect(count)
  }

  /// Writes up to 16 bytes, and reads up to 512 after a repeated START.
  public mutating func write(
    _ bytes: [UInt8], thenRead count: Int, at address: UInt8
  ) throws(BusError) -> [UInt8] {
    guard repeatsStart else { throw .unsupported("version 1 of the CP2112 has no repeated START") }
    try Self.check(bytes.count, atMost: Self.longestWriteBeforeRead)
    try Self.check(count, atMost: Self.longestRead)
    let length = UInt16(count)
    let header = [Report.writeRead, address << 1, UInt8(length >> 8), UInt8(length & 0xFF), UInt8(bytes.count)]
    try run(header + bytes, at: address, byteCount: bytes.count + count)
    return try collect(count)
  }

  /// Lets time pass.
  public mutating func wait(milliseconds: Double) { pipe.wait(milliseconds: milliseconds) }

  /// Resets the bridge by report 1: it leaves the bus and comes back.
  public static func reset(_ pipe: any USBPipe) -> Bool {
    try? pipe.control(
      USBRequest(
        type: 0x21, request: 0x09, value: 0x0300 | UInt16(Report.reset), index: UInt16(pipe.interfaceNumber)),
      sending: [Report.reset, 1], milliseconds: patience)
    return true
  }

  // MARK: - Transfers

  private static func check(_ count: Int, atMost limit: Int) throws(BusError) {
    guard 1...limit ~= count else {
      throw .unsupported("\(count) bytes in one transfer; the CP2112 takes 1 to \(limit) here")
    }
  }

  /// Starts a transfer and waits until it is over.
  private mutating func run(_ report: [UInt8], at address: UInt8, byteCount: Int) throws(BusError) {
    if isOutOfStep { try synchronize() }
    isOutOfStep = true
    try send(report)
    for _ in 0..<(100 + 40_000 * (byteCount + 2) / hertz) {
      try send([Report.askStatus, 1])
      let status = try receive(Report.status, atLeast: 7)
      switch status[1] {
      case Outcome.complete:
        isOutOfStep = false
        return
      case Outcome.failed:
        let failure = Self.failure(status[2], address)
        // Nobody there is an orderly end: nothing is on the way.
        isOutOfStep = failure != .addressNotAcknowledged(address)
        throw failure
      case Outcome.idle, Outcome.busy: pipe.wait(milliseconds: 1)
      default: throw .protocolViolation("the CP2112 is in no state \(status.prefix(7).hexadecimal)")
      }
    }
    throw .timeout
  }

  /// Byte 2 of the status of a failed transfer.
  private static func failure(_ reason: UInt8, _ address: UInt8) -> BusError {
    switch reason {
    case 0: .addressNotAcknowledged(address)
    case 1: .busStuck
    case 2: .arbitrationLost
    case 3: .timeout
    case 4: .dataNotAcknowledged(address)
    default: .protocolViolation("the CP2112 failed with reason \(reason)")
    }
  }

  /// Fetches what a completed read has brought, at most 61 bytes at a time.
  private mutating func collect(_ count: Int) throws(BusError) -> [UInt8] {
    isOutOfStep = true
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var emptyAnswers = 0
    while bytes.count < count {
      let wanted = min(Self.longestWrite, count - bytes.count)
      try send([Report.force, 0, UInt8(wanted)])
      let answer = try receive(Report.data, atLeast: 3, notEmpty: true)
      let length = Int(answer[2])
      guard answer[1] != Outcome.failed, length <= wanted, answer.count >= 3 + length else {
        throw .protocolViolation("a data report \(answer.prefix(3).hexadecimal) where \(wanted) bytes were wanted")
      }
      bytes += answer[3..<(3 + length)]
      if length == 0 {
        emptyAnswers += 1
        guard emptyAnswers < 20 else { throw .timeout }
        pipe.wait(milliseconds: 1)
      }
    }
    isOutOfStep = false
    return bytes
  }

  // MARK: - Reports

  private func send(_ report: [UInt8]) throws(BusError) {
    try pipe.send(
      report + [UInt8](repeating: 0, count: max(0, Self.packet - report.count)), milliseconds: Self.patience)
  }

  /// The next report with this number. The empty data report that ends a stream may come at any time.
  private func receive(_ report: UInt8, atLeast count: Int, notEmpty: Bool = false) throws(BusError) -> [UInt8] {
    var empty: [UInt8]?
    for _ in 0..<16 {
      let answer: [UInt8]
      do {
        answer = try pipe.receive(Self.packet, milliseconds: empty == nil ? Self.patience : 50)
      } catch {
        if error == .timeout, let empty { return empty }
        throw error
      }
      guard answer.first == report, answer.count >= count else { continue }
      if notEmpty && answer[2] == 0 && empty == nil {
        empty = answer
        continue
      }
      return answer
    }
    throw .protocolViolation("the CP2112 does not send report \(report)")
  }

  /// Throws away what is on the way and ends a transfer that may still run.
  private mutating func synchronize() throws(BusError) {
    try pipe.drain()
    try send([Report.cancel, 1])
    try send([Report.askStatus, 1])
    _ = try receive(Report.status, atLeast: 7)
    isOutOfStep = false
  }

  private static func feature(_ report: UInt8, count: Int, of pipe: any USBPipe) throws(BusError) -> [UInt8] {
    let bytes = try pipe.control(
      USBRequest(type: 0xA1, request: 0x01, value: 0x0300 | UInt16(report), index: UInt16(pipe.interfaceNumber)),
      receiving: count, milliseconds: patience)
    guard bytes.count == count, bytes[0] == report else {
      throw .protocolViolation("the CP2112 sends \(bytes.hexadecimal) for feature report \(report)")
    }
    return bytes
  }
}
