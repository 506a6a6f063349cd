import Glibc
import LodestoneCore

/// The evidence of the rows for and against an order: sums of logarithms of likelihoods.
struct TableEvidence {
  let rows: [[Double]]
  private let shape: TableShape
  private let areNeighbours: Bool
  let triples: [TableTriple]
  /// The first column.
  let first: RisingColumn
  /// The number of columns that rise evenly at the front, and the one of them that is the time: beside it rows may be
  /// counted.
  let lead: Int, time: Int
  /// Two columns that hold the scale of a plot, the same number with both signs, which all others lie between; or two
  /// marks of what is new, before nine axes and a temperature.
  let limits: [Int]
  /// Columns behind the first that rise by the same whole number from each row to the next: they count rows or packets.
  /// So do those that tell the time of the first again.
  let counted: [Int]
  /// Four columns that are a quaternion; empty where none are.
  let quaternion: Range<Int>

  /// Rows that are written like this.
  init(_ rows: [[Double]], _ shape: TableShape, areNeighbours: Bool) {
    self.rows = rows
    self.shape = shape
    self.areNeighbours = areNeighbours
    let count = rows.first?.count ?? 0
    triples = (0..<max(0, count - 2)).map { TableTriple(rows, at: $0) }
    counted = (0..<count).dropFirst().filter { Self.counts($0, rows) || Self.tellsTimeAgain($0, rows) }
    first = RisingColumn(rows.map { $0.first ?? 0 })
    quaternion = Self.quaternion(in: rows)
    limits =
      [[0, 1], [0, count - 1], [count - 2, count - 1]].first { count > 4 && Self.areLimits($0, rows) }
      ?? (Self.areMarked(rows) ? [0, 1] : [])
    guard count > 4, first.isClock else {
      (lead, time) = (1, 0)
      return
    }
    let second = RisingColumn(rows.map { $0[1] })
    lead = second.isClock ? 2 : 1
    time = second.isClock && first.isWhole && (!second.isWhole || second.step > first.step) ? 1 : 0
  }

  // MARK: Scores

  func score(_ layout: TableLayout) -> Double {
    let places = layout.places
    let field = layout.place(of: .field), force = layout.place(of: .acceleration)
    var score = layout.prior + timeScore(layout)
    if let force, let field { score += dipScore(triples[force], triples[field]) }
    for (quantity, place) in zip(layout.quantities, places) {
      switch quantity {
      case .field: score += fieldScore(triples[place], shape.fieldUnit(at: place))
      case .acceleration: score += accelerationScore(triples[place], shape.accelerationUnit(at: place))
      case .rotation: score += rotationScore(layout, triples[place])
      }
    }
    return score + extraScore(layout)
  }

  /// An order that leaves open what more than one column is, or in motion why the board turned as its gyroscope says
  /// and why field and gravity turn as they do, is no answer.
  func isWhole(_ layout: TableLayout) -> Bool {
    if unexplained(layout) > 1 { return false }
    if let place = layout.place(of: .acceleration), !isUsualGravity(at: place) { return false }
    let force = layout.place(of: .acceleration).map { triples[$0] },
      field = layout.place(of: .field).map { triples[$0] }
    if let force, let field {
      if dipScore(force, field) < 0 { return false }
      // Either may be the other.
      if max(force.turn, field.turn) > 0.3, accelerationScore(field) + fieldScore(force) > -5 { return false }
      // Three numbers that tell how gravity turns are rotation rates: no field, even where they lie on a sphere.
      if layout.place(of: .rotation) == nil, force.turn > 0.3 {
        guard let turns = turnScore(layout.withoutField, field) else { return rows.count >= 32 }
        if turns > 0 { return false }
      }
    }
    guard let rate = layout.place(of: .rotation).map({ triples[$0] }) else { return true }
    if motion(layout) == .rest { return rows.count >= 12 }
    return turnScore(layout, rate) ?? 0 > 0
  }

  /// Whether both orders find a field and nothing else, and the one is the other in another unit.
  func haveOneField(_ a: TableLayout, _ b: TableLayout) -> Bool {
    a.quantities == [.field] && b.quantities == [.field] && isCopy(triples[a.start], of: triples[b.start])
  }

  /// The motion of the board under an order.
  enum Motion { case rest, verified, unverified }

  /// The motion under an order. In motion each part of it has to bear it out: gravity by its constant length, the field
  /// by its sphere, the two by the angle between them, and rotation rates by how the others turn.
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
    if isStill, rate.map({ isAtRest($0) && !$0.drifts }) ?? true { return .rest }
    guard rows.count >= 12 else { return .unverified }
    let hasForce = force.map { $0.turn > 0.4 && $0.spread < 0.06 } ?? false
    let hasField = field.map { $0.isShell } ?? false
    let rateScore = rate.flatMap { turnScore(layout, $0) }
    if let force, let field {
      let agrees = hasForce && hasField && dipScore(force, field) > 0 && (rate == nil || rateScore ?? 0 > 0)
      // Rotation rates in counts may go round as well, and show what they are in time.
      if rate == nil, isLevelTurn(force, field), rows.count >= (field.isWhole ? 32 : 16) { return .verified }
      return agrees && rows.count >= (rate == nil ? 16 : 24) ? .verified : .unverified
    }
    // Three unknowns of the field's middle fit many a turn.
    let isLong = force != nil || rows.count >= 32
    return isLong && (hasForce || hasField) && rateScore ?? 0 > 3 ? .verified : .unverified
  }

  /// A board that is turned about the vertical, and nods at most: of the field the part along gravity stays, while the
  /// other part goes round.
  func isLevelTurn(_ force: TableTriple, _ field: TableTriple) -> Bool {
    guard force.turn < 0.4, force.spread < 0.06 else { return false }
    let ups = force.vectors.map { $0 / max($0.length, 1e-9) }
    // Of two that might be either, one that goes round the other tells nothing.
    guard accelerationScore(field) < 0 else { return false }
    let along = zip(field.vectors, ups).map { $0.dot($1) }
    let across = zip(field.vectors, zip(ups, along)).map { $0 - $1.0 * $1.1 }
    let mean = along.reduce(0, +) / Double(along.count)
    let change = along.reduce(0) { $0 + square($1 - mean) } / Double(along.count)
    let way = across.reduce(0) { max($0, ($1 - across[0]).length) }
    return way > 0.25 * field.median && change.squareRoot() < 0.1 * way
  }

  /// Rows of twelve that begin with two of 0 or 1, as those of Bolder Flight's examples: whether the motion is new, and
  /// the field.
  private static func areMarked(_ rows: [[Double]]) -> Bool {
    rows.allSatisfy { row in row.count == 12 && row[..<2].allSatisfy { $0 == 0 || $0 == 1 } }
      && rows.contains { $0[0] == 1 }
  }

  private static func areLimits(_ columns: [Int], _ rows: [[Double]]) -> Bool {
    guard rows.count > 2, let low = rows.first?[columns[0]], low < 0, low == low.rounded() else { return false }
    return rows.allSatisfy { row in
      row[columns[0]] == low && row[columns[1]] == -low && row.allSatisfy { (low...(-low)).contains($0) }
    }
  }

  /// Columns before the triples are nothing that is known.
  func beginsWithOthers(_ layout: TableLayout) -> Bool {
    (layout.lead..<layout.start).contains { !limits.contains($0) && !quaternion.contains($0) }
  }

  /// Columns of no interest.
  func extras(_ layout: TableLayout) -> [Int] {
    let places = layout.places
    return (layout.lead..<(rows.first?.count ?? 0)).filter { column in
      !places.contains { ($0..<$0 + 3).contains(column) }
    }
  }

  /// A first column that rises is hardly ever anything but a time, the less so the more rows it rises in.
  private func timeScore(_ layout: TableLayout) -> Double {
    guard first.rises else { return 0 }
    guard first.isClock else {
      return layout.hasTime ? -1 : first.isUnevenClock ? -min(12, 0.6 * Double(rows.count - 11)) : 0
    }
    return layout.hasTime ? 0 : -min(20, 4 + Double(rows.count - 3))
  }

  /// The share of streams with each unit of a field, and with counts for whole numbers.
  private static let fieldUnits: [(unit: FieldUnit, share: Double)] = [
    (.microtesla, 0.4), (.milligauss, 0.15), (.gauss, 0.15), (.nanotesla, 0.05), (.millitesla, 0.05),
  ]

  /// - Parameter said: the unit behind the numbers, where one stands there.
  func fieldScore(_ triple: TableTriple, _ said: FieldUnit? = nil) -> Double {
    guard triple.median > 0 else { return -10 }
    let units = said.map { [(unit: $0, share: 1.0)] } ?? Self.fieldUnits
    // Strengths as iron makes them: half of the Earth's to one and a half of it.
    var likelihood = units.reduce(1e-3) {
      let distance = log(triple.strength * $1.unit.microtesla / 45) / 0.45
      return $0 + $1.share * exp(-square(distance) / 2) / (0.45 * 2.507)
    }
    if said == nil, triple.isWhole, triple.strength > 60 { likelihood += 0.035 }
    var score = log(likelihood)
    if let sphere = triple.sphere, sphere.turn > 0.7 {
      // Of a small part of a sphere noise makes a smaller one.
      let residual = max(0, square(sphere.residual) - square(1.3 * triple.noise / sphere.radius)).squareRoot()
      score += triple.isShell ? 2 : -min(6, max(0, 6 * (residual / TableTriple.largestResidual - 1)))
    } else {
      score -= min(2, square(triple.spread / 0.35) / 2)
    }
    return said == nil && areAngles(triple) != nil ? score - Self.anglesMalus : score
  }

  /// Lengths that 1 g has, and how usual each is: in g, m/s² and mg; for whole numbers also in counts of usual sensors.
  private static let gravities: [(length: Double, share: Double)] = [
    (1, 0.35), (Acceleration.standardGravity, 0.35), (1000, 0.15),
  ]
  private static let countsPerGravity = [256.0, 512, 1024, 2048, 4096, 8192, 16_384].map {
    (length: $0, share: $0 == 256 || $0 > 2000 ? 0.06 : 0.02)
  }

  /// Whether they are whole numbers that are always as long as 1 g is in the counts of a usual accelerometer, its zeros
  /// and gains aside. A field in counts may be as long, and then iron moves its middle.
  func looksLikeGravityCounts(at place: Int) -> Bool {
    let triple = triples[place]
    let isLong = Self.countsPerGravity.contains { $0.share > 0.05 && abs(triple.median / $0.length - 1) < 0.08 }
    return triple.isWhole && isLong && triple.spread < 0.1
  }

  /// - Parameter said: the unit behind the numbers, where one stands there.
  private func accelerationScore(_ triple: TableTriple, _ said: AccelerationUnit? = nil) -> Double {
    guard triple.median > 0 else { return -12 }
    let usual = triple.isWhole ? Self.gravities + Self.countsPerGravity : Self.gravities
    let sizes = said.map { [(length: 1 / $0.gravities, share: 1.0)] } ?? usual
    let likelihood = sizes.reduce(1e-6) {
      let distance = log(triple.median / $1.length) / 0.04
      return $0 + $1.share * exp(-square(distance) / 2) / (0.04 * 2.507)
    }
    let isTurned = triple.turn > 0.5
    let constancy = -min(8, square(triple.spread / (isTurned ? 0.06 : 0.2)) / 2)
    return max(-10, log(likelihood)) + constancy + (isTurned && triple.spread < 0.04 ? 2 : 0)
  }

  /// Whether they are as long as 1 g in a unit that accelerations have; whole numbers may be counts of any size.
  private func isUsualGravity(at place: Int) -> Bool {
    let triple = triples[place]
    guard shape.accelerationUnit(at: place) == nil, !triple.isWhole, triple.median > 0 else { return true }
    return Self.gravities.contains { abs(log(triple.median / $0.length)) < 0.25 }
  }

  /// The angle between field and gravity stays the same however the board turns, and whatever iron it carries: their
  /// product is a plane over the directions of gravity.
  private func dipScore(_ force: TableTriple, _ field: TableTriple) -> Double {
    if isCopy(force, of: field) { return -12 }
    // What turns gravity turns the field as well.
    if force.turn > 0.3, field.turn < 0.1 * force.turn { return -5 }
    let fieldTurn = max(field.turn, field.sphere?.turn ?? 0)
    guard rows.count >= 12, max(force.turn, fieldTurn) > 0.4 else { return 0 }
    var fit = LinearFit()
    for (up, vector) in zip(force.vectors, field.vectors) {
      guard let up = up.direction else { continue }
      fit.add(SIMD4(up.x, up.y, up.z, 1), vector.dot(up) / field.strength)
    }
    guard let residual = fit.residual else { return 0 }
    // Where one of them was hardly turned a plane fits nearly anything.
    guard residual >= 0.05 else { return min(force.turn, fieldTurn) > 0.4 ? 2 : 0 }
    return -min(6, 6 * (residual - 0.05) / 0.1)
  }

  /// Whether one triple is the other in another unit, as where counts are printed beside what they were scaled to.
  /// Gravity is along the field nowhere but at the poles.
  func isCopy(_ copy: TableTriple, of other: TableTriple) -> Bool {
    guard copy.median > 0, other.median > 0 else { return false }
    return zip(copy.vectors, other.vectors).allSatisfy {
      abs($0.dot($1)) > 0.998 * $0.length * $1.length
        && abs($0.length / copy.median / ($1.length / other.median) - 1) < 0.1
    }
  }

  /// Whether a gyroscope may be at rest, where it tells no more than its zero: 15°/s, or as much in counts.
  private func isAtRest(_ triple: TableTriple) -> Bool { triple.median <= (triple.isWhole ? 2000 : 15) }

  private func rotationScore(_ layout: TableLayout, _ triple: TableTriple) -> Double {
    guard triple.largest <= (triple.isWhole ? 32_768 : 4000) else { return -12 }
    if let score = turnScore(layout, triple) { return score - 2.7 }
    guard isAtRest(triple) else { return -8 }
    return -2.3 - square(triple.median / (triple.isWhole ? 800 : 10)) / 2
  }

  /// A rotation rate explains how the other directions turn: they move by −ω × v, those of a field about the middle of
  /// its sphere. Rows are compared that are so far apart that the turn between them stands out of the noise. Nil where
  /// nothing turned enough.
  private func turnScore(_ layout: TableLayout, _ rate: TableTriple) -> Double? {
    guard areNeighbours, rows.count >= 4 else { return nil }
    let force = layout.place(of: .acceleration).map { triples[$0] },
      field = layout.place(of: .field).map { triples[$0] }
    // A level turn shows in the field alone; a small part of a turn is explained by many a middle.
    let isField = force.map { $0.turn < 0.15 } ?? true
    let leastTurn = isField && force != nil ? 0.5 : 0.15
    guard let other = isField ? field : force, other.turn > leastTurn, other.median > 0 else { return nil }
    let vectors = other.vectors.map { $0 / other.median }
    func meanTurn(_ distance: Int) -> Double {
      zip(vectors, vectors.dropFirst(distance)).map { $0.angle(to: $1) }.reduce(0, +) / Double(rows.count - distance)
    }
    let least = min(0.1, max(0.03, 16 * TableTriple.noise(vectors)))
    guard let distance = (1...rows.count / 2).first(where: { meanTurn($0) > least }), meanTurn(distance) < 0.7 else {
      return nil
    }
    let weight = min(1, meanTurn(distance) / 0.1)
    var fit = LinearFit(unknowns: isField ? 4 : 1)
    for start in 0..<rows.count - distance {
      let ends = (rate.vectors[start] + rate.vectors[start + distance]) * 0.5
      let between = rate.vectors[start + 1..<start + distance]
      let turn = between.reduce(ends) { $0 + $1 } / max(rate.largest, 1e-9)
      let expected = -turn.cross(vectors[start] + vectors[start + distance])
      let seen = vectors[start + distance] - vectors[start]
      for axis in 0..<3 {
        // ω × o is linear in the middle o.
        var terms = SIMD4(expected[axis], 0, 0, 0)
        for column in 0..<3 {
          var unit = Vector3.zero
          unit[column] = 1
          terms[column + 1] = turn.cross(unit)[axis]
        }
        fit.add(terms, seen[axis])
      }
    }
    guard let share = fit.explained, rows.count - distance >= 6 else { return nil }
    let (good, bad) = isField ? (0.97, 0.9) : (0.95, 0.85)
    return weight * (share > good ? 5 : share > bad ? 5 - 11 * (good - share) / (good - bad) : -6)
  }

  // MARK: Names

  /// The names of an order's columns, as a header would have them; empty for what is left out.
  func names(_ layout: TableLayout) -> [String] {
    var names = [String](repeating: "", count: rows.first?.count ?? 0)
    if let time = layout.time ?? lastTime(layout) { names[time] = "t" }
    for (place, quantity) in zip(layout.places, layout.quantities) {
      let letter =
        switch quantity {
        case .field: "m"
        case .acceleration: "a"
        case .rotation: "g"
        }
      for (axis, name) in ["x", "y", "z"].enumerated() { names[place + axis] = letter + name }
    }
    if let column = extras(layout).first(where: { column in
      isTemperature(column) && !limits.contains(column) && !layout.places.contains { isLength(column, of: $0) }
    }) {
      names[column] = "temperature"
    }
    return names
  }

  /// The last column where it is a time, as the kernel's tools print one: whole numbers that rise evenly by more than a
  /// count does. Nil where it is anything else.
  private func lastTime(_ layout: TableLayout) -> Int? {
    guard !shape.hasUnits, rows.count > 4, let last = rows.first?.indices.last, extras(layout).contains(last) else {
      return nil
    }
    let column = RisingColumn(rows.map { $0[last] })
    // Long recordings keep only some of their rows here, so the steps of a clock need not be even.
    let isClock = column.isClock || column.rises && rows.count > 32
    return isClock && column.isWhole && column.step >= 2 ? last : nil
  }

  private func square(_ value: Double) -> Double { value * value }
}
