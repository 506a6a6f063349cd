import Glibc

/// A bubble in a round glass: it runs to the side that is higher.
struct BubbleLevel {
  /// The upper edge up positive, in degrees.
  var pitch: Double
  /// The right edge down positive, in degrees.
  var roll: Double
  /// The tilt at the rim, in degrees.
  var limit = 15.0

  /// The tilt within which the bubble counts as centred, in degrees.
  static let levelWithin = 0.5

  /// Draws it in the middle of a region, as large as fits.
  func draw(on canvas: inout Canvas, in region: Region) {
    let side = min(region.width / 2, region.height)
    guard side >= 3, pitch.isFinite, roll.isFinite, limit > 0 else { return }
    let left = region.column + (region.width - side * 2) / 2
    let top = region.row + (region.height - side) / 2
    let centre = Double(side * 2)
    var glass = BrailleCanvas(columns: side * 2, rows: side)
    let bubble = max(1.5, centre * 0.14)
    glass.circle(centre: (centre, centre), radius: centre - 1)
    glass.circle(centre: (centre, centre), radius: bubble + 2)
    glass.draw(on: &canvas, column: left, row: top, style: .dim)
    let tilt = hypot(pitch, roll)
    let reach = (centre - bubble - 2) * min(tilt / limit, 1)
    let place = tilt > 0 ? (x: -roll / tilt * reach, y: -pitch / tilt * reach) : (x: 0.0, y: 0.0)
    var mark = BrailleCanvas(columns: side * 2, rows: side)
    mark.disc(centre: (centre + place.x, centre + place.y), radius: bubble)
    let style: Style = tilt <= Self.levelWithin ? .good : tilt >= limit ? .warning : .accent
    mark.draw(on: &canvas, column: left, row: top, style: style)
  }
}

/// A straight scale with a needle: the inclination along one axis.
struct NeedleScale {
  /// The angle in degrees; nil draws the scale alone.
  var value: Double?
  /// The angle at both ends, in degrees.
  var limit: Double

  /// Two rows: the needle above the scale.
  func draw(on canvas: inout Canvas, column: Int, row: Int, width: Int) {
    guard width >= 11, width <= 1000, limit > 0 else { return }
    let middle = (width - 1) / 2
    let reach = middle
    canvas.rule(column: column, row: row + 1, width: reach * 2 + 1)
    for tenth in -2...2 {
      let place = column + middle + Int((Double(tenth) / 2 * Double(reach)).rounded())
      canvas.put(tenth == 0 ? "┼" : "┴", column: place, row: row + 1, style: tenth == 0 ? .plain : .dim)
    }
    guard let value, value.isFinite else { return }
    let share = min(max(value / limit, -1), 1)
    let style: Style = abs(value) <= BubbleLevel.levelWithin ? .good : abs(value) > limit ? .warning : .accent
    let place = column + middle + Int((share * Double(reach)).rounded())
    canvas.put(value > limit ? "▶" : value < -limit ? "◀" : "▼", column: place, row: row, style: style)
  }
}
