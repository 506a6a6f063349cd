/// Turns canvases into the fewest bytes that bring the terminal from the last one to the next.
///
/// Escape sequences after ECMA-48: CUP to a row and column, CUF forward in a row, SGR for styles. A frame is wrapped in
/// a synchronized update (private mode 2026), which terminals that do not know it ignore.
public struct Renderer: Sendable {
  private let palette: Palette
  private let synchronized: Bool
  private var shown: Canvas?
  private var style: Style?
  private var cursor: (column: Int, row: Int)?

  /// A renderer for a terminal whose content is not known.
  public init(palette: Palette, synchronized: Bool = true) {
    self.palette = palette
    self.synchronized = synchronized
  }

  /// Forgets what the terminal shows: the next frame is drawn whole. After a resize by others, Ctrl-L, or a suspension.
  public mutating func forget() { shown = nil }

  /// Appends what changes the terminal's content into `canvas`; nothing when it shows that already. Once appended, the
  /// bytes must all be written, in order.
  public mutating func append(_ canvas: Canvas, to bytes: inout [UInt8]) {
    let begin = bytes.count
    if synchronized { bytes.append(sequence: "\u{1B}[?2026h") }
    let afterOpening = bytes.count
    cursor = nil
    if let shown, shown.width == canvas.width, shown.height == canvas.height {
      draw(canvas, over: shown, to: &bytes)
    } else {
      style = nil
      select(.plain, &bytes)
      bytes.append(sequence: "\u{1B}[H\u{1B}[2J")
      draw(canvas, over: Canvas(width: canvas.width, height: canvas.height), to: &bytes)
    }
    shown = canvas
    if bytes.count == afterOpening {
      bytes.removeLast(afterOpening - begin)
    } else if synchronized {
      bytes.append(sequence: "\u{1B}[?2026l")
    }
  }

  private mutating func draw(_ canvas: Canvas, over shown: Canvas, to bytes: inout [UInt8]) {
    let width = canvas.width
    canvas.cells.withUnsafeBufferPointer { new in
      shown.cells.withUnsafeBufferPointer { old in
        for row in 0..<canvas.height {
          for column in 0..<width where new[row * width + column] != old[row * width + column] {
            move(to: column, row, over: UnsafeBufferPointer(rebasing: new[row * width..<(row + 1) * width]), &bytes)
            write(new[row * width + column], &bytes)
          }
        }
      }
    }
  }

  /// Brings the cursor to a place: by writing a few unchanged cells again, else by the shorter movement.
  private mutating func move(
    to column: Int, _ row: Int, over line: UnsafeBufferPointer<Cell>, _ bytes: inout [UInt8]
  ) {
    if let cursor, cursor.row == row, cursor.column <= column {
      let gap = column - cursor.column
      if gap == 0 { return }
      if gap <= 4, (cursor.column..<column).allSatisfy({ line[$0].style == style && line[$0].scalar.isASCII }) {
        for passed in cursor.column..<column { write(line[passed], &bytes) }
        return
      }
      bytes.append(sequence: "\u{1B}[")
      if gap > 1 { bytes.append(decimal: gap) }
      bytes.append(UInt8(ascii: "C"))
    } else {
      bytes.append(sequence: "\u{1B}[")
      bytes.append(decimal: row + 1)
      bytes.append(UInt8(ascii: ";"))
      bytes.append(decimal: column + 1)
      bytes.append(UInt8(ascii: "H"))
    }
    cursor = (column, row)
  }

  /// Writes a cell. Past the last column terminals differ in where the cursor stands; the next cell is then in another
  /// row, and reached by its coordinates.
  private mutating func write(_ cell: Cell, _ bytes: inout [UInt8]) {
    select(cell.style, &bytes)
    bytes.append(scalar: cell.scalar)
    cursor?.column += 1
  }

  private mutating func select(_ style: Style, _ bytes: inout [UInt8]) {
    guard style != self.style else { return }
    bytes.append(sequence: palette.sequence(style))
    self.style = style
  }
}

extension [UInt8] {
  mutating func append(sequence: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: sequence.utf8Start, count: sequence.utf8CodeUnitCount))
  }

  /// A count of 0 ... 9999.
  mutating func append(decimal value: Int) {
    if value >= 1000 { append(UInt8(ascii: "0") + UInt8(value / 1000 % 10)) }
    if value >= 100 { append(UInt8(ascii: "0") + UInt8(value / 100 % 10)) }
    if value >= 10 { append(UInt8(ascii: "0") + UInt8(value / 10 % 10)) }
    append(UInt8(ascii: "0") + UInt8(value % 10))
  }

  mutating func append(scalar: Unicode.Scalar) {
    append(contentsOf: scalar.utf8)
  }
}
