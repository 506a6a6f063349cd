import LodestoneCore

// A compass of its own, as GPS modules have, stands at any angle to the accelerometer. Where none of the 24 maps will
// do, the rotation is looked for among all: from each map, alone and turned on, down to the nearest valley. What it
// must explain is what a map must, the angle between field and up in every attitude or the turning that the gyroscope
// saw; and it is told from a bad compass, which no rotation makes right, by how much less it leaves over, in a valley
// that is the only one.

extension AxisMap {
  /// The map of signed axes next to it: itself, where the compass is not tilted.
  var nearestMap: Matrix3 {
    let sign: Double = matrix.determinant < 0 ? -1 : 1
    let likeness = { (map: Matrix3) in (0..<3).reduce(0) { $0 + map[$1].dot(matrix[$1]) * sign } }
    return (Self.positive.max { likeness($0) < likeness($1) } ?? .identity) * sign
  }

  /// Degrees by which the compass stands off the nearest map.
  public var tiltDegrees: Double { Angle.degrees((matrix * nearestMap.transposed).rotationAngle) }

  /// Whether the compass stands at an angle that no map has.
  var isTilted: Bool { tiltDegrees > Self.leastTilt }

  /// Degrees up to which a compass counts as set on the board like any other chip.
  private static let leastTilt = 6.0
  /// Attitudes that tell a rotation, and stretches of turning that do.
  private static let (neededPairs, neededTurns) = (8, 40)
  /// Degrees that the angle between field and gravity may spread under a rotation, and the share of what it spreads
  /// under the best map.
  private static let (tiltSpread, tiltGain) = (3.0, 0.4)
  /// Correlation of the field's turning with the gyroscope's under a rotation, and the share of what the best map
  /// leaves unexplained.
  private static let (tiltTurning, tiltTurningGain) = (0.9, 0.4)
  /// The share of the field's turning that a map leaves unexplained, up to which no rotation is looked for: a compass
  /// that is tilted by 6° leaves more.
  private static let mapTurning = 0.008
  /// Degrees past which two rotations are two, and how much more the second must leave over.
  private static let (otherValley, otherGain) = (15.0, 1.6)

  /// The rotation that rests prove; nil where they prove none, or a map is as good.
  static func tilted(_ rests: [DirectionPair], inclination: Double?) -> AxisMap? {
    guard rests.count >= neededPairs, let map = scored(rests).first, map.spread > provenSpread else { return nil }
    let valleys = valleys(by: { angle(rests, under: $0).spread }) { rotation in
      var equations = TurnEquations()
      for pair in rests {
        let field = rotation * pair.field
        equations.add(field.dot(pair.up), by: field.cross(pair.up))
      }
      return equations.centredStep
    }
    guard let best = valleys.first, best.left < min(tiltSpread, tiltGain * map.spread),
      valleys.dropFirst().allSatisfy({ $0.left > otherGain * max(best.left, 1) })
    else { return nil }
    var found = AxisMap(
      matrix: best.rotation, spreadDegrees: best.left, nextSpreadDegrees: map.spread, basis: .gravity)
    guard found.isTilted else { return nil }
    found.settleSign(meanAngle: angle(rests, under: best.rotation).mean, inclination: inclination)
    return found
  }

  /// The rotation that the gyroscope proves; nil where it proves none, or a map is as good.
  static func tilted(
    turning turns: [FieldTurn], meanAngle: (Matrix3) -> Double?, _ inclination: Double?
  ) -> AxisMap? {
    guard turns.count >= neededTurns, isOfTheAccelerometer(turns) else { return nil }
    let map = positive.map { agreement(turns, under: $0) }.max() ?? 0
    let unexplained = { (agreement: Double) in 1 - agreement * agreement }
    guard unexplained(map) > mapTurning else { return nil }
    let valleys = valleys(by: { unexplained(agreement(turns, under: $0)) }) { rotation in
      var equations = TurnEquations()
      for turn in turns {
        let (step, middle) = (rotation * turn.step, rotation * turn.middle)
        let left = step - middle.cross(turn.turn)
        let change = { (axis: Vector3) in axis.cross(step) - axis.cross(middle).cross(turn.turn) }
        equations.add(left, by: change(Vector3(1, 0, 0)), change(Vector3(0, 1, 0)), change(Vector3(0, 0, 1)))
      }
      return equations.step
    }
    guard let best = valleys.first, best.left < unexplained(tiltTurning),
      best.left < tiltTurningGain * unexplained(map),
      let mean = meanAngle(best.rotation)
    else { return nil }
    var found = AxisMap(matrix: best.rotation, basis: .gyroscope)
    guard found.isTilted else { return nil }
    found.settleSign(meanAngle: Angle.degrees(mean), inclination: inclination)
    return found
  }

  // MARK: The search

  /// Rotations from which every one is near enough to be walked to.
  private static let starts: [Matrix3] = {
    let axes = [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)]
    let half = axes.map { Matrix3(rotation: $0 * (.pi / 4)) }
    let corners = [Vector3(1, 1, 1), Vector3(1, -1, -1)].map { Matrix3(rotation: $0 * (.pi / 4 / 3.squareRoot())) }
    return ([.identity] + half + corners).flatMap { turn in positive.map { turn * $0 } }
  }()

  /// Starts, the best of all, that are walked down from.
  private static let walks = 12

  /// The valleys that were found, the deepest first: what each leaves over, each more than some degrees from the
  /// others.
  private static func valleys(
    by left: (Matrix3) -> Double, step: (Matrix3) -> Vector3?
  ) -> [(rotation: Matrix3, left: Double)] {
    let ranked = starts.map { (rotation: $0, left: left($0)) }.sorted { $0.left < $1.left }
    let ends = ranked.prefix(walks).map { start in
      var rotation = start.rotation
      for _ in 0..<12 {
        guard let turn = step(rotation), turn.isFinite, turn.length > 1e-6 else { break }
        rotation = Matrix3(rotation: turn.length > 0.4 ? turn * (0.4 / turn.length) : turn) * rotation
      }
      return (rotation: rotation, left: left(rotation))
    }.sorted { $0.left < $1.left }
    return ends.reduce(into: []) { valleys, end in
      let isNew = valleys.allSatisfy {
        Angle.degrees(($0.rotation.transposed * end.rotation).rotationAngle) > otherValley
      }
      if isNew { valleys.append(end) }
    }
  }
}

/// Equations for a small turn that makes residuals smaller: a step of Gauss and Newton.
private struct TurnEquations {
  private var products = Matrix3(diagonal: .zero)
  private var right = Vector3.zero
  private var (sum, gradients, count) = (0.0, Vector3.zero, 0.0)

  /// A residual, and by how much it changes with a turn about each axis.
  mutating func add(_ residual: Double, by gradient: Vector3) {
    products = products + Matrix3(gradient * gradient.x, gradient * gradient.y, gradient * gradient.z)
    right += gradient * residual
    sum += residual
    gradients += gradient
    count += 1
  }

  /// Three residuals, and by how much they change with a turn about x, y and z.
  mutating func add(_ residual: Vector3, by x: Vector3, _ y: Vector3, _ z: Vector3) {
    let (xy, xz, yz) = (x.dot(y), x.dot(z), y.dot(z))
    products =
      products
      + Matrix3(Vector3(x.squaredLength, xy, xz), Vector3(xy, y.squaredLength, yz), Vector3(xz, yz, z.squaredLength))
    right += Vector3(x.dot(residual), y.dot(residual), z.dot(residual))
  }

  /// The turn in radians; nil where the residuals tell none.
  var step: Vector3? { products.inverse.map { $0 * -right } }

  /// The turn in radians that makes the residuals alike, whatever their mean.
  var centredStep: Vector3? {
    guard count > 0 else { return nil }
    let mean = gradients / count
    let outer = Matrix3(mean * mean.x, mean * mean.y, mean * mean.z)
    return (products + outer * -count).inverse.map { $0 * -(right - mean * sum) }
  }
}
