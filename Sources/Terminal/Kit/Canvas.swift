/// One column of one row: a character one column wide, and what it means.
public struct Cell: Equatable, Sendable {
  /// Always one column wide and never a control character: only a ``Canvas`` makes cells.
  public let scalar: Unicode.Scalar
  /// The meaning that the palette gives a look.
  public let style: Style

  init(scalar: Unicode.Scalar, style: Style) {
    self.scalar = scalar
    self.style = style
  }

  /// A cell with nothing drawn.
  static let blank = Cell(scalar: " ", style: .plain)
}

/// A rectangle of cells. May reach outside the canvas, or be empty.
struct Region: Equatable {
  var column: Int
  var row: Int
  var width: Int
  var height: Int

  /// The part from a row on.
  func below(_ rows: Int) -> Region {
    Region(column: column, row: row + rows, width: width, height: max(0, height - rows))
  }
}

/// A sheet of cells to draw on. Whatever falls outside is clipped; whatever text is drawn, each cell holds one harmless
/// character one column wide.
public struct Canvas: Equatable, Sendable {
  /// Columns, 1 ... 1000.
  public let width: Int
  /// Rows, 1 ... 500.
  public let height: Int
  /// Row by row, `width` × `height` of them.
  public private(set) var cells: [Cell]

  /// A blank sheet; a size out of range becomes the nearest possible.
  public init(width: Int, height: Int) {
    self.width = min(max(width, 1), 1000)
    self.height = min(max(height, 1), 500)
    cells = Array(repeating: .blank, count: self.width * self.height)
  }

  /// The whole sheet.
  var region: Region { Region(column: 0, row: 0, width: width, height: height) }

  /// The cell at a place counted from the top left corner; nil outside.
  public subscript(column: Int, row: Int) -> Cell? {
    guard column >= 0, column < width, row >= 0, row < height else { return nil }
    return cells[row * width + column]
  }

  /// Draws one character; `?` stands for one that is not a column wide.
  mutating func put(_ scalar: Unicode.Scalar, column: Int, row: Int, style: Style = .plain) {
    guard column >= 0, column < width, row >= 0, row < height else { return }
    cells[row * width + column] = Cell(scalar: CellText.narrow(scalar) ?? "?", style: style)
  }

  /// Draws a text from left to right and returns the column after it.
  @discardableResult
  mutating func text(_ text: String, column: Int, row: Int, style: Style = .plain) -> Int {
    var column = column
    for scalar in text.unicodeScalars {
      guard let narrow = CellText.narrow(scalar) else { continue }
      if column >= 0, column < width, row >= 0, row < height {
        cells[row * width + column] = Cell(scalar: narrow, style: style)
      }
      column += 1
    }
    return column
  }

  /// Draws a text that ends before a column.
  mutating func text(_ text: String, endingAt column: Int, row: Int, style: Style = .plain) {
    self.text(text, column: column - CellText.columns(text), row: row, style: style)
  }

  /// Draws a text in the middle of a stretch of columns.
  mutating func text(_ text: String, centredIn region: Region, row: Int, style: Style = .plain) {
    let fitted = CellText.fitted(text, to: region.width)
    self.text(fitted, column: region.column + (region.width - CellText.columns(fitted)) / 2, row: row, style: style)
  }

  /// Repeats a character along a row, dim.
  mutating func rule(_ scalar: Unicode.Scalar = "─", column: Int, row: Int, width: Int) {
    for offset in 0..<max(0, min(width, self.width)) { put(scalar, column: column + offset, row: row, style: .dim) }
  }

  /// The rows as text, without the blanks at their ends.
  public var lines: [String] {
    (0..<height).map { row in
      var line = String.UnicodeScalarView()
      for cell in cells[row * width..<(row + 1) * width] { line.append(cell.scalar) }
      while line.last == " " { line.removeLast() }
      return String(line)
    }
  }
}
