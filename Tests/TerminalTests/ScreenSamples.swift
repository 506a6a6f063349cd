import LodestoneCore
import Glibc
import Navigation

@testable import Calibration
@testable import LodestoneTerminal

/// States that the suites draw.
enum ScreenSamples {
  /// Directions spread evenly over the sphere (the spherical Fibonacci lattice).
  static func directions(_ count: Int) -> [Vector3] {
    (0..<count).map { index in
      let z = 1 - (Double(index) + 0.5) * 2 / Double(count)
      let radius = (1 - z * z).squareRoot()
      let angle = Double(index) * .pi * (3 - 5.0.squareRoot())
      return Vector3(radius * cos(angle), radius * sin(angle), z)
    }
  }

  static var sweep: CalibrationView {
    var progress = CalibrationProgress()
    progress.phase = .sweep
    (progress.met, progress.missing) = (directions(100).filter { $0.z > 0 }, directions(100).filter { $0.z <= 0 })
    progress.directions = 0.5
    progress.fieldDirection = Vector3(0, 0, 1)
    progress.result = result
    progress.accuracy = 1.83
    progress.target = 1.96
    progress.warnings = [.disturbed, .samplesLost]
    progress.samples = 4213
    progress.seconds = 42.2
    var view = CalibrationView(progress)
    view.device = "sim:figure-eight"
    view.rate = 100
    return view
  }

  static var rests: CalibrationView {
    var view = sweep
    view.progress.phase = .rests
    view.progress.directions = 1
    (view.progress.met, view.progress.missing) = (directions(100), [])
    view.progress.rests = 3
    view.progress.restProgress = 0.3
    view.progress.nextPose = RestPose(up: Vector3(0, 0.7, 0.7), turnDegrees: 90)
    view.progress.warnings = []
    return view
  }

  static var rolls: CalibrationView {
    var view = rests
    view.progress.phase = .rolls
    (view.progress.method, view.progress.rests, view.progress.restsNeeded) = (.held, 17, 12)
    view.progress.nextPose = nil
    view.progress.up = Vector3(0, 0, 1)
    view.progress.shots = [4, 1]
    view.progress.nextShot = AimedShot(mark: 1, number: 1, hour: 3)
    return view
  }

  static var circles: CalibrationView {
    var view = sweep
    view.progress.phase = .circles
    view.progress.circles = 1.23
    view.progress.warnings = []
    return view
  }

  private static var result: CalibrationResult {
    var quality = CalibrationQuality(verdict: .fair, kind: .normOnly, misalignment: .unknown)
    quality.residual = 0.314
    return CalibrationResult(
      correction: Correction(hardIron: Vector3(12.3, -4.5, 133.1), softIron: .identity), forceCorrection: .none,
      fieldStrength: 48.234,
      inclination: 65.1, axes: .assumed, noise: 0.3, parameters: [], parameterNames: [], covariance: [],
      quality: quality, coverage: Coverage())
  }

  static var teslameter: TeslameterState {
    var state = TeslameterState()
    state.status.device = "/dev/ttyACM0"
    state.phase = .measuring
    var reading = FieldReading(
      time: 60, difference: Vector3(100.2, -78.01, 3.4), field: Vector3(121, -99, 45.2), flags: [])
    reading.magnitude = 127.414
    reading.uncertainty = 0.18
    reading.peak = 212.77
    reading.peakUncertainty = 0.25
    reading.minimum = 0.31
    state.reading = reading
    state.status.rate = 75
    for second in 0...60 { state.history.append(Double(second), at: Double(second)) }
    return state
  }

  static var heading: HeadingState {
    var state = HeadingState()
    state.status.device = "sim:walk"
    var reading = HeadingReading(time: 1, quality: .good, orientation: .faceUp)
    reading.magneticHeading = Heading(degrees: 355.54)
    reading.trueHeading = Heading(degrees: 0.04)
    reading.accuracy = 0.8
    reading.pitch = 1.2
    reading.roll = -3.4
    reading.field = MagneticField(microtesla: 0, 0, -48.2)
    reading.inclination = 64.7
    state.reading = reading
    state.declination = 4.5
    state.expectedStrength = 48.5
    state.expectedInclination = 65.1
    state.status.rate = 100
    return state
  }

  static var level: LevelState {
    var state = LevelState()
    state.status.device = "sim:still"
    state.show(pitch: 2.3, roll: -4.1)
    state.status.rate = 50
    return state
  }

  static var motion: MotionState {
    var state = MotionState()
    state.status.device = "sim:shake"
    let instrument = Motion()
    for step in 0...200 {
      var reading = MotionReading(time: Double(step) * 0.05)
      reading.gravity = Vector3(0, -0.6, -0.8)
      reading.userAcceleration = Vector3(step == 180 ? 1.5 : 0, 0.2, step > 100 ? -0.4 : 0)
      reading.orientation = .portrait
      if step == 100 { reading.event = MotionReading.Event(kind: .orientation) }
      if step == 180 { reading.event = MotionReading.Event(kind: .movement, direction: .right, peak: 1.5) }
      state.take(reading, from: instrument)
    }
    state.status.rate = 20
    return state
  }

  /// A board that lies with its top edge to the north-east, 20° up.
  static var attitude: AttitudeState {
    var state = AttitudeState()
    state.status.device = "sim:tilt"
    var reading = AttitudeReading(time: 1, frame: .magnetic)
    reading.attitude =
      Quaternion(angle: Angle.radians(-135), about: Vector3(0, 0, 1))
      * Quaternion(angle: Angle.radians(20), about: Vector3(1, 0, 0))
    reading.magneticHeading = Heading(degrees: 45)
    reading.rate = Vector3(0, 3, 4)
    reading.fieldAccuracy = .high
    reading.yawAccuracy = 2.34
    reading.inclinationAccuracy = 0.46
    reading.isAtRest = true
    state.reading = reading
    state.status.rate = 100
    return state
  }

  static var location: LocationState {
    var state = LocationState()
    state.status.device = "gpsd://localhost"
    var position = Position(Coordinate(latitude: 48.208_174, longitude: -16.373_819), unixTime: 1_795_348_819)
    (position.horizontalAccuracy, position.verticalAccuracy) = (4.2, 6.1)
    (position.altitude, position.seaLevelAltitude) = (244.1, 200.1)
    (position.speed, position.course) = (1.85, 10.5)
    var reading = LocationReading(position)
    (reading.distance, reading.bearing, reading.climb) = (1234.5, 36.5, -0.52)
    state.reading = reading
    state.status.rate = 1
    return state
  }

  /// Every screen, drawn.
  static let screens: [(name: String, draw: @Sendable (inout Canvas) -> Void)] = [
    ("waiting", { CalibrationScreen.draw(CalibrationView(CalibrationProgress()), into: &$0) }),
    ("sweep", { CalibrationScreen.draw(sweep, into: &$0) }),
    ("circles", { CalibrationScreen.draw(circles, into: &$0) }),
    ("rests", { CalibrationScreen.draw(rests, into: &$0) }),
    ("rolls", { CalibrationScreen.draw(rolls, into: &$0) }),
    ("teslameter", { TeslameterScreen.draw(teslameter, into: &$0) }),
    ("teslameter, nothing yet", { TeslameterScreen.draw(TeslameterState(), into: &$0) }),
    ("heading", { HeadingScreen.draw(heading, into: &$0) }),
    ("heading, nothing yet", { HeadingScreen.draw(HeadingState(), into: &$0) }),
    ("level", { LevelScreen.draw(level, into: &$0) }),
    ("location", { LocationScreen.draw(location, into: &$0) }),
    ("location, nothing yet", { LocationScreen.draw(LocationState(), into: &$0) }),
    ("level, nothing yet", { LevelScreen.draw(LevelState(), into: &$0) }),
    ("motion", { MotionScreen.draw(motion, into: &$0) }),
    ("motion, nothing yet", { MotionScreen.draw(MotionState(), into: &$0) }),
    ("attitude", { AttitudeScreen.draw(attitude, into: &$0) }),
    ("attitude, nothing yet", { AttitudeScreen.draw(AttitudeState(), into: &$0) }),
    ("keys", { listedKeys.show(on: &$0) }),
  ]

  private static var listedKeys: LevelState {
    var state = level
    state.status.showsKeys = true
    return state
  }

  static func lines(_ width: Int, _ height: Int, _ draw: (inout Canvas) -> Void) -> [String] {
    var canvas = Canvas(width: width, height: height)
    draw(&canvas)
    return canvas.lines
  }
}
