import LodestoneCore

/// A label, its value and how it looks: one row of a table of figures.
struct FigureRow {
  var label: String
  var value: String
  var style = Style.plain
}

extension Canvas {
  /// Draws what all screens share, the title above and the keys below, and returns what is left between them.
  /// - Parameter lastKeys: how many of the last keys are more important than all others.
  mutating func drawFrame(
    title: String, device: String, status: [String], keys: [(key: String, effect: String)], lastKeys: Int = 1
  ) -> Region {
    var column = text(title, column: 1, row: 0, style: .bold) + 2
    var right = status.joined(separator: "  ")
    for dropped in 0..<status.count where column + CellText.columns(right) + 1 > width {
      right = status.dropFirst(dropped + 1).joined(separator: "  ")
    }
    let room = width - column - CellText.columns(right) - 3
    if room >= 8 { column = text(CellText.fitted(device.harmless, to: room), column: column, row: 0) }
    text(right, endingAt: width - 1, row: 0, style: .dim)
    let hasRule = height >= 12
    if hasRule { rule(column: 0, row: 1, width: width) }
    let hasKeys = height >= 5
    if hasKeys { drawKeys(keys, last: lastKeys) }
    let top = hasRule ? (height >= 20 ? 3 : 2) : 1
    let margin = width >= 40 ? 2 : width >= 20 ? 1 : 0
    return Region(column: margin, row: top, width: width - 2 * margin, height: max(0, height - top - (hasKeys ? 1 : 0)))
  }

  /// Draws the keys there is room for; the last few, which end it and tell more, before all others.
  private mutating func drawKeys(_ keys: [(key: String, effect: String)], last: Int) {
    var column = 1
    var shown = keys
    func columns(_ keys: [(key: String, effect: String)]) -> Int {
      keys.reduce(0) { $0 + CellText.columns($1.key) + CellText.columns($1.effect) + 4 } - 2
    }
    while shown.count > 1, columns(shown) > width {
      let kept = min(last, shown.count - 1)
      shown.remove(at: shown.count - 1 - kept)
    }
    for (key, effect) in shown {
      guard column + CellText.columns(key) <= width else { return }
      column = text(key, column: column, row: height - 1, style: .bold) + 1
      column = text(effect, column: column, row: height - 1, style: .dim) + 3
    }
  }

  /// Labels on the left, values flush right, one below the other; rows that do not fit are left out.
  mutating func drawFigures(_ rows: [FigureRow], in region: Region) {
    for (offset, row) in rows.enumerated() where offset < region.height {
      let value = CellText.fitted(row.value, to: region.width)
      let room = region.width - CellText.columns(value) - 1
      text(CellText.fitted(row.label, to: room), column: region.column, row: region.row + offset, style: .dim)
      text(value, endingAt: region.column + region.width, row: region.row + offset, style: row.style)
    }
  }

  /// Text broken into lines; the number of rows used is returned, `limit` at most.
  mutating func drawParagraph(_ paragraph: String, in region: Region, limit: Int, style: Style) -> Int {
    let lines = CellText.wrapped(paragraph, to: region.width).prefix(max(0, min(limit, region.height)))
    for (offset, line) in lines.enumerated() {
      text(line, column: region.column, row: region.row + offset, style: style)
    }
    return lines.count
  }
}
