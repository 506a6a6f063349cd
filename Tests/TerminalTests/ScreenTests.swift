import LodestoneCore
import Navigation
import Testing

@testable import Calibration
@testable import LodestoneTerminal

/// Rules for every screen.
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
    let titles = ["Calibration", "Teslameter", "Compass", "Level", "Motion", "Attitude", "Location"]
    #expect(titles.contains { lines[0].hasPrefix(" " + $0) })
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
    (sweep.rate, sweep.remedy, sweep.notice) = (number, text, text)
    sweep.progress.met = [vector]
    sweep.progress.fieldDirection = vector
    (sweep.progress.directions, sweep.progress.seconds, sweep.progress.target) = (number, number, number)
    (sweep.progress.accuracy, sweep.progress.circles, sweep.progress.restProgress) = (number, number, number)
    (sweep.progress.rests, sweep.progress.samples) = (.max, .min)
    sweep.progress.result?.correction.hardIron = vector
    sweep.progress.result?.fieldStrength = number
    sweep.progress.result?.inclination = number
    sweep.progress.warnings = [.saturated, .frozen, .disturbed, .shaking, .samplesLost]
    var rests = sweep
    rests.progress.phase = .rests
    rests.progress.nextPose = RestPose(up: vector, turnDegrees: number)
    var problem = rests
    problem.problem = text
    var teslameter = ScreenSamples.teslameter
    teslameter.status.device = text
    teslameter.reading?.flags = .belowNoise
    teslameter.status.note(text)
    teslameter.reading?.uncertainty = number
    teslameter.reading?.peak = number
    teslameter.status.rate = number
    teslameter.history.append(number, at: 61)
    teslameter.history.append(1, at: number)
    var zeroing = teslameter
    zeroing.phase = .zeroing(progress: number)
    var heading = ScreenSamples.heading
    heading.status.device = text
    heading.status.note(text)
    heading.status.note(text + text)
    heading.reading?.trueHeading = Heading(degrees: number)
    heading.reading?.field = MagneticField(microtesla: number, 0, 0)
    heading.reading?.pitch = number
    heading.reading?.roll = number
    var location = ScreenSamples.location
    location.status.device = text
    location.status.note(text)
    var fix = LocationReading(Position(Coordinate(latitude: 1, longitude: 2), altitude: number, unixTime: number))
    (fix.distance, fix.bearing, fix.climb, location.status.rate) = (number, number, number, number)
    (fix.position.course, fix.position.speed, fix.position.horizontalAccuracy) = (number, number, number)
    (fix.position.seaLevelAltitude, fix.position.verticalAccuracy) = (number, number)
    location.reading = fix
    var level = LevelState()
    level.status.device = text
    level.show(pitch: number, roll: -number)
    var motion = ScreenSamples.motion
    motion.status.device = text
    motion.status.note(text)
    var push = MotionReading(time: number)
    (push.gravity, push.userAcceleration) = (vector, vector)
    push.event = MotionReading.Event(kind: .shake, direction: .x, peak: number, duration: number)
    motion.take(push, from: Motion())
    push.time = 11
    motion.take(push, from: Motion())
    var attitude = ScreenSamples.attitude
    attitude.status.note(text)
    attitude.reading?.attitude = Quaternion(w: number, v: vector)
    attitude.reading?.yawAccuracy = number
    attitude.reading?.rate = vector
    return [
      { [motion] in MotionScreen.draw(motion, into: &$0) }, { [attitude] in AttitudeScreen.draw(attitude, into: &$0) },
      { [sweep] in CalibrationScreen.draw(sweep, into: &$0) }, { [rests] in CalibrationScreen.draw(rests, into: &$0) },
      { [problem] in CalibrationScreen.draw(problem, into: &$0) },
      { [teslameter] in TeslameterScreen.draw(teslameter, into: &$0) },
      { [zeroing] in TeslameterScreen.draw(zeroing, into: &$0) },
      { [heading] in HeadingScreen.draw(heading, into: &$0) }, { [level] in LevelScreen.draw(level, into: &$0) },
      { [location] in LocationScreen.draw(location, into: &$0) },
    ]
  }
}
