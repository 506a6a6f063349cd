import LodestoneCore
import Testing
import Glibc

@testable import Calibration

/// Attitudes and derivatives by a gyroscope's readings, at some of the moments.
@Suite struct TurnIntegralTests {
  private static let readings = (0..<200).map { index in
    let time = Double(index) / 50
    return (time: time, rate: Vector3(sin(3 * time), cos(2 * time), 0.4) * 1.5)
  }
  private static let points = [3, 50, 51, 120, 199]

  private static func integral(
    _ change: [Double], _ reading: TurnIntegral.Reading = .momentary
  ) -> TurnIntegral {
    var gyroscope = Gyroscope(zero: Vector3(0.02, -0.01, 0.03))
    gyroscope.lag = 0.039
    return TurnIntegral(readings, by: gyroscope.adding(change), reading: reading, derivingAt: points)
  }

  @Test(arguments: 0..<Gyroscope.count, TurnIntegral.Reading.allCases)
  func derivativesAreDifferences(_ unknown: Int, _ reading: TurnIntegral.Reading) {
    var change = [Double](repeating: 0, count: Gyroscope.count)
    let here = Self.integral(change, reading)
    change[unknown] = 1e-5
    let there = Self.integral(change, reading)
    for (point, index) in Self.points.enumerated() {
      let (turn, attitude) = (
        there.matrix(at: index) * here.matrix(at: index).transposed, here.attitude(ofPoint: point)
      )
      let seen = Vector3(turn.row2.y - turn.row1.z, turn.row0.z - turn.row2.x, turn.row1.x - turn.row0.y) * (0.5 / 1e-5)
      #expect((attitude.turns[unknown] - seen).length < 0.01)
      #expect(attitude.matrix == here.matrix(at: index))
    }
  }
}
