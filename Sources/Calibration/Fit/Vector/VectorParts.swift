import LodestoneCore

// A stretch in parts of its time: what each tells of the unknowns, to leave some of them out, and to see how far they
// disagree.

extension VectorFit {
  /// The number of parts that the time is cut into, that of those left out where it helps, and the number of moments of
  /// which one tells which.
  private static let (pieces, leftOut, sparse) = (13, 4, 3)
  /// The number of parts that show how far they disagree.
  private static let blocks = 8

  /// Without the 30 % of the time whose absence helps most: the sums of the parts tell what one step leaves
  /// of the others.
  func quietest(_ points: [Int], in stretch: VectorStretch, _ priors: Priors) -> [Int] {
    let some = stride(from: 0, to: points.count, by: Self.sparse).map { points[$0] }
    guard let parts = sums(of: some, in: stretch, parts: Self.pieces, weight: { _ in 1 }) else { return points }
    var counts = [Int](repeating: 0, count: Self.pieces)
    for index in some { counts[index * Self.pieces / stretch.moments.count] += 1 }
    let all = parts.reduce(into: RowSums(size: count)) { $0.add($1, times: 1) }
    func left(without out: Range<Int>) -> Double {
      let sums = out.reduce(into: all) { $0.add(parts[$1], times: -1) }
      let (matrix, right) = sums.equations
      var equations = Equations(matrix: matrix, right: right, cost: sums.square)
      addPriors(priors, to: &equations)
      guard let step = equations.matrix.solve(equations.right) else { return .infinity }
      let gain = zip(step, equations.right).reduce(0) { $0 + $1.0 * $1.1 }
      return (equations.cost - gain) / Double(max(some.count - counts[out].reduce(0, +), 1))
    }
    let ways = (0...Self.pieces - Self.leftOut).map { $0..<$0 + Self.leftOut }
    let best = ways.map { (out: $0, left: left(without: $0)) }.min { $0.left < $1.left }
    return points.filter { !(best?.out ?? 0..<0).contains($0 * Self.pieces / stretch.moments.count) }
  }

  /// The sums of the rows of each part of the time; nil where there is no model.
  /// - Parameter weight: how much a moment counts, by how many standard deviations it is off.
  private func sums(
    of points: [Int], in stretch: VectorStretch, parts count: Int, weight: (Double) -> Double
  ) -> [RowSums]? {
    guard let model = Model(self) else { return nil }
    let turns = TurnIntegral(stretch.turning, by: gyroscope, reading: reading, derivingAt: points)
    var (parts, columns) = ([RowSums](repeating: RowSums(size: self.count), count: count), VectorColumns())
    for (point, index) in points.enumerated() {
      let (attitude, moment) = (turns.attitude(ofPoint: point), stretch.moments[index])
      let off = hardIronTaken(moment) - model.d * (attitude.matrix.transposed * field)
      fill(&columns, attitude, off, drift?.course.factors(at: moment.time), model)
      let far = off.length / (noise * 3.0.squareRoot())
      parts[index * count / stretch.moments.count].add(columns, weight: weight(far) / (noise * noise))
    }
    return parts
  }

  /// The scatter of the unknowns where an eighth of the time in turn is left out (see the jackknife); nil where one
  /// cannot be.
  func scatter(_ points: [Int], in stretch: VectorStretch, _ priors: Priors) -> SymmetricMatrix? {
    guard let parts = sums(of: points, in: stretch, parts: Self.blocks, weight: Problem.weight) else { return nil }
    let all = parts.reduce(into: RowSums(size: count)) { $0.add($1, times: 1) }
    let steps = parts.compactMap { part -> [Double]? in
      var left = all
      left.add(part, times: -1)
      let (matrix, right) = left.equations
      var equations = Equations(matrix: matrix, right: right, cost: 0)
      addPriors(priors, to: &equations)
      return equations.matrix.solve(equations.right)
    }
    return steps.count == Self.blocks ? SymmetricMatrix(scatterOf: steps) : nil
  }
}
