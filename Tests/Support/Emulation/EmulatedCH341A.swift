/// The CH341A in I²C mode, byte for byte of its stream.
public final class EmulatedCH341A: USBFunction {
  /// The bus behind it.
  public let bus: VirtualI2CBus
  /// Who it says it is.
  public let identity: USBIdentity
  /// 0 ... 3 for 20, 100, 400, 750 kHz; nil until it is set.
  public private(set) var speed: UInt8?
  private var answers: [UInt8] = []
  /// A read ended without a byte that was not acknowledged: everything after is lost.
  private var isLost = false
  private var isReading = false

  /// A bridge to `bus`.
  public init(_ bus: VirtualI2CBus) {
    self.bus = bus
    identity = USBIdentity(
      vendor: 0x1A86, product: 0x5512, manufacturer: "", name: "USB UART-LPT", serial: "",
      interfaces: [
        .init(
          classCode: 0xFF,
          endpoints: [
            .init(0x82, kind: 2, packetSize: 32), .init(0x02, kind: 2, packetSize: 32),
            .init(0x81, kind: 3, packetSize: 8),
          ])
      ])
  }

  /// No speed, nothing waiting.
  public func powerUp() { (speed, answers, isLost, isReading) = (nil, [], false, false) }

  /// Nothing of ours.
  public func control(_ setup: USBSetup, _ data: [UInt8]) -> [UInt8]? { nil }

  /// The bytes gathered so far, up to a packet.
  public func send(limit: Int) -> [UInt8]? {
    guard !answers.isEmpty else { return nil }
    let packet = Array(answers.prefix(min(32, limit)))
    answers.removeFirst(packet.count)
    return packet
  }

  /// One packet: AA, commands, 00.
  public func receive(_ bytes: [UInt8]) -> Bool {
    guard 2...32 ~= bytes.count, bytes[0] == 0xAA else { return true }
    var index = 1
    while index < bytes.count, bytes[index] != 0 {
      let command = bytes[index]
      index += 1
      switch command {
      case 0x74: isStarting = true
      case 0x75: stop()
      case 0x80:
        guard index < bytes.count else { return true }
        answers.append(put(bytes[index]) ? 0x00 : 0x80)
        index += 1
      case 0x81...0x9F:
        let count = Int(command & 0x1F)
        for byte in bytes[index..<min(index + count, bytes.count)] { _ = put(byte) }
        index += count
      case 0xC0:
        answers.append(get())
        isReading = false
      case 0xC1...0xDF: answers += (0..<Int(command & 0x1F)).map { _ in get() }
      case 0x60...0x63: speed = command & 3
      default: break
      }
    }
    return true
  }

  // MARK: - The lines. It sees neither whether they are held nor whether anybody is there unless asked.

  private var isStarting = false

  private func put(_ byte: UInt8) -> Bool {
    guard !isLost, bus.isClockHigh else { return false }
    // A line held low looks like an acknowledgement.
    guard bus.isDataHigh else { return true }
    guard isStarting else { return bus.put(byte) }
    isStarting = false
    isReading = byte & 1 != 0
    return bus.start(byte >> 1, reading: isReading)
  }

  private func get() -> UInt8 {
    guard !isLost, bus.isClockHigh, bus.isDataHigh else { return isLost ? 0xFF : 0x00 }
    return bus.get()
  }

  private func stop() {
    if isReading { isLost = true }
    bus.stop()
  }
}
