import Glibc
import LodestoneCore

// An instrument that is aimed at one target and rolled about its line of sight turns about that line: of all its axes
// it is the one that stays where it is. With W_k the turn from the instrument to east, north and up in shot k, and W̄
// its mean over the shots at the same target, the line is the unit vector l for which
//
//     Σ |(W_k − W̄) l|² = lᵀ M l                                                                                  (1)
//
// is least: M's eigenvector of the least eigenvalue λ. Of 2 (n − g) numbers that n shots at g targets leave, two are
// spent on l, so that each has the variance s² = λ / (2 (n − g) − 2), and l that of s² / (λ' − λ) along each other
// eigenvector, of λ'.

/// Shots in which an instrument was rolled about its line of sight.
struct RolledShots {
  /// Shots at one target at least, and shots in all.
  static let (fewest, enough) = (4, 8)
  /// Degrees from the attitude of one shot to the next at least: what turned by less is the same shot, held for longer.
  private static let otherShot = 10.0
  /// Degrees between the lines of shots at one target.
  private static let scatter = 5.0
  /// Degrees between a target and the vertical at least: a board without a laser that is turned on a table turns about
  /// the vertical too.
  private static let steepest = 30.0
  /// M's other eigenvalues for two shots, 2 sin² of half the angle between them, from which on they tell of a line: of
  /// 41°.
  private static let leastTurn = 0.25
  /// The largest standard error of a line in degrees.
  private static let surest = 0.5

  private let attitudes: [Matrix3]

  /// The attitudes of stations, from the instrument to east, north and up, in the order of time.
  init(_ attitudes: [Matrix3]) {
    self.attitudes = attitudes.reduce(into: []) { shots, next in
      if let last = shots.last, Self.turn(from: last, to: next) < Self.otherShot { return }
      shots.append(next)
    }
  }

  /// The line of sight; nil where too few shots tell it.
  var line: LaserAxis? {
    guard let found = best.flatMap({ line(near: $0.direction) }), found.shots >= Self.enough,
      found.deviation < Self.surest
    else { return nil }
    return LaserAxis(along: found.direction, deviation: found.deviation)
  }

  /// The number of shots at each target so far, in the order of time; that at the last one, which may go on, however
  /// small.
  var counts: [Int] {
    let lines = best.map { [$0.direction] } ?? pairs
    let counts = lines.map { line in
      stretches(along: line).filter { $0.count >= Self.fewest || $0.upperBound == attitudes.count }.map { $0.count }
    }
    return counts.max { $0.last ?? 0 < $1.last ?? 0 } ?? (attitudes.isEmpty ? [] : [1])
  }

  private struct Line {
    let direction: Vector3
    /// The deviation in degrees.
    let deviation: Double
    let shots: Int
  }

  /// The lines about which two shots in a row are turned, as far as an instrument may point along them.
  private var pairs: [Vector3] {
    zip(attitudes, attitudes.dropFirst()).compactMap { one, next in
      guard let turn = SymmetricMatrix.axes(of: Self.moments([one, next])), turn.values.y > Self.leastTurn else {
        return nil
      }
      return LaserAxis(along: turn.directions.row0, deviation: 0)?.direction
    }
  }

  /// The line of most shots.
  private var best: Line? {
    pairs.compactMap { line(near: $0) }.reduce(nil) { best, line in line.shots > best?.shots ?? 0 ? line : best }
  }

  /// (1) over the targets that shots have under a line like the one that is looked for.
  private func line(near direction: Vector3) -> Line? {
    let targets = stretches(along: direction).filter { $0.count >= Self.fewest }
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
  private func stretches(along line: Vector3) -> [Range<Int>] {
    var targets: [Range<Int>] = []
    var start = 0
    for index in 1...attitudes.count {
      let aim = attitudes[start] * line
      if index < attitudes.count, (attitudes[index] * line).angle(to: aim) < Angle.radians(Self.scatter) { continue }
      let isSteep = abs(aim.z) > cos(Angle.radians(Self.steepest))
      if !isSteep { targets.append(start..<index) }
      start = index
    }
    return targets
  }

  /// The angle between two attitudes in degrees.
  private static func turn(from one: Matrix3, to next: Matrix3) -> Double {
    let trace = one.row0.dot(next.row0) + one.row1.dot(next.row1) + one.row2.dot(next.row2)
    return Angle.degrees(acos(max(-1, min(1, (trace - 1) / 2))))
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

extension RolledShots {
  /// The shots of rests, as a calibration has them.
  init(_ rests: [Rest], _ correction: Correction, _ force: ForceCorrection) {
    self.init(
      rests.compactMap { rest in
        guard let up = force.apply(to: rest.force).direction,
          let east = (correction.softIron * (rest.raw - correction.hardIron)).cross(up).direction
        else { return nil }
        return Matrix3(east, up.cross(east), up)
      })
  }
}

extension SweepFit {
  /// The axis of the laser or sight along which positions held were aimed; nil where they do not tell it.
  var laser: LaserAxis? {
    guard isHeld, kind == .full else { return nil }
    return RolledShots(gravity.rests.all, correction, estimate.parameters.force).line
  }
}
