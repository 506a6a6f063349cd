import Core
import Glibc

@testable import Terminal

/// States that the suites draw.
enum ScreenSamples {
  /// Directions spread evenly over the sphere (the spherical Fibonacci lattice).
  static func directions(_ count: Int, covered: (Vector3) -> Bool) -> [CoveredDirection] {
    (0..<count).map { index in
      let z = 1 - (Double(index) + 0.5) * 2 / Double(count)
      let radius = (1 - z * z).squareRoot()
      let angle = Double(index) * .pi * (3 - 5.0.squareRoot())
      let direction = Vector3(radius * cos(angle), radius * sin(angle), z)
      return CoveredDirection(direction, isCovered: covered(direction))
    }
  }

  static var sweep: CalibrationState {
    var state = CalibrationState()
    state.device = "sim:figure-eight"
    state.phase = .sweep
    state.directions = directions(100) { $0.z > 0 }
    state.coverage = 0.5
    state.fieldDirection = Vector3(0, 0, 1)
    state.fit = .init(
      hardIron: MagneticField(microtesla: 12.3, -4.5, 133.1), strength: 48.234, residual: 0.314, dip: 65.1)
    state.accuracy = 1.83
    state.warnings = [.magneticDisturbance(microtesla: 15), .samplesLost(12)]
    state.rate = 100
    state.samples = 4213
    state.elapsed = 42.2
    return state
  }

  static var rests: CalibrationState {
    var state = sweep
    state.phase = .rests
    state.coverage = 1
    state.directions = directions(100) { _ in true }
    state.rests = 3
    state.nextPoseUp = Vector3(0, 0.7, 0.7)
    state.warnings = []
    return state
  }

  static var teslameter: TeslameterState {
    var state = TeslameterState()
    state.device = "/dev/ttyACM0"
    state.phase = .measuring
    state.magnitude = .microtesla(127.414)
    state.difference = MagneticField(microtesla: 100.2, -78.01, 3.4)
    state.uncertainty = 0.18
    state.peak = 212.77
    state.minimum = 0.31
    state.raw = MagneticField(microtesla: 121, -99, 45.2)
    state.rate = 75
    for second in 0...60 { state.history.append(Double(second), at: Double(second)) }
    return state
  }

  static var heading: HeadingState {
    var state = HeadingState()
    state.device = "sim:walk"
    state.magnetic = 355.54
    state.trueNorth = 0.04
    state.declination = 4.5
    state.accuracy = 0.8
    state.quality = .good
    state.pitch = 1.2
    state.roll = -3.4
    state.strength = 48.2
    state.expectedStrength = 48.5
    state.inclination = 64.7
    state.expectedInclination = 65.1
    state.orientation = .faceUp
    state.rate = 100
    return state
  }

  static var level: LevelState {
    var state = LevelState()
    state.device = "sim:still"
    state.show(pitch: 2.3, roll: -4.1)
    state.rate = 50
    return state
  }

  /// Every screen, drawn.
  static let screens: [(name: String, draw: @Sendable (inout Canvas) -> Void)] = [
    ("waiting", { CalibrationScreen.draw(CalibrationState(), into: &$0) }),
    ("sweep", { CalibrationScreen.draw(sweep, into: &$0) }),
    ("rests", { CalibrationScreen.draw(rests, into: &$0) }),
    ("teslameter", { TeslameterScreen.draw(teslameter, into: &$0) }),
    ("teslameter, nothing yet", { TeslameterScreen.draw(TeslameterState(), into: &$0) }),
    ("heading", { HeadingScreen.draw(heading, into: &$0) }),
    ("heading, nothing yet", { HeadingScreen.draw(HeadingState(), into: &$0) }),
    ("level", { LevelScreen.draw(level, into: &$0) }),
    ("level, nothing yet", { LevelScreen.draw(LevelState(), into: &$0) }),
  ]

  static func lines(_ width: Int, _ height: Int, _ draw: (inout Canvas) -> Void) -> [String] {
    var canvas = Canvas(width: width, height: height)
    draw(&canvas)
    return canvas.lines
  }
}
