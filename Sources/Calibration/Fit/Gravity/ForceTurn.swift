import LodestoneCore
import Glibc

// How an accelerometer sits beside a gyroscope, from a board that turns in a hand. The specific force in the
// accelerometer's axes is
//
//     f = R_kᵀ g + (ω̇ × l + ω × (ω × l)) − ρ × f + z + a,                                                      (1)
//
// R_k the gyroscope's attitudes, g the direction up, l the arm from the point that the board turns about, ρ the
// rotation between the chips, z the accelerometer's zero, and a what else the hand does. A hand goes nowhere for long,
// so a is as often one way as the other, and seconds later the board points elsewhere: in all the turns of a sweep it
// cancels. The gyroscope's zero and the force's lag are unknowns beside ρ, z and l, and g is one more in each window.
// A push that keeps its direction in the board's axes looks like z. So z is not used as a result, but a z larger than
// accelerometers have widens the error of ρ: the motion was not that of (1).

/// The rotation between accelerometer and gyroscope as a sweep's motion shows it.
struct ForceTurn {
  /// ρ: the rotation by which vectors in the accelerometer's axes become those in the gyroscope's, in radians.
  let rotation: Vector3
  /// The standard error of ρ about an axis, in radians.
  let deviation: Double

  /// Seconds of a window.
  private static let span = 6.0
  /// Seconds to either side over which a turn's change counts.
  private static let halfStep = 0.04
  /// Standard deviations past which a force counts less (Huber).
  private static let limit = 2.0
  /// The deviations of what is expected of ρ in radians, z in g, l in metres, the gyroscope's zero in radians per
  /// second, and the lag in seconds.
  private static let priors =
    [Double](repeating: 0.1, count: 3) + [Double](repeating: 0.1, count: 3) + [Double](repeating: 0.5, count: 3)
    + [Double](repeating: Angle.radians(0.5), count: 3) + [0.02]

  /// One standard deviation about each axis, in radians, of how a gyroscope lies against the accelerometer beside it:
  /// on one die, and on a board of two chips; and how likely the first is.
  private static let (onOneDie, onTwoChips) = (Angle.radians(0.25), Angle.radians(Judgement.ordinaryMisalignment))
  private static let oneDie = 0.75
  /// The error in radians that is no less in any sweep: a hand goes the same ways again and again.
  private static let least = Angle.radians(0.15)
  /// One standard deviation of an accelerometer's zero, in g.
  private static let usualZero = 0.03
  /// Rounds of solving, each with the noise and weights from the residuals of the one before.
  private static let rounds = 3
  /// Windows that tell how far they disagree.
  private static let fewest = 4

  /// With values that are known.
  init(rotation: Vector3, deviation: Double) { (self.rotation, self.deviation) = (rotation, deviation) }

  /// From points in the axes of the gyroscope, whose zero, gains and skews are known; nil for a few seconds of them.
  init?(_ points: some Sequence<SweepPoint>, by gyroscope: Gyroscope, _ reading: TurnIntegral.Reading) {
    let moments = points.compactMap { point -> TurningWindow.Moment? in
      guard let force = point.force, let rate = point.rate else { return nil }
      return (point.time, force, rate)
    }
    var own = gyroscope
    own.lag = 0
    let windows = TurningWindow.all(of: moments, lasting: Self.span).map { Window($0, by: own, reading) }
    guard windows.count >= Self.fewest else { return nil }
    // The noise of the forces shows in their residuals, which need the unknowns: so it goes in rounds.
    var (x, equations) = ([Double](repeating: 0, count: Self.priors.count), WindowedEquations([]))
    for _ in 0..<Self.rounds {
      let offs = windows.map { $0.offs(under: x) }
      let left = max(median(offs.flatMap { $0.map { $0.length } }) / 1.54, 1e-4)
      let halves = zip(windows, offs).flatMap { TurnedWindow.halves(of: $1, in: $0.seconds) }
      let share = 1 / (left * left * max(1, VectorFit.excess(of: halves)))
      equations = WindowedEquations(Self.priors.map { ($0, 0) })
      for (window, offs) in zip(windows, offs) { equations.add(window.sums(offs, noise: left), share: share) }
      guard let solution = equations.solution else { return nil }
      x = solution
    }
    guard let variances = equations.variances else { return nil }
    rotation = Vector3(x[0], x[1], x[2])
    let absurd = (3..<6).reduce(0) { $0 + x[$1] * x[$1] / (variances[$1] + Self.usualZero * Self.usualZero) } / 3
    deviation = (max(1, absurd) * variances[0..<3].reduce(0, +) / 3).squareRoot()
  }

  /// ρ as it is most likely, in radians, and its variance about each axis: of chips on one die, where a sweep shows
  /// nothing, else by what it shows of those and of two chips, each as likely as it explains that.
  static func likely(_ shown: ForceTurn?) -> (rotation: Vector3, variance: Double) {
    guard let shown else { return (.zero, onOneDie * onOneDie) }
    let own = shown.deviation * shown.deviation + least * least
    let ways = [(onOneDie, oneDie), (onTwoChips, 1 - oneDie)].map { usual, odds in
      let (prior, all) = (usual * usual, usual * usual + own)
      let weight = odds * exp(-shown.rotation.squaredLength / (2 * all)) / (all * all.squareRoot())
      return (rotation: shown.rotation * (prior / all), variance: prior * own / all, weight: weight)
    }
    let total = ways.reduce(0) { $0 + $1.weight }
    guard total > 0 else { return (shown.rotation, own) }
    let mean = ways.reduce(Vector3.zero) { $0 + $1.rotation * ($1.weight / total) }
    let variance = ways.reduce(0) {
      $0 + ($1.variance + ($1.rotation - mean).squaredLength / 3) * ($1.weight / total)
    }
    return (mean, variance)
  }

  /// Some seconds, with the equations (1) of each of their forces.
  private struct Window {
    let seconds: Double
    private let attitudes: [Matrix3]
    /// A row for each axis of each force: the direction, the unknowns, and what the force is off by.
    private var rows: [ResidualRow] = []

    /// Where a row's direction ends, and where its residual stands.
    private static let (unknowns, residual) = (3, 3 + priors.count)

    init(_ window: TurningWindow, by gyroscope: Gyroscope, _ reading: TurnIntegral.Reading) {
      let turned = TurnedWindow(window, by: gyroscope, reading)
      (seconds, attitudes) = (window.seconds, turned.attitudes.map { $0.matrix })
      for (point, index) in window.points.enumerated() {
        let (attitude, off, force) = (turned.attitudes[point], turned.offs[point], window.moments[index].vector)
        let (back, arm) = (attitude.matrix.transposed, ForceTurn.arm(window, by: gyroscope, at: index))
        for axis in 0..<3 {
          var row = ResidualRow(repeating: 0)
          let (toAxis, unit) = (back[axis], Matrix3.identity[axis])
          let (byRotation, byTurn) = (unit.cross(force), toAxis.cross(turned.direction))
          for part in 0..<3 {
            row[part] = toAxis[part]
            row[3 + part] = byRotation[part]
            row[6 + part] = unit[part]
            row[9 + part] = arm[axis][part]
            row[12 + part] = byTurn.dot(attitude.turns[part])
          }
          row[15] = byTurn.dot(attitude.turns[12])
          row[Self.residual] = off[axis]
          rows.append(row)
        }
      }
    }

    /// The forces less those that the unknowns make, about their mean in the world, in g.
    func offs(under x: [Double]) -> [Vector3] {
      func off(_ row: ResidualRow) -> Double {
        x.indices.reduce(row[Self.residual]) { $0 - row[Self.unknowns + $1] * x[$1] }
      }
      let offs = attitudes.indices.map { Vector3(off(rows[3 * $0]), off(rows[3 * $0 + 1]), off(rows[3 * $0 + 2])) }
      let mean = zip(attitudes, offs).reduce(Vector3.zero) { $0 + $1.0 * $1.1 } / Double(max(offs.count, 1))
      return zip(attitudes, offs).map { $1 - $0.transposed * mean }
    }

    /// The sums of the rows, those that are far off weighed less.
    func sums(_ offs: [Vector3], noise: Double) -> RowSums {
      var sums = RowSums(size: Self.residual)
      for (index, row) in rows.enumerated() {
        sums.add(row, weight: min(1, limit * noise * 3.0.squareRoot() / max(offs[index / 3].length, 1e-12)))
      }
      return sums
    }
  }

  /// The force in g that an arm of one metre along each axis makes: (ω̇ × e + ω × (ω × e)), column by column.
  private static func arm(_ window: TurningWindow, by gyroscope: Gyroscope, at index: Int) -> Matrix3 {
    let moments = window.moments
    func rate(_ index: Int) -> Vector3 { gyroscope.gain * (moments[index].rate - gyroscope.zero) }
    var (from, to) = (index, index)
    while from > 0, moments[index].time - moments[from].time < halfStep { from -= 1 }
    while to + 1 < moments.count, moments[to].time - moments[index].time < halfStep { to += 1 }
    let seconds = moments[to].time - moments[from].time
    let (change, turn) = (seconds > 0 ? (rate(to) - rate(from)) / seconds : .zero, rate(index))
    func cross(_ v: Vector3) -> Matrix3 { Matrix3(Vector3(0, -v.z, v.y), Vector3(v.z, 0, -v.x), Vector3(-v.y, v.x, 0)) }
    return (cross(change) + cross(turn) * cross(turn)) * (1 / Acceleration.standardGravity)
  }
}
