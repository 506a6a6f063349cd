import LodestoneCore
import Testing

@testable import Calibration

/// The analytic derivatives against differences.
@Suite struct ResidualsTests {
  private static let parameters: Parameters = {
    var parameters = Parameters()
    parameters.hardIron = Vector3(12, -7, 20)
    parameters.logStrength = 3.9
    parameters.diagonal = Vector3(1.05, 0.96, 1.02)
    parameters.offDiagonal = Vector3(0.03, -0.02, 0.05)
    parameters.angle = 2.7
    parameters.rotation = Vector3(0.04, -0.06, 0.09)
    parameters.force = ForceCorrection(zero: Vector3(0.02, -0.03, 0.05), gain: Vector3(1.02, 0.99, 0.98))
    return parameters
  }()

  private static func difference(_ index: Int, _ value: (Parameters) -> Double) -> Double {
    let step = index < 3 ? 1e-4 : 1e-6
    var change = [Double](repeating: 0, count: Parameters.count)
    change[index] = step
    let above = value(parameters.adding(change))
    change[index] = -step
    return (above - value(parameters.adding(change))) / (2 * step)
  }

  @Test(arguments: [Vector3(50, 10, -5), Vector3(-20, 31, 44), Vector3(10, -60, 22), Vector3(13, -8, -30)])
  func norm(_ raw: Vector3) {
    let residual = NormModel(Self.parameters, deviation: 0.4).residual(raw)
    #expect(abs(residual.value - NormModel(Self.parameters, deviation: 0.4).value(raw)) < 1e-12)
    for index in 0..<Parameters.normCount {
      let expected = Self.difference(index) { NormModel($0, deviation: 0.4).value(raw) }
      #expect(abs(residual.derivatives[index] - expected) < 1e-5 * (1 + abs(expected)))
    }
  }

  @Test(
    arguments: [
      (Vector3(50, 10, -5), Vector3(0, 0, 1)), (Vector3(-20, 31, 44), Vector3(0.6, 0, 0.8)),
      (Vector3(10, -60, 22), Vector3(0, -0.8, 0.6)),
    ])
  func gravity(_ raw: Vector3, _ up: Vector3) {
    let axes = Matrix3(Vector3(0, 1, 0), Vector3(1, 0, 0), Vector3(0, 0, -1))
    let force = up * 1.02 + Vector3(0.01, -0.02, 0.03)
    let rest = Rest(raw: raw, force: force, up: up, from: 0, to: 1, count: 50, scatter: 0.3)
    func residual(_ parameters: Parameters) -> RestResidual {
      GravityModel(parameters, axes: axes).residual(rest, angleDeviation: 0.01, lengthDeviation: 0.002)
    }
    let here = residual(Self.parameters)
    for index in 0..<Parameters.count {
      let expected = Self.difference(index) { residual($0).angle }
      #expect(abs(here.angleRow[index] - expected) < 1e-4 * (1 + abs(expected)))
      let length = Self.difference(index) { residual($0).length }
      let own = index < Parameters.forceIndex ? 0 : here.lengthDerivatives[index - Parameters.forceIndex]
      #expect(abs(own - length) < 1e-4 * (1 + abs(length)))
    }
  }

  @Test func aSampleOnTheModelHasNoResidual() throws {
    let inverse = try #require(Self.parameters.stretch.inverse)
    let raw = inverse * Vector3(0, 0, Self.parameters.strength) + Self.parameters.hardIron
    #expect(abs(NormModel(Self.parameters, deviation: 0.1).value(raw)) < 1e-9)
  }
}
