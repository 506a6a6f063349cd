import Glibc

/// A drawing of dots, two across and four down in each cell (Unicode block U+2800). A cell of a terminal is about twice
/// as high as wide, so the dots are square.
struct BrailleCanvas {
  /// The width in cells.
  let columns: Int
  /// The height in cells.
  let rows: Int
  private var cells: [UInt8]

  /// An empty drawing; a size out of range becomes the nearest possible.
  init(columns: Int, rows: Int) {
    self.columns = min(max(columns, 0), 1000)
    self.rows = min(max(rows, 0), 500)
    cells = Array(repeating: 0, count: self.columns * self.rows)
  }

  /// The width in dots.
  var width: Int { columns * 2 }
  /// The height in dots.
  var height: Int { rows * 4 }

  /// Sets the dot at a place counted from the top left; outside there is none.
  mutating func set(_ x: Int, _ y: Int) {
    guard x >= 0, x < width, y >= 0, y < height else { return }
    cells[y / 4 * columns + x / 2] |= Self.bit(x % 2, y % 4)
  }

  /// Sets the dot nearest to a place; nothing for one that is not finite or lies outside.
  mutating func set(_ x: Double, _ y: Double) {
    guard abs(x) < 1e6, abs(y) < 1e6 else { return }
    set(Int(x.rounded()), Int(y.rounded()))
  }

  /// Sets the whole of a cell that lies inside, in the pattern given (one bit a dot).
  mutating func fill(column: Int, row: Int, pattern: UInt8) {
    guard column >= 0, column < columns, row >= 0, row < rows else { return }
    cells[row * columns + column] |= pattern
  }

  /// A straight line; the part outside is clipped before it is walked.
  mutating func line(from a: (x: Double, y: Double), to b: (x: Double, y: Double)) {
    guard let (start, end) = clipped(a, b) else { return }
    let steps = max(abs(end.x - start.x), abs(end.y - start.y)).rounded(.up)
    guard steps > 0 else { return set(start.x, start.y) }
    for step in stride(from: 0, through: steps, by: 1) {
      let t = step / steps
      set(start.x + (end.x - start.x) * t, start.y + (end.y - start.y) * t)
    }
  }

  /// A circle's rim: an eighth is computed, the rest is its mirror image.
  mutating func circle(centre: (x: Double, y: Double), radius: Double) {
    guard radius >= 0, radius < 4000 else { return }
    let onDots = abs(centre.x - centre.x.rounded(.down))
    for near in stride(from: onDots, through: (radius * 0.5.squareRoot()).rounded(.up), by: 1) {
      let far = max(radius * radius - near * near, 0).squareRoot()
      for (x, y) in [(near, far), (far, near)] {
        set(centre.x + x, centre.y + y)
        set(centre.x - x, centre.y + y)
        set(centre.x + x, centre.y - y)
        set(centre.x - x, centre.y - y)
      }
    }
  }

  /// A filled circle.
  mutating func disc(centre: (x: Double, y: Double), radius: Double) {
    guard abs(centre.x) < 1e6, abs(centre.y) < 1e6, radius >= 0, radius < 4000 else { return }
    let reach = Int(radius) + 1
    let middle = (x: Int(centre.x.rounded()), y: Int(centre.y.rounded()))
    for y in middle.y - reach...middle.y + reach {
      for x in middle.x - reach...middle.x + reach {
        if hypot(Double(x) - centre.x, Double(y) - centre.y) <= radius { set(x, y) }
      }
    }
  }

  /// Lays the drawing over a canvas: dots join those already there, and where there are new ones the style is theirs.
  func draw(on canvas: inout Canvas, column: Int, row: Int, style: Style) {
    for y in 0..<rows {
      for x in 0..<columns {
        let dots = cells[y * columns + x]
        guard dots != 0, let below = canvas[column + x, row + y] else { continue }
        let present = below.scalar.value &- 0x2800
        let joined = present < 256 ? UInt32(dots) | present : UInt32(dots)
        guard let scalar = Unicode.Scalar(0x2800 + joined) else { continue }
        canvas.put(scalar, column: column + x, row: row + y, style: style)
      }
    }
  }

  /// The bit of a dot within its cell (Unicode 16, chapter 21.1: dots 1-3 and 7 down the left, 4-6 and 8 down the
  /// right).
  static func bit(_ x: Int, _ y: Int) -> UInt8 {
    if y == 3 { return x == 0 ? 0x40 : 0x80 }
    return (x == 0 ? 0x01 : 0x08) << UInt8(y)
  }

  /// The part of a line inside the drawing (Liang and Barsky, 1984); nil for none or for ends that are not finite.
  private func clipped(
    _ a: (x: Double, y: Double), _ b: (x: Double, y: Double)
  ) -> ((x: Double, y: Double), (x: Double, y: Double))? {
    let d = (x: b.x - a.x, y: b.y - a.y)
    guard d.x.isFinite, d.y.isFinite else { return nil }
    var enter = 0.0
    var leave = 1.0
    let bounds = [
      (-d.x, a.x + 0.5), (d.x, Double(width) - 0.5 - a.x), (-d.y, a.y + 0.5), (d.y, Double(height) - 0.5 - a.y),
    ]
    for (p, q) in bounds {
      if p == 0 {
        if q < 0 { return nil }
      } else if p < 0 {
        enter = max(enter, q / p)
      } else {
        leave = min(leave, q / p)
      }
    }
    guard enter <= leave else { return nil }
    return ((a.x + d.x * enter, a.y + d.y * enter), (a.x + d.x * leave, a.y + d.y * leave))
  }
}
