import LodestoneCore
import Navigation
import Testing

@testable import LodestoneTerminal

@Suite struct MotionScreenTests {
  private func lines(_ width: Int, _ height: Int, _ change: (inout MotionState) -> Void = { _ in }) -> [String] {
    var state = ScreenSamples.motion
    change(&state)
    return ScreenSamples.lines(width, height) { MotionScreen.draw(state, into: &$0) }
  }

  @Test func screenAtItsUsualSize() {
    let golden = """
       Motion  sim:shake                                                        20 Hz
      ────────────────────────────────────────────────────────────────────────────────

        Movement, gravity off, in g           x                               0.00 g
             1.5┤                       ⡇     y                              +0.20 g
             1.0┤                       ⡇     z                              -0.40 g
                │                       ⡇     Held                          portrait
        x    0.5┤                      ⢸⡇
             0.0┤⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠚⠓⠒⠒   Recognized
            -0.5┤                               9.0 s movement right 1.50 g
             1.5┤                               5.0 s held portrait
             1.0┤
                │
        y    0.5┤⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀
             0.0┤┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄
            -0.5┤
             1.5┤
             1.0┤
                │
        z    0.5┤
             0.0┤⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⢲┄┄┄┄┄┄┄┄┄┄┄┄┄
            -0.5┤             ⠧⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤
                └─ -10 s ──────────── now ─
       f filter   p pause   ? keys   q quit
      """
    #expect(lines(80, 24).joined(separator: "\n") == golden)
  }

  /// Values, the force that is drawn, the last event and what is said all stand on a small terminal.
  @Test func nothingImportantIsMissingOnASmallTerminal() {
    let small = lines(60, 15) { $0.status.note("no gyroscope") }
    #expect(small[0].contains("Movement, gravity off"))
    #expect(small[2] == "  x  0.00  y +0.20  z -0.40 g   portrait")
    #expect(small.filter { $0.contains("┤") }.count == 6)
    #expect(small[12] == "  9.0 s movement right 1.50 g   5.0 s held portrait")
    #expect(small[13] == "  ! no gyroscope")
    #expect(small[14] == " f filter   p pause   ? keys   q quit")
  }

  /// Gravity off, gravity alone, both, and round again; what was before is there at once.
  @Test func aKeyTurnsTheFilterOnAndOff() {
    var instrument = Motion()
    let shown = [("+0.20", "Movement"), ("-0.60", "Gravity"), ("-0.40", "As measured"), ("+0.20", "Movement")]
    var state = ScreenSamples.motion
    for (y, name) in shown {
      let lines = ScreenSamples.lines(80, 24) { MotionScreen.draw(state, into: &$0) }
      #expect(lines.contains { $0.hasSuffix(y + " g") } && lines[3].hasPrefix("  " + name))
      state.press("f", &instrument)
    }
  }

  @Test func aDeviceThatIsAwayIsWaitedFor() {
    let away = lines(80, 24) { $0.status.isAway = true }
    #expect(away[22] == "  ! waiting for sim:shake")
    #expect(!away.contains { $0.contains("+0.20 g") || $0.contains("portrait ") })
  }
}
