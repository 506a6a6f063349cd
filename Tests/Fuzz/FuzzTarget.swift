@preconcurrency import Glibc

/// Something that must take any bytes.
protocol FuzzTarget: Sendable {
  /// As it is chosen, and the name of its file in the corpus.
  static var name: String { get }
  /// Takes one input; a trap, or a `require` that does not hold, is a finding.
  static func take(_ bytes: Span<UInt8>)
}

/// Stops the program: the fuzzer takes that for a finding.
func require(_ condition: Bool, _ what: @autoclosure () -> String) {
  guard !condition else { return }
  fputs("\(what())\n", stderr)
  abort()
}

/// Takes an input apart into numbers, as many as are asked for: zeros past its end.
struct InputReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: Span<UInt8>) { self.bytes = bytes.indices.map { bytes[$0] } }

  /// Nothing is left.
  var isAtEnd: Bool { position >= bytes.count }

  mutating func byte() -> UInt8 {
    guard position < bytes.count else { return 0 }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func flag() -> Bool { byte() & 1 == 1 }

  mutating func word() -> UInt16 { UInt16(byte()) << 8 | UInt16(byte()) }

  /// Any of the 2⁶⁴ there are: infinite and not a number among them.
  mutating func anyDouble() -> Double {
    Double(bitPattern: (0..<4).reduce(0) { bits, _ in bits << 16 | UInt64(word()) })
  }

  /// Evenly within limits.
  mutating func number(_ limits: ClosedRange<Double>) -> Double {
    limits.lowerBound + (limits.upperBound - limits.lowerBound) * Double(word()) / 65535
  }

  /// One of several.
  mutating func choice<Value>(_ values: [Value]) -> Value? {
    values.isEmpty ? nil : values[Int(byte()) % values.count]
  }

  /// The rest, as text.
  mutating func text() -> String {
    var units: [UInt8] = []
    while !isAtEnd { units.append(byte()) }
    return String(decoding: units, as: UTF8.self)
  }
}

/// Hands over each record of a file: a length of four bytes, little-endian, and that many. See Tests/Fuzz/keep.
func forEachRecord(of path: String, _ body: (Span<UInt8>) -> Void) {
  guard let file = fopen(path, "r") else { return }
  defer { fclose(file) }
  var length: UInt32 = 0
  while fread(&length, MemoryLayout<UInt32>.size, 1, file) == 1 {
    let count = Int(UInt32(littleEndian: length))
    var bytes = [UInt8](repeating: 0, count: count)
    guard fread(&bytes, 1, count, file) == count else { return }
    body(bytes.span)
  }
}
