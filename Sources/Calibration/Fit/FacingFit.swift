import LodestoneCore
import Glibc

// One known heading: a vehicle too large to turn. Standing still, the force says what is up, and the heading where
// north is, so the model's field of the place, W, is b = Rᵀ W in the board, and with the soft iron of an earlier
// calibration, or none,
//
//     h = m̄ − S⁻¹ b.                                                                                         (1)
//
// One equation for three unknowns: everything else keeps what it may be off by, and the covariance is that of (1)
// alone:
//
//     δh = −D (δψ ẑ × b + Rᵀ δW + δτ × b) + U⁻¹ δU d + D (δρ × b),    D = S⁻¹, d = D b,                       (2)
//
// ψ the heading told, ẑ up in the board, τ what the accelerometer leans by. It is good for what it says and no more.

/// A heading that is known, for one calibration without a turn.
public struct KnownHeading: Sendable, Equatable {
  /// Magnetic heading of the device's top edge in degrees: the true one less the declination.
  public var magneticDegrees: Double
  /// How the chip sits in the device.
  public var mounting: Mounting

  /// A heading of the top edge of a mounted device.
  public init(magneticDegrees: Double, mounting: Mounting = .aligned) {
    (self.magneticDegrees, self.mounting) = (magneticDegrees, mounting)
  }
}

/// The hard iron from one known heading.
struct FacingFit {
  let parameters: Parameters
  let covariance: SymmetricMatrix
  let axes: AxisMap
  /// Standard deviation of one axis of one sample, in µT.
  let noise: Double

  /// Standard deviations: degrees of the heading told, µT of the place along each axis, shares of the soft iron that
  /// nothing tells of.
  private static let (heading, place, softIron) = (2.0, 1.0, 0.08)
  /// Share of the strength, and degrees of inclination, within which a place is that of the earlier calibration.
  private static let (alike, near) = (0.06, 3.0)
  /// Standard deviations of a chip's gain, and of the strength that another place has for a device in counts.
  private static let (gain, unscaled) = (0.03, 0.2)
  /// The scatter of the force in g, and of the field in µT, past which the board did not stand still.
  private static let (shaking, moving) = (0.1, 4.0)

  /// Throws where the board was not still, and without an accelerometer or a place.
  init(_ known: KnownHeading, _ settings: CalibrationSettings, _ sweep: Sweep) throws(CalibrationRefusal) {
    let rows = sweep.measurements.kept.filter { $0.force != nil }
    guard !rows.isEmpty else { throw .noAccelerometer }
    guard let place = settings.place, rows.count >= Sanity.fewest else {
      throw .tooFewSamples(count: rows.count, needed: Sanity.fewest)
    }
    let count = Double(rows.count)
    let raw = rows.reduce(Vector3.zero) { $0 + $1.raw } / count
    let force = rows.reduce(Vector3.zero) { $0 + ($1.force ?? .zero) } / count
    let spread = (rows.reduce(0) { $0 + ($1.raw - raw).squaredLength } / count / 3).squareRoot()
    let shake = (rows.reduce(0) { $0 + (($1.force ?? force) - force).squaredLength } / count / 3).squareRoot()
    guard spread < Self.moving, shake < Self.shaking else { throw .notStill }
    let earlier = settings.facingFrom
    var parameters = earlier?.parameters ?? Parameters()
    axes = earlier?.axes ?? settings.knownAxes ?? .assumed
    let sign: Double = axes.accelerometerIsReversed ? -1 : 1
    guard let toWorld = Self.attitude(known, up: parameters.force.apply(to: force) * sign) else { throw .notStill }
    let dip = Angle.radians(place.inclination)
    let expected = Self.strength(at: place, earlier)
    let strength = expected.microtesla
    let earth = Vector3(0, cos(dip), -sin(dip)) * strength
    let field = toWorld.transposed * earth
    let softIron = parameters.correction(axes: axes.matrix).softIron
    guard let d = softIron.inverse, let inverse = parameters.stretch.inverse else { throw .noSolution }
    parameters.hardIron = raw - d * field
    parameters.logStrength = log(strength)
    parameters.angle = Angle.radians(90 + sign * place.inclination)
    self.parameters = parameters
    noise = max(spread, 0.01)
    var deviations = Self.deviations(earlier, noise: spread / count.squareRoot())
    deviations.strength = expected.share
    covariance = Self.covariance(field, toWorld, d, inverse, d * field, deviations)
  }

  /// The strength in µT that the corrected field is to have, and the standard deviation, as a share of it, that the
  /// chip's gain leaves open. At its own place an earlier calibration has the scale of its own field: the chip's gain
  /// and the soft iron's are one. Elsewhere it has no more than that of its unit.
  private static func strength(
    at place: CalibrationSettings.Place, _ earlier: EarlierCalibration?
  ) -> (microtesla: Double, share: Double) {
    guard let profile = earlier?.profile else { return (place.fieldStrength, 0) }
    let isAlike = abs(profile.fieldStrength / place.fieldStrength - 1) < alike || profile.strengthIsAssumed
    if isAlike, abs((profile.inclination ?? place.inclination) - place.inclination) < near {
      return (profile.fieldStrength, 0)
    }
    return profile.strengthIsAssumed ? (profile.fieldStrength, unscaled) : (place.fieldStrength, gain)
  }

  /// The rotation from the chip to magnetic east, magnetic north and up; nil where the top edge points straight up or
  /// down.
  private static func attitude(_ known: KnownHeading, up force: Vector3) -> Matrix3? {
    let mounting = known.mounting.matrix
    let top = mounting.transposed * Vector3(0, 1, 0)
    guard let up = force.direction, let ahead = (top - up * top.dot(up)).direction else { return nil }
    let right = ahead.cross(up)
    let heading = Angle.radians(known.magneticDegrees)
    let north = ahead * cos(heading) - right * sin(heading)
    return Matrix3(north.cross(up), north, up)
  }

  /// Standard deviations of U's six and ρ's three, of the mean field, and of its strength as a share of it.
  private typealias Deviations = (stretch: [Double], turn: [Double], noise: Double, strength: Double)

  private static func deviations(_ earlier: EarlierCalibration?, noise: Double) -> Deviations {
    guard let priors = earlier?.priors(moved: 0) else {
      let turn = Angle.radians(Judgement.ordinaryMisalignment)
      return ([Double](repeating: softIron, count: 6), [Double](repeating: turn, count: 3), noise, 0)
    }
    return (
      Array(priors.deviation[4..<Parameters.normCount]),
      Array(priors.deviation[Parameters.rotationIndex..<Parameters.forceIndex]), noise, 0
    )
  }

  /// (2), each source by itself.
  private static func covariance(
    _ field: Vector3, _ toWorld: Matrix3, _ d: Matrix3, _ inverse: Matrix3, _ seen: Vector3,
    _ deviations: Deviations
  ) -> SymmetricMatrix {
    var covariance = SymmetricMatrix(size: Parameters.count)
    func add(_ hardIron: Vector3, _ others: [(Int, Double)] = []) {
      var row = [Double](repeating: 0, count: Parameters.count)
      for axis in 0..<3 { row[axis] = hardIron[axis] }
      for (index, value) in others { row[index] = value }
      for i in row.indices { for j in row.indices { covariance[i, j] += row[i] * row[j] } }
    }
    let up = toWorld.row2
    add(-(d * up.cross(field)) * Angle.radians(heading))
    add(-seen * deviations.strength, [(3, deviations.strength)])
    let strength = field.length
    for axis in 0..<3 {
      let change = toWorld[axis] * place
      add(-(d * change), [(3, change.dot(field) / (strength * strength))])
      var noise = Vector3.zero
      noise[axis] = deviations.noise
      add(noise)
      let lean = toWorld[axis] * Judgement.ordinaryZero
      if axis < 2 { add(-(d * lean.cross(field))) }
      var turn = Vector3.zero
      turn[axis] = deviations.turn[axis]
      add(d * turn.cross(field), [(Parameters.rotationIndex + axis, deviations.turn[axis])])
    }
    let u = inverse.transposed
    let changes = [
      u.row0 * seen.x, u.row1 * seen.y, u.row2 * seen.z, u.row0 * seen.y + u.row1 * seen.x,
      u.row0 * seen.z + u.row2 * seen.x, u.row1 * seen.z + u.row2 * seen.y,
    ]
    for (index, change) in changes.enumerated() {
      add(change * deviations.stretch[index], [(4 + index, deviations.stretch[index])])
    }
    covariance[Parameters.angleIndex, Parameters.angleIndex] += pow(place / strength, 2)
    for index in Parameters.forceIndex..<Parameters.count { covariance[index, index] = 1e-12 }
    return covariance
  }
}

extension ParameterFit {
  /// The parameters found from one known heading.
  init(_ facing: FacingFit, _ norm: NormFit) {
    self.init(kind: .full, problem: norm.problem, estimate: norm.estimate, axes: facing.axes)
    problem.axes = facing.axes.matrix
    problem.deviation = facing.noise
    angle = facing.parameters.angle
    covariance = facing.covariance
    method = .facing
  }
}
