import LodestoneCore
import Glibc

// The accelerometer's zero from a board that moves, as far as a swing tells it. Along the field's direction q̂, which
// stands still in the world, the specific force f of a board at the end of an arm r is
//
//     f·q̂ = c + z·q̂ + (r/g)·q̂″ + ρ·(q̂ × f),                                                                (1)
//
// c the sine of the inclination, z the accelerometer's zero, ρ the rotation between the chips: linear in ten unknowns,
// for the board's way along q̂ is r·q̂. Averages over a triangle of half-width Δ make of q̂″ exactly
// (q̂(t+Δ) − 2 q̂(t) + q̂(t−Δ))/Δ². Good enough to say how far up may lean and how far the chips may be turned, too rough
// to correct anything with.

/// An accelerometer's zero, and the rotation between the chips, as a swing shows them.
struct MovingZero: Sendable {
  /// The zero in g.
  var zero: Vector3
  /// Standard deviations of its axes in g.
  var deviation: Vector3
  /// The rotation in radians about each axis.
  private var turn: Vector3
  /// Its standard deviations in radians.
  private var turnDeviation: Vector3

  /// Seconds.
  private static let halfWidth = 0.12
  /// Least standard deviation in g, and in radians: a hand is no stiff arm.
  private static let floor = 0.005
  private static let fewest = 300
  /// How large each unknown of (1) may be: c, z in g, r in m, ρ in radians.
  private static let sizes = [1, 0.05, 0.05, 0.05, 0.3, 0.3, 0.3, 0.04, 0.04, 0.04]

  /// A field direction and a specific force in g, at a time in seconds.
  typealias Moment = (time: Double, field: Vector3, force: Vector3)
  /// An estimate from moments that are `interval` seconds apart; nil for too few.
  init?(_ moments: [Moment], interval: Double) {
    let half = Sweep.count(of: Self.halfWidth, every: interval, atLeast: 2)
    guard half < 200, moments.count >= Self.fewest + 2 * half else { return nil }
    let means = TriangleMeans(moments, half: half)
    // Neighbours share most of their triangles: a few for each say it all.
    let step = max(1, half / 4)
    var (sums, count) = (RowSums(size: 10), 0)
    for index in stride(from: half, to: moments.count - half, by: step) {
      guard let row = Self.row(moments, means, at: index, half: half) else { continue }
      sums.add(row, weight: 1)
      count += 1
    }
    guard count * step >= Self.fewest else { return nil }
    let (matrix, right) = sums.equations
    var regular = matrix
    for i in 0..<10 { regular[i, i] += 0.01 * Double(count) / (Self.sizes[i] * Self.sizes[i]) * 1e-3 }
    guard let x = regular.solve(right), let inverse = regular.inverse else { return nil }
    let squares = sums.square - 2 * zip(x, right).reduce(0) { $0 + $1.0 * $1.1 } + matrix.quadratic(x)
    let variance = squares / Double(count) * Double(2 * half) / Double(step)
    (zero, turn) = (Vector3(x[1], x[2], x[3]), Vector3(x[7], x[8], x[9]))
    (deviation, turnDeviation) = (.zero, .zero)
    for axis in 0..<3 {
      deviation[axis] = (variance * inverse[1 + axis, 1 + axis] + Self.floor * Self.floor).squareRoot()
      turnDeviation[axis] = (variance * inverse[7 + axis, 7 + axis] + Self.floor * Self.floor).squareRoot()
    }
  }

  /// Means over a triangle of the force along the field, of the field's direction, and of its cross product with the
  /// force. A triangle is two boxes one after the other: the second difference of a sum that was summed twice.
  private struct TriangleMeans {
    private let half: Int
    private var twice: [SIMD8<Double>] = [.zero]

    init(_ moments: [Moment], half: Int) {
      self.half = half
      twice.reserveCapacity(moments.count + 1)
      var (once, both) = (SIMD8<Double>.zero, SIMD8<Double>.zero)
      for moment in moments {
        let (field, turn) = (moment.field, moment.field.cross(moment.force))
        once += SIMD8(moment.field.dot(moment.force), field.x, field.y, field.z, turn.x, turn.y, turn.z, 0)
        both += once
        twice.append(both)
      }
    }

    func at(_ index: Int) -> SIMD8<Double> {
      (twice[index + half] - 2 * twice[index] + twice[index - half]) / Double(half * half)
    }
  }

  /// The ten factors of (1) and its left side; nil where time does not go evenly.
  private static func row(_ moments: [Moment], _ means: TriangleMeans, at index: Int, half: Int) -> ResidualRow? {
    let (before, here, after) = (moments[index - half], moments[index], moments[index + half])
    let (back, on) = (here.time - before.time, after.time - here.time)
    guard back > 0, on > 0, abs(back - on) < 0.1 * (back + on), back < 1.5 * halfWidth + 0.1 else { return nil }
    let mean = means.at(index)
    let step = (back + on) / 2
    let swing = (after.field - here.field * 2 + before.field) / (step * step * Acceleration.standardGravity)
    var row = ResidualRow(repeating: 0)
    (row[0], row[1], row[2], row[3], row[4], row[5]) = (1, mean[1], mean[2], mean[3], swing.x, swing.y)
    (row[6], row[7], row[8], row[9], row[10]) = (swing.z, mean[4], mean[5], mean[6], mean[0])
    return row
  }

  /// The size of an axis's zero, root mean square in g; `ordinary` where the swing tells less than that.
  func size(axis: Int, ordinary: Double) -> Double {
    deviation[axis] < ordinary ? hypot(zero[axis], deviation[axis]) : ordinary
  }

  /// The size of the rotation about an axis, root mean square in radians: more than `ordinary` where the swing shows
  /// chips that are turned as those of no ordinary board are.
  func rotation(axis: Int, ordinary: Double) -> Double {
    let (size, error) = (abs(turn[axis]), turnDeviation[axis])
    return error < ordinary && size - error > 2 * ordinary ? hypot(size, error) : ordinary
  }
}
