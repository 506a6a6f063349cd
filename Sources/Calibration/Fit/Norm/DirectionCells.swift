import LodestoneCore
import Glibc

/// The sphere in 96 cells of nearly the same size: the faces of a cube in four by four, at equal angles.
enum DirectionCells {
  static let count = 96
  private static let perEdge = 4

  /// The cell a direction falls in. Any length but zero.
  static func index(of v: Vector3) -> Int {
    let (ax, ay, az) = (abs(v.x), abs(v.y), abs(v.z))
    if ax >= ay && ax >= az { return cell(face: v.x < 0 ? 1 : 0, v.y / ax, v.z / ax) }
    if ay >= az { return cell(face: v.y < 0 ? 3 : 2, v.z / ay, v.x / ay) }
    return cell(face: v.z < 0 ? 5 : 4, v.x / az, v.y / az)
  }

  /// The middle of each cell, of length 1.
  static let centres: [Vector3] = (0..<count).map { index in
    let face = index / (perEdge * perEdge)
    let u = tan(edge(index / perEdge % perEdge))
    let w = tan(edge(index % perEdge))
    let sign: Double = face % 2 == 0 ? 1 : -1
    let vector =
      face < 2 ? Vector3(sign, u, w) : face < 4 ? Vector3(w, sign, u) : Vector3(u, w, sign)
    return vector / vector.length
  }

  private static func edge(_ step: Int) -> Double { (Double(step) + 0.5) / Double(perEdge) * .pi / 2 - .pi / 4 }

  private static func cell(face: Int, _ u: Double, _ w: Double) -> Int {
    (face * perEdge + slot(u)) * perEdge + slot(w)
  }

  /// tan maps equal angles to these edges: −1, −0.414, 0, 0.414, 1.
  private static func slot(_ u: Double) -> Int { u < -0.41421356 ? 0 : u < 0 ? 1 : u < 0.41421356 ? 2 : 3 }
}

/// The directions of the sphere that a sweep has met.
public struct Coverage: Sendable, Equatable {
  /// Percent below which a sweep supports no calibration for all attitudes.
  public static let least = 40.0

  /// The number of measurements in each cell.
  private var counts = [Int](repeating: 0, count: DirectionCells.count)

  init() {}

  init(_ directions: some Sequence<Vector3>) {
    for direction in directions { add(direction) }
  }

  mutating func add(_ direction: Vector3) {
    guard direction.isFinite, direction.squaredLength > 0 else { return }
    counts[DirectionCells.index(of: direction)] &+= 1
  }

  /// Share of the cells met, 0 to 100.
  public var percent: Double {
    Double(counts.filter { $0 > 0 }.count) / Double(counts.count) * 100
  }

  /// Directions of the corrected field that were met, as unit vectors in the frame the coverage was taken in.
  public var met: [Vector3] { zip(DirectionCells.centres, counts).filter { $0.1 > 0 }.map { $0.0 } }

  /// Directions that are still missing, as unit vectors in the same frame.
  public var missing: [Vector3] { zip(DirectionCells.centres, counts).filter { $0.1 == 0 }.map { $0.0 } }
}
