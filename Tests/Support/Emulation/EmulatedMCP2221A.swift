/// The MCP2221A with its engine, which works on while the host polls and stays in the state that a failure left it in.
public final class EmulatedMCP2221A: USBFunction {
  /// The bus behind it.
  public let bus: VirtualI2CBus
  /// Who it says it is.
  public let identity: USBIdentity
  /// The last accepted divider: 12 MHz / (divider + 3) is the clock.
  public private(set) var divider: UInt8 = 0
  /// How often it was reset by command 0x70.
  public private(set) var resetCount = 0

  private let isFragile: Bool
  private var state: UInt8 = 0
  private var isUsed = false
  private var refused = false
  private var pollsUntilDone = 0
  private var stateWhenDone: UInt8 = 0
  private var written: (expected: Int, sent: Int) = (0, 0)
  private var isChunkOnTheWay = false
  private var readBuffer: [UInt8] = []
  private var readLength = 0
  private var answers: [[UInt8]] = []

  /// A bridge to `bus`.
  /// - Parameter isFragile: its engine locks up where it is cancelled before its first transfer. EasyMCP2221 says that
  ///   it can.
  public init(_ bus: VirtualI2CBus, serial: String = "0001234567", isFragile: Bool = true) {
    self.bus = bus
    self.isFragile = isFragile
    identity = USBIdentity(
      vendor: 0x04D8, product: 0x00DD, manufacturer: "Microchip Technology Inc.", name: "MCP2221 USB-I2C/UART Combo",
      serial: serial,
      interfaces: [
        .init(classCode: 0x02, endpoints: [.init(0x81, kind: 3, packetSize: 8)], kernelDriver: "cdc_acm"),
        .init(
          classCode: 0x0A,
          endpoints: [.init(0x02, kind: 2, packetSize: 16), .init(0x82, kind: 2, packetSize: 16)],
          kernelDriver: "cdc_acm"),
        .init(
          classCode: 0x03,
          endpoints: [.init(0x83, kind: 3, packetSize: 64), .init(0x03, kind: 3, packetSize: 64)],
          kernelDriver: "mcp2221", reports: Self.reports),
      ])
  }

  /// 64 bytes each way, without a number.
  private static let reports: [UInt8] = [
    0x06, 0x00, 0xFF, 0x09, 0x01, 0xA1, 0x01, 0x15, 0x00, 0x26, 0xFF, 0x00, 0x75, 0x08, 0x09, 0x02, 0x95, 0x40, 0x81,
    0x02, 0x09, 0x03, 0x95, 0x40, 0x91, 0x02, 0xC0,
  ]

  /// Everything as at power-up: some parts begin at 500 kHz.
  public func powerUp() {
    (state, isUsed, refused, pollsUntilDone, divider) = (0, false, false, 0, 21)
    (written, readBuffer, readLength, answers) = ((0, 0), [], 0, [])
  }

  /// Nothing of ours.
  public func control(_ setup: USBSetup, _ data: [UInt8]) -> [UInt8]? { nil }

  /// The answers in their order.
  public func send(limit: Int) -> [UInt8]? { answers.isEmpty ? nil : answers.removeFirst() }

  /// One command of 64 bytes.
  public func receive(_ bytes: [UInt8]) -> Bool {
    guard bytes.count == 64 else { return false }
    var answer = [UInt8](repeating: 0, count: 64)
    answer[0] = bytes[0]
    switch bytes[0] {
    case 0x10: status(bytes, &answer)
    case 0x40: fetch(&answer)
    case 0x90, 0x92, 0x94: write(bytes, &answer)
    case 0x91, 0x93: read(bytes, &answer)
    case 0x70:
      if bytes[1...3] == [0xAB, 0xCD, 0xEF] {
        powerUp()
        resetCount += 1
        return true
      }
    default: answer[1] = 1
    }
    answers.append(answer)
    return true
  }

  // MARK: - Commands

  private func status(_ command: [UInt8], _ answer: inout [UInt8]) {
    step()
    let isCancelled = command[2] == 0x10
    if isCancelled {
      answer[2] = state == 0 ? 0x11 : 0x10
      cancel()
    }
    if command[3] == 0x20 {
      answer[3] = state == 0 ? 0x20 : 0x21
      if state == 0 { divider = command[4] }
    }
    answer[8] = isCancelled ? 0x60 : state
    answer[9] = UInt8(written.expected & 0xFF)
    answer[10] = UInt8(written.expected >> 8)
    answer[11] = UInt8(written.sent & 0xFF)
    answer[12] = UInt8(written.sent >> 8)
    answer[14] = divider
    answer[20] = refused ? 0x40 : 0
    answer[21] = isUsed ? 1 : 0
    answer[22] = bus.isClockHigh ? 1 : 0
    answer[23] = bus.isDataHigh ? 1 : 0
    answer.replaceSubrange(46...49, with: "A611".utf8)
  }

  /// Before the first transfer a cancel locks a fragile engine up.
  private func cancel() {
    guard isUsed || !isFragile else { return state = 0x62 }
    bus.stop()
    (state, refused, pollsUntilDone, readBuffer, written) = (0, false, 0, [], (0, 0))
    if !bus.isClockHigh || !bus.isDataHigh { state = 0x62 }
  }

  private func write(_ command: [UInt8], _ answer: inout [UInt8]) {
    step()
    let length = Int(command[1]) | Int(command[2]) << 8
    let isContinued = written.sent < written.expected && written.expected == length
    // The chunk before is still in the buffer: the first try is refused.
    guard !(isContinued && isChunkOnTheWay) else {
      isChunkOnTheWay = false
      return refuse(&answer, 0x41)
    }
    guard isContinued || state == 0 || state == 0x45 else { return refuse(&answer, state) }
    guard length > 0 else { return }
    if !isContinued {
      written = (length, 0)
      guard begin(command[3], reading: false) else { return }
    }
    let chunk = command[4..<(4 + min(60, length - written.sent))]
    for byte in chunk {
      guard bus.put(byte) else { return finish(0x44, after: 2) }
      written.sent += 1
    }
    guard written.sent == length else {
      state = 0x41
      isChunkOnTheWay = true
      return
    }
    if command[0] != 0x94 { bus.stop() }
    finish(command[0] == 0x94 ? 0x45 : 0, after: 1)
  }

  private func read(_ command: [UInt8], _ answer: inout [UInt8]) {
    step()
    guard state == 0 || state == 0x45 else { return refuse(&answer, state) }
    readLength = Int(command[1]) | Int(command[2]) << 8
    guard begin(command[3], reading: true) else { return }
    readBuffer = (0..<readLength).map { _ in bus.get() }
    bus.stop()
    finish(readLength > 60 ? 0x54 : 0x55, after: 1)
  }

  private func fetch(_ answer: inout [UInt8]) {
    step()
    answer[2] = state
    switch state {
    case 0x54, 0x55:
      let chunk = readBuffer.prefix(60)
      readBuffer.removeFirst(chunk.count)
      answer[2] = readBuffer.isEmpty ? 0x55 : 0x54
      answer[3] = UInt8(chunk.count)
      answer.replaceSubrange(4..<(4 + chunk.count), with: chunk)
      state = readBuffer.isEmpty ? 0 : 0x54
    case 0x25: answer[3] = 0x7F
    default: answer[1] = 0x41
    }
  }

  private func refuse(_ answer: inout [UInt8], _ state: UInt8) {
    answer[1] = 1
    answer[2] = state
  }

  // MARK: - The engine

  private func begin(_ address: UInt8, reading: Bool) -> Bool {
    isUsed = true
    isChunkOnTheWay = false
    guard bus.isClockHigh, bus.isDataHigh else {
      finish(0x12, after: 2)
      return false
    }
    guard bus.start(address >> 1, reading: reading) else {
      refused = true
      finish(0x25, after: 1)
      return false
    }
    refused = false
    return true
  }

  /// In this state after so many more polls; waiting for the address until then.
  private func finish(_ state: UInt8, after polls: Int) {
    self.state = 0x21
    stateWhenDone = state
    pollsUntilDone = polls
  }

  private func step() {
    guard pollsUntilDone > 0 else { return }
    pollsUntilDone -= 1
    if pollsUntilDone == 0 { state = stateWhenDone }
  }
}
