import LodestoneCore
import Drivers
import Support
import Testing

@testable import Instruments

@Suite(.waiting) struct ChipLifeTests {
  private let zero = Measurement.field(MagneticField(microtesla: 0, 0, 0))

  private func verdicts(_ count: Int, on measurement: Measurement, isNoisy: Bool) -> [ChipLife.Verdict] {
    var life = ChipLife()
    return (0..<count).map { _ in life.verdict(on: measurement, isFrozen: false, isNoisy: isNoisy) }
  }

  /// TLV493D: 98 µT a count. The earth's field of 25 to 65 µT may be nought on every axis for as long as it likes.
  @Test func aCoarseChipInAWeakFieldIsNotDead() {
    #expect(verdicts(1000, on: zero, isNoisy: false).allSatisfy { $0 == .alive })
  }

  @Test func aFineChipThatOnlySaysZeroIsSetUpAgainAndThenGivenUp() {
    let verdicts = verdicts(40, on: zero, isNoisy: true)
    #expect(verdicts.firstIndex(of: .restart) == 9)
    #expect(verdicts.contains { if case .dead = $0 { true } else { false } })
  }

  @Test func aStillFieldIsAlive() {
    let still = Measurement.field(MagneticField(microtesla: 18.4, 11.2, -42.9))
    #expect(verdicts(1000, on: still, isNoisy: true).allSatisfy { $0 == .alive })
  }
}
