/// A reading in letters five rows high, to be read from across the bench. Each dot of a three by five character is a
/// square of two columns by one row.
struct BigDigits {
  /// Digits, `+ - . < °` and blanks; other characters are left blank.
  var text: String
  /// How they look.
  var style = Style.bold

  /// Rows.
  static let height = 5

  /// Columns.
  var width: Int { max(0, text.reduce(0) { $0 + Self.columns($1) + 2 } - 2) }

  /// Draws it with its top left corner at a place.
  func draw(on canvas: inout Canvas, column: Int, row: Int) {
    var column = column
    for character in text {
      let glyph = Self.glyph(character)
      let dots = Self.columns(character) / 2
      for line in 0..<Self.height {
        for dot in 0..<dots where glyph[line] & (1 << UInt8(dots - 1 - dot)) != 0 {
          canvas.put("█", column: column + dot * 2, row: row + line, style: style)
          canvas.put("█", column: column + dot * 2 + 1, row: row + line, style: style)
        }
      }
      column += Self.columns(character) + 2
    }
  }

  private static func columns(_ character: Character) -> Int {
    character == "." ? 2 : 6
  }

  /// Five rows from the top, the highest bit on the left.
  private static func glyph(_ character: Character) -> [UInt8] {
    switch character {
    case "0": [0b111, 0b101, 0b101, 0b101, 0b111]
    case "1": [0b010, 0b110, 0b010, 0b010, 0b111]
    case "2": [0b111, 0b001, 0b111, 0b100, 0b111]
    case "3": [0b111, 0b001, 0b111, 0b001, 0b111]
    case "4": [0b101, 0b101, 0b111, 0b001, 0b001]
    case "5": [0b111, 0b100, 0b111, 0b001, 0b111]
    case "6": [0b111, 0b100, 0b111, 0b101, 0b111]
    case "7": [0b111, 0b001, 0b001, 0b010, 0b010]
    case "8": [0b111, 0b101, 0b111, 0b101, 0b111]
    case "9": [0b111, 0b101, 0b111, 0b001, 0b111]
    case ".": [0, 0, 0, 0, 0b1]
    case "-", "–": [0, 0, 0b111, 0, 0]
    case "+": [0, 0b010, 0b111, 0b010, 0]
    case "<": [0b001, 0b010, 0b100, 0b010, 0b001]
    case "°": [0b111, 0b101, 0b111, 0, 0]
    default: [0, 0, 0, 0, 0]
    }
  }
}
