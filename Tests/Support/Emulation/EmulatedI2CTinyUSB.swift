/// i2c-tiny-usb as its two firmwares behave.
public final class EmulatedI2CTinyUSB: USBFunction {
  /// Which firmware.
  public enum Firmware: Sendable {
    /// Till Harbaum's for AVR: tells only a refused address, and serves zeros after one.
    case avr
    /// Nicolai Electronics' for the RP2040: tells refused data too; longer requests than its buffer stall.
    case rp2040
  }

  /// The bus behind it.
  public let bus: VirtualI2CBus
  /// The last argument of `SET_DELAY`: the bit period in microseconds.
  public private(set) var delay: UInt16 = 10
  /// Who it says it is.
  public let identity: USBIdentity
  private let firmware: Firmware
  private var status: UInt8 = 0

  /// A bridge to `bus`.
  public init(_ bus: VirtualI2CBus, firmware: Firmware = .avr, serial: String = "") {
    self.bus = bus
    self.firmware = firmware
    identity = USBIdentity(
      vendor: firmware == .avr ? 0x0403 : 0x1C40, product: firmware == .avr ? 0xC631 : 0x0534,
      manufacturer: firmware == .avr ? "Till Harbaum" : "Nicolai Electronics", name: "i2c-tiny-usb", serial: serial,
      interfaces: [.init(classCode: 0xFF, kernelDriver: "i2c-tiny-usb")])
  }

  /// The delay and the state at reset.
  public func powerUp() { (delay, status) = (10, 0) }

  /// The requests of the firmware.
  public func control(_ setup: USBSetup, _ data: [UInt8]) -> [UInt8]? {
    guard setup.type & 0x60 == 0x40 else { return nil }
    switch (setup.request, setup.isIn) {
    case (0, true): return [UInt8(setup.value & 0xFF), UInt8(setup.value >> 8)]
    case (1, true): return [0x01, 0x00, 0xEF, 0x0E]
    case (2, false):
      delay = setup.value
      return []
    case (3, true): return [status]
    case (4...7, _): return transfer(setup, data)
    default: return nil
    }
  }

  private func transfer(_ setup: USBSetup, _ data: [UInt8]) -> [UInt8]? {
    let reading = setup.value & 1 != 0
    let count = Int(setup.length)
    guard reading == setup.isIn, count > 0, firmware == .avr || count <= 1024 else { return nil }
    let address = UInt8(setup.index & 0x7F)
    defer { if setup.request & 2 != 0 { bus.stop() } }
    guard bus.start(address, reading: reading) else {
      status = 2
      bus.stop()
      return reading ? [UInt8](repeating: 0, count: count) : []
    }
    status = 1
    if reading { return (0..<count).map { _ in bus.get() } }
    for byte in data where !bus.put(byte) {
      if firmware == .rp2040 { status = 2 }
      break
    }
    return []
  }
}
