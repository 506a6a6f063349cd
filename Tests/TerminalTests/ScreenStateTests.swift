import Navigation
import Testing

@testable import LodestoneTerminal

/// Rules for all live screens.
@Suite struct ScreenStateTests {
  @Test func aKeyListsAllKeysAndBringsTheValuesBack() {
    var (state, level) = (ScreenSamples.level, Level())
    #expect(state.press(.character("?"), &level))
    let listed = ScreenSamples.lines(60, 15) { state.show(on: &$0) }
    for key in ["z", "c", "p", "?", "q"] { #expect(listed.contains { $0.hasPrefix("  \(key)  ") }, "\(key)") }
    #expect(listed.contains { $0.contains("the same spot, press again") })
    #expect(state.press(.character("?"), &level))
    #expect(ScreenSamples.lines(60, 15) { state.show(on: &$0) }.contains { $0.contains("+2.3°") })
  }

  @Test func everyScreenPausesAndEndsByTheSameKeys() {
    var (state, level) = (ScreenSamples.level, Level())
    for key in ["p", " "] as [Character] {
      #expect(state.press(.character(key), &level) && state.status.isPaused)
      #expect(ScreenSamples.lines(80, 24) { state.show(on: &$0) }[0].contains("PAUSED"))
      #expect(state.press(.character(key), &level) && !state.status.isPaused)
    }
    #expect(!state.press(.character("q"), &level))
    #expect(!state.press(.interrupt, &level))
  }

  @Test func thePeaksKeyIsNotThePauses() {
    var (state, teslameter) = (ScreenSamples.teslameter, Teslameter())
    #expect(state.press(.character("p"), &teslameter) && !state.status.isPaused)
    #expect(state.press(.character("h"), &teslameter) && state.status.isPaused)
  }

  /// On a narrow terminal the keys that end it and tell the others stay.
  @Test func theKeysThatTellTheOthersStay() {
    let narrow = ScreenSamples.lines(30, 12) { ScreenSamples.teslameter.show(on: &$0) }
    #expect(narrow[11] == " z zero   ? keys   q quit")
  }

  @Test func whatIsSaidIsSaidOnce() {
    var status = ScreenStatus()
    for words in ["a", "b", "a", "c", "d"] { status.note(words) }
    #expect(status.notes == ["a", "c", "d"])
    status.isAway = true
    status.device = "x"
    #expect(status.remarks == ["waiting for x", "d", "c", "a"])
  }

  @Test func aLevelThatIsAwayShowsNoTilt() {
    var state = ScreenSamples.level
    state.status.isAway = true
    let away = ScreenSamples.lines(60, 15) { state.show(on: &$0) }
    #expect(away.contains { $0.contains("waiting for sim:still") })
    #expect(!away.contains { $0.contains("2.3") })
  }
}
