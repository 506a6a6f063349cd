/// The types that Python prints around NumPy's and PyTorch's numbers: `np.float64(-12.9)`, `array([-12.9, 15.7, -43.5])`,
/// `tensor([-12.9, 15.7, -43.5])`.
enum NumPyText {
  private static let types: [StaticString] = ["np.float64(", "np.float32(", "array(", "np.array(", "tensor("]

  /// The place behind the type and its bracket that begin at a place of a line; nil where none does.
  static func end(ofTypeAt start: Int, in line: Span<UInt8>) -> Int? {
    guard "nat".utf8.contains(line[start]) else { return nil }
    return types.first { line.holds($0, at: start) }.map { start + $0.utf8CodeUnitCount }
  }
}
