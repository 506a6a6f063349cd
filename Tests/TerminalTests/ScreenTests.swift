import Core
import Testing

@testable import Terminal

/// What holds for every screen.
@Suite struct ScreenTests {
  @Test(arguments: ScreenSamples.screens.indices)
  func everySizeIsDrawnAndSurvivesTheTerminal(index: Int) {
    let screen = ScreenSamples.screens[index]
    for (width, height) in [
      (1, 1), (2, 60), (200, 1), (7, 3), (20, 5), (33, 9), (40, 12), (60, 20), (80, 24), (200, 60),
    ] {
      var canvas = Canvas(width: width, height: height)
      screen.draw(&canvas)
      #expect(canvas.cells.count == width * height)
      var renderer = Renderer(palette: .sixteen)
      var bytes: [UInt8] = []
      renderer.append(canvas, to: &bytes)
      var terminal = VirtualTerminal(width: width, height: height)
      terminal.feed(bytes)
      #expect(terminal.faults.isEmpty, "\(screen.name) at \(width)x\(height)")
      #expect(terminal.cells == canvas.cells)
    }
  }

  @Test func everySizeBetweenIsDrawn() {
    for screen in ScreenSamples.screens {
      for width in stride(from: 1, through: 120, by: 7) {
        for height in stride(from: 1, through: 50, by: 3) {
          var canvas = Canvas(width: width, height: height)
          screen.draw(&canvas)
        }
      }
    }
  }

  @Test(arguments: ScreenSamples.screens.indices)
  func screenSaysItsNameAndItsKeys(index: Int) {
    let lines = ScreenSamples.lines(80, 24, ScreenSamples.screens[index].draw)
    #expect(["Calibration", "Teslameter", "Compass", "Level"].contains { lines[0].hasPrefix(" " + $0) })
    #expect(lines[23].contains("q quit") || lines[23].contains("q stop and discard"))
  }

  /// No number that a state can hold, and no text from outside, breaks a screen or reaches the terminal as a command.
  @Test func hostileStatesAreEndured() {
    let numbers = [Double.nan, .infinity, -.infinity, 1e300, -1e300, Double.leastNonzeroMagnitude, -0.0, 1e12, 720]
    let hostile = "\u{1B}]0;owned\u{07}\u{9B}2J\r\n\u{202E}漢字🧭e\u{301}" + String(repeating: "x", count: 5000)
    for number in numbers {
      for (width, height) in [(80, 24), (30, 9), (1, 1), (160, 48)] {
        for draw in hostileScreens(number, hostile) {
          var canvas = Canvas(width: width, height: height)
          draw(&canvas)
          var renderer = Renderer(palette: .none)
          var bytes: [UInt8] = []
          renderer.append(canvas, to: &bytes)
          var terminal = VirtualTerminal(width: width, height: height)
          terminal.feed(bytes)
          #expect(terminal.faults.isEmpty)
        }
      }
    }
  }

  private func hostileScreens(_ number: Double, _ text: String) -> [(inout Canvas) -> Void] {
    let vector = Vector3(number, -number, number)
    var sweep = ScreenSamples.sweep
    sweep.device = text
    sweep.directions = [CoveredDirection(vector, isCovered: true)]
    sweep.fieldDirection = vector
    (sweep.coverage, sweep.elapsed, sweep.target) = (number, number, number)
    (sweep.accuracy, sweep.rate, sweep.remedy) = (number, number, text)
    (sweep.rests, sweep.restsWanted, sweep.samples) = (.max, .max, .min)
    sweep.nextPoseUp = vector
    sweep.fit = .init(hardIron: MagneticField(microtesla: vector), strength: number, residual: number, dip: number)
    sweep.warnings = [.other(text), .implausibleField(microtesla: number), .stuckAxis("\u{1B}")]
    var rests = sweep
    rests.phase = .rests
    rests.problem = text
    var teslameter = ScreenSamples.teslameter
    teslameter.device = text
    teslameter.magnitude = .below(microtesla: number)
    (teslameter.uncertainty, teslameter.peak, teslameter.turned, teslameter.rate) = (number, number, number, number)
    teslameter.history.append(number, at: 61)
    teslameter.history.append(1, at: number)
    var zeroing = teslameter
    zeroing.phase = .zeroing(progress: number)
    var heading = ScreenSamples.heading
    heading.device = text
    heading.notes = [text, text]
    (heading.trueNorth, heading.pitch, heading.roll, heading.strength) = (number, number, number, number)
    var level = LevelState()
    level.device = text
    level.show(pitch: number, roll: -number)
    return [
      { [sweep] in CalibrationScreen.draw(sweep, into: &$0) }, { [rests] in CalibrationScreen.draw(rests, into: &$0) },
      { [teslameter] in TeslameterScreen.draw(teslameter, into: &$0) },
      { [zeroing] in TeslameterScreen.draw(zeroing, into: &$0) },
      { [heading] in HeadingScreen.draw(heading, into: &$0) }, { [level] in LevelScreen.draw(level, into: &$0) },
    ]
  }
}
