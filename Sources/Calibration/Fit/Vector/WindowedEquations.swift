import LodestoneCore

// A field, or a force, stands still in the world for some seconds, in a direction that nobody knows. Windows of a sweep
// share the unknowns of its sensors, and each has three more for that direction, which are solved for and taken out as
// it comes.

/// Normal equations of the unknowns that all windows share.
struct WindowedEquations {
  private var whole: SymmetricMatrix
  private var right: [Double]
  private var parts: [(matrix: SymmetricMatrix, right: [Double])] = []

  private var count: Int { right.count }

  /// The number of parts left out in turn to measure their disagreement, and the fewest.
  private static let (most, fewest) = (12, 4)

  /// With what is expected of each unknown: its standard deviation, nil where nothing is, and what it is now.
  init(_ priors: [(deviation: Double?, value: Double)]) {
    whole = SymmetricMatrix(size: priors.count)
    right = [Double](repeating: 0, count: priors.count)
    for (index, prior) in priors.enumerated() {
      guard let deviation = prior.deviation else { continue }
      whole[index, index] = 1 / (deviation * deviation)
      right[index] = -prior.value / (deviation * deviation)
    }
  }

  /// Takes the rows of a window, its direction's three columns first, each multiplied with a share.
  mutating func add(_ sums: RowSums, share: Double) {
    let (matrix, rows) = sums.equations
    func vector(_ row: Int) -> Vector3 { Vector3(matrix[row, 0], matrix[row, 1], matrix[row, 2]) }
    let inverse = Matrix3(vector(0), vector(1), vector(2)).inverse ?? .identity
    var part = (matrix: SymmetricMatrix(size: count), right: [Double](repeating: 0, count: count))
    let ofDirection = Vector3(rows[0], rows[1], rows[2])
    for i in 0..<count {
      let solved = inverse * vector(3 + i)
      part.right[i] = (rows[3 + i] - solved.dot(ofDirection)) * share
      for j in 0..<count { part.matrix[i, j] = (matrix[3 + i, 3 + j] - solved.dot(vector(3 + j))) * share }
    }
    whole.add(part.matrix)
    for index in 0..<count { right[index] += part.right[index] }
    parts.append(part)
  }

  /// The unknowns, or their change; nil where they are not told.
  var solution: [Double]? { whole.solve(right) }

  /// The variances of the unknowns: by what is left over, or by leaving out a part in turn (the jackknife) where that
  /// is more; nil where they are not told.
  var variances: [Double]? {
    guard let formal = whole.inverse else { return nil }
    let deals = min(Self.most, parts.count)
    guard deals >= Self.fewest else { return (0..<count).map { formal[$0, $0] } }
    let solutions = (0..<deals).compactMap { deal -> [Double]? in
      var (matrix, right) = (whole, right)
      for part in parts[(deal * parts.count / deals)..<((deal + 1) * parts.count / deals)] {
        matrix.add(part.matrix.scaled(by: -1))
        for index in 0..<count { right[index] -= part.right[index] }
      }
      return matrix.solve(right)
    }
    let total = Double(max(solutions.count, 1))
    return (0..<count).map { index in
      let mean = solutions.reduce(0) { $0 + $1[index] } / total
      let scatter = solutions.reduce(0) { $0 + ($1[index] - mean) * ($1[index] - mean) } * (total - 1) / total
      return max(formal[index, index], scatter)
    }
  }
}
