extension FixedWidthInteger where Self: UnsignedInteger {
  /// All digits in base 16, lower case, with leading zeros: `1c` for a byte, `04d8` for a USB vendor number.
  public var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: Swift.max(0, Self.bitWidth / 4 - digits.count)) + digits
  }
}

extension Sequence<UInt8> {
  /// The bytes in base 16 with a blank between: `0a ff`.
  public var hexadecimal: String { map { $0.hexadecimal }.joined(separator: " ") }
}

extension UInt8 {
  /// The value of this ASCII character as a digit of base 16, in either case; nil for any other character.
  @inlinable public var hexadecimalValue: UInt8? {
    if self &- 48 < 10 { return self - 48 }
    let letter = self | 0x20
    return letter >= 97 && letter <= 102 ? letter - 87 : nil
  }
}
