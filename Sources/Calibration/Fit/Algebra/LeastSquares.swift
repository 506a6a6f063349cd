/// A sum of squares, or of losses near squares, of which the least is sought.
protocol LeastSquares {
  associatedtype State
  /// The sum with its normal equations.
  func equations(at state: State) -> NormalEquations
  /// The state a step away, one number for each row of the equations; nil where it leaves what makes sense.
  func stepped(_ state: State, by step: [Double]) -> State?
}

/// A sum of squares and its normal equations at one point.
struct NormalEquations: Sendable {
  var matrix: SymmetricMatrix
  var gradient: [Double]
  var cost = 0.0

  /// Empty equations, for all parameters of a fit unless told otherwise.
  init(size: Int = Parameters.count) {
    matrix = SymmetricMatrix(size: size)
    gradient = [Double](repeating: 0, count: size)
  }

  /// Adds what is known of a parameter beforehand: how far it is from its mean, and the deviation.
  mutating func addPrior(_ index: Int, pull: Double, deviation: Double) {
    let weight = 1 / (deviation * deviation)
    matrix[index, index] += weight
    gradient[index] += weight * pull
    cost += weight * pull * pull
  }

  /// Takes residuals' share out again.
  mutating func subtract(_ other: NormalEquations) {
    cost -= other.cost
    for index in gradient.indices { gradient[index] -= other.gradient[index] }
    for index in matrix.elements.indices { matrix.elements[index] -= other.matrix.elements[index] }
  }

  /// The step towards the least, held back by a share of the diagonal; nil where there is none.
  fileprivate func step(damping: Double) -> [Double]? {
    var damped = matrix
    for index in gradient.indices { damped[index, index] *= 1 + damping }
    return damped.solve(gradient)?.map { -$0 }
  }
}

/// Where a fit came to rest.
struct Minimum<State> {
  var state: State
  var equations: NormalEquations
  var cost: Double { equations.cost }
}

extension LeastSquares {
  /// The state with the lowest cost near a start, by Levenberg and Marquardt's method; it ends where a step gains less
  /// than `tolerance` of the cost, or will.
  func solved(from start: State, iterations: Int, tolerance: Double = 1e-5) -> Minimum<State> {
    var best = Minimum(state: start, equations: equations(at: start))
    var damping = 1e-3
    for _ in 0..<iterations {
      guard let step = best.equations.step(damping: damping) else {
        damping *= 10
        continue
      }
      let expected = -zip(step, best.equations.gradient).reduce(0) { $0 + $1.0 * $1.1 }
      if expected < 1e-3 * tolerance * (1 + best.cost) { break }
      guard let state = stepped(best.state, by: step),
        case let trial = Minimum(state: state, equations: equations(at: state)),
        trial.cost < best.cost
      else {
        damping *= 8
        if damping > 1e8 { break }
        continue
      }
      let gain = best.cost - trial.cost
      best = trial
      damping = max(damping * 0.1, 1e-9)
      if gain < tolerance * (1 + best.cost) { break }
    }
    return best
  }
}
