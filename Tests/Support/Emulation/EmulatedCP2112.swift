/// The CP2112 with its reports, its lack of an order number, and the empty report that ends each stream of data.
public final class EmulatedCP2112: USBFunction {
  /// The bus behind it.
  public let bus: VirtualI2CBus
  /// Who it says it is.
  public let identity: USBIdentity
  /// Report 6 as it stands: clock, own address, read ahead, time-outs, retries.
  public private(set) var configuration: [UInt8] = []
  /// How often it was reset by report 1.
  public private(set) var resetCount = 0

  private let version: UInt8
  private var status: (UInt8, UInt8) = (0, 0)
  private var pollsUntilDone = 0
  private var outcome: (UInt8, UInt8) = (0, 0)
  private var transferred = 0
  private var readBuffer: [UInt8] = []
  private var reports: [[UInt8]] = []

  /// A bridge to `bus` with silicon of this version.
  public init(_ bus: VirtualI2CBus, version: UInt8 = 2, serial: String = "0012AB34") {
    self.bus = bus
    self.version = version
    identity = USBIdentity(
      vendor: 0x10C4, product: 0xEA90, manufacturer: "Silicon Laboratories", name: "CP2112 HID USB-to-SMBus Bridge",
      serial: serial,
      interfaces: [
        .init(
          classCode: 0x03,
          endpoints: [.init(0x81, kind: 3, packetSize: 64), .init(0x01, kind: 3, packetSize: 64)],
          kernelDriver: "cp2112", reports: Self.reports)
      ])
  }

  /// Input, output and feature reports by their numbers.
  private static let reports: [UInt8] = {
    let input: [(UInt8, UInt8)] = [(0x13, 63), (0x16, 63)]
    let output: [(UInt8, UInt8)] = [(0x10, 63), (0x11, 63), (0x12, 63), (0x14, 63), (0x15, 63), (0x17, 63)]
    let feature: [(UInt8, UInt8)] = [(1, 1), (2, 4), (3, 1), (4, 2), (5, 2), (6, 13)]
    let begin: [UInt8] = [0x06, 0x00, 0xFF, 0x09, 0x01, 0xA1, 0x01, 0x15, 0x00, 0x26, 0xFF, 0x00, 0x75, 0x08]
    let kinds: [(reports: [(UInt8, UInt8)], item: UInt8)] = [(input, 0x81), (output, 0x91), (feature, 0xB1)]
    let items = kinds.flatMap { kind in
      kind.reports.flatMap { report -> [UInt8] in [0x85, report.0, 0x95, report.1, 0x09, 0x01, kind.item, 0x02] }
    }
    return begin + items + [0xC0]
  }()

  /// 100 kHz, own address 02, no time-outs, retries for ever.
  public func powerUp() {
    configuration = [6, 0x00, 0x01, 0x86, 0xA0, 2, 0, 0, 0, 0, 0, 0, 0, 0]
    (status, pollsUntilDone, readBuffer, reports) = ((0, 0), 0, [], [])
  }

  /// Feature reports.
  public func control(_ setup: USBSetup, _ data: [UInt8]) -> [UInt8]? {
    guard setup.value >> 8 == 3 else { return nil }
    switch (setup.type, setup.request, setup.value & 0xFF) {
    case (0xA1, 1, 5): return [5, 0x0C, version]
    case (0xA1, 1, 6): return configuration
    case (0x21, 9, 6):
      guard data.count == 14, data[0] == 6 else { return nil }
      configuration = data
      return []
    case (0x21, 9, 1):
      powerUp()
      resetCount += 1
      return nil
    default: return nil
    }
  }

  /// Input reports in their order, always 64 bytes.
  public func send(limit: Int) -> [UInt8]? {
    guard !reports.isEmpty else { return nil }
    let report = reports.removeFirst()
    return report + [UInt8](repeating: 0, count: 64 - report.count)
  }

  /// Output reports.
  public func receive(_ bytes: [UInt8]) -> Bool {
    guard bytes.count == 64 else { return false }
    switch bytes[0] {
    case 0x10: read(address: bytes[1], Int(bytes[2]) << 8 | Int(bytes[3]))
    case 0x11: writeRead(bytes)
    case 0x12: stream(Int(bytes[1]) << 8 | Int(bytes[2]))
    case 0x14: write(bytes)
    case 0x15: if bytes[1] == 1 { tellStatus() }
    case 0x17:
      if bytes[1] == 1 {
        bus.stop()
        (status, pollsUntilDone, readBuffer) = ((0, 0), 0, [])
      }
    default: return true
    }
    return true
  }

  // MARK: - Reports

  private func tellStatus() {
    if pollsUntilDone > 0 {
      pollsUntilDone -= 1
      if pollsUntilDone == 0 { status = outcome }
    }
    reports.append([0x16, status.0, status.1, 0, 0, UInt8(transferred >> 8), UInt8(transferred & 0xFF)])
  }

  private func stream(_ length: Int) {
    guard status.0 == 2 else { return reports.append([0x13, status.0, 0]) }
    var left = min(length, readBuffer.count)
    while left > 0 {
      let chunk = readBuffer.prefix(min(61, left))
      readBuffer.removeFirst(chunk.count)
      left -= chunk.count
      reports.append([0x13, 2, UInt8(chunk.count)] + chunk)
    }
    if readBuffer.isEmpty { reports.append([0x13, 2, 0]) }
  }

  private func write(_ bytes: [UInt8]) {
    let count = Int(bytes[2])
    guard 1...61 ~= count, begin(bytes[1], reading: false) else { return }
    put(bytes[3..<(3 + count)])
    bus.stop()
  }

  private func read(address: UInt8, _ count: Int) {
    guard 1...512 ~= count, begin(address, reading: true) else { return }
    get(count)
  }

  private func writeRead(_ bytes: [UInt8]) {
    let count = Int(bytes[4])
    guard 1...16 ~= count, begin(bytes[1], reading: false), put(bytes[5..<(5 + count)]) else { return }
    if version < 2 { bus.stop() }
    guard begin(bytes[1], reading: true) else { return }
    get(Int(bytes[2]) << 8 | Int(bytes[3]))
  }

  // MARK: - The engine

  private func begin(_ address: UInt8, reading: Bool) -> Bool {
    readBuffer = []
    transferred = 0
    guard bus.isClockHigh, bus.isDataHigh else {
      finish(3, 1)
      return false
    }
    guard bus.fault != .arbitrationLost else {
      finish(3, 2)
      return false
    }
    guard bus.start(address >> 1, reading: reading) else {
      bus.stop()
      finish(3, 0)
      return false
    }
    finish(2, 5)
    return true
  }

  @discardableResult private func put(_ bytes: ArraySlice<UInt8>) -> Bool {
    for byte in bytes {
      guard bus.put(byte) else {
        bus.stop()
        finish(3, 4)
        return false
      }
      transferred += 1
    }
    return true
  }

  private func get(_ count: Int) {
    readBuffer = (0..<count).map { _ in bus.get() }
    transferred = count
    bus.stop()
  }

  /// The outcome shows after one more status in which the engine is still busy.
  private func finish(_ status0: UInt8, _ status1: UInt8) {
    status = (1, 0)
    outcome = (status0, status1)
    pollsUntilDone = 2
  }
}
