/// A key that a person pressed.
public enum Key: Equatable, Sendable {
  /// A printable ASCII character, the space among them.
  case character(Character)
  /// Return.
  case enter
  /// Ctrl-C, where the terminal passes it on as a byte.
  case interrupt
  /// Ctrl-L: draw everything again.
  case redraw
  /// Ctrl-Z, where the terminal passes it on as a byte.
  case suspend
}

/// Bytes from the terminal -> keys. Escape sequences (arrow keys, function keys, answers of the terminal) are swallowed
/// whole, also when they come in pieces, so that no letter within one is taken for a key; other control characters and
/// what is not ASCII are ignored.
public struct KeyDecoder: Sendable {
  private enum State {
    case ground
    case escape
    /// After ESC [ up to a final byte @ ... ~ (ECMA-48, 5.4).
    case controlSequence
    /// After ESC O: one more byte.
    case singleShift
    /// After ESC ], P, X, ^ or _ up to BEL or ESC \ (ECMA-48, 5.6).
    case string
    case stringEscape
  }

  private var state = State.ground

  /// A decoder that has read nothing yet.
  public init() {}

  /// Takes the next byte; a key if it completes one.
  public mutating func next(_ byte: UInt8) -> Key? {
    if byte == 0x03 {
      state = .ground
      return .interrupt
    }
    if byte == 0x18 || byte == 0x1A {
      state = .ground
      return byte == 0x1A ? .suspend : nil
    }
    switch state {
    case .ground: return key(byte)
    case .escape: return afterEscape(byte)
    case .controlSequence:
      if byte == 0x1B { state = .escape } else if byte >= 0x40 && byte <= 0x7E { state = .ground }
    case .singleShift: state = byte == 0x1B ? .escape : .ground
    case .string: state = byte == 0x07 ? .ground : byte == 0x1B ? .stringEscape : .string
    case .stringEscape: state = byte == UInt8(ascii: "\\") ? .ground : byte == 0x1B ? .stringEscape : .string
    }
    return nil
  }

  private mutating func key(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x1B: state = .escape
    case 0x0A, 0x0D: return .enter
    case 0x0C: return .redraw
    case 0x20..<0x7F: return .character(Character(Unicode.Scalar(byte)))
    default: break
    }
    return nil
  }

  /// ESC alone has no mark at its end: the next ordinary byte counts as a key of its own.
  private mutating func afterEscape(_ byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: "["): state = .controlSequence
    case UInt8(ascii: "O"): state = .singleShift
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"): state = .string
    case 0x1B: break
    default:
      state = .ground
      return key(byte)
    }
    return nil
  }
}
