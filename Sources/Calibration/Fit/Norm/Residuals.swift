import LodestoneCore
import Glibc

// How far a sample is from the model, in standard deviations, with derivatives by the parameters.
//
// Norm. With d = m − v, q = U d, e = |q| − F the residual is the Sampson distance
//
//     r = e / (σ s),   s = |U q̂|,                                                                             (1)
//
// for noise is white in m: along q̂ it is carried through U. Minimising e alone lets U and F shrink together where the
// directions are few. With p̂ = U q̂ / s, t = U p̂, t⊥ = (t − q̂ (q̂·t)) / |q| its differential is
//
//     σ s dr = (q̂ − (e/s) t⊥)·dq − F dlnF − (e/s) p̂·dU q̂,    dq = dU d − U dv.                                (2)
//
// Gravity. With b = R P q, û the direction of specific force at rest,
//
//     a = atan2(|b × û|, b · û) − θ,    da = −(û − cos a b̂)·db / (|b| sin a) − dθ,                             (3)
//
// an angle and not a dot product, for that is biased by noise in û. db = R P dq + (J ρ') × b, J the left Jacobian of
// the rotation vector. Its weight is held through a step, so that no common shrinking of U and F can buy smaller
// residuals. With g = T (f − z) the specific force, û = g / |g|, and by û the angle changes as
//
//     da = −(b̂ − cos a û)·dg / (|g| sin a),    l = |g| − 1,    dl = û·dg,    dg = dT (f − z) − T dz,          (4)
//
// l the length residual of a rest, by which an accelerometer's zeros and gains are found. (Markovsky and others,
// "Consistent least squares fitting of ellipsoids", Numer. Math. 98, 2004; Kok and Schön, "Magnetometer calibration
// using inertial sensors", IEEE Sensors J. 16, 2016.)

/// A number for each of four samples: the norm is where a fit spends its time, so four are done at once.
typealias Four = SIMD4<Double>

/// The norm residual of one sample and its derivatives by the first ten parameters.
struct NormResidual {
  var value: Double
  var derivatives: InlineArray<10, Double>
}

/// The norm residuals of four samples and their derivatives.
struct NormResiduals {
  var value: Four
  var derivatives: InlineArray<10, Four>

  /// The residual of one of the four samples.
  subscript(sample: Int) -> NormResidual {
    var derivatives = InlineArray<10, Double>(repeating: 0)
    for index in derivatives.indices { derivatives[index] = self.derivatives[index][sample] }
    return NormResidual(value: value[sample], derivatives: derivatives)
  }
}

/// The constants of the norm residual, prepared once for all samples.
struct NormModel {
  private let hardIron: Vector3
  private let stretch: Matrix3
  private let strength: Double
  private let weight: Double

  /// A model for noise of `deviation` µT on each axis.
  init(_ parameters: Parameters, deviation: Double) {
    hardIron = parameters.hardIron
    stretch = parameters.stretch
    strength = parameters.strength
    weight = 1 / deviation
  }

  /// (1), in standard deviations.
  @inline(__always)
  func value(_ raw: Vector3) -> Double {
    let q = stretch * (raw - hardIron)
    let norm = max(q.length, 1e-9)
    return (norm - strength) * weight / max((stretch * (q / norm)).length, 1e-9)
  }

  /// (1) and (2).
  func residual(_ raw: Vector3) -> NormResidual { residuals(raw, raw, raw, raw)[0] }

  /// (1) and (2) for four samples.
  @inline(__always)
  func residuals(_ first: Vector3, _ second: Vector3, _ third: Vector3, _ fourth: Vector3) -> NormResiduals {
    let d = (
      x: Four(first.x, second.x, third.x, fourth.x) - hardIron.x,
      y: Four(first.y, second.y, third.y, fourth.y) - hardIron.y,
      z: Four(first.z, second.z, third.z, fourth.z) - hardIron.z
    )
    let q = stretched(d)
    let length = (Self.dot(q, q) + 1e-18).squareRoot()
    let n = (x: q.x / length, y: q.y / length, z: q.z / length)
    let p = stretched(n)
    let s = (Self.dot(p, p) + 1e-18).squareRoot()
    let pHat = (x: p.x / s, y: p.y / s, z: p.z / s)
    let t = stretched(pHat)
    let ratio = (length - strength) / s
    let scale = weight / s
    let (along, across) = (Self.dot(n, t), ratio / length)
    let a = (
      x: (n.x - (t.x - n.x * along) * across) * scale, y: (n.y - (t.y - n.y * along) * across) * scale,
      z: (n.z - (t.z - n.z * along) * across) * scale
    )
    let carried = ratio * scale
    let c = (x: pHat.x * carried, y: pHat.y * carried, z: pHat.z * carried)
    let byHardIron = stretched(a)
    return NormResiduals(
      value: ratio * weight,
      derivatives: [
        -byHardIron.x, -byHardIron.y, -byHardIron.z, scale * -strength,
        a.x * d.x - c.x * n.x, a.y * d.y - c.y * n.y, a.z * d.z - c.z * n.z,
        a.x * d.y + a.y * d.x - c.x * n.y - c.y * n.x, a.x * d.z + a.z * d.x - c.x * n.z - c.z * n.x,
        a.y * d.z + a.z * d.y - c.y * n.z - c.z * n.y,
      ])
  }

  private typealias Vectors = (x: Four, y: Four, z: Four)

  @inline(__always)
  private static func dot(_ a: Vectors, _ b: Vectors) -> Four { a.x * b.x + a.y * b.y + a.z * b.z }

  /// U v.
  @inline(__always)
  private func stretched(_ v: Vectors) -> Vectors {
    let (u, w) = (stretch.row0, stretch.row1)
    return (
      x: v.x * u.x + v.y * u.y + v.z * u.z, y: v.x * u.y + v.y * w.y + v.z * w.z,
      z: v.x * u.z + v.y * w.z + v.z * stretch.row2.z
    )
  }
}

/// The residuals of one rest and their derivatives by all parameters.
struct RestResidual {
  /// The residual of the angle between field and up, (3).
  var angle: Double { angleRow[Parameters.count] }
  /// The derivatives of that residual, and the residual behind them.
  var angleRow: ResidualRow
  /// The residual of the specific force's length, (4).
  var length: Double
  /// The derivatives by the nine of the accelerometer.
  var lengthDerivatives: InlineArray<9, Double>
}

/// The constants of the residuals of a rest, prepared once for all rests.
struct GravityModel {
  private let hardIron: Vector3
  private let stretch: Matrix3
  private let turned: Matrix3
  private let angle: Double
  private let force: ForceCorrection
  private let leftJacobian: Matrix3

  init(_ parameters: Parameters, axes: Matrix3) {
    hardIron = parameters.hardIron
    stretch = parameters.stretch
    turned = Matrix3(rotation: parameters.rotation) * axes
    angle = parameters.angle
    force = parameters.force
    leftJacobian = Self.leftJacobian(parameters.rotation)
  }

  /// (3) and (4), in standard deviations of `angleDeviation` radians and `lengthDeviation` g.
  func residual(_ rest: Rest, angleDeviation: Double, lengthDeviation: Double) -> RestResidual {
    let d = rest.raw - hardIron
    let b = turned * (stretch * d)
    let g = force.apply(to: rest.force)
    let (norm, length) = (max(b.length, 1e-9), max(g.length, 1e-9))
    let (n, up) = (b / norm, g / length)
    let (sine, cosine) = (n.cross(up).length, n.dot(up))
    let (weight, lengthWeight) = (1 / angleDeviation, 1 / lengthDeviation)
    let byField = (up - n * cosine) * (-weight / (norm * max(sine, 1e-3)))
    let a = turned.transposed * byField
    let byHardIron = -(stretch * a)
    let byRotation = leftJacobian.transposed * b.cross(byField)
    let byForce = (n - up * cosine) * (-weight / (length * max(sine, 1e-3)))
    let f = rest.force - force.zero
    let (angleByForce, lengthByForce) = (
      Self.byAccelerometer(byForce, f, force), Self.byAccelerometer(up * lengthWeight, f, force)
    )
    return RestResidual(
      angleRow: [
        byHardIron.x, byHardIron.y, byHardIron.z, 0, a.x * d.x, a.y * d.y, a.z * d.z, a.x * d.y + a.y * d.x,
        a.x * d.z + a.z * d.x, a.y * d.z + a.z * d.y, -weight, byRotation.x, byRotation.y, byRotation.z,
        angleByForce[0], angleByForce[1], angleByForce[2], angleByForce[3], angleByForce[4], angleByForce[5],
        angleByForce[6], angleByForce[7], angleByForce[8], (atan2(sine, cosine) - angle) * weight,
      ],
      length: (length - 1) * lengthWeight, lengthDerivatives: lengthByForce)
  }

  /// The derivatives by z and T from the one by g.
  @inline(__always)
  private static func byAccelerometer(_ d: Vector3, _ f: Vector3, _ force: ForceCorrection) -> InlineArray<9, Double> {
    let byZero = -(force.matrix * d)
    return [
      byZero.x, byZero.y, byZero.z, f.x * d.x, f.y * d.y, f.z * d.z, f.x * d.y + f.y * d.x, f.x * d.z + f.z * d.x,
      f.y * d.z + f.z * d.y,
    ]
  }

  /// J in R(ρ + dρ) = R(J dρ) R(ρ).
  static func leftJacobian(_ v: Vector3) -> Matrix3 {
    let angle = v.length
    let small = angle < 1e-4
    let first = small ? 0.5 : (1 - cos(angle)) / (angle * angle)
    let second = small ? 1.0 / 6 : (angle - sin(angle)) / (angle * angle * angle)
    let cross = Matrix3(Vector3(0, -v.z, v.y), Vector3(v.z, 0, -v.x), Vector3(-v.y, v.x, 0))
    return .identity + cross * first + (cross * cross) * second
  }
}
