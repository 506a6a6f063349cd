import Glibc
import LodestoneCore

/// What rows say for and against an order: sums of logarithms of likelihoods.
struct TableEvidence {
  /// Three columns side by side.
  private struct Triple {
    var vectors: [Vector3] = []
    /// The median length.
    var median = 0.0
    /// The median distance from it, times 1.48, over it: a standard deviation that outliers do not spoil.
    var spread = 0.0
    var largest = 0.0
    var isWhole = true
    /// The largest angle between a row and the first one, in radians.
    var turn = 0.0
    /// It moves steadily, by more than its noise.
    var drifts = false
    /// What the tips lie on; nil where they do not tell.
    var sphere: TipSphere?

    /// The field's strength if it is one: the radius of its sphere where it was turned about, else its length.
    var strength: Double { isShell ? sphere?.radius ?? median : median }
    /// It was turned about, and lies on a sphere, wherever the middle of that is.
    var isShell: Bool { sphere.map { $0.turn > 0.7 && $0.residual < TableEvidence.largestResidual } ?? false }
  }

  /// Distances from a sphere, as a share of its radius, that noise and rounding of a field make; with twice that it is none.
  private static let largestResidual = 0.06

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
    isClock = firstRises && steps.allSatisfy { abs($0 - mean) <= (isWhole ? max(1.5, 0.04 * mean) : 0.02 * mean) }
  }

  private static func triple(_ rows: [[Double]], at place: Int) -> Triple {
    var triple = Triple()
    triple.vectors = rows.map { Vector3($0[place], $0[place + 1], $0[place + 2]) }
    let lengths = triple.vectors.map { $0.length }.sorted()
    triple.median = lengths[lengths.count / 2]
    let distances = lengths.map { abs($0 - triple.median) }.sorted()
    triple.spread = triple.median > 0 ? 1.48 * distances[distances.count / 2] / triple.median : 0
    for vector in triple.vectors {
      triple.largest = max(triple.largest, abs(vector.x), abs(vector.y), abs(vector.z))
      if triple.isWhole, (0..<3).contains(where: { vector[$0] != vector[$0].rounded() }) { triple.isWhole = false }
      triple.turn = max(triple.turn, triple.vectors[0].angle(to: vector))
    }
    triple.drifts = drifts(triple.vectors, size: triple.median)
    triple.sphere = TipSphere(triple.vectors, size: triple.median)
    return triple
  }

  /// The second half of the rows is elsewhere than the first, by more than the steps between neighbours explain.
  private static func drifts(_ vectors: [Vector3], size: Double) -> Bool {
    let half = vectors.count / 2
    guard half > 0 else { return false }
    for axis in 0..<3 {
      let first = vectors[..<half].reduce(0) { $0 + $1[axis] } / Double(half)
      let second = vectors[half...].reduce(0) { $0 + $1[axis] } / Double(vectors.count - half)
      let steps = zip(vectors, vectors.dropFirst()).reduce(0) {
        $0 + ($1.1[axis] - $1.0[axis]) * ($1.1[axis] - $1.0[axis])
      }
      let noise = (steps / Double(2 * vectors.count - 2)).squareRoot()
      let error = noise * (4 / Double(vectors.count)).squareRoot()
      if abs(second - first) > max(3 * error, 0.01 * size) { return true }
    }
    return false
  }

  // MARK: Scores

  func score(_ layout: TableLayout) -> Double {
    let places = layout.quantities.indices.map { layout.start + 3 * $0 }
    let field = layout.place(of: .field), force = layout.place(of: .acceleration)
    var score = layout.prior + timeScore(layout)
    if let force, let field { score += dipScore(triples[force], triples[field]) }
    for (quantity, place) in zip(layout.quantities, places) {
      switch quantity {
      case .field: score += fieldScore(triples[place])
      case .acceleration: score += accelerationScore(triples[place])
      case .rotation: score += rotationScore(layout, triples[place])
      }
    }
    return score + extraScore(layout)
  }

  /// How the board moves under an order.
  enum Motion { case rest, verified, unverified }

  /// In motion each part of an order has to bear it out: gravity by its constant length, the field by its sphere, the two by
  /// the angle between them, and rotation rates by how the others turn.
  func motion(_ layout: TableLayout) -> Motion {
    if layout.quantities.count == 1 {
      let triple = triples[layout.start]
      if triple.turn < 0.15, !triple.drifts { return .rest }
      return triple.isShell || triple.spread < 0.03 ? .verified : .unverified
    }
    let force = layout.place(of: .acceleration).map { triples[$0] },
      field = layout.place(of: .field).map { triples[$0] }
    let rate = layout.place(of: .rotation).map { triples[$0] }
    let isStill = [force, field].allSatisfy { $0.map { $0.turn < 0.15 && !$0.drifts } ?? true }
    if isStill, rate.map({ isAtRest($0) }) ?? true { return .rest }
    guard rows.count >= 12 else { return .unverified }
    let hasForce = force.map { $0.turn > 0.4 && $0.spread < 0.06 } ?? false
    let hasField = field.map { $0.isShell } ?? false
    let rateScore = rate.flatMap { turnScore(layout, $0) }
    if let force, let field {
      let agrees = hasForce && hasField && dipScore(force, field) > 0 && rateScore ?? 1 > 0
      if rate == nil, isLevelTurn(force, field), rows.count >= 16 { return .verified }
      return agrees && rows.count >= (rate == nil ? 16 : 24) ? .verified : .unverified
    }
    // Three unknowns of the field's middle fit many a turn.
    let isLong = force != nil || rows.count >= 32
    return isLong && (hasForce || hasField) && rateScore ?? 0 > 3 ? .verified : .unverified
  }

  /// A board that is turned about the vertical: its force stays, and of the field the part along it, while the other part
  /// goes round.
  private func isLevelTurn(_ force: Triple, _ field: Triple) -> Bool {
    guard force.turn < 0.15, force.spread < 0.06, let up = force.vectors.first?.direction else { return false }
    let along = field.vectors.map { $0.dot(up) }
    let across = zip(field.vectors, along).map { $0 - up * $1 }
    let mean = along.reduce(0, +) / Double(along.count)
    let change = along.reduce(0) { $0 + square($1 - mean) } / Double(along.count)
    let way = across.reduce(0) { max($0, ($1 - across[0]).length) }
    return way > 0.25 * field.median && change.squareRoot() < 0.1 * way
  }

  /// The first of three numbers goes from 0 to 360 and the others are small, as heading, pitch and roll; as a field it would
  /// always point along x, or be as long as it is turned.
  func looksLikeAngles(at place: Int) -> Bool {
    let vectors = triples[place].vectors
    guard let first = vectors.first else { return false }
    guard vectors.allSatisfy({ (0..<360.5).contains($0.x) && abs($0.y) <= 90 && abs($0.z) <= 90 }) else { return false }
    let low = vectors.reduce(first) { Vector3(min($0.x, $1.x), min($0.y, $1.y), min($0.z, $1.z)) }
    let high = vectors.reduce(first) { Vector3(max($0.x, $1.x), max($0.y, $1.y), max($0.z, $1.z)) }
    guard triples[place].median > 15 else { return false }
    let isAlongX = vectors.allSatisfy { ($0.y * $0.y + $0.z * $0.z).squareRoot() < max(0.5 * $0.x, 15) }
    guard isAlongX else { return false }
    // A field that turns does not keep to one axis.
    return triples[place].turn < 0.5 || high.x - low.x > 3 * max(high.y - low.y, high.z - low.z)
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
    return layout.hasTime ? 0 : -min(20, 4 + Double(rows.count - 3))
  }

  /// How usual each unit of a field is, and counts for whole numbers.
  private static let fieldUnits: [(unit: FieldUnit, share: Double)] = [
    (.microtesla, 0.4), (.milligauss, 0.15), (.gauss, 0.15), (.nanotesla, 0.05), (.millitesla, 0.05),
  ]

  private func fieldScore(_ triple: Triple) -> Double {
    guard triple.median > 0 else { return -10 }
    // Strengths as iron makes them: half of the Earth's to one and a half of it.
    var likelihood = Self.fieldUnits.reduce(1e-3) {
      let distance = log(triple.strength * $1.unit.microtesla / 45) / 0.45
      return $0 + $1.share * exp(-square(distance) / 2) / (0.45 * 2.507)
    }
    if triple.isWhole, triple.strength > 60 { likelihood += 0.035 }
    var score = log(likelihood)
    if let sphere = triple.sphere, sphere.turn > 0.7 {
      score += triple.isShell ? 2 : -min(6, 6 * (sphere.residual / Self.largestResidual - 1))
    } else {
      score -= min(2, square(triple.spread / 0.35) / 2)
    }
    return score
  }

  /// Lengths that 1 g has, and how usual each is: in g, m/s² and mg; for whole numbers also in counts of usual sensors.
  private static let gravities: [(length: Double, share: Double)] = [
    (1, 0.35), (Acceleration.standardGravity, 0.35), (1000, 0.15),
  ]
  private static let countsPerGravity = [256.0, 512, 1024, 2048, 4096, 8192, 16_384].map {
    (length: $0, share: $0 < 2000 ? 0.02 : 0.06)
  }

  private func accelerationScore(_ triple: Triple) -> Double {
    guard triple.median > 0 else { return -12 }
    let sizes = triple.isWhole ? Self.gravities + Self.countsPerGravity : Self.gravities
    let likelihood = sizes.reduce(1e-6) {
      let distance = log(triple.median / $1.length) / 0.04
      return $0 + $1.share * exp(-square(distance) / 2) / (0.04 * 2.507)
    }
    let isTurned = triple.turn > 0.5
    let constancy = -min(8, square(triple.spread / (isTurned ? 0.06 : 0.2)) / 2)
    return max(-10, log(likelihood)) + constancy + (isTurned && triple.spread < 0.04 ? 2 : 0)
  }

  /// The angle between field and gravity stays the same however the board turns, and whatever iron it carries: their product
  /// is a plane over the directions of gravity.
  private func dipScore(_ force: Triple, _ field: Triple) -> Double {
    guard rows.count >= 12, min(force.turn, field.sphere?.turn ?? 0) > 0.4 else {
      // What turns gravity turns the field as well.
      return force.turn > 0.3 && field.turn < 0.1 * force.turn ? -5 : 0
    }
    var fit = LinearFit()
    for (up, vector) in zip(force.vectors, field.vectors) {
      guard let up = up.direction else { continue }
      fit.add([up.x, up.y, up.z, 1], vector.dot(up) / field.strength)
    }
    guard let residual = fit.residual else { return 0 }
    return residual < 0.05 ? 2 : -min(6, 6 * (residual - 0.05) / 0.1)
  }

  /// At rest no gyroscope tells more than its zero: 15°/s, or as much in counts.
  private func isAtRest(_ triple: Triple) -> Bool { triple.median <= (triple.isWhole ? 2000 : 15) }

  private func rotationScore(_ layout: TableLayout, _ triple: Triple) -> Double {
    guard triple.largest <= (triple.isWhole ? 32_768 : 4000) else { return -12 }
    if let score = turnScore(layout, triple) { return score - 2.7 }
    guard isAtRest(triple) else { return -8 }
    return -2.3 - square(triple.median / (triple.isWhole ? 800 : 10)) / 2
  }

  /// A rotation rate explains how the other directions turn: they move by −ω × v, those of a field about the middle of its
  /// sphere. Rows are compared that are so far apart that the turn between them stands out of the noise. Nil where nothing
  /// turned enough.
  private func turnScore(_ layout: TableLayout, _ rate: Triple) -> Double? {
    guard areNeighbours, let place = layout.place(of: .acceleration) ?? layout.place(of: .field), rows.count >= 4 else {
      return nil
    }
    let other = triples[place], isField = layout.place(of: .acceleration) == nil
    guard other.turn > 0.15, other.median > 0 else { return nil }
    let vectors = other.vectors.map { $0 / other.median }
    func meanTurn(_ distance: Int) -> Double {
      zip(vectors, vectors.dropFirst(distance)).map { $0.angle(to: $1) }.reduce(0, +) / Double(rows.count - distance)
    }
    guard let distance = (1...rows.count / 2).first(where: { meanTurn($0) > 0.1 }), meanTurn(distance) < 0.7 else {
      return nil
    }
    var fit = LinearFit()
    for start in 0..<rows.count - distance {
      let turn = rate.vectors[start...start + distance].reduce(Vector3.zero) { $0 + $1 } / max(rate.largest, 1e-9)
      let expected = -turn.cross(vectors[start] + vectors[start + distance])
      let seen = vectors[start + distance] - vectors[start]
      for axis in 0..<3 {
        // ω × o is linear in the middle o.
        var unit = Vector3.zero
        var terms = [expected[axis]]
        for column in 0..<3 where isField {
          unit = .zero
          unit[column] = 1
          terms.append(turn.cross(unit)[axis])
        }
        fit.add(terms, seen[axis])
      }
    }
    guard let share = fit.explained, rows.count - distance >= 6 else { return nil }
    let (good, bad) = isField ? (0.97, 0.9) : (0.95, 0.85)
    return share > good ? 5 : share > bad ? 5 - 11 * (good - share) / (good - bad) : -6
  }

  // MARK: Other columns

  private func extraScore(_ layout: TableLayout) -> Double {
    var score = 0.0, hasTemperature = false, unexplained = 0
    for column in extras(layout) {
      let field = layout.place(of: .field)
      if layout.quantities.indices.contains(where: { isLength(column, of: layout.start + 3 * $0) }) {
        score += 4
      } else if let field, isHeading(column, of: triples[field]) {
        score += triples[field].turn > 0.3 ? 2 : -1.5
      } else if !hasTemperature, isTemperature(column) {
        hasTemperature = true
        score -= 0.5
      } else {
        unexplained += 1
      }
    }
    return score - 3 * Double(unexplained) - (unexplained > 2 ? 6 : 0)
  }

  private func isLength(_ column: Int, of place: Int) -> Bool {
    zip(rows, triples[place].vectors).allSatisfy { row, vector in
      let length = vector.length
      return length > 0 && abs(row[column] / length - 1) < 0.015
    }
  }

  /// The sketch's own heading: the angle of two axes of the field, whichever way it is counted from.
  private func isHeading(_ column: Int, of field: Triple) -> Bool {
    guard rows.allSatisfy({ (-180...360).contains($0[column]) }), field.median > 0 else { return false }
    return [1.0, -1].contains { sense in
      let offsets = zip(rows, field.vectors).map { row, vector in
        row[column] * .pi / 180 - sense * atan2(vector.y, vector.x)
      }
      let sine = offsets.reduce(0) { $0 + sin($1) }, cosine = offsets.reduce(0) { $0 + cos($1) }
      return (sine * sine + cosine * cosine).squareRoot() > 0.998 * Double(rows.count)
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
