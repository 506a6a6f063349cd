import LodestoneCore

/// i2c-tiny-usb: control requests only. The firmware of Till Harbaum for AVR and that of Nicolai Electronics for the
/// RP2040. Sources: harbaum/I2C-Tiny-USB digispark/main.c, Linux drivers/i2c/busses/i2c-tiny-usb.c.
public struct I2CTinyUSB: Bridge {
  /// The bridge's name in an address.
  public static let name = "i2c-tiny-usb"
  /// Written otherwise.
  public static let otherNames = ["i2ctinyusb", "tiny-usb"]
  /// The AVR firmware's, the RP2040 firmware's.
  public static let identifiers = [USBIdentifier(0x0403, 0xC631), USBIdentifier(0x1C40, 0x0534)]
  /// The vendor's own.
  public static let interfaceClass: UInt8 = 0xFF

  private enum Request {
    static let echo: UInt8 = 0
    static let setDelay: UInt8 = 2
    static let status: UInt8 = 3
    static let transfer: UInt8 = 4
    /// Added to `transfer`: begins with a START.
    static let begin: UInt8 = 1
    /// Added to `transfer`: ends with a STOP.
    static let end: UInt8 = 2
  }

  /// The buffer of the RP2040 firmware; longer requests stall.
  private static let longestTransfer = 1024
  /// The firmware waits for a stretched clock without an end, so the host must give up. Linux waits 2 s.
  private static let patience = 2000

  private let pipe: any USBPipe

  /// Tests the link and sets the clock. The delay is the bit period in whole microseconds, so the bus is at most as
  /// fast as asked, within 1 kHz ... 500 kHz.
  public init(pipe: any USBPipe, hertz: Int) throws(BusError) {
    self.pipe = pipe
    let probe: UInt16 = 0x4C53
    let echo = try pipe.control(
      USBRequest(type: 0xC1, request: Request.echo, value: probe), receiving: 2, milliseconds: Self.patience)
    guard echo == [UInt8(probe & 0xFF), UInt8(probe >> 8)] else {
      throw .protocolViolation("the bridge echoed \(echo.hexadecimal) for 53 4c")
    }
    let hertz = min(max(hertz, 1000), 500_000)
    let delay = UInt16((1_000_000 + hertz - 1) / hertz)
    try pipe.control(
      USBRequest(type: 0x41, request: Request.setDelay, value: delay), sending: [], milliseconds: Self.patience)
  }

  /// START, address, bytes, STOP.
  public mutating func write(_ bytes: [UInt8], to address: UInt8) throws(BusError) {
    try send(bytes, to: address, framing: Request.begin | Request.end)
  }

  /// START, address, bytes from the chip, STOP.
  public mutating func read(_ count: Int, from address: UInt8) throws(BusError) -> [UInt8] {
    try receive(count, from: address, framing: Request.begin | Request.end)
  }

  /// The write begins, the read ends; the firmware puts a repeated START between them.
  public mutating func write(
    _ bytes: [UInt8], thenRead count: Int, at address: UInt8
  ) throws(BusError) -> [UInt8] {
    try Self.check(count)
    // A firmware that is refused an address ends the transfer by itself.
    try send(bytes, to: address, framing: Request.begin)
    return try receive(count, from: address, framing: Request.end)
  }

  /// Lets time pass.
  public mutating func wait(milliseconds: Double) { pipe.wait(milliseconds: milliseconds) }

  private func send(_ bytes: [UInt8], to address: UInt8, framing: UInt8) throws(BusError) {
    try Self.check(bytes.count)
    try pipe.control(
      USBRequest(type: 0x41, request: Request.transfer + framing, value: 0, index: UInt16(address & 0x7F)),
      sending: bytes, milliseconds: Self.patience)
    try checkAcknowledged(address)
  }

  private func receive(_ count: Int, from address: UInt8, framing: UInt8) throws(BusError) -> [UInt8] {
    try Self.check(count)
    let bytes = try pipe.control(
      USBRequest(type: 0xC1, request: Request.transfer + framing, value: 1, index: UInt16(address & 0x7F)),
      receiving: count, milliseconds: Self.patience)
    // After an address that nobody acknowledged the AVR firmware still serves zeros: the status decides.
    try checkAcknowledged(address)
    guard bytes.count == count else { throw .protocolViolation("\(bytes.count) bytes instead of \(count)") }
    return bytes
  }

  /// The firmware does not tell a refused address from refused data; the AVR firmware knows only the address.
  private func checkAcknowledged(_ address: UInt8) throws(BusError) {
    let status = try pipe.control(
      USBRequest(type: 0xC1, request: Request.status), receiving: 1, milliseconds: Self.patience)
    switch status.first {
    case 1: return
    case 2: throw .addressNotAcknowledged(address)
    default: throw .protocolViolation("the bridge is in no state \(status.hexadecimal)")
    }
  }

  private static func check(_ count: Int) throws(BusError) {
    guard 1...longestTransfer ~= count else {
      throw .unsupported("\(count) bytes in one transfer; i2c-tiny-usb takes 1 to \(longestTransfer)")
    }
  }
}
