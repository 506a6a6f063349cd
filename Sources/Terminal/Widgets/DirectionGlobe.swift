import LodestoneCore

/// The sphere of directions as two discs side by side, as old maps of the world: on the left the half the face looks
/// to, on the right the half behind, seen from behind, so that what leaves the left disc on its right enters the right
/// one on its left. Lambert's equal-area projection: equal solid angles take equal areas.
struct DirectionGlobe {
  /// Directions of the device frame that were met; each stands for what is nearest to it.
  var met: [Vector3]
  /// Directions that are missing.
  var missing: [Vector3]
  /// The direction of the field just now, in the device frame.
  var current: Vector3?

  /// The fewest rows in which a hemisphere is worth drawing.
  static let leastHeight = 5

  /// Both discs and their names, in the middle of a region.
  func draw(on canvas: inout Canvas, in region: Region) {
    let side = min((region.width - 2) / 4, region.height - 1)
    guard side >= Self.leastHeight else { return }
    let left = region.column + (region.width - side * 4 - 2) / 2
    let right = left + side * 2 + 2
    let nearest = NearestDirection(met: met, missing: missing)
    drawDisc(nearest, front: true, on: &canvas, column: left, row: region.row, side)
    drawDisc(nearest, front: false, on: &canvas, column: right, row: region.row, side)
    let names = Region(column: left, row: 0, width: side * 2, height: 1)
    canvas.text("face side", centredIn: names, row: region.row + side, style: .dim)
    canvas.text(
      "back side", centredIn: Region(column: right, row: 0, width: side * 2, height: 1), row: region.row + side,
      style: .dim)
    drawCurrent(on: &canvas, left, right, region.row, side)
  }

  private func drawDisc(
    _ nearest: NearestDirection, front: Bool, on canvas: inout Canvas, column: Int, row: Int, _ side: Int
  ) {
    var covered = BrailleCanvas(columns: side * 2, rows: side)
    var missing = BrailleCanvas(columns: side * 2, rows: side)
    let radius = Double(side * 4) / 2
    for y in 0..<side {
      for x in 0..<side * 2 {
        let mask = Self.mask(x, y, radius)
        guard mask != 0 else { continue }
        let centre = (x: (Double(x) * 2 + 1) / radius - 1, y: 1 - (Double(y) * 4 + 2) / radius)
        if nearest.isCovered(at: Self.direction(centre.x, centre.y, front: front)) {
          covered.fill(column: x, row: y, pattern: mask)
        } else {
          missing.fill(column: x, row: y, pattern: mask & (BrailleCanvas.bit(0, 1) | BrailleCanvas.bit(1, 3)))
        }
      }
    }
    missing.circle(centre: (radius - 0.5, radius - 0.5), radius: radius - 0.5)
    missing.draw(on: &canvas, column: column, row: row, style: .dim)
    covered.draw(on: &canvas, column: column, row: row, style: .good)
  }

  /// A mark where the field points now.
  private func drawCurrent(on canvas: inout Canvas, _ left: Int, _ right: Int, _ row: Int, _ side: Int) {
    guard let n = current?.direction else { return }
    let scale = 1 / (1 + abs(n.z)).squareRoot()
    let x = n.x * scale * (n.z >= 0 ? 1 : -1)
    let column = min(max(Int((x + 1) * Double(side)), 0), side * 2 - 1)
    let line = min(max(Int((1 - n.y * scale) / 2 * Double(side)), 0), side - 1)
    canvas.put("◆", column: (n.z >= 0 ? left : right) + column, row: row + line, style: .accent)
  }

  /// The inverse projection of a disc of radius 1.
  static func direction(_ x: Double, _ y: Double, front: Bool) -> Vector3 {
    let square = min(x * x + y * y, 1)
    let scale = (2 - square).squareRoot()
    return front ? Vector3(x * scale, y * scale, 1 - square) : Vector3(-x * scale, y * scale, square - 1)
  }

  /// The dots of a cell that lie within the disc.
  private static func mask(_ column: Int, _ row: Int, _ radius: Double) -> UInt8 {
    var mask: UInt8 = 0
    for y in 0..<4 {
      for x in 0..<2 {
        let away = (x: Double(column * 2 + x) + 0.5 - radius, y: Double(row * 4 + y) + 0.5 - radius)
        if away.x * away.x + away.y * away.y <= radius * radius { mask |= BrailleCanvas.bit(x, y) }
      }
    }
    return mask
  }
}

/// Finds the direction nearest to a place on the sphere. Kept in the order of z: two places of a unit sphere are at
/// least as far apart as their z, so the search leaves z's neighbourhood only as far as the best found so far allows.
struct NearestDirection {
  private let sorted: [(place: Vector3, isCovered: Bool)]

  /// Among these; what has no direction is left out.
  init(met: [Vector3], missing: [Vector3]) {
    let all = met.map { ($0, true) } + missing.map { ($0, false) }
    sorted = all.compactMap { vector, isCovered in vector.direction.map { ($0, isCovered) } }
      .sorted { $0.place.z < $1.place.z }
  }

  /// Whether the nearest to a place of length 1 is covered; false where there is none.
  func isCovered(at place: Vector3) -> Bool {
    var lower = 0
    var upper = sorted.count
    while lower < upper {
      let middle = (lower + upper) / 2
      if sorted[middle].place.z < place.z { lower = middle + 1 } else { upper = middle }
    }
    let start = lower
    var best = (square: Double.infinity, isCovered: false)
    for index in start..<sorted.count {
      guard consider(sorted[index], &best, place) else { break }
    }
    for index in (0..<start).reversed() {
      guard consider(sorted[index], &best, place) else { break }
    }
    return best.isCovered
  }

  /// Takes a candidate over if it is nearer; false when neither it nor what lies beyond it can be.
  private func consider(
    _ candidate: (place: Vector3, isCovered: Bool), _ best: inout (square: Double, isCovered: Bool), _ place: Vector3
  ) -> Bool {
    let away = candidate.place - place
    if away.z * away.z > best.square { return false }
    let square = away.squaredLength
    if square < best.square { best = (square, candidate.isCovered) }
    return true
  }
}
