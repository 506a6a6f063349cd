import LodestoneCore

/// The longest part of a sweep in which field and rotation rate come without a gap: what a vector fit is made from.
struct VectorStretch {
  /// A moment of it: seconds, the raw field in µT, the force in g, and the gyroscope's reading in radians per second.
  typealias Moment = (time: Double, raw: Vector3, force: Vector3?, rate: Vector3)

  let moments: [Moment]
  /// The moments that are fitted: all, or evenly fewer.
  let points: [Int]
  /// Indices of half a second each.
  let halves: [[Int]]
  /// Times and readings.
  let turning: [(time: Double, rate: Vector3)]

  /// Seconds between two moments at most, of a stretch at least, and of one at most: a gyroscope's zero wanders.
  private static let (longestStep, shortest, longest) = (0.3, 3.0, 90.0)
  private static let (fewest, mostPoints) = (30, 900)
  /// The rate about a second axis as a share of that about the first.
  private static let leastSecond = 0.1

  /// Nil where there is no gyroscope, or only for moments.
  init?(_ rows: [SweepPoint]) {
    var (best, open): ([Moment], [Moment]) = ([], [])
    for row in rows {
      guard let rate = row.rate else { continue }
      if let last = open.last, !(0..<Self.longestStep).contains(row.time - last.time) {
        if Self.length(open) > Self.length(best) { best = open }
        open = []
      }
      open.append((row.time, row.raw, row.force, rate))
    }
    if Self.length(open) > Self.length(best) { best = open }
    let end = (best.first?.time ?? 0) + Self.longest
    let moments = best.filter { $0.time <= end }
    guard moments.count >= Self.fewest, Self.length(moments) >= Self.shortest else { return nil }
    self.moments = moments
    turning = moments.map { ($0.time, $0.rate) }
    let step = max(1, moments.count / Self.mostPoints)
    points = Array(stride(from: 0, to: moments.count, by: step))
    var halves: [[Int]] = [[]]
    var from = moments[0].time
    for (index, moment) in moments.enumerated() where index % step == 0 {
      if moment.time - from >= 0.5 {
        halves.append([])
        from = moment.time
      }
      halves[halves.count - 1].append(index)
    }
    self.halves = halves
  }

  /// Whether readings are so rare that nobody knows how it turned between them: what that makes wrong lasts for
  /// seconds, which half-second means of what is left over do not show.
  var isSparse: Bool { Self.length(moments) > TurningWindow.longestStep * Double(moments.count - 1) }

  private static func length(_ moments: [Moment]) -> Double { (moments.last?.time ?? 0) - (moments.first?.time ?? 0) }

  /// The axis of the board that it was turned about least, of length 1.
  var leastTurned: Vector3 {
    let mean = turning.reduce(Vector3.zero) { $0 + $1.rate } / Double(max(turning.count, 1))
    let moments = Matrix3.moments(turning.lazy.map { $0.rate - mean })
    return SymmetricMatrix.axes(of: moments)?.directions.row0 ?? Vector3(0, 0, 1)
  }

  /// Whether it was turned about one axis alone: what of the hard iron lies along that is not seen.
  var hasOneAxis: Bool {
    let moments = Matrix3.moments(turning.lazy.map { $0.rate })
    guard let axes = SymmetricMatrix.axes(of: moments) else { return true }
    return axes.values.y < Self.leastSecond * Self.leastSecond * axes.values.z
  }

  /// The direction that is up in the first attitude: the mean of the force turned back; nil without an accelerometer.
  func up(by gyroscope: Gyroscope, reading: TurnIntegral.Reading) -> Vector3? {
    let turns = turns(ofForceBy: gyroscope, reading)
    var sum = Vector3.zero
    for (index, moment) in moments.enumerated() {
      if let force = moment.force { sum += turns.matrix(at: index) * force }
    }
    return sum.length > 0.5 * Double(moments.count) ? sum.direction : nil
  }

  /// The attitudes at the moments of the force, which has no lag.
  private func turns(ofForceBy gyroscope: Gyroscope, _ reading: TurnIntegral.Reading) -> TurnIntegral {
    var early = gyroscope
    early.lag = 0
    return TurnIntegral(turning, by: early, reading: reading)
  }

  /// The square of the force's mean in the world, in g², that another map of the gyroscope's axes must gain: gravity
  /// turned by 15° to either side, on average, has lost so much.
  private static let neededGravity = 0.1

  /// Whether gravity stands still in the world where the gyroscope's axes are taken for others of the accelerometer's,
  /// and turns about where they are taken as they come: the mean of the force turned back, R Q f, is longest under
  /// another map Q, by far. A hand's accelerations cancel in it. False without an accelerometer.
  func gravityTurnsOtherwise(by gyroscope: Gyroscope, reading: TurnIntegral.Reading) -> Bool {
    let turns = turns(ofForceBy: gyroscope, reading)
    // Σ R e_i f_j: R Q f is linear in Q.
    var products = [Vector3](repeating: .zero, count: 9)
    var count = 0.0
    for index in points {
      guard let force = moments[index].force else { continue }
      let columns = turns.matrix(at: index).transposed
      for i in 0..<3 { for j in 0..<3 { products[3 * i + j] += columns[i] * force[j] } }
      count += 1
    }
    guard count > 0 else { return false }
    func gravity(under map: Matrix3) -> Double {
      var sum = Vector3.zero
      for i in 0..<3 { for j in 0..<3 { sum += products[3 * i + j] * map[i][j] } }
      return (sum / count).squaredLength
    }
    let most = AxisMap.positive.map { gravity(under: $0) }.max() ?? 0
    return most - gravity(under: .identity) > Self.neededGravity
  }

  /// Hard iron and the field in the first attitude by linear least squares under an axis map, with the root mean square
  /// of what is left, in µT; nil where the motion does not carry it.
  func linear(_ turns: TurnIntegral, axes: Matrix3) -> (hardIron: Vector3, field: Vector3, left: Double)? {
    let toChip = axes.transposed
    var (matrix, right, squares) = (SymmetricMatrix(size: 6), [Double](repeating: 0, count: 6), 0.0)
    let step = max(1, points.count / 200)
    let some = stride(from: 0, to: points.count, by: step).map { points[$0] }
    for index in some {
      let columns = (toChip * turns.matrix(at: index).transposed).transposed
      let raw = moments[index].raw - moments[0].raw
      let all = [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1), columns.row0, columns.row1, columns.row2]
      squares += raw.squaredLength
      for i in 0..<6 {
        right[i] += all[i].dot(raw)
        for j in 0..<6 { matrix[i, j] += all[i].dot(all[j]) }
      }
    }
    for i in 0..<6 { matrix[i, i] += 1e-4 }
    guard let x = matrix.solve(right) else { return nil }
    let left = squares - zip(x, right).reduce(0) { $0 + $1.0 * $1.1 }
    return (
      moments[0].raw + Vector3(x[0], x[1], x[2]), Vector3(x[3], x[4], x[5]),
      (max(left, 0) / Double(max(some.count, 1))).squareRoot()
    )
  }
}
