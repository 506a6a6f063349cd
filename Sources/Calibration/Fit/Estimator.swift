import LodestoneCore
import Glibc

// The most likely parameters.
//
// The cost is the sum of pseudo-Huber losses 2c²(√(1 + (r/c)²) − 1), c = 2, over the norm residuals of the samples and
// the angle and length residuals of the rests, plus the squares of the priors. Its normal equations weight each residual with
// 1/√(1 + (r/c)²). A sample counts as 1/τ of an independent one, for neighbours share their errors.

/// The measurements, rests and priors that the parameters are fitted to.
struct Problem {
  /// Raw fields in µT, in the order of time.
  var raw: [Vector3]
  /// How much each of them counts.
  var sampleWeight = 1.0
  /// Rests that speak of gravity.
  var rests: [Rest] = []
  /// The weight of the squared angle residuals.
  var restWeight = 1.0
  /// Standard deviation in g of a station's force, where the rests are positions held; nil for rests of a hand.
  var stationForce: Double?
  /// Whether the lengths of the rests' specific forces speak of the accelerometer.
  var fitsForce = false
  /// Standard deviation of one axis of one measurement, model errors included, in µT.
  var deviation = 1.0
  /// P.
  var axes = Matrix3.identity
  var priors: Priors
}

/// Where a fit of all parameters came to rest.
typealias Estimate = Minimum<Parameters>

extension Estimate {
  var parameters: Parameters {
    get { state }
    set { state = newValue }
  }

  init(parameters: Parameters, equations: NormalEquations = NormalEquations()) {
    self.init(state: parameters, equations: equations)
  }
}

extension Problem: LeastSquares {
  /// Where the pseudo-Huber loss turns from squares to lengths, in standard deviations.
  private static let robustness = 2.0

  /// The normal equations and the cost.
  func equations(at parameters: Parameters) -> NormalEquations {
    var result = share(of: raw[...], rests, at: parameters)
    for (index, value) in parameters.values.enumerated() {
      result.addPrior(index, pull: value - priors.mean[index], deviation: priors.deviation[index])
    }
    return result
  }

  /// The contribution of some of the measurements and some of the rests to the normal equations.
  func share(of raw: ArraySlice<Vector3>, _ rests: [Rest], at parameters: Parameters) -> NormalEquations {
    var result = NormalEquations()
    addNorms(of: raw, at: parameters, to: &result)
    addGravity(of: rests, at: parameters, to: &result)
    return result
  }

  /// The residuals of a rest, in standard deviations.
  ///
  /// Their weight is held at 48 µT or the place's strength rather than the fitted one, so that no shrinking of U and F
  /// buys anything.
  func residual(of rest: Rest, under gravity: GravityModel) -> RestResidual {
    let strength = exp(priors.mean[3])
    guard let stationForce else {
      return gravity.residual(
        rest, angleDeviation: rest.angleDeviation(noise: deviation, strength: strength),
        lengthDeviation: rest.lengthDeviation)
    }
    return gravity.residual(
      rest, angleDeviation: hypot(stationForce, deviation / strength), lengthDeviation: stationForce)
  }

  func stepped(_ parameters: Parameters, by step: [Double]) -> Parameters? {
    let p = parameters.adding(step)
    let isSensible = p.isSensible && p.rotation.length < 1 && p.angle > -1 && p.angle < 4.2
    return isSensible ? p : nil
  }

  private func addNorms(of raw: ArraySlice<Vector3>, at parameters: Parameters, to result: inout NormalEquations) {
    let model = NormModel(parameters, deviation: deviation)
    var sums = NormSums()
    for raw in raw {
      let residual = model.residual(raw)
      sums.cost += Self.loss(residual.value)
      sums.add(residual, weight: Self.weight(residual.value))
    }
    sums.add(to: &result, weight: sampleWeight)
  }

  private func addGravity(of rests: [Rest], at parameters: Parameters, to result: inout NormalEquations) {
    guard !rests.isEmpty else { return }
    let model = GravityModel(parameters, axes: axes)
    var angles = RowSums(size: Parameters.count)
    for rest in rests {
      let residual = residual(of: rest, under: model)
      result.cost += Self.loss(residual.angle) * restWeight
      angles.add(residual.angleRow, weight: Self.weight(residual.angle) * restWeight)
      if fitsForce { addLength(residual, to: &result) }
    }
    angles.add(to: &result.matrix, &result.gradient)
  }

  private func addLength(_ residual: RestResidual, to result: inout NormalEquations) {
    let (first, weight) = (Parameters.forceIndex, Self.weight(residual.length))
    result.cost += Self.loss(residual.length)
    for i in 0..<Parameters.forceCount {
      let scaled = residual.lengthDerivatives[i] * weight
      result.gradient[first + i] += scaled * residual.length
      for j in 0..<Parameters.forceCount {
        result.matrix[first + i, first + j] += scaled * residual.lengthDerivatives[j]
      }
    }
  }

  @inline(__always)
  static func loss(_ residual: Double) -> Double {
    let ratio = residual / robustness
    return 2 * robustness * robustness * ((1 + ratio * ratio).squareRoot() - 1)
  }

  /// How much a residual counts, by how many standard deviations it is.
  @inline(__always)
  static func weight(_ residual: Double) -> Double {
    let ratio = residual / robustness
    return 1 / (1 + ratio * ratio).squareRoot()
  }
}

/// The normal equations of the norm residuals: Σ w j jᵀ for j the ten derivatives and, as an eleventh, the residual
/// itself, whose products are the gradient. In rows of four, the upper half, for this is where a fit spends its time.
struct NormSums {
  var cost = 0.0
  private var top = InlineArray<12, SIMD4<Double>>(repeating: .zero)
  private var middle = InlineArray<8, SIMD4<Double>>(repeating: .zero)
  private var bottom = InlineArray<2, SIMD4<Double>>(repeating: .zero)

  init() {}

  @inline(__always)
  mutating func add(_ residual: NormResidual, weight: Double) {
    let d = residual.derivatives
    let a = SIMD4(d[0], d[1], d[2], d[3])
    let b = SIMD4(d[4], d[5], d[6], d[7])
    let c = SIMD4(d[8], d[9], residual.value, 0)
    let (wa, wb, wc) = (a * weight, b * weight, c * weight)
    for i in 0..<4 {
      top[3 * i] += a * wa[i]
      top[3 * i + 1] += b * wa[i]
      top[3 * i + 2] += c * wa[i]
      middle[2 * i] += b * wb[i]
      middle[2 * i + 1] += c * wb[i]
    }
    bottom[0] += c * wc[0]
    bottom[1] += c * wc[1]
  }

  /// Row `i`, column `j`, j ≥ 4 (i / 4); column 10 is the gradient.
  private func element(_ i: Int, _ j: Int) -> Double {
    if i < 4 { return top[3 * i + j / 4][j % 4] }
    if i < 8 { return middle[2 * (i - 4) + j / 4 - 1][j % 4] }
    return bottom[i - 8][j % 4]
  }

  func add(to result: inout NormalEquations, weight: Double) {
    result.cost += cost * weight
    for i in 0..<Parameters.normCount {
      result.gradient[i] += element(i, Parameters.normCount) * weight
      for j in i..<Parameters.normCount {
        let sum = element(i, j) * weight
        result.matrix[i, j] += sum
        if i != j { result.matrix[j, i] += sum }
      }
    }
  }
}
