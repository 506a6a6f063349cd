import LodestoneCore

/// The sphere that tips lie on, fitted by least squares: |m|² = 2 c·m + k.
struct TipSphere {
  let radius: Double
  /// Root mean square distance from the sphere, over the radius.
  let residual: Double
  /// The largest angle between a tip and the first one, seen from the middle, in radians.
  let turn: Double

  /// The sphere on which tips lie; nil for those in one place.
  init?(_ tips: [Vector3], size: Double) {
    guard tips.count >= 8, size > 0 else { return nil }
    var fit = LinearFit()
    for tip in tips {
      let tip = tip / size
      fit.add(SIMD4(2 * tip.x, 2 * tip.y, 2 * tip.z, 1), tip.squaredLength)
    }
    guard let solution = fit.solution else { return nil }
    let center = Vector3(solution[0], solution[1], solution[2])
    let arms = tips.map { $0 / size - center }
    let radius = arms.reduce(0) { $0 + $1.length } / Double(arms.count)
    guard radius > 0.15, radius < 20 else { return nil }
    let square = arms.reduce(0) { $0 + ($1.length - radius) * ($1.length - radius) } / Double(arms.count)
    residual = square.squareRoot() / radius
    turn = arms.reduce(0) { max($0, arms[0].angle(to: $1)) }
    self.radius = radius * size
  }
}

/// Least squares for at most four unknowns, with a touch of ridge where directions are missing.
struct LinearFit {
  private var matrix = InlineArray<4, SIMD4<Double>>(repeating: .zero)
  private var right = SIMD4<Double>.zero
  private var square = 0.0, count = 0
  private let unknowns: Int

  init(unknowns: Int = 4) { self.unknowns = unknowns }

  /// Takes in one equation; terms past the unknowns count for nothing.
  mutating func add(_ terms: SIMD4<Double>, _ value: Double) {
    for row in 0..<unknowns { matrix[row] += terms * terms[row] }
    right += terms * value
    square += value * value
    count += 1
  }

  /// The unknowns; nil where nothing was added.
  var solution: SIMD4<Double>? {
    guard count > unknowns else { return nil }
    var rows = matrix, values = right
    let trace = (0..<unknowns).reduce(0) { $0 + matrix[$1][$1] }
    for index in 0..<unknowns { rows[index][index] += 1e-6 * trace + 1e-300 }
    for pivot in 0..<unknowns {
      for row in pivot + 1..<max(unknowns, pivot + 1) where row < unknowns {
        let factor = rows[row][pivot] / rows[pivot][pivot]
        for column in pivot..<unknowns { rows[row][column] -= factor * rows[pivot][column] }
        values[row] -= factor * values[pivot]
      }
    }
    for row in (0..<unknowns).reversed() {
      for column in row + 1..<max(unknowns, row + 1) where column < unknowns {
        values[row] -= rows[row][column] * values[column]
      }
      values[row] /= rows[row][row]
    }
    return (0..<unknowns).allSatisfy { values[$0].isFinite } ? values : nil
  }

  /// The sum of squares that is left.
  private var rest: Double? {
    solution.map { solution in max(0, square - (0..<unknowns).reduce(0) { $0 + solution[$1] * right[$1] }) }
  }

  /// The root mean square of what is left.
  var residual: Double? { rest.map { ($0 / Double(count)).squareRoot() } }

  /// The share of the squares that is explained.
  var explained: Double? { rest.flatMap { square > 0 ? 1 - $0 / square : nil } }
}
