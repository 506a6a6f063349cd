/// A bar that fills from the left: heavy where done, light where not, so that it reads without colour.
struct ProgressBar {
  /// 0 ... 1; anything else is brought there, what is not a number counts as none.
  var fraction: Double
  /// How the done part looks.
  var style = Style.accent

  /// One row, in half columns.
  func draw(on canvas: inout Canvas, column: Int, row: Int, width: Int) {
    guard width > 0, width <= 1000 else { return }
    let share = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
    let halves = Int((share * Double(width * 2)).rounded(.down))
    for offset in 0..<width {
      let filled = halves - offset * 2
      let scalar: Unicode.Scalar = filled >= 2 ? "━" : filled == 1 ? "╸" : "─"
      canvas.put(scalar, column: column + offset, row: row, style: filled >= 1 ? style : .dim)
    }
  }
}

/// A count as filled and empty marks: ●●●◑○○○○.
struct CountMarks {
  /// The number that is there.
  var done: Int
  /// The number that is wanted, 32 at most.
  var wanted: Int
  /// The share of the next one that has passed, 0 ... 1.
  var next = 0.0

  /// One row; the column after it is returned.
  @discardableResult
  func draw(on canvas: inout Canvas, column: Int, row: Int) -> Int {
    var column = column
    for index in 0..<min(max(wanted, 0), 32) {
      let mark: Unicode.Scalar = index < done ? "●" : index == done ? nextMark : "○"
      canvas.put(mark, column: column, row: row, style: index < done ? .good : mark == "○" ? .dim : .accent)
      column += 2
    }
    return column
  }

  private var nextMark: Unicode.Scalar { next < 0.25 ? "○" : next < 0.5 ? "◔" : next < 0.75 ? "◑" : "◕" }
}
