/// One frame of a CAN bus with the identifiers of 29 bits that NMEA 2000 uses, and up to eight bytes of data.
///
/// The identifier holds, from its top: priority (3 bits), the parameter group's number (18) and the sender's address
/// (8). A group whose second byte is below 240 goes to one address, which takes the place of the lowest byte of its
/// number. Source: SAE J1939-21, sections 5.2 and 5.3, which NMEA 2000 takes over.
public struct CANFrame: Equatable, Sendable {
  /// The most bytes in one frame.
  public static let longest = 8
  /// The address of all.
  public static let everybody: UInt8 = 255

  /// The identifier, 29 bits.
  public let identifier: UInt32
  /// The bytes of data: the first one lowest.
  public private(set) var bits: UInt64 = 0
  /// The number of bytes of data, 0 to 8.
  public private(set) var count = 0

  /// A frame without data yet.
  public init(identifier: UInt32) { self.identifier = identifier & 0x1FFF_FFFF }

  /// A frame as it came.
  public init(identifier: UInt32, bits: UInt64, count: Int) {
    self.init(identifier: identifier)
    self.count = min(max(count, 0), Self.longest)
    self.bits = self.count == Self.longest ? bits : bits & (1 << UInt64(8 * self.count) - 1)
  }

  /// A frame without data yet, of a parameter group.
  /// - Parameters:
  ///   - group: the parameter group's number (PGN), 18 bits; what is larger, as programs use for messages of their own,
  ///     becomes group 0.
  ///   - priority: 0, the highest, to 7.
  ///   - source: the sender's address.
  ///   - destination: whom it is for; only groups below 240 in their second byte can say.
  public init(group: Int, priority: Int, source: UInt8, destination: UInt8 = everybody) {
    let number = group < 1 << 18 ? UInt32(truncatingIfNeeded: max(group, 0)) : 0
    let isAddressed = number >> 8 & 0xFF < 240
    self.init(
      identifier: UInt32(truncatingIfNeeded: priority & 7) << 26 | number << 8 | UInt32(source)
        | (isAddressed ? UInt32(destination) << 8 : 0))
  }

  /// The parameter group's number (PGN).
  public var group: Int {
    let number = Int(identifier >> 8 & 0x3FFFF)
    return number >> 8 & 0xFF < 240 ? number & 0x3FF00 : number
  }

  /// 0, the highest, to 7.
  public var priority: Int { Int(identifier >> 26) }

  /// The sender's address.
  public var source: UInt8 { UInt8(truncatingIfNeeded: identifier) }

  /// Whom it is for: `everybody` where the group can't say.
  public var destination: UInt8 {
    identifier >> 16 & 0xFF < 240 ? UInt8(truncatingIfNeeded: identifier >> 8) : Self.everybody
  }

  /// Appends a byte of data; false where eight are there already.
  @discardableResult
  public mutating func append(_ byte: UInt8) -> Bool {
    guard count < Self.longest else { return false }
    bits |= UInt64(byte) << UInt64(8 * count)
    count += 1
    return true
  }

  /// Appends a number, its lowest byte first.
  public mutating func append<Number: FixedWidthInteger>(little value: Number) {
    for shift in stride(from: 0, to: Number.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  /// A number of the data, its lowest byte first; nil where the data end before.
  public func little<Number: FixedWidthInteger>(_ type: Number.Type, at start: Int) -> Number? {
    guard start >= 0, start <= count - Number.bitWidth / 8 else { return nil }
    return Number(truncatingIfNeeded: bits >> UInt64(8 * start))
  }

  /// A byte of the data; zero past their end.
  public subscript(index: Int) -> UInt8 {
    index >= 0 && index < count ? UInt8(truncatingIfNeeded: bits >> UInt64(8 * index)) : 0
  }
}
