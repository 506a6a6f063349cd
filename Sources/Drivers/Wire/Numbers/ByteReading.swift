import LodestoneCore

/// Numbers out of bytes, least significant byte first (`little`) or last (`big`). Nil where the bytes end.
extension Span<UInt8> {
  @inline(__always)
  func little<Number: FixedWidthInteger>(_ type: Number.Type, at start: Int) -> Number? {
    let size = Number.bitWidth / 8
    guard start >= 0, count - start >= size else { return nil }
    var value: Number = 0
    for offset in 0..<size { value |= Number(truncatingIfNeeded: self[start &+ offset]) << Number(offset &* 8) }
    return value
  }

  @inline(__always)
  func big<Number: FixedWidthInteger>(_ type: Number.Type, at start: Int) -> Number? {
    little(type, at: start).map { $0.byteSwapped }
  }

  func littleFloat(at start: Int) -> Double? {
    little(UInt32.self, at: start).flatMap { finite(Double(Float(bitPattern: $0))) }
  }

  func bigFloat(at start: Int) -> Double? {
    big(UInt32.self, at: start).flatMap { finite(Double(Float(bitPattern: $0))) }
  }

  func bigDouble(at start: Int) -> Double? { big(UInt64.self, at: start).flatMap { finite(Double(bitPattern: $0)) } }

  /// Three 16-bit integers.
  func littleInt16Vector(at start: Int) -> Vector3? {
    vector { little(Int16.self, at: start + 2 * $0).map { Double($0) } }
  }

  /// Three 16-bit integers.
  func bigInt16Vector(at start: Int) -> Vector3? { vector { big(Int16.self, at: start + 2 * $0).map { Double($0) } } }

  /// Three floats.
  func littleFloatVector(at start: Int) -> Vector3? { vector { littleFloat(at: start + 4 * $0) } }

  /// Three floats.
  func bigFloatVector(at start: Int) -> Vector3? { vector { bigFloat(at: start + 4 * $0) } }

  @inline(__always)
  func vector(_ component: (Int) -> Double?) -> Vector3? {
    guard let x = component(0), let y = component(1), let z = component(2) else { return nil }
    return Vector3(x, y, z)
  }

  private func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }
}

/// Numbers into bytes, for the encoders.
extension [UInt8] {
  mutating func append<Number: FixedWidthInteger>(little value: Number) {
    for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: value >> Number(shift)))
    }
  }

  mutating func append<Number: FixedWidthInteger>(big value: Number) { append(little: value.byteSwapped) }

  mutating func append(littleFloat value: Double) { append(little: Float(value).bitPattern) }

  mutating func append(bigFloat value: Double) { append(big: Float(value).bitPattern) }

  /// Three 16-bit integers, rounded and held in range.
  mutating func append(littleInt16 vector: Vector3) {
    for axis in 0..<3 { append(little: Int16(rounding: vector[axis])) }
  }

  /// Three 16-bit integers, rounded and held in range.
  mutating func append(bigInt16 vector: Vector3) {
    for axis in 0..<3 { append(big: Int16(rounding: vector[axis])) }
  }

  mutating func append(littleFloat vector: Vector3) { for axis in 0..<3 { append(littleFloat: vector[axis]) } }

  mutating func append(bigFloat vector: Vector3) { for axis in 0..<3 { append(bigFloat: vector[axis]) } }
}

extension FixedWidthInteger {
  /// The nearest integer, held in range; 0 for what is not a number.
  init(rounding value: Double) {
    let rounded = value.rounded()
    self = rounded.isNaN ? 0 : rounded >= Double(Self.max) ? .max : rounded <= Double(Self.min) ? .min : Self(rounded)
  }
}
