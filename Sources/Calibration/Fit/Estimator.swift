import LodestoneCore
import Glibc

// The most likely parameters.
//
// The cost is the sum of pseudo-Huber losses 2c²(√(1 + (r/c)²) − 1), c = 2, over the norm residuals of the samples and
// the angle and length residuals of the rests, plus the squares of the priors. Its normal equations weight each
// residual with 1/√(1 + (r/c)²). A sample counts as 1/τ of an independent one, for neighbours share their errors.

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

/// The minimum at which a fit of all parameters ended.
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
  /// The residual in standard deviations at which the pseudo-Huber loss turns from squares to lengths.
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

  /// The problem with one of this many measurements and rests, each of which counts for that many.
  func thinned(_ times: Int) -> Problem {
    func every<Element>(_ all: [Element]) -> [Element] { stride(from: 0, to: all.count, by: times).map { all[$0] } }
    var thin = self
    (thin.raw, thin.rests) = (every(raw), every(rests))
    thin.sampleWeight *= Double(times)
    thin.restWeight *= Double(times)
    return thin
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
    NormSums(raw, NormModel(parameters, deviation: deviation)).totals(weight: sampleWeight).add(to: &result)
  }

  private func addGravity(of rests: [Rest], at parameters: Parameters, to result: inout NormalEquations) {
    guard !rests.isEmpty else { return }
    let model = GravityModel(parameters, axes: axes)
    // An accelerometer that is not fitted is held: its columns come last.
    var angles = RowSums(size: fitsForce ? Parameters.count : Parameters.fieldCount)
    for rest in rests {
      let residual = residual(of: rest, under: model)
      result.cost += Self.loss(residual.angle) * restWeight
      var row = residual.angleRow
      row[angles.size] = residual.angle
      angles.add(row, weight: Self.weight(residual.angle) * restWeight)
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

  /// Loss and weight of four residuals.
  @inline(__always)
  static func lossAndWeight(_ residuals: Four) -> (loss: Four, weight: Four) {
    let ratio = residuals / robustness
    let root = (1 + ratio * ratio).squareRoot()
    return ((root - 1) * (2 * robustness * robustness), 1 / root)
  }
}
