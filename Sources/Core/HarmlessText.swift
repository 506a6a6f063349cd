// Text from outside, made fit to be shown. A file name or a device's reply can hold escape sequences that move the
// cursor, change the title, answer questions on the user's behalf, or turn the direction of what follows: nothing read
// reaches a terminal, a picture or another program's file without passing here.

extension Unicode.Scalar {
  /// Whether a terminal only draws it. False for control characters (C0, DEL, C1), line and paragraph separators,
  /// invisible formatting such as bidirectional overrides, private use, and what is no character.
  public var isHarmless: Bool {
    if isASCII { return value >= 0x20 && value != 0x7F }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: return false
    default: return true
    }
  }
}

extension String {
  /// The text on one line, with everything that is not harmless as a visible escape such as `\n`, `\e`, `\u{202E}`.
  public var harmless: String { replacingHarmful { $0.visibleEscape } }

  /// The text without anything that is not harmless: for a name in a file of another format.
  public var withoutHarmful: String { replacingHarmful { _ in "" } }

  /// The text with a replacement for each scalar that is not harmless; an empty one leaves it out.
  public func replacingHarmful(by replacement: (Unicode.Scalar) -> String) -> String {
    guard unicodeScalars.contains(where: { !$0.isHarmless }) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.isHarmless { text.unicodeScalars.append(scalar) } else { text += replacement(scalar) }
    }
  }
}

extension Sequence<UInt8> {
  /// Bytes of unknown encoding for a message: printable ASCII as it is, everything else as `\x1b`.
  public var harmlessText: String {
    reduce(into: "") { text, byte in
      if byte >= 0x20, byte < 0x7F {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "\\x" + byte.hexadecimal
      }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var visibleEscape: String {
    switch value {
    case 0x09: "\\t"
    case 0x0A: "\\n"
    case 0x0D: "\\r"
    case 0x1B: "\\e"
    default: "\\u{" + String(value, radix: 16, uppercase: true) + "}"
    }
  }
}
