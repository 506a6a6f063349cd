import Glibc
import LodestoneCore

/// What the columns of bare numbers are, told by what they do: three of a constant length near 1 g are an acceleration, three
/// whose length can be the Earth's field are that, three near zero at rest that follow the turning are rotation rates, what
/// rises evenly is a time. Every order that the count of columns allows is scored, and the best is taken when it is clear.
///
/// A score is the logarithm of how well an order explains the rows; the scales are wide, for cheap boards are off by a
/// tenth and carry iron.
struct TableSearch: Sendable {
  /// How it stands.
  enum Verdict: Equatable {
    /// More rows are needed.
    case open
    /// The columns, and how much better their order is than the next one.
    case found(CSVColumns, margin: Double)
    /// Two orders do equally well: the device has to be turned, or the user to say.
    case ambiguous
    /// No order explains the rows: whatever this is, there is no magnetometer in it.
    case unlikely
  }

  /// Rows that are needed, and at which a poorer margin is enough.
  private static let fewest = 5, several = 12, turned = 32, many = 40
  /// So many rows are kept; of a longer stream every second, fourth, … of them.
  private static let capacity = 64
  /// Tables may have so many columns.
  static let columnCounts = 3...12
  /// Margins that are enough for few, several and many rows.
  private static let margins = (few: 1.5, several: 1.2, many: 1.0)
  /// With less than this no order is believed.
  private static let lowest = -6.0

  /// How many columns the rows have.
  let columnCount: Int
  private var kept: [[Double]] = []
  private var stride = 1
  private(set) var rowCount = 0

  /// Nil for a count of columns that no table has.
  init?(columnCount: Int) {
    guard Self.columnCounts.contains(columnCount) else { return nil }
    self.columnCount = columnCount
  }

  /// Takes a row in; one with another count of columns is passed over.
  mutating func add(_ row: [Double]) {
    guard row.count == columnCount else { return }
    defer { rowCount += 1 }
    guard rowCount % stride == 0 else { return }
    if kept.count == Self.capacity {
      kept = Swift.stride(from: 0, to: kept.count, by: 2).map { kept[$0] }
      stride *= 2
      guard rowCount % stride == 0 else { return }
    }
    kept.append(row)
  }

  /// What the rows so far tell.
  /// - Parameter atEnd: no more will come: the best is taken if there is one.
  func verdict(atEnd: Bool = false) -> Verdict {
    guard !kept.isEmpty, rowCount >= Self.fewest || atEnd else { return .open }
    let evidence = TableEvidence(kept, areNeighbours: stride == 1)
    let ranked = TableLayout.all(of: columnCount, hasTime: evidence.firstRises)
      .map { (layout: $0, score: evidence.score($0)) }.sorted { $0.score > $1.score }
    guard let best = ranked.first else { return .unlikely }
    // Of three columns that are nothing else, the field's unit will tell whether they can be one.
    guard best.score >= Self.lowest || columnCount == 3 else {
      return rowCount >= Self.several || atEnd ? .unlikely : .open
    }
    // A few numbers that rise may be noise: what is no clock by its looks must rise for longer.
    if best.layout.hasTime, !evidence.isClock, rowCount < Self.several, !atEnd { return .open }
    // A gyroscope in motion may be as long as a field: only the turn tells which is which.
    if evidence.isSwappable(best.layout), rowCount < Self.turned, !atEnd { return .open }
    // A board that is turned shows the sphere of its field soon: until then iron may look like anything.
    if evidence.hidesSphere(best.layout), rowCount < Self.turned, !atEnd { return .open }
    let margin = best.score - (ranked.count > 1 ? ranked[1].score : -.infinity)
    let isEnough =
      margin >= Self.margins.few || (margin >= Self.margins.several && rowCount >= Self.several)
      || (margin >= Self.margins.many && (rowCount >= Self.many || atEnd))
    if isEnough { return .found(CSVColumns(names: evidence.names(best.layout)), margin: min(margin, 99)) }
    return rowCount >= Self.many || atEnd ? .ambiguous : .open
  }
}

/// An order of columns: a time or none, columns before, triples, columns behind.
struct TableLayout: Sendable {
  enum Quantity: Sendable { case field, acceleration, rotation }

  var hasTime: Bool
  /// Columns of no interest before the triples.
  var front: Int
  var quantities: [Quantity]
  /// How usual the order is.
  var prior: Double

  /// Where the first triple begins.
  var start: Int { (hasTime ? 1 : 0) + front }
  /// Where a triple begins; nil where the order has none of the quantity.
  func place(of quantity: Quantity) -> Int? { quantities.firstIndex(of: quantity).map { start + 3 * $0 } }
  /// The first column behind the triples.
  var end: Int { start + 3 * quantities.count }

  private static let orders: [([Quantity], prior: Double)] = [
    ([.field], 0), ([.acceleration], -2), ([.rotation], -12),
    ([.acceleration, .field], 0), ([.field, .acceleration], 0), ([.acceleration, .rotation], -0.5),
    ([.rotation, .acceleration], -1), ([.rotation, .field], -1.5), ([.field, .rotation], -2),
    ([.acceleration, .rotation, .field], 0), ([.rotation, .acceleration, .field], -0.5),
    ([.field, .acceleration, .rotation], -0.3), ([.acceleration, .field, .rotation], -1),
    ([.field, .rotation, .acceleration], -1), ([.rotation, .field, .acceleration], -1),
  ]
  /// Columns beside time and triples.
  private static let mostExtras = 3
  /// A column before the triples that is no time is rare.
  private static let frontPrior = -4.0

  /// Every order of so many columns.
  static func all(of count: Int, hasTime: Bool) -> [TableLayout] {
    var layouts: [TableLayout] = []
    for isTimed in hasTime ? [true, false] : [false] {
      for (quantities, prior) in orders {
        let extras = count - (isTimed ? 1 : 0) - 3 * quantities.count
        guard (0...mostExtras).contains(extras) else { continue }
        for front in 0...min(extras, isTimed ? 0 : 1) {
          layouts.append(
            TableLayout(
              hasTime: isTimed, front: front, quantities: quantities, prior: prior + Double(front) * frontPrior))
        }
      }
    }
    return layouts
  }
}

/// What rows say for and against an order.
private struct TableEvidence {
  /// The length of three columns, row by row.
  private struct Triple {
    var median = 0.0
    /// The median distance from it, times 1.48, over it: a standard deviation that outliers do not spoil.
    var spread = 0.0
    var largest = 0.0
    var isWhole = true
    /// The largest angle between a row and the first one, in radians.
    var turn = 0.0
    /// The field's strength if it is one: the radius of the sphere that it lies on, where it was turned about, else its length.
    var strength = 0.0
    /// It was turned about, and lies on a sphere whose middle is elsewhere.
    var isShell = false
  }

  private let rows: [[Double]]
  private let areNeighbours: Bool
  private let triples: [Triple]
  /// The first column rises from row to row.
  let firstRises: Bool
  /// It does so in even steps, as no measured value does.
  let isClock: Bool

  init(_ rows: [[Double]], areNeighbours: Bool) {
    self.rows = rows
    self.areNeighbours = areNeighbours
    let count = rows.first?.count ?? 0
    triples = (0..<max(0, count - 2)).map { Self.triple(rows, at: $0) }
    let steps = zip(rows, rows.dropFirst()).map { $1[0] - $0[0] }
    let mean = steps.isEmpty ? 0 : steps.reduce(0, +) / Double(steps.count)
    firstRises =
      mean > 0 && rows[0][0] >= 0 && steps.allSatisfy { $0 >= 0 } && 2 * steps.count { $0 > 0 } > steps.count
    let isWhole = rows.allSatisfy { $0[0] == $0[0].rounded() }
    isClock = firstRises && steps.allSatisfy { abs($0 - mean) <= (isWhole ? 0.5 : 0.02) * mean }
  }

  private static func vector(_ row: [Double], _ place: Int) -> Vector3 {
    Vector3(row[place], row[place + 1], row[place + 2])
  }

  private static func triple(_ rows: [[Double]], at place: Int) -> Triple {
    var triple = Triple()
    let vectors = rows.map { vector($0, place) }
    let lengths = vectors.map { $0.length }.sorted()
    triple.median = lengths[lengths.count / 2]
    let distances = lengths.map { abs($0 - triple.median) }.sorted()
    triple.spread = triple.median > 0 ? 1.48 * distances[distances.count / 2] / triple.median : 0
    for vector in vectors {
      triple.largest = max(triple.largest, abs(vector.x), abs(vector.y), abs(vector.z))
      if triple.isWhole, (0..<3).contains(where: { vector[$0] != vector[$0].rounded() }) { triple.isWhole = false }
      triple.turn = max(triple.turn, vectors[0].angle(to: vector))
    }
    let size = FieldSize(vectors)
    triple.strength = size?.strength ?? triple.median
    triple.isShell = size?.isShell ?? false
    return triple
  }

  // MARK: Scores

  func score(_ layout: TableLayout) -> Double {
    let places = layout.quantities.indices.map { layout.start + 3 * $0 }
    let turned = zip(layout.quantities, places).filter { $0.0 != .rotation }.map { triples[$0.1].turn }.max() ?? 0
    var score = layout.prior + timeScore(layout)
    // What turns gravity turns the field as well.
    if let force = layout.place(of: .acceleration), let field = layout.place(of: .field), triples[force].turn > 0.2,
      triples[field].turn < 0.2 * triples[force].turn
    {
      score -= 5
    }
    for (quantity, place) in zip(layout.quantities, places) {
      switch quantity {
      case .field: score += fieldScore(triples[place])
      case .acceleration: score += accelerationScore(triples[place])
      case .rotation: score += rotationScore(triples[place], hasTurned: turned > 0.2) + turnScore(layout, place)
      }
    }
    var hasTemperature = false
    for column in extras(layout) {
      if layout.quantities.indices.contains(where: { isLength(column, of: layout.start + 3 * $0) }) {
        score += 4
      } else if !hasTemperature, isTemperature(column) {
        hasTemperature = true
        score -= 0.5
      } else {
        score -= 2
      }
    }
    return score
  }

  /// What an order takes for a rotation rate is too much for a board at rest, and it turns too little to bear that out.
  func isSwappable(_ layout: TableLayout) -> Bool {
    guard let place = layout.place(of: .rotation), layout.place(of: .field) != nil else { return false }
    let isAtRest = triples[place].median <= (triples[place].isWhole ? 700 : 15) && fieldScore(triples[place]) <= -4
    return !isAtRest && turnScore(layout, place) <= 0
  }

  /// The board turns, and one of an order's directions is not constant yet, or of a length that is no field's.
  func hidesSphere(_ layout: TableLayout) -> Bool {
    let places = layout.quantities.indices.map { layout.start + 3 * $0 }
    guard places.contains(where: { triples[$0].turn > 0.15 }) else { return false }
    return zip(layout.quantities, places).contains { quantity, place in
      switch quantity {
      case .field: !triples[place].isShell && (triples[place].spread > 0.03 || fieldScore(triples[place]) < -0.5)
      case .acceleration: triples[place].spread > 0.1
      case .rotation: layout.place(of: .field) == nil
      }
    }
  }

  /// Columns of no interest.
  private func extras(_ layout: TableLayout) -> [Int] {
    let first = layout.hasTime ? 1 : 0
    return Array(first..<layout.start) + Array(layout.end..<(rows.first?.count ?? 0))
  }

  /// A first column that rises is hardly ever anything but a time, the less so the more rows it rises in.
  private func timeScore(_ layout: TableLayout) -> Double {
    guard firstRises else { return 0 }
    guard isClock else { return layout.hasTime ? -1 : 0 }
    return layout.hasTime ? 0 : -min(10, 2 + 0.8 * Double(rows.count - 3))
  }

  private func fieldScore(_ triple: Triple) -> Double {
    guard triple.median > 0 else { return -5 }
    let misfit =
      FieldUnit.allCases.map { MagneticField.earthMisfit(triple.strength * $0.microtesla) }.min() ?? .infinity
    let size = misfit <= 1 ? 0.0 : misfit <= 1.3 ? -1 : triple.isWhole || misfit < 1.8 ? -4 : -8
    let constancy = -min(2.5, square(triple.spread / 0.35) / 2)
    return size + (triple.isShell ? 0 : constancy)
      + (triple.turn > 0.5 && (triple.isShell || triple.spread < 0.1) ? 2 : 0)
  }

  /// Lengths that 1 g has: in g, m/s², mg, and in counts of usual sensors.
  private static let gravities = [1, Acceleration.standardGravity, 1000]
  private static let countsPerGravity = [256.0, 512, 1024, 2048, 4096, 8192, 16_384]

  private func accelerationScore(_ triple: Triple) -> Double {
    guard triple.median > 0 else { return -12 }
    let sizes = triple.isWhole ? Self.gravities + Self.countsPerGravity : Self.gravities
    let distance = sizes.map { abs(log(triple.median / $0)) }.min() ?? .infinity
    guard distance < 0.35 else { return -12 }
    let constancy = -min(6, square(triple.spread / (triple.turn > 0.5 ? 0.1 : 0.2)) / 2)
    return -min(6, square(distance / 0.08) / 2) + constancy + (triple.turn > 0.5 && triple.spread < 0.05 ? 2 : 0)
  }

  /// At rest no gyroscope tells more than its zero: 15°/s, or as much in counts.
  private func rotationScore(_ triple: Triple, hasTurned: Bool) -> Double {
    guard triple.largest <= (triple.isWhole ? 32_768 : 4000) else { return -12 }
    if hasTurned { return -1 }
    return triple.median <= (triple.isWhole ? 2000 : 15) ? -0.5 : -2
  }

  /// A rotation rate explains how the other directions turn: they move by −ω × v. Rows are compared that are so far apart
  /// that the turn between them stands out of the noise.
  private func turnScore(_ layout: TableLayout, _ place: Int) -> Double {
    guard areNeighbours, let other = layout.place(of: .acceleration) ?? layout.place(of: .field),
      triples[other].turn > 0.1, rows.count >= 4
    else { return 0 }
    let directions = rows.map { Self.vector($0, other).direction ?? .zero }
    let distance = (1...rows.count / 2).first { distance in
      zip(directions, directions.dropFirst(distance)).map { $0.angle(to: $1) }.reduce(0, +)
        > 0.15 * Double(rows.count - distance)
    }
    var product = 0.0, expectedSquare = 0.0, seenSquare = 0.0
    for start in 0..<rows.count - (distance ?? rows.count / 2) {
      let end = start + (distance ?? rows.count / 2)
      let turn = rows[start...end].reduce(Vector3.zero) { $0 + Self.vector($1, place) }
      let expected = -turn.cross(directions[start] + directions[end]), seen = directions[end] - directions[start]
      product += expected.dot(seen)
      expectedSquare += expected.squaredLength
      seenSquare += seen.squaredLength
    }
    guard expectedSquare > 0, seenSquare > 0 else { return 0 }
    let correlation = abs(product) / (expectedSquare * seenSquare).squareRoot()
    return correlation > 0.95 ? 4 : correlation > 0.85 ? 0 : -4
  }

  private func isLength(_ column: Int, of place: Int) -> Bool {
    rows.allSatisfy { row in
      let length = Self.vector(row, place).length
      return length > 0 && abs(row[column] / length - 1) < 0.015
    }
  }

  private func isTemperature(_ column: Int) -> Bool {
    let values = rows.map { $0[column] }
    guard let low = values.min(), let high = values.max() else { return false }
    return low >= -40 && high <= 85 && high - low < 3
  }

  // MARK: Names

  /// The names of an order's columns, as a header would have them; empty for what is left out.
  func names(_ layout: TableLayout) -> [String] {
    var names = [String](repeating: "", count: rows.first?.count ?? 0)
    if layout.hasTime { names[0] = "t" }
    for (index, quantity) in layout.quantities.enumerated() {
      let letter =
        switch quantity {
        case .field: "m"
        case .acceleration: "a"
        case .rotation: "g"
        }
      for (axis, name) in ["x", "y", "z"].enumerated() { names[layout.start + 3 * index + axis] = letter + name }
    }
    if let column = extras(layout).first(where: { column in
      isTemperature(column) && !layout.quantities.indices.contains { isLength(column, of: layout.start + 3 * $0) }
    }) {
      names[column] = "temperature"
    }
    return names
  }

  private func square(_ value: Double) -> Double { value * value }
}
