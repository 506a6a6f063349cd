import LodestoneCore
import Testing

@testable import Calibration

/// Normal equations that are gathered four samples at a time, or stretch by stretch, against differences of the cost.
@Suite struct NormSumsTests {
  private static let parameters: Parameters = {
    var parameters = Parameters()
    parameters.hardIron = Vector3(12, -7, 20)
    parameters.diagonal = Vector3(1.05, 0.96, 1.02)
    parameters.offDiagonal = Vector3(0.03, -0.02, 0.05)
    return parameters
  }()

  /// Rows a fiftieth of a second apart, from all round.
  private static func rows(_ count: Int) -> [SweepPoint] {
    (0..<count).map { index in
      let (a, b) = (Double(index) * 2.4, Double(index) * 1.1)
      let direction = Matrix3(rotation: Vector3(0, 0, a)) * (Matrix3(rotation: Vector3(0, b, 0)) * Vector3(0, 0, 1))
      return SweepPoint(time: Double(index) / 50, raw: Vector3(11, -6, 21) + direction * (47 + Double(index % 5)))
    }
  }

  @Test(arguments: 1...9) func everySampleCounts(_ count: Int) {
    let (raw, model) = (Self.rows(count).map { $0.raw }, NormModel(Self.parameters, deviation: 0.4))
    let totals = NormSums(raw[...], model).totals(weight: 0.5)
    var (cost, gradient, product) = (0.0, 0.0, 0.0)
    for raw in raw {
      let residual = model.residual(raw)
      let weight = 0.5 * Problem.weight(residual.value)
      cost += 0.5 * Problem.loss(residual.value)
      gradient += weight * residual.derivatives[2] * residual.value
      product += weight * residual.derivatives[2] * residual.derivatives[7]
    }
    #expect(abs(totals.cost - cost) < 1e-9 * cost)
    #expect(abs(totals[2, Parameters.normCount] - gradient) < 1e-9 * abs(gradient))
    #expect(abs(totals[2, 7] - product) < 1e-9 * abs(product))
    #expect(totals[7, 2] == totals[2, 7])
  }

  @Test(arguments: [Drift.Course.smooth(from: 0, to: 10), .step(at: 6.3)]) func driftGoesDown(_ course: Drift.Course) {
    let problem = DriftProblem(Self.rows(500), course, priors: Priors(place: nil), deviation: 0.4)
    var here = problem.start(at: Self.parameters)
    for index in here.vectors.indices { here.vectors[index] = Vector3(0.7, -0.4, 0.2) * Double(index + 1) }
    let equations = problem.equations(at: here)
    for index in equations.gradient.indices {
      var step = [Double](repeating: 0, count: equations.gradient.count)
      let size = 1e-6
      step[index] = size
      let above = here.stepped(by: step).map { problem.equations(at: $0).cost } ?? .nan
      step[index] = -size
      let below = here.stepped(by: step).map { problem.equations(at: $0).cost } ?? .nan
      let slope = (above - below) / (2 * size)
      #expect(abs(2 * equations.gradient[index] - slope) < 1e-3 * (1 + abs(slope)))
      for other in equations.gradient.indices {
        #expect(equations.matrix[index, other] == equations.matrix[other, index])
      }
    }
  }

  /// One of three that are the same counts for all three, of fields and of rests.
  @Test func thinnedCountsAsMuch() {
    func thrice<Element>(_ all: [Element]) -> [Element] { all.flatMap { [$0, $0, $0] } }
    let rows = Self.rows(20)
    var problem = Problem(raw: thrice(rows.map { $0.raw }), priors: Priors(place: nil))
    problem.sampleWeight = 0.5
    problem.rests = thrice(
      rows.prefix(4).map { row in
        let force = Vector3(0.1, row.time, 1)
        return Rest(
          raw: row.raw, force: force, up: force.direction ?? force, from: row.time, to: row.time + 1, count: 50,
          scatter: 0.3)
      })
    let (all, few) = (problem.equations(at: Self.parameters), problem.thinned(3).equations(at: Self.parameters))
    #expect(abs(all.cost - few.cost) < 1e-9 * all.cost)
    for index in all.gradient.indices {
      #expect(abs(all.gradient[index] - few.gradient[index]) <= 1e-9 * (1 + abs(all.gradient[index])))
    }
  }

  /// Sums of parts make those of the whole, and less one of them those of the others.
  @Test func partsMakeTheWhole() {
    func row(_ index: Int) -> ResidualRow {
      var row = ResidualRow(repeating: 0)
      for place in 0..<4 { row[place] = Double((index * 7 + place * 5) % 11) - 5 }
      return row
    }
    func sums(_ indices: Range<Int>) -> RowSums {
      indices.reduce(into: RowSums(size: 3)) { $0.add(row($1), weight: 0.5) }
    }
    var whole = sums(0..<4)
    whole.add(sums(4..<9), times: 1)
    #expect(whole.square == sums(0..<9).square)
    #expect(whole.equations.right == sums(0..<9).equations.right)
    whole.add(sums(0..<4), times: -1)
    #expect(whole.equations.matrix.elements == sums(4..<9).equations.matrix.elements)
  }

  /// Under residuals that are small beside the noise, and so count whole, the matrix is how the gradient changes.
  @Test func driftCurves() {
    let problem = DriftProblem(
      Self.rows(500), .smooth(from: 0, to: 10), priors: Priors(place: nil), deviation: 20)
    let here = problem.start(at: Self.parameters)
    let equations = problem.equations(at: here)
    for index in Parameters.normCount..<equations.gradient.count {
      var step = [Double](repeating: 0, count: equations.gradient.count)
      step[index] = 1e-3
      let there = here.stepped(by: step).map { problem.equations(at: $0) } ?? NormalEquations(size: 0)
      for other in Parameters.normCount..<equations.gradient.count {
        let change = (there.gradient[other] - equations.gradient[other]) / 1e-3
        let scale = (equations.matrix[index, index] * equations.matrix[other, other]).squareRoot()
        #expect(abs(change - equations.matrix[index, other]) < 0.15 * scale)
      }
    }
  }
}
