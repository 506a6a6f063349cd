import LodestoneCore
import Navigation
import Testing

@testable import LodestoneTerminal

@Suite struct TeslameterScreenTests {
  private func lines(_ change: (inout TeslameterState) -> Void) -> [String] {
    var state = ScreenSamples.teslameter
    change(&state)
    return ScreenSamples.lines(80, 24) { TeslameterScreen.draw(state, into: &$0) }
  }

  /// Where no gyroscope tells a turn of the sensor, it looks like a field: 48 µT · sin 1° of one of 48 µT.
  @Test func anUnseenTurnIsReckonedWith() {
    var zero = ZeroPoint(field: Vector3(0, 20, -43.6), noise: Vector3(0.2, 0.2, 0.2), samples: 100, up: nil)
    func shown(_ change: (inout TeslameterState) -> Void = { _ in }) -> String {
      lines { state in
        change(&state)
        _ = state.take(.zeroed(zero), from: Teslameter())
      }.joined(separator: "\n")
    }
    #expect(shown().contains("  1° of turn looks like 0.84 µT (no gyroscope)"), "\(shown())")
    let included = shown { $0.includesTurns = true }
    #expect(!included.contains("1° of turn"))
    let turned = shown { $0.reading?.flags = [.turned] }
    #expect(turned.contains("sensor was turned: press z to zero again"))
    zero.restingRate = .zero
    #expect(!shown().contains("1° of turn"))
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
       z zero   p reset peak   u unit   h hold   ? keys   q quit
      """
    #expect(lines { _ in }.joined(separator: "\n") == golden)
  }

  @Test func belowTheNoiseItSaysLessThan() {
    var state = ScreenSamples.teslameter
    state.reading?.uncertainty = 0.25
    state.reading?.atMost = 0.25
    state.reading?.flags = .belowNoise
    let small = ScreenSamples.lines(60, 10) { TeslameterScreen.draw(state, into: &$0) }
    #expect(small[1] == "  <0.25 µT")
  }

  @Test(arguments: [
    (FieldUnit.nanotesla, "127414 nT"), (.microtesla, "127.41 µT"), (.millitesla, "0.12741 mT"), (.gauss, "1.2741 G"),
    (.milligauss, "1274.1 mG"),
  ])
  func unitsAreShownToTenNanotesla(unit: FieldUnit, text: String) {
    var state = ScreenSamples.teslameter
    state.unit = .unit(unit)
    let small = ScreenSamples.lines(60, 10) { TeslameterScreen.draw(state, into: &$0) }
    #expect(small[1].hasPrefix("  " + text))
  }

  /// Counts have no other unit to be shown in.
  @Test func countsStayCounts() {
    var state = ScreenSamples.teslameter
    state.unit = .counts
    var instrument = Teslameter()
    state.press("u", &instrument)
    let small = ScreenSamples.lines(60, 10) { TeslameterScreen.draw(state, into: &$0) }
    #expect(state.unit == .counts && small[1].contains(" counts"))
  }

  @Test func flagsAreSaidTogether() {
    let all = lines { $0.reading?.flags = [.saturated, .turned] }
    #expect(all[9] == "  SATURATED: field is larger · sensor was turned: press z to zero again")
  }

  @Test func zeroPointIsShownWhileItIsTakenAndWhenItIsRefused() {
    #expect(
      lines { $0.phase = .zeroing(progress: 0.5) }[9]
        == "  Zero-point: sensor still, magnet away ━━━━━━━━━━━━────────────")
    #expect(
      lines { $0.phase = .zeroRefused(.moving(wander: 3.1, noise: 0.2)) }[9]
        == "  NO ZERO-POINT: the field moves by 3.10 µT. Hold still, press z.")
    let saturated = lines { state in
      state.phase = .zeroing(progress: 0.1)
      _ = state.take(.zeroRefused(.saturated, isFinal: false), from: Teslameter())
    }
    #expect(saturated[9] == "  NO ZERO-POINT: sensor at the end of its range. Move the magnet away.")
  }

  @Test func aDeviceThatIsAwayIsWaitedFor() {
    let away = lines { $0.status.isAway = true }
    #expect(away[9] == "  waiting for /dev/ttyACM0")
    #expect(!away.contains { $0.contains("µT    ") && $0.contains("100.20") })
  }

  @Test func whatIsInTheWayIsShownWhileNoZeroPointIsUnderWay() {
    let words = "the device sends headings of its own, and this needs a magnetic field: lodestone heading can read it"
    func shown(_ change: (inout TeslameterState) -> Void) -> String {
      lines { state in
        state.status.obstacle = words
        change(&state)
      }[9...10].joined(separator: "\n")
    }
    let idle = shown { $0.phase = .zeroing(progress: 0) }
    #expect(idle.contains("this needs a magnetic field:\n  lodestone heading can"), "\(idle)")
    #expect(shown { $0.phase = .zeroing(progress: 0.5) }.contains("Zero-point: sensor still"))
    #expect(shown { $0.status.isAway = true }.hasPrefix("  waiting for /dev/ttyACM0: the device sends headings"))
  }

  @Test func pauseIsShown() {
    let paused = lines { $0.status.isPaused = true }
    #expect(paused[0].contains("PAUSED"))
    #expect(paused[23].contains("h resume"))
  }
}
