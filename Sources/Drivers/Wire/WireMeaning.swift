/// The result of reading a line or frame.
enum WireMeaning {
  /// The message that it was read into.
  case message
  /// A part of a later message.
  case part
  /// A valid one with nothing in it for us.
  case other
  /// No message of the protocol, and the reason.
  case rejected(WireRejection)

  /// The meaning as a step over this number of bytes; nil for a part.
  func step(of byteCount: Int) -> WireStep? {
    switch self {
    case .message: .message
    case .part: nil
    case .other: .other
    case .rejected(let reason): .rejected(reason, byteCount: byteCount)
    }
  }
}
