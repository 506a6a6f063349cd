import Core
import Testing

@testable import Terminal

@Suite struct CalibrationScreenTests {
  @Test func screenAtItsUsualSize() {
    let golden = """
       Calibration  sim:figure-eight                       100 Hz  4213 samples  0:42
      ────────────────────────────────────────────────────────────────────────────────

        Turn the board slowly, in figure-eights, through all directions.
        Every face, edge and corner should once point to the ground.

            ⢀⣤⣶⣶⣿⣿⣿⣿⣶⣶⣤⡀          ⢀⣤⣶⢒⢋⢋⢋⢋⢒⢢⣤⡀        Heading accuracy         ±1.8°
          ⢠⣾⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣷⣄      ⢠⢒⢃⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢊⢒⣄      Target                   ±1.0°
         ⣴⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⢊⢢    ⣔⢃⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢊⣦
        ⢰⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⡇  ⢸⢃⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⡇    Field strength        48.23 µT
        ⣇⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿  ⣇⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢺    Dip                      65.1°
        ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿◆⣿⣿⣿⣿⣿⣿⣿⣿⣿  ⣇⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢺    Residual               0.31 µT
        ⢸⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⡇  ⢸⣂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⡇
         ⠻⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⠟    ⠣⣂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⠟     Hard iron  x         +12.30 µT
          ⠘⢦⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⠦⠃      ⠘⢦⣂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⠦⠃                 y          -4.50 µT
            ⠈⠛⠿⠿⣿⣿⣿⣿⠿⠿⠛⠁          ⠈⠛⠿⠦⣂⣂⣂⣿⠿⠿⠛⠁                   z        +133.10 µT
             face side             back side

        Directions  ━━━━━━━━━━━━━━━━━━━━━━━━────────────────────────   50 %
        Rests       ○ ○ ○ ○ ○ ○ ○ ○  0 of 8

        ! Magnetic disturbance (+15 µT): keep away from iron and magnets.
        ! 12 samples lost: check cable, baud rate and load.
       space pause   f finish now   q stop and discard
      """
    #expect(
      ScreenSamples.lines(80, 24) { CalibrationScreen.draw(ScreenSamples.sweep, into: &$0) }.joined(separator: "\n")
        == golden)
  }

  @Test func restsAreCountedAndTheNextPoseSaid() {
    let lines = ScreenSamples.lines(80, 24) { CalibrationScreen.draw(ScreenSamples.rests, into: &$0) }
    #expect(lines[3] == "  Now hold it still: face up, the top edge raised 45°.")
    #expect(lines[19] == "  Rests       ● ● ● ○ ○ ○ ○ ○  3 of 8")
  }

  @Test func whatMattersMostStaysInASmallTerminal() {
    let lines = ScreenSamples.lines(40, 9) { CalibrationScreen.draw(ScreenSamples.sweep, into: &$0) }
    #expect(lines.contains { $0.contains("figure-eights") || $0.contains("Turn the board") })
    #expect(lines.contains { $0.contains("50 %") })
    #expect(lines.contains { $0.contains("Magnetic disturbance") })
  }

  @Test(arguments: [
    (Vector3(0, 0, 1), "face up"), (Vector3(0, 0, -2), "face down"), (Vector3(0, 1, 0), "top edge up"),
    (Vector3(0, -1, 0), "bottom edge up"), (Vector3(1, 0, 0), "right edge up"), (Vector3(-1, 0, 0.1), "left edge up"),
    (Vector3(0, 0.71, 0.7), "top edge up, its face turned up 45°"),
    (Vector3(-0.5, 0, 0.866), "face up, the left edge raised 30°"),
  ])
  func posesInWords(up: Vector3, words: String) {
    #expect(RestPose(up: up)?.description == words)
  }

  @Test func bellRingsForARestAndAStepAndNothingElse() {
    let sweep = ScreenSamples.sweep
    var later = sweep
    later.coverage = 0.9
    later.samples += 100
    #expect(!later.deservesBell(after: sweep))
    later.phase = .rests
    #expect(later.deservesBell(after: sweep))
    var rested = later
    rested.rests += 1
    #expect(rested.deservesBell(after: later))
    #expect(!sweep.deservesBell(after: CalibrationState()))
  }

  @Test func instructionFollowsWhatHappens() {
    var state = ScreenSamples.rests
    state.isStill = true
    #expect(state.instruction == "Good. Keep still until the bell.")
    state.isPaused = true
    #expect(state.instruction == "Paused. Press space to go on.")
    state.problem = "axis x is stuck at 3.00 µT"
    state.remedy = "check the wiring"
    let lines = ScreenSamples.lines(80, 24) { CalibrationScreen.draw(state, into: &$0) }
    #expect(lines[3...4] == ["  axis x is stuck at 3.00 µT", "  check the wiring"])
  }
}
