import LodestoneCore

// The normal equations of the vector fit. A moment gives three residuals, one along each axis, and each of them changes
// with all unknowns: the products are where such a fit spends its time, so they are gathered in rows of four.

/// How the residual of one moment changes with the unknowns, turned about: what the unknowns add to the field that is
/// expected. The first sixteen are the same for every fit: the hard iron, the field b₀ in the first attitude, and the
/// gyroscope's zero, gains and lag.
struct VectorColumns {
  /// Where b₀ and the gyroscope begin, and where they end.
  static let (field, gyroscope, shared) = (3, 6, 16)

  /// One an unknown, of which the vector fit has 34 with a drift, and then the residual; zero behind them, to a whole
  /// row.
  private(set) var values = InlineArray<36, Vector3>(repeating: .zero)

  /// Sets the sixteen for a board in this attitude: `carried` is D Rᵀ, `field` b₀.
  @inline(__always)
  mutating func set(_ attitude: TurnIntegral.Attitude, carried: Matrix3, field: Vector3) {
    let columns = carried.transposed
    (values[0], values[1], values[2]) = (Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1))
    (values[3], values[4], values[5]) = (columns.row0, columns.row1, columns.row2)
    // carried · (b₀ × turn), for all turns.
    let byTurn =
      carried * Matrix3(Vector3(0, -field.z, field.y), Vector3(field.z, 0, -field.x), Vector3(-field.y, field.x, 0))
    let turns = attitude.turns
    values[6] = byTurn * turns[0]
    values[7] = byTurn * turns[1]
    values[8] = byTurn * turns[2]
    values[9] = byTurn * turns[3]
    values[10] = byTurn * turns[7]
    values[11] = byTurn * turns[11]
    values[12] = byTurn * (turns[4] + turns[6])
    values[13] = byTurn * (turns[5] + turns[9])
    values[14] = byTurn * (turns[8] + turns[10])
    values[15] = byTurn * turns[12]
  }

  /// By an unknown behind the sixteen.
  subscript(index: Int) -> Vector3 {
    get { values[index] }
    set { values[index] = newValue }
  }
}

extension RowSums {
  /// Takes a moment in: how its residual changes, with the residual behind it, and how much it counts.
  mutating func add(_ columns: borrowing VectorColumns, weight: Double) {
    var (x, y, z) = (Rows(repeating: .zero), Rows(repeating: .zero), Rows(repeating: .zero))
    let values = columns.values.span
    for k in 0..<width {
      let (a, b, c, d) = (values[4 * k], values[4 * k + 1], values[4 * k + 2], values[4 * k + 3])
      x[k] = SIMD4(a.x, b.x, c.x, d.x)
      y[k] = SIMD4(a.y, b.y, c.y, d.y)
      z[k] = SIMD4(a.z, b.z, c.z, d.z)
    }
    let width = width
    var place = sums.mutableSpan
    for i in 0..<width {
      let (wx, wy, wz) = (x[i] * weight, y[i] * weight, z[i] * weight)
      let row = 4 * i * width
      for j in i..<width {
        let (xj, yj, zj) = (x[j], y[j], z[j])
        for column in 0..<4 {
          let sum: SIMD4<Double> = xj * wx[column] + yj * wy[column] + zj * wz[column]
          place[row + column * width + j] += sum
        }
      }
    }
  }

  private typealias Rows = InlineArray<9, SIMD4<Double>>
}
