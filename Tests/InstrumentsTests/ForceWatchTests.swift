import LodestoneCore
import Testing

@testable import Instruments

@Suite struct ForceWatchTests {
  /// The lengths told for forces ten times a second.
  private func told(_ seconds: Double, _ force: (Double) -> Vector3) -> [Double] {
    var watch = ForceWatch()
    return stride(from: 0, through: seconds, by: 0.1).compactMap { watch.length(of: force($0), at: $0) }
  }

  @Test(arguments: [0.0, 0.5, 0.75, 1.3, 2, 9.81]) func aLengthThatIsNotGravityIsToldOnce(length: Double) {
    let told = told(60) { time in
      let noise = 0.01 * (time * 7).rounded().truncatingRemainder(dividingBy: 2)
      return Vector3(0, length * 0.6, length * 0.8 + noise)
    }
    #expect(told.count == 1)
    #expect(told.allSatisfy { abs($0 - length) < 0.02 })
  }

  @Test func gravityWithAnOffsetIsGravity() {
    #expect(told(60) { _ in Vector3(0.1, 0, 1.05) } == [])
    #expect(told(60) { _ in Vector3(0, 0, -0.85) } == [])
  }

  /// A hand in motion, a fall of less than two seconds, a board that is turned about.
  @Test func whatMovesIsNotAtRest() {
    #expect(told(60) { Vector3(0, 0, 0.5 + 0.2 * ($0 * 9).rounded().truncatingRemainder(dividingBy: 2)) } == [])
    #expect(told(1.5) { _ in .zero } == [])
    #expect(told(60) { Vector3(0.5 * ($0 / 1.5).rounded().truncatingRemainder(dividingBy: 2), 0, 0.5) } == [])
  }
}
