/// The types that Python prints around NumPy's numbers: `np.float64(-12.9)`, `array([-12.9, 15.7, -43.5])`.
enum NumPyText {
  private static let types: [StaticString] = ["np.float64(", "np.float32(", "array(", "np.array("]

  /// The place behind the type and its bracket that begin at a place of a line; nil where none does.
  static func end(ofTypeAt start: Int, in line: Span<UInt8>) -> Int? {
    guard line[start] == UInt8(ascii: "n") || line[start] == UInt8(ascii: "a") else { return nil }
    return types.first { line.holds($0, at: start) }.map { start + $0.utf8CodeUnitCount }
  }
}
