import LodestoneCore

/// The variance of what the errors of a correction turn north by.
///
/// With δb = δS S⁻¹ b − S δo, b the corrected field, the derivatives of ê·δb by the twelve numbers are a sum of
/// products of ê with h = (−1, b): the variance is Σ ê_i h_k ê_j h_l C_ik,jl, and C the covariance of twelve sums that
/// are constants of the correction.
struct CalibrationVariance: Sendable {
  /// C, row by row: of the three sums that go with −ê_i, then of the nine that go with ê_i b_k.
  private let rows: [SIMD16<Double>]
  /// Coefficients of the products of two elements of h, in the order of `pairs`: for each of them three times two, of
  /// the products of two elements of ê, in the order of `eastPairs`.
  private let coefficients: [SIMD2<Double>]

  /// Pairs of the elements of h.
  private static let pairs = [
    (0, 0), (1, 1), (2, 2), (3, 3), (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3),
  ]
  /// Pairs of the elements of ê.
  private static let eastPairs = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)]

  /// No variance.
  static let zero = CalibrationVariance()

  private init() { (rows, coefficients) = ([], []) }

  /// - Parameter covariance: 12 × 12 elements row by row: of the hard iron in µT, then of the soft iron's rows.
  init(_ covariance: [Double], softIron: Matrix3) {
    let inverse = (softIron.inverse ?? .identity).transposed
    /// The derivatives by the twelve numbers at ê_i h_k.
    func derivatives(_ i: Int, _ k: Int) -> [Double] {
      var derivatives = [Double](repeating: 0, count: 12)
      for axis in 0..<3 {
        if k == 0 {
          derivatives[axis] = softIron[i][axis]
        } else {
          derivatives[3 + 3 * i + axis] = inverse[k - 1][axis]
        }
      }
      return derivatives
    }
    let sums = (0..<3).map { derivatives($0, 0) } + (0..<9).map { derivatives($0 / 3, $0 % 3 + 1) }
    let rows = sums.map { a in
      var row = SIMD16<Double>.zero
      for (place, b) in sums.enumerated() {
        for i in 0..<12 {
          for j in 0..<12 { row[place] += a[i] * covariance[12 * i + j] * b[j] }
        }
      }
      return row
    }
    func element(_ i: Int, _ k: Int, _ j: Int, _ l: Int) -> Double {
      rows[k == 0 ? i : 3 * i + k + 2][l == 0 ? j : 3 * j + l + 2]
    }
    coefficients = Self.pairs.flatMap { k, l in
      var products = [SIMD2<Double>](repeating: .zero, count: 3)
      for (place, (i, j)) in Self.eastPairs.enumerated() {
        var sum = element(i, k, j, l)
        if i != j { sum += element(j, k, i, l) }
        if k != l {
          sum += element(i, l, j, k)
          if i != j { sum += element(j, l, i, k) }
        }
        products[place / 2][place % 2] = sum
      }
      return products
    }
    self.rows = rows
  }

  /// The variance of ê·δb in µT², for a corrected field in µT and ê of length 1.
  @inline(__always)
  func variance(east e: Vector3, field b: Vector3) -> Double {
    let squares = (SIMD2(e.x * e.x, e.y * e.y), SIMD2(e.z * e.z, e.x * e.y), SIMD2(e.x * e.z, e.y * e.z))
    let coefficients = coefficients.span
    guard coefficients.count == 3 * 10 else { return 0 }
    @inline(__always)
    func sum(_ pair: Int) -> SIMD2<Double> {
      coefficients[unchecked: 3 * pair] * squares.0 + coefficients[unchecked: 3 * pair + 1] * squares.1
        + coefficients[unchecked: 3 * pair + 2] * squares.2
    }
    var sums = sum(0)
    @inline(__always)
    func add(_ pair: Int, _ product: Double) { sums += sum(pair) * product }
    add(1, b.x * b.x)
    add(2, b.y * b.y)
    add(3, b.z * b.z)
    add(4, -b.x)
    add(5, -b.y)
    add(6, -b.z)
    add(7, b.x * b.y)
    add(8, b.x * b.z)
    add(9, b.y * b.z)
    let variance = sums.x + sums.y
    return max(0, variance)
  }

  /// The variance of a north that has followed many fields, in rad².
  func variance(of followed: FollowedIron) -> Double {
    let (e, x, y, z) = (followed.east, followed.gains.row0, followed.gains.row1, followed.gains.row2)
    let sums = SIMD16(-e.x, -e.y, -e.z, x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z, 0, 0, 0, 0)
    var variance = 0.0
    for (index, row) in rows.enumerated() { variance += sums[index] * (row * sums).sum() }
    return max(0, variance)
  }
}
