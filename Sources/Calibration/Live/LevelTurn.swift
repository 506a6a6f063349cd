import LodestoneCore
import Glibc

/// How far a board was turned round one axis, from its raw fields: they lie on a circle, found by least squares in the
/// plane they spread in (Kåsa, "A circle fitting procedure and its error analysis", 1976).
struct LevelTurn {
  /// Whole turns, whichever way; swinging to and fro adds nothing.
  let turns: Double
  /// Whether it was turned by half a turn at least and held within 15° of one attitude all the time.
  let isOnlyLevel: Bool

  /// A turn from measurements in the order of time.
  init(_ points: [SweepPoint]) {
    let angles = Self.angles(points.map { $0.raw })
    var (sum, largest) = (0.0, 0.0)
    for (before, after) in zip(angles, angles.dropFirst()) {
      sum += Angle.shortestTurn(from: before, to: after)
      largest = max(largest, abs(sum))
    }
    turns = largest / 360
    isOnlyLevel = turns >= 0.5 && Self.keepsLevel(points)
  }

  private static func keepsLevel(_ points: [SweepPoint]) -> Bool {
    let ups = points.compactMap { $0.force?.direction }
    guard let mean = ups.reduce(Vector3.zero, +).direction else { return false }
    return ups.allSatisfy { $0.angle(to: mean) < Angle.radians(15) }
  }

  /// The angle of each point about the circle's centre, in degrees; none where there is no circle.
  private static func angles(_ raw: [Vector3]) -> [Double] {
    let mean = raw.reduce(Vector3.zero, +) / Double(max(raw.count, 1))
    let about = raw.map { $0 - mean }
    guard raw.count >= 8, let axes = SymmetricMatrix.axes(of: Matrix3.moments(about)) else { return [] }
    let (a, b) = (axes.directions[1], axes.directions[2])
    let flat = about.map { (x: $0.dot(a), y: $0.dot(b)) }
    guard let centre = centre(of: flat), isCircle(flat, about: centre) else { return [] }
    return flat.map { Angle.degrees(atan2($0.y - centre.y, $0.x - centre.x)) }
  }

  /// Whether points lie on a circle: not the noise of a board at rest, nor the cloud of one turned about every axis.
  private static func isCircle(_ points: [(x: Double, y: Double)], about centre: (x: Double, y: Double)) -> Bool {
    let radii = points.map { hypot($0.x - centre.x, $0.y - centre.y) }
    let mean = radii.reduce(0, +) / Double(max(radii.count, 1))
    let squares = radii.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(max(radii.count, 1))).squareRoot() < 0.2 * mean
  }

  /// x² + y² = 2 c·(x, y) + k.
  private static func centre(of points: [(x: Double, y: Double)]) -> (x: Double, y: Double)? {
    let rows = points.map { Vector3($0.x, $0.y, 1) }
    let right = rows.reduce(Vector3.zero) { $0 + $1 * ($1.x * $1.x + $1.y * $1.y) }
    guard let solution = Matrix3.moments(rows).inverse.map({ $0 * right }), solution.isFinite else { return nil }
    return (solution.x / 2, solution.y / 2)
  }
}
