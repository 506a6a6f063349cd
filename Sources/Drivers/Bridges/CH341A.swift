/// WCH CH341A, CH341B and CH341T in I²C mode: a stream of packets of at most 32 bytes. It cannot wait for a stretched
/// clock, does not show the levels of the lines, and cannot free a stuck bus.
/// Sources: gschorcht/i2c-ch341-usb, frank-zago/ch341-i2c-spi-gpio, flashrom ch341a_spi.c.
public struct CH341A: Bridge {
  /// The bridge's name in an address.
  public static let name = "ch341a"
  /// The family and its other parts.
  public static let otherNames = ["ch341", "ch341b", "ch341t"]
  /// The numbers in I²C mode; 0x5523 is a serial port, 0x5584 a printer port.
  public static let identifiers = [USBIdentifier(0x1A86, 0x5512)]
  /// The vendor's own.
  public static let interfaceClass: UInt8 = 0xFF
  /// A serial port, or a programmer of memories, as likely as a bridge.
  public static let isGeneric = true

  private enum Stream {
    static let begin: UInt8 = 0xAA
    static let end: UInt8 = 0x00
    static let start: UInt8 = 0x74
    static let stop: UInt8 = 0x75
    static let speed: UInt8 = 0x60
    /// The command for output. With a count: that many bytes out. Without: one byte out, and a status byte back.
    static let output: UInt8 = 0x80
    /// The command for input. With a count: that many bytes in, each acknowledged. Without: one byte in, not
    /// acknowledged.
    static let input: UInt8 = 0xC0
    static let notAcknowledged: UInt8 = 0x80
  }

  private static let packet = 32
  /// Bytes between the first and the last byte of a packet.
  private static let room = 30
  /// The longest read: with a status byte it fills a packet of answers.
  private static let longestRead = 31
  private static let longestWrite = 4096
  private static let patience = 1000

  private let pipe: any USBPipe
  private var isOutOfStep = true

  /// Sets the highest of its speeds that is not above `hertz`: 20, 100, 400 or 750 kHz.
  public init(pipe: any USBPipe, hertz: Int) throws(BusError) {
    self.pipe = pipe
    let speeds = [100_000, 400_000, 750_000]
    let speed = UInt8(speeds.count { $0 <= hertz })
    try send([Stream.speed | speed])
  }

  /// START, address, bytes, STOP.
  public mutating func write(_ bytes: [UInt8], to address: UInt8) throws(BusError) {
    try Self.checkWrite(bytes.count)
    try put(bytes, to: address, stops: true)
  }

  /// Sends bytes, each so that its acknowledgement comes back; the STOP is left out where a repeated START follows.
  private mutating func put(_ bytes: [UInt8], to address: UInt8, stops: Bool) throws(BusError) {
    var commands = [Stream.start, Stream.output, address << 1]
    var expected = 1
    var sent = 0
    while true {
      while sent < bytes.count, commands.count + 2 <= Self.room {
        commands += [Stream.output, bytes[sent]]
        sent += 1
        expected += 1
      }
      let isLast = sent == bytes.count && (!stops || commands.count < Self.room)
      if isLast, stops { commands.append(Stream.stop) }
      let first = sent + 1 - expected
      let statuses = try exchange(commands, answerCount: expected)
      if let refused = statuses.firstIndex(where: { $0 & Stream.notAcknowledged != 0 }) {
        if !isLast || !stops { try release() }
        throw first + refused == 0 ? .addressNotAcknowledged(address) : .dataNotAcknowledged(address)
      }
      if isLast { return }
      (commands, expected) = ([], 0)
    }
  }

  /// START, address, 1 ... 31 bytes from the chip, STOP.
  public mutating func read(_ count: Int, from address: UInt8) throws(BusError) -> [UInt8] {
    try Self.checkRead(count)
    let answer = try exchange(Self.reading(count, from: address), answerCount: 1 + count)
    guard answer[0] & Stream.notAcknowledged == 0 else { throw .addressNotAcknowledged(address) }
    return Array(answer.dropFirst())
  }

  /// START, address, 1 ... 31 bytes in, STOP. It must end with a byte that is not acknowledged, or the bridge gets
  /// lost.
  private static func reading(_ count: Int, from address: UInt8) -> [UInt8] {
    let acknowledged = count > 1 ? [Stream.input | UInt8(count - 1)] : []
    return [Stream.start, Stream.output, address << 1 | 1] + acknowledged + [Stream.input, Stream.stop]
  }

  /// A write, a repeated START, up to 31 bytes: in one packet where both fit. The acknowledgements of the write come
  /// back too: a chip that has not taken the number of a register would answer with the content of another.
  public mutating func write(
    _ bytes: [UInt8], thenRead count: Int, at address: UInt8
  ) throws(BusError) -> [UInt8] {
    try Self.checkWrite(bytes.count)
    try Self.checkRead(count)
    let statuses = bytes.count + 2
    let commands = 1 + 2 * (bytes.count + 1) + Self.reading(count, from: address).count
    guard commands <= Self.room, statuses + count <= Self.packet else {
      try put(bytes, to: address, stops: false)
      return try read(count, from: address)
    }
    let writing = [Stream.start] + ([address << 1] + bytes).flatMap { [Stream.output, $0] }
    let answer = try exchange(writing + Self.reading(count, from: address), answerCount: statuses + count)
    guard let refused = answer.prefix(statuses).firstIndex(where: { $0 & Stream.notAcknowledged != 0 }) else {
      return Array(answer.dropFirst(statuses))
    }
    throw (1...bytes.count).contains(refused) ? .dataNotAcknowledged(address) : .addressNotAcknowledged(address)
  }

  /// Lets time pass.
  public mutating func wait(milliseconds: Double) { pipe.wait(milliseconds: milliseconds) }

  private static func checkWrite(_ count: Int) throws(BusError) {
    guard 1...longestWrite ~= count else {
      throw .unsupported("\(count) bytes in one write; the CH341A is given 1 to \(longestWrite)")
    }
  }

  private static func checkRead(_ count: Int) throws(BusError) {
    guard 1...longestRead ~= count else {
      throw .unsupported("\(count) bytes in one read; the CH341A takes 1 to \(longestRead)")
    }
  }

  // MARK: - Packets

  private func send(_ commands: [UInt8]) throws(BusError) {
    try pipe.send([Stream.begin] + commands + [Stream.end], milliseconds: Self.patience)
  }

  /// Sends a packet and takes the answers, which may come in pieces.
  private mutating func exchange(_ commands: [UInt8], answerCount: Int) throws(BusError) -> [UInt8] {
    try synchronize()
    isOutOfStep = true
    try send(commands)
    var answer: [UInt8] = []
    for _ in 0..<answerCount where answer.count < answerCount {
      answer += try pipe.receive(Self.packet, milliseconds: Self.patience)
    }
    guard answer.count == answerCount else {
      throw .protocolViolation("the CH341A sent \(answer.count) bytes instead of \(answerCount)")
    }
    isOutOfStep = false
    return answer
  }

  /// Begins anew after a missed answer: a STOP, and nothing left over.
  private mutating func synchronize() throws(BusError) {
    guard isOutOfStep else { return }
    try release()
    try pipe.drain()
    isOutOfStep = false
  }

  private func release() throws(BusError) { try send([Stream.stop]) }
}
