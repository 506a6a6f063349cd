import LodestoneCore
import Glibc

// Where to begin. The norm's cost has several valleys when the directions are few: it is walked down from each of
// these centres, and the lowest end is taken.

/// A sphere: a first guess of hard iron and field strength.
struct SphereGuess {
  var centre: Vector3
  var radius: Double

  var parameters: Parameters {
    var parameters = Parameters()
    parameters.hardIron = centre
    parameters.logStrength = log(max(radius, 1e-6))
    return parameters
  }
}

enum Starts {
  /// First guesses for a sweep, the best founded first. `strength` is what the field is expected to be.
  static func guesses(_ points: [Vector3], strength: Double) -> [SphereGuess] {
    guard let box = middle(points) else { return [] }
    var guesses: [SphereGuess] = []
    let flat = offPlane(points, strength: strength)
    if let sphere = robustSphere(points, near: box.centre) { guesses.append(sphere) }
    guesses.append(box)
    guesses += flat
    return guesses
  }

  /// Half way between the extremes of each axis.
  private static func middle(_ points: [Vector3]) -> SphereGuess? {
    guard var low = points.first else { return nil }
    var high = low
    for point in points {
      for axis in 0..<3 {
        low[axis] = min(low[axis], point[axis])
        high[axis] = max(high[axis], point[axis])
      }
    }
    let span = high - low
    return SphereGuess(centre: (low + high) / 2, radius: max(span.x, span.y, span.z) / 2)
  }

  /// The linear sphere |m|² = 2 v·m + k, fitted again without what lies far off.
  private static func robustSphere(_ points: [Vector3], near origin: Vector3) -> SphereGuess? {
    guard var sphere = linearSphere(points, origin: origin) else { return nil }
    for _ in 0..<3 {
      let residuals = points.map { abs(($0 - sphere.centre).length - sphere.radius) }
      let limit = 4 * median(residuals) + 1e-9
      let kept = zip(points, residuals).filter { $0.1 < limit }.map { $0.0 }
      guard kept.count >= 8, let better = linearSphere(kept, origin: origin) else { break }
      sphere = better
    }
    return sphere
  }

  private static func linearSphere(_ points: [Vector3], origin: Vector3) -> SphereGuess? {
    var matrix = SymmetricMatrix(size: 4)
    var right = [0.0, 0, 0, 0]
    for point in points {
      let p = point - origin
      let row = [2 * p.x, 2 * p.y, 2 * p.z, 1]
      let square = p.squaredLength
      for i in 0..<4 {
        right[i] += row[i] * square
        for j in 0..<4 { matrix[i, j] += row[i] * row[j] }
      }
    }
    let ridge = 1e-9 * (0..<3).map { matrix[$0, $0] }.reduce(0, +) + 1e-12
    for i in 0..<4 { matrix[i, i] += i < 3 ? ridge : 0 }
    guard let x = matrix.solve(right) else { return nil }
    let centre = Vector3(x[0], x[1], x[2])
    let squaredRadius = x[3] + centre.squaredLength
    guard squaredRadius > 0, squaredRadius.isFinite else { return nil }
    return SphereGuess(centre: centre + origin, radius: squaredRadius.squareRoot())
  }

  /// The starts for a sweep that is nearly flat: the two centres off its plane from which its circle has the expected
  /// strength.
  private static func offPlane(_ points: [Vector3], strength: Double) -> [SphereGuess] {
    let mean = points.reduce(Vector3.zero, +) / Double(max(points.count, 1))
    guard let axes = SymmetricMatrix.axes(of: Matrix3.moments(points.map { $0 - mean })),
      axes.values.x < 0.25 * axes.values.y
    else { return [] }
    let normal = axes.directions.row0
    let flat = points.map { $0 - normal * ($0 - mean).dot(normal) }
    guard let circle = linearSphere(flat, origin: mean) else { return [] }
    let centre = circle.centre - normal * (circle.centre - mean).dot(normal)
    let radius = (circle.centre - centre).length < strength ? circle.radius : strength
    let height = max(strength * strength - radius * radius, 1).squareRoot()
    return [height, -height].map { SphereGuess(centre: centre + normal * $0, radius: strength) }
  }
}

extension Matrix3 {
  /// Σ x xᵀ.
  static func moments(_ vectors: some Sequence<Vector3>) -> Matrix3 {
    var sum = Matrix3(diagonal: .zero)
    for v in vectors { sum = sum + Matrix3(v * v.x, v * v.y, v * v.z) }
    return sum
  }
}

/// The middle value; 0 of nothing. Of many values a thousand, evenly taken, are enough for every use here.
func median(_ values: [Double]) -> Double {
  let step = max(1, values.count / 1000)
  return quantile(step == 1 ? values : stride(from: 0, to: values.count, by: step).map { values[$0] }, 0.5)
}

/// The value below which a share of the values lie; 0 of nothing. Selected without sorting the rest (C. A. R. Hoare,
/// "Algorithm 65: Find", 1961).
func quantile(_ values: [Double], _ share: Double) -> Double {
  guard !values.isEmpty else { return 0 }
  var values = values
  let place = min(values.count - 1, max(0, Int(share * Double(values.count))))
  var (first, last) = (0, values.count - 1)
  while first < last {
    let pivot = values[(first + last) / 2]
    var (low, high) = (first, last)
    while low <= high {
      while values[low] < pivot { low += 1 }
      while pivot < values[high] { high -= 1 }
      guard low <= high else { break }
      values.swapAt(low, high)
      low += 1
      high -= 1
    }
    if place <= high {
      last = high
    } else if place >= low {
      first = low
    } else {
      break
    }
  }
  return values[place]
}
