import LodestoneCore
import Glibc

// From the parameters' covariance to degrees of heading.
//
// An error δb of the corrected field turns the north found in the horizontal plane by δψ = ê·δb / B_h, ê the unit
// vector to magnetic east and B_h the horizontal field, whatever axis the heading is read along. With d = m − v = S⁻¹ b
// and b = S (m − v),
//
//     δb = δS d − S δv,    B_h δψ = Σ ê_i d_j δS_ij − (Sᵀ ê)·δv,                                              (1)
//
// linear in the twelve numbers of a correction, so the variance is a quadratic form of their covariance.

//
// Where the covariance is that of the accelerometer too, an error δg of the specific force leans up by δû = δg − û
// (û·δg), which turns north by tan I ê·δû, I the inclination, and the projection of the top edge â, which rises p above
// the horizontal, by tan p r̂·δû, r̂ the horizontal to its right.

/// The covariance of a correction's twelve numbers: hard iron, then soft iron row by row.
public struct CorrectionCovariance: Sendable {
  /// The names of the fourteen parameters, in their order.
  public static var parameterNames: [String] { Parameters.names }

  /// 12 × 12, row by row.
  public var elements: [Double] { (0..<12).flatMap { row in all.elements[row * all.size..<row * all.size + 12] } }
  /// With the nine numbers of the accelerometer, where they are known, after the twelve.
  private let all: SymmetricMatrix
  private let correction: Correction
  private let force: ForceCorrection

  /// From the covariance of the fourteen parameters; nil when the sizes are not those.
  public init?(parameters: [Double], covariance: [Double], correction: Correction) {
    guard parameters.count == Parameters.fieldCount, let matrix = SymmetricMatrix(rows: covariance) else { return nil }
    self.init(parameters: parameters, covariance: matrix, correction: correction, force: .none)
  }

  /// From the covariance of the fourteen, or of all parameters with the accelerometer's; nil for another number of
  /// them.
  init?(parameters: [Double], covariance: SymmetricMatrix, correction: Correction, force: ForceCorrection) {
    guard let model = Parameters(values: parameters), parameters.count == covariance.size,
      var rows = Self.derivatives(model, correction: correction)
    else { return nil }
    if covariance.size == Parameters.fieldCount {
      rows = rows.map { Array($0.prefix(Parameters.fieldCount)) }
    } else {
      for index in Parameters.forceIndex..<Parameters.count {
        rows.append((0..<Parameters.count).map { $0 == index ? 1 : 0 })
      }
    }
    all = covariance.transformed(by: rows)
    self.correction = correction
    self.force = force
  }

  /// Variance of the heading in radians squared, for a corrected field and a direction up in the same frame; nil where
  /// the field has no horizontal part.
  public func headingVariance(field: Vector3, up: Vector3) -> Double? {
    guard let inverse = correction.softIron.inverse,
      var row = Self.headingRow(field: field, up: up, correction: correction, inverse: inverse)
    else { return nil }
    if all.size > row.count { row += Self.forceRow(field: field, up: up, force: force) }
    return all.quadratic(row)
  }

  /// The heading's derivatives by the accelerometer's zeros, gains and skews, in radians.
  private static func forceRow(field: Vector3, up: Vector3, force: ForceCorrection) -> [Double] {
    let east = field.cross(up)
    let right = Vector3(0, 1, 0).cross(up)
    var byUp = east * (-field.dot(up) / max(east.squaredLength, 1e-18))
    if right.squaredLength > 0.1 { byUp += right * (up.y / right.squaredLength) }
    let d = byUp - up * byUp.dot(up)
    let (byZero, f) = (-(force.matrix * d), force.matrix.inverse.map { $0 * up } ?? up)
    return [
      byZero.x, byZero.y, byZero.z, f.x * d.x, f.y * d.y, f.z * d.z, f.x * d.y + f.y * d.x, f.x * d.z + f.z * d.x,
      f.y * d.z + f.z * d.y,
    ]
  }

  /// (1): the heading's derivatives by the twelve numbers, in radians; nil where the field has no horizontal part.
  static func headingRow(field: Vector3, up: Vector3, correction: Correction, inverse: Matrix3) -> [Double]? {
    let east = field.cross(up)
    let horizontal = east.length
    guard horizontal > 1e-9 else { return nil }
    let e = east / (horizontal * horizontal)
    let d = inverse * field
    let byHardIron = -(correction.softIron.transposed * e)
    return [
      byHardIron.x, byHardIron.y, byHardIron.z, e.x * d.x, e.x * d.y, e.x * d.z, e.y * d.x, e.y * d.y, e.y * d.z,
      e.z * d.x, e.z * d.y, e.z * d.z,
    ]
  }

  /// The twelve numbers' derivatives by the fourteen parameters, a row for each of the twelve.
  static func derivatives(_ model: Parameters, correction: Correction) -> [[Double]]? {
    guard let inverse = model.stretch.inverse else { return nil }
    let turned = correction.softIron * inverse
    let jacobian = GravityModel.leftJacobian(model.rotation)
    var rows = (0..<12).map { _ in [Double](repeating: 0, count: Parameters.count) }
    for axis in 0..<3 { rows[axis][axis] = 1 }
    let pairs = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)]
    for (index, (i, j)) in pairs.enumerated() {
      for row in 0..<3 {
        rows[3 + 3 * row + j][4 + index] += turned[row][i]
        if i != j { rows[3 + 3 * row + i][4 + index] += turned[row][j] }
      }
    }
    let columns = correction.softIron.transposed
    for axis in 0..<3 {
      let turn = jacobian.transposed[axis]
      for column in 0..<3 {
        let change = turn.cross(columns[column])
        for row in 0..<3 { rows[3 + 3 * row + column][Parameters.rotationIndex + axis] += change[row] }
      }
    }
    return rows
  }
}

/// Predicted heading errors in degrees.
struct HeadingErrors: Sendable, Equatable {
  /// Root mean square over all headings and the tilts asked for.
  var overall: Double
  /// Root mean square over all headings, level.
  var level: Double
  /// At the worst heading and tilt.
  var worst: Double
}

/// The attitudes over which an error is judged: every 30° of heading, level and tilted all round.
struct AttitudeGrid {
  /// A field and up, in the frame of the corrected field.
  struct Attitude {
    var field: Vector3
    var up: Vector3
    /// Its share in the mean square: each tilt counts the same.
    var weight: Double
    var isLevel: Bool
  }

  let attitudes: [Attitude]

  /// With the field `strength` µT strong and `angle` radians from up. `level` is what is up when the board is level.
  init(strength: Double, angle: Double, tilts: [Double], level: Vector3 = Vector3(0, 0, 1)) {
    let toLevel = Self.turn(from: Vector3(0, 0, 1), to: level)
    let bounded = max(0.05, min(.pi - 0.05, angle))
    var attitudes: [Attitude] = []
    for tilt in tilts {
      let azimuths = tilt == 0 ? [0.0] : [0, 60, 120, 180, 240, 300]
      let weight = 1 / Double(12 * azimuths.count * tilts.count)
      for azimuth in azimuths {
        let axis = Vector3(cos(Angle.radians(azimuth)), sin(Angle.radians(azimuth)), 0)
        let tilted = toLevel * Matrix3(rotation: axis * Angle.radians(tilt))
        for heading in stride(from: 0.0, to: 360, by: 30) {
          let north = Vector3(sin(Angle.radians(heading)), cos(Angle.radians(heading)), 0)
          let field = north * (strength * sin(bounded)) + Vector3(0, 0, strength * cos(bounded))
          attitudes.append(
            Attitude(field: tilted * field, up: tilted * Vector3(0, 0, 1), weight: weight, isLevel: tilt == 0))
        }
      }
    }
    self.attitudes = attitudes
  }

  /// A rotation that takes one unit vector to another.
  private static func turn(from a: Vector3, to b: Vector3) -> Matrix3 {
    let axis = a.cross(b)
    guard let direction = axis.direction else {
      return a.dot(b) > 0 ? .identity : Matrix3(rotation: Vector3(.pi, 0, 0))
    }
    return Matrix3(rotation: direction * a.angle(to: b))
  }

  /// Errors by a covariance.
  func errors(_ covariance: CorrectionCovariance) -> HeadingErrors {
    var (overall, level, levelWeight, worst) = (0.0, 0.0, 0.0, 0.0)
    for attitude in attitudes {
      let variance = covariance.headingVariance(field: attitude.field, up: attitude.up) ?? .infinity
      worst = max(worst, variance)
      overall += attitude.weight * variance
      if attitude.isLevel {
        level += attitude.weight * variance
        levelWeight += attitude.weight
      }
    }
    return HeadingErrors(
      overall: Angle.degrees(overall.squareRoot()),
      level: Angle.degrees((level / max(levelWeight, 1e-12)).squareRoot()), worst: Angle.degrees(worst.squareRoot()))
  }
}
