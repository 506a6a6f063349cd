/// A chip on an emulated I²C bus: what a master sees of it, register by register. Written from the data sheet, never
/// from the driver.
public protocol VirtualChip: AnyObject {
  /// A START or repeated START with its address has just been acknowledged. Most chips do not care.
  func start(reading: Bool)

  /// Takes the bytes of a write, all that follow the address up to the STOP or repeated START. Returns how many it
  /// acknowledges, from the first on.
  func write(_ bytes: [UInt8]) -> Int

  /// The next `count` bytes of a read. Two reads of one byte with no START between give what a read of two gives.
  func read(_ count: Int) -> [UInt8]

  /// Time passes. Called before each transfer with what has passed since the last one, and by waits.
  func advance(by seconds: Double)

  /// Whether it acknowledges its address now; false while it is in reset, asleep or busy.
  var acknowledgesAddress: Bool { get }
}

extension VirtualChip {
  /// Does not care.
  public func start(reading: Bool) {}

  /// Time means nothing to it.
  public func advance(by seconds: Double) {}

  /// Always.
  public var acknowledgesAddress: Bool { true }
}

/// The plainest register file: the first byte written sets a pointer, the others go to the registers from there on,
/// and reads come from there on. A model of a chip wraps one or imitates it.
public final class RegisterFile: VirtualChip {
  /// The 256 registers.
  public var registers: [UInt8]
  /// The register that the next byte goes to or comes from.
  public private(set) var pointer: UInt8 = 0

  /// Registers with these values, the others zero.
  public init(_ values: [UInt8: UInt8] = [:]) {
    registers = [UInt8](repeating: 0, count: 256)
    for (register, value) in values { registers[Int(register)] = value }
  }

  /// Sets the pointer, then the registers from there on.
  public func write(_ bytes: [UInt8]) -> Int {
    guard let first = bytes.first else { return 0 }
    pointer = first
    for byte in bytes.dropFirst() {
      registers[Int(pointer)] = byte
      pointer &+= 1
    }
    return bytes.count
  }

  /// The registers from the pointer on.
  public func read(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in
      defer { pointer &+= 1 }
      return registers[Int(pointer)]
    }
  }
}
