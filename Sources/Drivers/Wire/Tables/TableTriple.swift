import LodestoneCore

extension Vector3 {
  /// A number is its length, as a sketch prints it beside the axes.
  func measures(_ value: Double) -> Bool {
    let length = self.length
    return length > 0 && abs(value / length - 1) < 0.015
  }
}

/// Three columns of a table side by side, as a vector a row.
struct TableTriple {
  /// Distances from a sphere, as a share of its radius, that noise and rounding of a field make; with twice that it is
  /// none.
  static let largestResidual = 0.06

  let vectors: [Vector3]
  /// The median length.
  let median: Double
  /// The median distance from it, times 1.48, over it: a standard deviation that outliers do not spoil.
  let spread: Double
  private(set) var largest = 0.0
  private(set) var isWhole = true
  /// The largest angle between a row and the first one, in radians.
  private(set) var turn = 0.0
  /// Whether it moves steadily, by more than its noise.
  let drifts: Bool
  /// The noise of an axis.
  let noise: Double
  /// The sphere that the vectors' tips lie on; nil where they do not determine one.
  let sphere: TipSphere?

  /// The field's strength if it is one: the radius of its sphere where it was turned about, else its length.
  var strength: Double { isShell ? sphere?.radius ?? median : median }
  /// Whether it was turned about, and lies on a sphere, wherever the middle of that is.
  var isShell: Bool { sphere.map { $0.turn > 0.7 && $0.residual < Self.largestResidual } ?? false }

  /// Whether each row is far from the next, and near the one that comes two to four rows later: several sensors print
  /// in turn, as acceleration, rotation and field on a line each.
  var areInTurn: Bool {
    let next = step(1)
    guard next > 0.3 * median else { return false }
    return (2...4).contains { vectors.count > $0 + 1 && step($0) < 0.25 * next }
  }

  /// The median way from a row to one so many rows later; there must be one.
  private func step(_ distance: Int) -> Double {
    let steps = zip(vectors, vectors.dropFirst(distance)).map { ($1 - $0).length }.sorted()
    return steps.isEmpty ? 0 : steps[steps.count / 2]
  }

  /// The triple of three columns of rows, of which there is at least one.
  init(_ rows: [[Double]], at place: Int) {
    vectors = rows.map { Vector3($0[place], $0[place + 1], $0[place + 2]) }
    let lengths = vectors.map { $0.length }.sorted()
    let median = lengths[lengths.count / 2]
    self.median = median
    let distances = lengths.map { abs($0 - median) }.sorted()
    spread = median > 0 ? 1.48 * distances[distances.count / 2] / median : 0
    noise = Self.noise(vectors)
    drifts = Self.drifts(vectors, size: median, noise: noise)
    sphere = TipSphere(vectors, size: median)
    for vector in vectors {
      largest = max(largest, abs(vector.x), abs(vector.y), abs(vector.z))
      if isWhole, (0..<3).contains(where: { vector[$0] != vector[$0].rounded() }) { isWhole = false }
      turn = max(turn, vectors[0].angle(to: vector))
    }
  }

  /// The second half of the rows is elsewhere than the first, or all stray farther from their mean, than the steps
  /// between neighbours explain.
  private static func drifts(_ vectors: [Vector3], size: Double, noise: Double) -> Bool {
    let half = vectors.count / 2
    guard half > 0 else { return false }
    let mean = vectors.reduce(Vector3.zero) { $0 + $1 } / Double(vectors.count)
    for axis in 0..<3 {
      let steps = zip(vectors, vectors.dropFirst()).map { abs($1[axis] - $0[axis]) }
      // A digit that flickers slowly is no motion.
      let digit = steps.filter { $0 > 0 }.min() ?? 0
      let stray = vectors.reduce(0) { $0 + ($1[axis] - mean[axis]) * ($1[axis] - mean[axis]) } / Double(vectors.count)
      if stray.squareRoot() > max(2.2 * noise, 1.2 * digit, 0.003 * size) { return true }
      let first = vectors[..<half].reduce(0) { $0 + $1[axis] } / Double(half)
      let second = vectors[half...].reduce(0) { $0 + $1[axis] } / Double(vectors.count - half)
      let square = steps.reduce(0) { $0 + $1 * $1 } / Double(2 * vectors.count - 2)
      let error = (square * 4 / Double(vectors.count)).squareRoot()
      if abs(second - first) > max(3 * error, 0.01 * size) { return true }
    }
    return false
  }

  /// The noise of an axis, by how rows stray from the middle of their neighbours.
  static func noise(_ vectors: [Vector3]) -> Double {
    guard vectors.count > 2 else { return .infinity }
    let sum = (1..<vectors.count - 1).reduce(0.0) { sum, middle in
      let neighbours = vectors[middle - 1] + vectors[middle + 1]
      return sum + (neighbours - vectors[middle] * 2).squaredLength
    }
    return (sum / Double(18 * (vectors.count - 2))).squareRoot()
  }
}
