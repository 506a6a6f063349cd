extension Sequence<UInt8> {
  /// The bytes in hexadecimal with a space between, for an error's text: `0a ff`.
  var hex: String {
    map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined(separator: " ")
  }
}
