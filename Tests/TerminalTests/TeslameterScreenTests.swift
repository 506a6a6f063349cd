import Core
import Testing

@testable import Terminal

@Suite struct TeslameterScreenTests {
  private func lines(_ change: (inout TeslameterState) -> Void) -> [String] {
    var state = ScreenSamples.teslameter
    change(&state)
    return ScreenSamples.lines(80, 24) { TeslameterScreen.draw(state, into: &$0) }
  }

  @Test func screenAtItsUsualSize() {
    let golden = """
       Teslameter  /dev/ttyACM0                                                 75 Hz
      ────────────────────────────────────────────────────────────────────────────────

          ██    ██████  ██████      ██  ██    ██
        ████        ██      ██      ██  ██  ████
          ██    ██████      ██      ██████    ██    ±0.18 µT
          ██    ██        ██            ██    ██
        ██████  ██████    ██    ██      ██  ██████  µT



        x           +100.20 µT    peak         212.77 µT    raw x       +121.00 µT
        y            -78.01 µT    minimum        0.31 µT    raw y        -99.00 µT
        z             +3.40 µT    raw          162.74 µT    raw z        +45.20 µT

             100┤
                │
                │                                                                ⣀⣀⣀
              50┤                                               ⣀⣀⣀⣀⡤⠤⠤⠤⠴⠒⠒⠒⠚⠉⠉⠉⠉
                │                               ⣀⣀⣀⣀⠤⠤⠤⠤⠒⠒⠒⠒⠉⠉⠉⠉⠁
                │              ⢀⣀⣀⣀⣠⠤⠤⠤⠤⠒⠒⠒⠒⠉⠉⠉⠉
               0┤ ⣀⠤⠤⠤⠤⠖⠒⠒⠒⠋⠉⠉⠉⠁
                └─ -60 s ───────────────────────────────────────────────────── now ─
       z zero   p reset peak   u unit   space pause   q quit
      """
    #expect(lines { _ in }.joined(separator: "\n") == golden)
  }

  @Test func belowTheNoiseItSaysLessThan() {
    var state = ScreenSamples.teslameter
    state.magnitude = .below(microtesla: 0.25)
    let small = ScreenSamples.lines(60, 10) { TeslameterScreen.draw(state, into: &$0) }
    #expect(small[1] == "  <0.25 µT")
  }

  @Test(arguments: [
    (FieldUnit.nanotesla, "127414 nT"), (.microtesla, "127.41 µT"), (.millitesla, "0.12741 mT"), (.gauss, "1.2741 G"),
    (.milligauss, "1274.1 mG"),
  ])
  func unitsAreShownToTenNanotesla(unit: FieldUnit, text: String) {
    var state = ScreenSamples.teslameter
    state.unit = unit
    let small = ScreenSamples.lines(60, 10) { TeslameterScreen.draw(state, into: &$0) }
    #expect(small[1].hasPrefix("  " + text))
  }

  @Test func flagsAreSaidTogether() {
    let all = lines {
      $0.isSaturated = true
      $0.turned = 12.4
      $0.isZeroSpoiled = true
    }
    #expect(all[9] == "  SATURATED: field is larger · SENSOR TURNED by 12° · ZERO SPOILED: press z")
  }

  @Test func zeroPointIsShownWhileItIsTakenAndWhenItIsRefused() {
    #expect(
      lines { $0.phase = .zeroing(progress: 0.5) }[9]
        == "  Zero-point: sensor still, magnet away ━━━━━━━━━━━━────────────")
    #expect(
      lines { $0.phase = .zeroRefused(moving: 3.1) }[9]
        == "  NO ZERO-POINT: the field moves by 3.10 µT. Hold still, press z.")
  }

  @Test func pauseIsShown() {
    let paused = lines { $0.isPaused = true }
    #expect(paused[0].contains("PAUSED"))
    #expect(paused[23].contains("space go on"))
  }
}
