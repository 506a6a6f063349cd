import LodestoneCore

// What the covariance cannot know: an offset that drifts, a step in mid-sweep, an uneven field that a swing runs
// through. All of these make one part of a sweep disagree with another. So the fit is repeated with an eighth of the
// sweep left out, eight times, the rests dealt among the eighths, and the scatter of the results is the parameters' own
// (Tukey's delete-one jackknife; Efron, "The Jackknife, the Bootstrap and Other Resampling Plans", 1982):
//
//     V = (n − 1)/n Σ (p_k − p̄)(p_k − p̄)ᵀ,    n = 8.
//
// Each p_k is one Newton step from the whole fit: the normal equations of an eighth are taken out and the rest solved.

extension SymmetricMatrix {
  /// V of solutions that each do without a part.
  init(scatterOf steps: [[Double]]) {
    self.init(size: steps.first?.count ?? 0)
    let count = Double(max(steps.count, 1))
    let mean = (0..<size).map { index in steps.reduce(0) { $0 + $1[index] } / count }
    for step in steps {
      let off = zip(step, mean).map { $0 - $1 }
      for i in 0..<size { for j in 0..<size { self[i, j] += (count - 1) / count * off[i] * off[j] } }
    }
  }
}

extension Problem {
  private static let blocks = 8

  /// The parameters' scatter between eight parts of the sweep, at the fit's end; nil where a part cannot be left out.
  /// `dealsRests` is false where rests are so few that without one of them the rotation is open: that would measure
  /// what the covariance knows already.
  func jackknife(at estimate: Estimate, dealsRests: Bool) -> SymmetricMatrix? {
    let steps = (0..<Self.blocks).compactMap { step(without: $0, at: estimate, dealsRests: dealsRests) }
    return steps.count == Self.blocks ? SymmetricMatrix(scatterOf: steps) : nil
  }

  private func step(without block: Int, at estimate: Estimate, dealsRests: Bool) -> [Double]? {
    let bounds = (block * raw.count / Self.blocks)..<((block + 1) * raw.count / Self.blocks)
    let dealt = !dealsRests ? [] : rests.enumerated().filter { $0.offset % Self.blocks == block }.map { $0.element }
    var left = estimate.equations
    left.subtract(share(of: raw[bounds], dealt, at: estimate.parameters))
    return left.matrix.solve(left.gradient)?.map { -$0 }
  }
}
