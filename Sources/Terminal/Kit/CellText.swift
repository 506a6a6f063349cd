/// The character in a cell for a scalar. A canvas holds one scalar in one column, so only characters that every
/// terminal draws one column wide may stand in it.
enum CellText {
  /// The scalar itself if it is one column wide, `?` for wide, unknown and control characters, nil for marks that
  /// combine with the character before them.
  static func narrow(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x20..<0x7F: return scalar
    case 0x300...0x36F, 0x483...0x489, 0x200B...0x200D, 0x20D0...0x20FF, 0xFE00...0xFE0F: return nil
    case 0xAD: return "?"
    case 0xA0...0x52F, 0x2010...0x2027, 0x2030...0x205E, 0x2070...0x209C, 0x20A0...0x20BF: return scalar
    case 0x2100...0x22FF, 0x2500...0x25FC, 0x25FF, 0x2800...0x28FF: return scalar
    default: return "?"
    }
  }

  /// A text with every character one column wide.
  static func narrowed(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.lazy.compactMap(narrow)))
  }

  /// The number of columns that a text takes in a canvas.
  static func columns(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { narrow($1) == nil ? $0 : $0 + 1 }
  }

  /// A text that takes at most `width` columns; what is cut off is shown by `…`.
  static func fitted(_ text: String, to width: Int) -> String {
    guard columns(text) > width else { return text }
    guard width > 0 else { return "" }
    var kept = String.UnicodeScalarView()
    var room = width - 1
    for scalar in text.unicodeScalars {
      guard let narrow = narrow(scalar) else { continue }
      guard room > 0 else { break }
      kept.append(narrow)
      room -= 1
    }
    return String(kept) + "…"
  }

  /// A text broken at spaces into lines of at most `width` columns; a longer word is cut.
  static func wrapped(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if line.isEmpty {
        line = String(word)
      } else if columns(line) + 1 + columns(String(word)) <= width {
        line += " " + word
      } else {
        lines.append(fitted(line, to: width))
        line = String(word)
      }
    }
    if !line.isEmpty { lines.append(fitted(line, to: width)) }
    return lines
  }
}
