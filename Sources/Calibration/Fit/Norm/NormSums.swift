import LodestoneCore

/// The normal equations of the norm residuals: Σ w j jᵀ for j the ten derivatives and, as an eleventh, the residual
/// itself, whose products are the gradient. The upper half, row by row, for four samples at once.
struct NormSums {
  private var cost = Four.zero
  private var products = InlineArray<66, Four>(repeating: .zero)

  /// The sums over samples.
  init(_ raw: ArraySlice<Vector3>, _ model: NormModel) {
    var index = raw.startIndex
    while index + 4 <= raw.endIndex {
      add(model.residuals(raw[index], raw[index + 1], raw[index + 2], raw[index + 3]), counting: Four(repeating: 1))
      index += 4
    }
    guard index < raw.endIndex else { return }
    let last = raw.endIndex - 1
    let rest = model.residuals(raw[index], raw[min(index + 1, last)], raw[min(index + 2, last)], raw[last])
    add(rest, counting: Four(1, index + 1 > last ? 0 : 1, index + 2 > last ? 0 : 1, 0))
  }

  @inline(__always)
  private mutating func add(_ residuals: NormResiduals, counting share: Four) {
    let (loss, weight) = Problem.lossAndWeight(residuals.value)
    cost += loss * share
    var row = InlineArray<11, Four>(repeating: residuals.value)
    for i in 0..<Parameters.normCount { row[i] = residuals.derivatives[i] }
    let counted = weight * share
    var place = 0
    var products = products.mutableSpan
    for i in row.indices {
      let weighted = row[i] * counted
      for j in i..<row.count {
        products[place] += weighted * row[j]
        place += 1
      }
    }
  }

  /// The sums of all samples, each counting so much.
  func totals(weight: Double) -> NormTotals {
    let products = products.span
    var totals = NormTotals()
    var fours = totals.fours.mutableSpan
    for four in 0..<16 {
      let first = 4 * four
      fours[four] =
        Four(
          products[first].sum(), products[first + 1].sum(), products[first + 2].sum(), products[first + 3].sum())
        * weight
    }
    fours[16] = Four(products[64].sum(), products[65].sum(), cost.sum(), 0) * weight
    return totals
  }
}

/// The sums over all samples, in rows of four; the cost stands behind them.
struct NormTotals {
  fileprivate(set) var fours = InlineArray<17, Four>(repeating: .zero)

  /// The number of rows of four that hold the products of the hard iron, and of those that hold everything.
  static let (hardIron, all) = (6, 17)

  init() {}

  /// Adds a multiple of other sums, of the first rows of four.
  @inline(__always)
  mutating func add(_ other: borrowing NormTotals, times factor: Double, first count: Int = all) {
    let others = other.fours.span
    var own = fours.mutableSpan
    for index in 0..<count { own[index] += others[index] * factor }
  }

  var cost: Double { fours[16][2] }

  /// The sum of products of the derivatives by two unknowns; of a derivative and the residual, which is a part of the
  /// gradient, where the second is number ten.
  subscript(first: Int, second: Int) -> Double {
    let (i, j) = (min(first, second), max(first, second))
    let place = i * (21 - i) / 2 + j
    return fours.span[place / 4][place % 4]
  }

  /// Adds the sums to normal equations whose first ten unknowns are the norm's.
  func add(to result: inout NormalEquations) {
    result.cost += cost
    for i in 0..<Parameters.normCount {
      for j in 0..<Parameters.normCount { result.matrix[i, j] += self[i, j] }
      result.gradient[i] += self[i, Parameters.normCount]
    }
  }
}
