/// A residual behind its derivatives by the unknowns, to a whole row of fours: ten of the norm and three for each of
/// four causes, or all of both chips.
typealias ResidualRow = InlineArray<24, Double>

/// Weighted sums of squares over rows: the products are where a fit spends its time, so they are gathered four by four.
struct RowSums {
  /// The number of unknowns.
  let size: Int
  /// Rows of four that hold the unknowns and the residual.
  let width: Int
  var sums: [SIMD4<Double>]

  init(size: Int) {
    self.size = size
    width = size / 4 + 1
    sums = [SIMD4<Double>](repeating: .zero, count: 4 * width * width)
  }

  /// Takes a row in.
  @inline(__always)
  mutating func add(_ row: ResidualRow, weight: Double) {
    var fours = InlineArray<6, SIMD4<Double>>(repeating: .zero)
    for k in 0..<6 { fours[k] = SIMD4(row[4 * k], row[4 * k + 1], row[4 * k + 2], row[4 * k + 3]) }
    let width = width
    var place = sums.mutableSpan
    for i in 0..<width {
      let weighted = fours[i] * weight
      let (a, b, c, d) = (weighted[0], weighted[1], weighted[2], weighted[3])
      let start = 4 * i * width
      for j in i..<width {
        let four = fours[j]
        place[start + j] += four * a
        place[start + width + j] += four * b
        place[start + 2 * width + j] += four * c
        place[start + 3 * width + j] += four * d
      }
    }
  }

  /// Adds another's multiple.
  mutating func add(_ other: RowSums, times factor: Double) {
    for index in sums.indices { sums[index] += other.sums[index] * factor }
  }

  /// Adds the sums to normal equations of the same unknowns.
  func add(to matrix: inout SymmetricMatrix, _ gradient: inout [Double]) {
    for i in 0..<size {
      gradient[i] += sum(i, size)
      for j in i..<size {
        let value = sum(i, j)
        matrix[i, j] += value
        if i != j { matrix[j, i] += value }
      }
    }
  }

  /// The normal equations: how the unknowns go together, and the right side.
  var equations: (matrix: SymmetricMatrix, right: [Double]) {
    var (matrix, right) = (SymmetricMatrix(size: size), [Double](repeating: 0, count: size))
    add(to: &matrix, &right)
    return (matrix, right)
  }

  /// The weighted sum of the squared residuals.
  var square: Double { sum(size, size) }

  private func sum(_ row: Int, _ column: Int) -> Double { sums[row * width + column / 4][column % 4] }
}
