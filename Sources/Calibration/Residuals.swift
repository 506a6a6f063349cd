import Core
import Glibc

// How far a sample is from the model, in standard deviations, with derivatives by the fourteen parameters.
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
// residuals. (Markovsky and others, "Consistent least squares fitting of ellipsoids", Numer. Math. 98, 2004; Kok and
// Schön, "Magnetometer calibration using inertial sensors", IEEE Sensors J. 16, 2016.)

/// The norm residual of one sample and its derivatives by the first ten parameters.
struct NormResidual {
  var value: Double
  var derivatives: InlineArray<10, Double>
}

/// What the norm residual needs, prepared once for all samples.
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
  @inline(__always)
  func residual(_ raw: Vector3) -> NormResidual {
    let d = raw - hardIron
    let q = stretch * d
    let norm = max(q.length, 1e-9)
    let n = q / norm
    let p = stretch * n
    let s = max(p.length, 1e-9)
    let pHat = p / s
    let t = stretch * pHat
    let ratio = (norm - strength) / s
    let scale = weight / s
    let a = (n - (t - n * n.dot(t)) * (ratio / norm)) * scale
    let c = pHat * (ratio * scale)
    let byHardIron = -(stretch * a)
    return NormResidual(
      value: ratio * weight,
      derivatives: [
        byHardIron.x, byHardIron.y, byHardIron.z, -strength * scale,
        a.x * d.x - c.x * n.x, a.y * d.y - c.y * n.y, a.z * d.z - c.z * n.z,
        a.x * d.y + a.y * d.x - c.x * n.y - c.y * n.x, a.x * d.z + a.z * d.x - c.x * n.z - c.z * n.x,
        a.y * d.z + a.z * d.y - c.y * n.z - c.z * n.y,
      ])
  }
}

/// The angle residual of one rest and its derivatives by all parameters.
struct GravityResidual {
  var value: Double
  var derivatives: InlineArray<14, Double>
}

/// What the angle residual needs, prepared once for all rests.
struct GravityModel {
  private let hardIron: Vector3
  private let stretch: Matrix3
  private let turned: Matrix3
  private let angle: Double
  private let leftJacobian: Matrix3

  init(_ parameters: Parameters, axes: Matrix3) {
    hardIron = parameters.hardIron
    stretch = parameters.stretch
    turned = Matrix3(rotation: parameters.rotation) * axes
    angle = parameters.angle
    leftJacobian = Self.leftJacobian(parameters.rotation)
  }

  /// (3), in standard deviations of `deviation` radians.
  func residual(raw: Vector3, up: Vector3, deviation: Double) -> GravityResidual {
    let d = raw - hardIron
    let b = turned * (stretch * d)
    let norm = max(b.length, 1e-9)
    let n = b / norm
    let (sine, cosine) = (n.cross(up).length, n.dot(up))
    let weight = 1 / deviation
    let byField = (up - n * cosine) * (-weight / (norm * max(sine, 1e-3)))
    let a = turned.transposed * byField
    let byHardIron = -(stretch * a)
    let byRotation = leftJacobian.transposed * b.cross(byField)
    return GravityResidual(
      value: (atan2(sine, cosine) - angle) * weight,
      derivatives: [
        byHardIron.x, byHardIron.y, byHardIron.z, 0, a.x * d.x, a.y * d.y, a.z * d.z, a.x * d.y + a.y * d.x,
        a.x * d.z + a.z * d.x, a.y * d.z + a.z * d.y, -weight, byRotation.x, byRotation.y, byRotation.z,
      ])
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
