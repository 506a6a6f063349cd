import LodestoneCore

/// Text written as bytes, for the encoders.
extension [UInt8] {
  /// Appends the characters.
  mutating func append(text: StaticString) {
    text.withUTF8Buffer { append(contentsOf: $0) }
  }

  /// Appends a number rounded to a count of decimals, at most 9. Leaves the field empty for one that is not finite or
  /// beyond 9e8.
  mutating func append(_ value: Double, decimals: Int) {
    guard value.isFinite, abs(value) < 9e8 else { return }
    append(contentsOf: value.text(decimals: Swift.min(decimals, 9)).utf8)
  }

  /// Appends the three components with a separator between them.
  mutating func append(_ vector: Vector3, decimals: Int, separator: UInt8 = .comma) {
    append(vector.x, decimals: decimals)
    append(separator)
    append(vector.y, decimals: decimals)
    append(separator)
    append(vector.z, decimals: decimals)
  }

  /// Appends two hexadecimal digits.
  mutating func append(hexadecimal byte: UInt8) {
    append(contentsOf: byte.hexadecimal.uppercased().utf8)
  }
}
