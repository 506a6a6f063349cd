import Core

/// Text written as bytes, for the encoders.
extension [UInt8] {
  /// Appends the characters.
  mutating func append(text: StaticString) {
    text.withUTF8Buffer { append(contentsOf: $0) }
  }

  /// Appends a number rounded to a count of decimals, at most 9. Nothing is appended for one that is not finite or
  /// beyond 9e8: a field that cannot be said is left empty.
  mutating func append(_ value: Double, decimals: Int) {
    guard value.isFinite, abs(value) < 9e8 else { return }
    var scale: Int64 = 1
    for _ in 0..<Swift.max(0, Swift.min(decimals, 9)) { scale *= 10 }
    let scaled = Int64((value * Double(scale)).rounded())
    if scaled < 0 { append(UInt8(ascii: "-")) }
    append(digitsOf: scaled.magnitude / scale.magnitude, atLeast: 1)
    if scale > 1 {
      append(UInt8(ascii: "."))
      append(digitsOf: scaled.magnitude % scale.magnitude, atLeast: decimals)
    }
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
    for digit in [byte >> 4, byte & 15] { append(digit < 10 ? digit + 48 : digit + 55) }
  }

  private mutating func append(digitsOf number: UInt64, atLeast width: Int) {
    let start = count
    var rest = number
    repeat {
      append(UInt8(48 + rest % 10))
      rest /= 10
    } while rest > 0 || count - start < width
    // Written backwards: turned round in place.
    var low = start, high = count - 1
    while low < high {
      swapAt(low, high)
      low += 1
      high -= 1
    }
  }
}
