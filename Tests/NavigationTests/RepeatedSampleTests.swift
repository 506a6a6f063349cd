import LodestoneCore
import Testing

@testable import Navigation

/// Samples that a program prints again after its bus has stopped.
@Suite struct RepeatedSampleTests {
  private let field = Vector3(20, 0, -40)
  private let force = Vector3(0, 0, 1)
  private let bias = (value: Vector3(0.5, 0, 0), deviation: Vector3(0.1, 0.1, 0.1))

  /// Whether the last of samples at 50 Hz is an old one, of which all have this rate in degrees per second.
  private func isOld(after count: Int, rate: Vector3, changing: Double = 0) -> Bool {
    var repeated = RepeatedSample()
    for index in 0..<count {
      let field = field + Vector3(Double(index) * changing, 0, 0)
      guard repeated.comesAgain(field: field, force: force, rate: rate) else { continue }
      repeated.turn(bias: bias, step: 0.02)
    }
    return repeated.isOld
  }

  @Test func samplesOfATurnThatStayTheSameAreOld() {
    #expect(isOld(after: 50, rate: Vector3(0, 0, 40)))
  }

  /// A board that prints faster than its sensors measure repeats all of them for a while.
  @Test func someRepetitionsAreNot() {
    #expect(!isOld(after: 10, rate: Vector3(0, 0, 200)))
  }

  /// Coarse numbers stay the same where a board lies still, as long as anybody waits.
  @Test func thoseAtRestAreNot() {
    #expect(!isOld(after: 5000, rate: Vector3(0.8, 0, 0)))
  }

  @Test func aFieldThatChangesShowsThatTheyAreNew() {
    #expect(!isOld(after: 50, rate: Vector3(0, 0, 40), changing: 0.01))
  }

  /// A bus that stopped while the board lay still, and goes on once it has been turned over by 30°, or has trembled.
  @Test(arguments: [(30.0, true), (1, false)])
  func aJumpAfterThemIsATurnThatNobodyMeasured(_ degrees: Double, isOne: Bool) {
    var repeated = RepeatedSample()
    for _ in 0..<100 where repeated.comesAgain(field: field, force: force, rate: .zero) {
      repeated.turn(bias: bias, step: 0.02)
    }
    #expect(!repeated.isOld)
    let turned = Quaternion(angle: Angle.radians(degrees), about: Vector3(1, 0, 0)) * field
    let comesAgain = repeated.comesAgain(field: turned, force: force, rate: .zero)
    #expect(!comesAgain && repeated.isElsewhere == isOne)
  }

  @Test func theFirstNewSampleEndsThem() {
    var repeated = RepeatedSample()
    for _ in 0..<50 where repeated.comesAgain(field: field, force: force, rate: Vector3(0, 0, 40)) {
      repeated.turn(bias: bias, step: 0.02)
    }
    #expect(repeated.isOld)
    let comesAgain = repeated.comesAgain(field: field, force: force, rate: Vector3(0, 0, 41))
    #expect(!comesAgain)
    #expect(!repeated.isOld)
  }
}
