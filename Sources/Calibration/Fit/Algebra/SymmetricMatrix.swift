import CEigen
import LodestoneCore

/// A symmetric n×n matrix, held whole, row by row: normal equations and covariances.
struct SymmetricMatrix: Sendable, Equatable {
  let size: Int
  var elements: [Double]

  init(size: Int) {
    self.size = size
    elements = [Double](repeating: 0, count: size * size)
  }

  /// A matrix from n² elements, row by row; nil when their number is no square.
  init?(rows elements: [Double]) {
    let size = Int(Double(elements.count).squareRoot().rounded())
    guard size * size == elements.count else { return nil }
    self.size = size
    self.elements = elements
  }

  subscript(row: Int, column: Int) -> Double {
    get { elements[row * size + column] }
    set { elements[row * size + column] = newValue }
  }

  /// A⁻¹; nil when the matrix is not positive definite.
  var inverse: SymmetricMatrix? {
    var result = SymmetricMatrix(size: size)
    guard eigen_invert_spd(Int32(size), elements, &result.elements) == 0 else { return nil }
    return result.elements.allSatisfy { $0.isFinite } ? result : nil
  }

  /// x in A x = b; nil when the matrix is not positive definite.
  func solve(_ b: [Double]) -> [Double]? {
    guard b.count == size else { return nil }
    var x = [Double](repeating: 0, count: size)
    guard eigen_solve_spd(Int32(size), elements, b, &x) == 0 else { return nil }
    return x.allSatisfy { $0.isFinite } ? x : nil
  }

  /// T · A · Tᵀ for a matrix T given by its rows.
  func transformed(by rows: [[Double]]) -> SymmetricMatrix {
    let products = rows.map { row in times(row) }
    var result = SymmetricMatrix(size: rows.count)
    for i in rows.indices {
      for j in 0...i {
        var sum = 0.0
        for (a, b) in zip(rows[i], products[j]) { sum += a * b }
        result[i, j] = sum
        result[j, i] = sum
      }
    }
    return result
  }

  /// Copies the upper half to the lower.
  mutating func mirror() {
    for i in 1..<max(size, 1) { for j in 0..<i { elements[i * size + j] = elements[j * size + i] } }
  }

  /// The matrix with all elements multiplied.
  func scaled(by factor: Double) -> SymmetricMatrix {
    var result = self
    for index in elements.indices { result.elements[index] *= factor }
    return result
  }

  /// Adds a matrix of this size.
  mutating func add(_ other: SymmetricMatrix) {
    for (index, element) in other.elements.enumerated() where index < elements.count { elements[index] += element }
  }

  /// Rows and columns multiplied with factors: the covariance of scaled quantities.
  func scaled(by factors: [Double]) -> SymmetricMatrix {
    var result = self
    for (i, a) in factors.enumerated() where i < size {
      for (j, b) in factors.enumerated() where j < size { result[i, j] *= a * b }
    }
    return result
  }

  /// A · x.
  func times(_ x: [Double]) -> [Double] {
    (0..<size).map { row in
      var sum = 0.0
      for column in 0..<min(size, x.count) { sum += elements[row * size + column] * x[column] }
      return sum
    }
  }

  /// xᵀ · A · x; not a number for an x of another size.
  func quadratic(_ x: [Double]) -> Double {
    guard x.count == size else { return .nan }
    var (sum, index) = (0.0, 0)
    for a in x {
      var product = 0.0
      for b in x {
        product += elements[index] * b
        index += 1
      }
      sum += product * a
    }
    return sum
  }
}

extension SymmetricMatrix {
  /// Eigenvalues of a 3×3 matrix of moments, smallest first, and their directions.
  static func axes(of moments: Matrix3) -> (values: Vector3, directions: Matrix3)? {
    let rows = [moments.row0, moments.row1, moments.row2].flatMap { [$0.x, $0.y, $0.z] }
    var values = [0.0, 0, 0]
    var vectors = [Double](repeating: 0, count: 9)
    guard rows.allSatisfy({ $0.isFinite }), eigen_symmetric(3, rows, &values, &vectors) == 0 else { return nil }
    return (
      Vector3(values[0], values[1], values[2]),
      Matrix3(
        Vector3(vectors[0], vectors[1], vectors[2]), Vector3(vectors[3], vectors[4], vectors[5]),
        Vector3(vectors[6], vectors[7], vectors[8]))
    )
  }
}
