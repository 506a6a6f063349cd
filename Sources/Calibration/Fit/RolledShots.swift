import Glibc
import LodestoneCore

// An instrument that is aimed at one target and rolled about its line of sight turns about that line: of all its axes it is
// the one that stays where it is. With W_k the turn from the instrument to east, north and up in shot k, and W̄ its mean over
// the shots at the same target, the line is the unit vector l for which
//
//     Σ |(W_k − W̄) l|² = lᵀ M l                                                                                  (1)
//
// is least: M's eigenvector of the least eigenvalue λ. Of 2 (n − g) numbers that n shots at g targets leave, two are spent on
// l, so that each has the variance s² = λ / (2 (n − g) − 2), and l that of s² / (λ' − λ) along each other eigenvector, of λ'.

/// Shots in which an instrument was rolled about its line of sight.
struct RolledShots {
  /// Shots at one target at least, and shots in all.
  private static let (fewest, enough) = (4, 8)
  /// Degrees between the lines of shots at one target.
  private static let scatter = 5.0
  /// Degrees between a target and the vertical at least: a board without a laser that is turned on a table turns about the
  /// vertical too.
  private static let steepest = 30.0
  /// M's other eigenvalues for two shots, 2 sin² of half the angle between them, from which on they tell of a line: of 41°.
  private static let leastTurn = 0.25
  /// The largest standard error of a line in degrees.
  private static let surest = 0.5

  private let attitudes: [Matrix3]

  /// The attitudes of stations, from the instrument to east, north and up, in the order of time.
  init(_ attitudes: [Matrix3]) { self.attitudes = attitudes }

  /// The line of sight; nil where too few shots tell it.
  var line: LaserAxis? {
    var best: Line?
    for (one, next) in zip(attitudes, attitudes.dropFirst()) {
      guard let turn = SymmetricMatrix.axes(of: Self.moments([one, next])), turn.values.y > Self.leastTurn,
        let line = self.line(near: turn.directions.row0), line.shots > best?.shots ?? 0
      else { continue }
      best = line
    }
    guard let found = best.flatMap({ self.line(near: $0.direction) }), found.shots >= Self.enough,
      found.deviation < Self.surest
    else { return nil }
    return LaserAxis(along: found.direction, deviation: found.deviation)
  }

  private struct Line {
    let direction: Vector3
    /// In degrees.
    let deviation: Double
    let shots: Int
  }

  /// (1) over the targets that shots have under a line like the one that is looked for.
  private func line(near direction: Vector3) -> Line? {
    let targets = targets(along: direction)
    let shots = targets.reduce(0) { $0 + $1.count }
    let freedom = Double(2 * (shots - targets.count) - 2)
    let moments = targets.reduce(Matrix3(diagonal: .zero)) { $0 + Self.moments(Array(attitudes[$1])) }
    guard freedom > 0, let axes = SymmetricMatrix.axes(of: moments) else { return nil }
    let variance = max(axes.values.x, 0) / freedom
    let other = axes.values.y - axes.values.x
    guard other > 0 else { return nil }
    return Line(
      direction: axes.directions.row0, deviation: Angle.degrees((variance / other).squareRoot()), shots: shots)
  }

  /// Stretches of shots that have one target under this line of sight.
  private func targets(along line: Vector3) -> [Range<Int>] {
    var targets: [Range<Int>] = []
    var start = 0
    for index in 1...attitudes.count {
      let aim = attitudes[start] * line
      if index < attitudes.count, (attitudes[index] * line).angle(to: aim) < Angle.radians(Self.scatter) { continue }
      let isSteep = abs(aim.z) > cos(Angle.radians(Self.steepest))
      if index - start >= Self.fewest, !isSteep { targets.append(start..<index) }
      start = index
    }
    return targets
  }

  /// Σ (W − W̄)ᵀ (W − W̄).
  private static func moments(_ attitudes: [Matrix3]) -> Matrix3 {
    let mean = attitudes.reduce(Matrix3(diagonal: .zero), +) * (1 / Double(attitudes.count))
    return attitudes.reduce(Matrix3(diagonal: .zero)) { sum, attitude in
      let off = attitude + mean * -1
      return sum + off.transposed * off
    }
  }
}

extension SweepFit {
  /// Where a laser or a sight points that positions held were aimed along; nil where they do not tell it.
  var laser: LaserAxis? {
    guard isHeld, kind == .full else { return nil }
    let (correction, force) = (correction, estimate.parameters.force)
    return RolledShots(
      gravity.rests.all.compactMap { rest in
        guard let up = force.apply(to: rest.force).direction,
          let east = (correction.softIron * (rest.raw - correction.hardIron)).cross(up).direction
        else { return nil }
        return Matrix3(east, up.cross(east), up)
      }
    ).line
  }
}
