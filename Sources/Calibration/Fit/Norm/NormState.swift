import LodestoneCore

/// The norm's ten parameters with vectors in µT behind them, by which its hard iron changes: the terms of a drift, or
/// the slopes of causes.
struct NormState {
  var parameters: Parameters
  var vectors: [Vector3]

  /// A step away, one number for each of the ten and then for each vector's axes; nil where it leaves what makes sense.
  func stepped(by step: [Double]) -> NormState? {
    var state = self
    state.parameters = parameters.adding(Array(step.prefix(Parameters.normCount)))
    for index in vectors.indices {
      let first = Parameters.normCount + 3 * index
      state.vectors[index] += Vector3(step[first], step[first + 1], step[first + 2])
    }
    return state.parameters.isSensible && state.vectors.allSatisfy { $0.isFinite } ? state : nil
  }

  /// Adds what is known beforehand, `usual` one standard deviation of a vector's axis in µT.
  func addPriors(_ priors: Priors, usual: Double, to equations: inout NormalEquations) {
    for (index, value) in parameters.values.prefix(Parameters.normCount).enumerated() {
      equations.addPrior(index, pull: value - priors.mean[index], deviation: priors.deviation[index])
    }
    for (index, vector) in vectors.enumerated() {
      for axis in 0..<3 {
        equations.addPrior(Parameters.normCount + 3 * index + axis, pull: vector[axis], deviation: usual)
      }
    }
  }
}
