import LodestoneCore

/// A chip with registers, a clock and a field around it: what the models of particular chips are made of. They are
/// written from the data sheets and know nothing of the drivers.
open class ChipModel: VirtualChip {
  /// The 256 registers.
  public var registers = [UInt8](repeating: 0, count: 256)
  /// The register that the next byte goes to or comes from.
  public var pointer: UInt8 = 0
  /// The field at the chip in µT, in the axes its data sheet draws, by the chip's own time in seconds.
  public var field: (Double) -> Vector3 = { _ in Vector3(20, -5, -43) }
  /// The peak of the noise on each axis, in µT, in the middle of what a data sheet promises.
  public var noise = 0.1
  /// Seconds since power-on.
  public private(set) var time = 0.0
  /// No conversion ends any more, as of a chip that hangs.
  public var isStuck = false

  private var untilConversion: Double?
  private var random: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// A chip that has just been powered.
  public init() { powerOn() }

  // MARK: - What a model says about its chip

  /// The registers as at power-on.
  open func powerOn() {}

  /// A register has been written.
  open func wrote(_ value: UInt8, to register: UInt8) {}

  /// The byte that a read of this register gives, and what the read does.
  open func reads(_ register: UInt8) -> UInt8 { registers[Int(register)] }

  /// The register after this one in a burst.
  open func next(after register: UInt8) -> UInt8 { register &+ 1 }

  /// The register that the first byte of a write selects.
  open func selected(by byte: UInt8) -> UInt8 { byte }

  /// A conversion has ended: the result goes to the registers.
  open func convert() {}

  /// The time from now to the end of the conversion after the one that has just ended; nil when none follows.
  open var conversionPeriod: Double? { nil }

  /// Whether it acknowledges its address now.
  open var acknowledgesAddress: Bool { true }

  // MARK: - For models

  /// Starts a conversion that ends in so many seconds; nil stops.
  public func startConversion(_ seconds: Double?) { untilConversion = seconds }

  /// The field now, with noise, in µT.
  public var measured: Vector3 {
    let field = field(time)
    return Vector3(field.x + jitter(), field.y + jitter(), field.z + jitter())
  }

  /// Uniform between ± `noise`, the same in every run.
  public func jitter() -> Double {
    random ^= random << 13
    random ^= random >> 7
    random ^= random << 17
    return noise * (Double(random >> 11) / Double(1 << 52) - 1)
  }

  /// Stores a number low byte first.
  public func store(_ value: Int, at register: UInt8) {
    registers[Int(register)] = UInt8(truncatingIfNeeded: value)
    registers[Int(register &+ 1)] = UInt8(truncatingIfNeeded: value >> 8)
  }

  /// Stores a number high byte first.
  public func storeBig(_ value: Int, at register: UInt8) {
    registers[Int(register)] = UInt8(truncatingIfNeeded: value >> 8)
    registers[Int(register &+ 1)] = UInt8(truncatingIfNeeded: value)
  }

  /// The nearest code that fits into so many bits.
  public func code(_ value: Double, bits: Int) -> Int {
    let limit = Double(1 << (bits - 1))
    return Int(max(-limit, min(value.rounded(), limit - 1)))
  }

  // MARK: - VirtualChip

  /// The first byte selects a register, the others are written from there on.
  public func write(_ bytes: [UInt8]) -> Int {
    guard let first = bytes.first else { return 0 }
    pointer = selected(by: first)
    for byte in bytes.dropFirst() {
      registers[Int(pointer)] = byte
      wrote(byte, to: pointer)
      pointer = next(after: pointer)
    }
    return bytes.count
  }

  /// The registers from the selected one on.
  public func read(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in
      defer { pointer = next(after: pointer) }
      return reads(pointer)
    }
  }

  /// Lets conversions end that are due. At most a thousand in a row: a longer pause only overwrites results.
  public func advance(by seconds: Double) {
    let end = time + max(0, seconds)
    var budget = 1000
    while !isStuck, budget > 0, let rest = untilConversion, time + rest <= end {
      time += rest
      untilConversion = conversionPeriod
      convert()
      budget -= 1
    }
    if let rest = untilConversion { untilConversion = max(0, rest - (end - time)) }
    time = end
  }
}
