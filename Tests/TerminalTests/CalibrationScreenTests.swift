import LodestoneCore
import Testing

@testable import Calibration
@testable import LodestoneTerminal

@Suite struct CalibrationScreenTests {
  @Test func screenAtItsUsualSize() {
    let golden = """
       Calibration  sim:figure-eight                       100 Hz  4213 samples  0:42
      ────────────────────────────────────────────────────────────────────────────────

        Turn the board slowly, in figure-eights, through all directions.
        Point every side at the ground at least once.

            ⢀⣤⣶⣶⣿⣿⣿⣿⣶⣶⣤⡀          ⢀⣤⣶⢒⢋⢋⢋⢋⢒⢢⣤⡀        Accuracy (95 %)          ±1.8°
          ⢠⣾⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣷⣄      ⢠⢒⢃⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢊⢒⣄      Target (95 %)            ±2.0°
         ⣴⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⢊⢢    ⣔⢃⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢊⣦
        ⢰⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⡇  ⢸⢃⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⡇    Field strength        48.23 µT
        ⣇⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿  ⣇⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢺    Inclination              65.1°
        ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿◆⣿⣿⣿⣿⣿⣿⣿⣿⣿  ⣇⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢺    Residual (RMS)         0.31 µT
        ⢸⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⡇  ⢸⣂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⡇
         ⠻⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⠟    ⠣⣂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⠟     Hard iron  x         +12.30 µT
          ⠘⢦⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⠦⠃      ⠘⢦⣂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⢂⠦⠃                 y          -4.50 µT
            ⠈⠛⠿⠿⣿⣿⣿⣿⠿⠿⠛⠁          ⠈⠛⠿⠦⣂⣂⣂⣿⠿⠿⠛⠁                   z        +133.10 µT
             face side             back side

        Directions  ━━━━━━━━━━━━━━━━━━━━━━━━────────────────────────     50 %
        Rests       ○ ○ ○ ○ ○ ○ ○ ○  0 of 8

        ! Magnetic disturbance: keep away from iron and magnets.
        ! Samples were lost: check cable, baud rate and load.
       space pause   f finish now   q stop and discard
      """
    #expect(
      ScreenSamples.lines(80, 24) { CalibrationScreen.draw(ScreenSamples.sweep, into: &$0) }.joined(separator: "\n")
        == golden)
  }

  /// No key is left out where short words have room for it.
  @Test func allKeysStandInANarrowTerminal() {
    let lines = ScreenSamples.lines(40, 12) { CalibrationScreen.draw(ScreenSamples.sweep, into: &$0) }
    #expect(lines[11] == " space pause   f finish   q discard")
    var view = ScreenSamples.sweep
    view.progress.reminder = .onlyLevel
    for (width, keys) in [
      (48, " space pause   f finish   l level   q discard"),
      (64, " space pause   f finish now   l level only   q stop and discard"),
    ] {
      #expect(ScreenSamples.lines(width, 24) { CalibrationScreen.draw(view, into: &$0) }[23] == keys)
    }
  }

  @Test func restsAreCountedAndTheNextPoseSaid() {
    let lines = ScreenSamples.lines(80, 24) { CalibrationScreen.draw(ScreenSamples.rests, into: &$0) }
    #expect(
      lines[3...4] == [
        "  With the board, turn yourself a quarter turn to the right. Then hold it",
        "  still: face up, top edge raised 45°.",
      ])
    #expect(lines[18].hasSuffix("enough"))
    #expect(lines[19] == "  Rests       ● ● ● ◔ ○ ○ ○ ○  3 of 8")
  }

  /// Beside the position that is asked for stands the board as it is held, and follows the hand.
  @Test func theBoardIsShownAsItShallBeAndAsItIs() {
    var view = ScreenSamples.rests
    func halves(_ up: Vector3?) -> (next: [String], now: [String]) {
      view.progress.up = up
      let lines = ScreenSamples.lines(80, 24) { CalibrationScreen.draw(view, into: &$0) }[6...16]
      func words(_ text: Substring) -> String { text.split(separator: " ").joined(separator: " ") }
      return (lines.map { words($0.prefix(23)) }, lines.map { words($0.dropFirst(23).prefix(21)) })
    }
    let (flat, there) = (halves(Vector3(0, 0, 1)), halves(Vector3(0, 0.7, 0.7)))
    #expect(flat.next == there.next && flat.now != there.now)
    #expect(there.next.contains { $0.contains("top") } && there.now.contains { $0.contains("top") })
    #expect(there.next.contains { $0.contains("next position") } && there.now.contains { $0.contains("now") })
    let unknown = halves(nil)
    #expect(unknown.next == flat.next && !unknown.now.contains { $0.contains("top") })
  }

  /// The shots at each mark, the roll to take next, and the laser's axis once it is known.
  @Test func rolledShotsAreCounted() {
    var view = ScreenSamples.rolls
    func lines(_ width: Int = 80, _ height: Int = 24) -> [String] {
      ScreenSamples.lines(width, height) { CalibrationScreen.draw(view, into: &$0) }
    }
    #expect(
      lines()[3...4] == [
        "  Same mark: roll it to 3 o'clock and hold it still.",
        "  Marks 3 m away or more, not overhead, a quarter turn apart; roll about the",
      ])
    #expect(lines()[18...19] == ["  Mark 1      ● ● ● ●  4 of 4", "  Mark 2      ● ◔ ○ ○  1 of 4"])
    #expect(lines().contains { $0.contains("Laser  ") && $0.hasSuffix("–") })
    #expect(lines().contains { $0.contains("  now  ") } && !lines().contains { $0.contains("next position") })
    view.progress.laser = LaserAxis(along: Vector3(0, 1, 0), deviation: 0.1)
    #expect(lines().contains { $0.contains("Laser, from top") && $0.hasSuffix("0.0 ± 0.2°") })
    view.progress.shots = [4, 4]
    view.progress.nextShot = AimedShot(mark: 2, number: 0, hour: 12)
    #expect(lines()[18...19] == ["  Mark 2      ● ● ● ●  4 of 4", "  Mark 3      ◔ ○ ○ ○  0 of 4"])
    #expect(lines(40, 9).contains { $0.contains("Mark 3") && $0.contains("0 of 4") })
  }

  @Test func circlesAreCounted() {
    let lines = ScreenSamples.lines(80, 24) { CalibrationScreen.draw(ScreenSamples.circles, into: &$0) }
    #expect(lines[3] == "  Turn it slowly, kept level: two full circles.")
    #expect(lines.contains { $0.hasPrefix("  Circles") && $0.hasSuffix("1.2 of 2") })
    #expect(!lines.contains { $0.contains("Rests") })
  }

  @Test(arguments: [(40, 9), (60, 15), (33, 8)])
  func whatMattersMostStaysInASmallTerminal(width: Int, height: Int) {
    let lines = ScreenSamples.lines(width, height) { CalibrationScreen.draw(ScreenSamples.sweep, into: &$0) }
    #expect(lines.contains { $0.contains("Turn the board") })
    #expect(lines.contains { $0.contains("50 %") })
    #expect(lines.contains { $0.contains("0 of 8") })
    #expect(lines.contains { $0.contains("Magnetic dist") })
    #expect(lines.contains { $0.contains("q discard") })
  }

  /// What is asked of the hand is never cut off, nor why nothing happens.
  @Test func thePoseStaysInASmallTerminal() {
    var view = ScreenSamples.rests
    func words() -> String {
      let lines = ScreenSamples.lines(40, 12) { CalibrationScreen.draw(view, into: &$0) }
      return lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    }
    #expect(words().contains("quarter turn to the right. Then hold it still: face up, top edge raised 45°. "))
    #expect(words().contains("Directions") && words().contains("3 of 8"))
    view.progress.phase = .sweep
    view.progress.reminder = .lyingStill
    #expect(words().contains("The board is not moving. Pick it up and turn it."))
  }

  @Test(arguments: [
    (Vector3(0, 0, 1), "face up"), (Vector3(0, 0, -2), "face down"), (Vector3(0, 1, 0), "top edge up"),
    (Vector3(0, -1, 0), "bottom edge up"), (Vector3(1, 0, 0), "right edge up"), (Vector3(-1, 0, 0.1), "left edge up"),
    (Vector3(0, 0.71, 0.7), "top edge up, its face turned up 45°"),
    (Vector3(-0.5, 0, 0.866), "face up, left edge raised 30°"),
    (Vector3(-1, 1, 1), "face up, top left corner raised 55°"),
    (Vector3(1, -1, -1), "face down, bottom right corner raised 55°"),
  ])
  func posesInWords(up: Vector3, words: String) {
    #expect(RestPose(up: up.direction ?? up, turnDegrees: 90).posture == words)
  }

  @Test(arguments: [
    (0.0, "Hold it still: face up."),
    (90, "With the board, turn yourself a quarter turn to the right. Then hold it still: face up."),
    (-90, "With the board, turn yourself a quarter turn to the left. Then hold it still: face up."),
    (180, "With the board, turn yourself half a turn. Then hold it still: face up."),
    (45, "With the board, turn yourself an eighth of a turn to the right. Then hold it still: face up."),
  ])
  func turnsInWords(degrees: Double, words: String) {
    #expect(RestPose(up: Vector3(0, 0, 1), turnDegrees: degrees).instruction == words)
  }

  @Test func bellRingsForARestAndAStepAndNothingElse() {
    let sweep = ScreenSamples.sweep.progress
    var later = sweep
    later.directions = 0.9
    later.samples += 100
    #expect(!later.deservesBell(after: sweep))
    later.phase = .rests
    #expect(later.deservesBell(after: sweep))
    var rested = later
    rested.rests += 1
    #expect(rested.deservesBell(after: later))
    #expect(!sweep.deservesBell(after: CalibrationProgress()))
  }

  @Test func instructionFollowsWhatHappens() {
    var view = ScreenSamples.rests
    view.progress.restProgress = 0.5
    #expect(view.instruction == "Good. Keep still until the bell.")
    view.progress.restProgress = 1
    #expect(view.instruction.hasPrefix("With the board, turn yourself a quarter turn to the right. "))
    view.progress.reminder = .alreadyHeld
    #expect(view.explanation == "This position is counted. Move on to the next one.")
    view.isPaused = true
    #expect(view.instruction == "Paused. Press space to resume.")
    view.problem = "axis x is stuck at 3.00 µT"
    view.remedy = "check the wiring"
    let lines = ScreenSamples.lines(80, 24) { CalibrationScreen.draw(view, into: &$0) }
    #expect(lines[3...4] == ["  axis x is stuck at 3.00 µT", "  check the wiring"])
  }

  /// A board that is unplugged in mid-sweep is said to be waited for.
  @Test func whatHappensToTheDeviceIsShown() {
    var view = ScreenSamples.sweep
    view.notice = "/dev/ttyACM0 is gone; waiting for it to come back."
    let lines = ScreenSamples.lines(80, 24) { CalibrationScreen.draw(view, into: &$0) }
    #expect(lines.contains { $0.contains("! /dev/ttyACM0 is gone; waiting for it to come back.") })
  }

  /// Nothing is asked of the hand while nothing comes, and no rate is shown of what does not.
  @Test func nothingIsAskedForWhileTheDeviceIsAway() {
    var view = ScreenSamples.sweep
    view.progress.reminder = .lyingStill
    view.rate = 50
    view.problem = "axis x is stuck at 3.00 µT"
    view.isAway = true
    let lines = ScreenSamples.lines(80, 24) { CalibrationScreen.draw(view, into: &$0) }
    #expect(lines[3...4] == ["  Waiting for samples from the sensor.", "  What it has sent so far is kept."])
    #expect(!lines[0].contains("Hz"))
    // Line by line the command says notices as they come: here they would be said twice.
    view.notice = "nothing has arrived for 3 s"
    var told = CalibrationLines()
    let said = told.lines(for: view)
    #expect(!said.contains { $0.contains("arrived") }, "\(said)")
    #expect(said.contains(view.instruction) && !said.contains { $0.contains("not moving") }, "\(said)")
  }
}
