import Calibration
import Glibc
import Instruments
import LodestoneCore
import Navigation
import Support
import Testing

/// A motor whose current turns the needle: boards of known truth, calibrated while it runs.
@Suite struct CauseFitTests {
  /// How the current goes, from 0 to 30 A.
  enum Course: CaseIterable {
    case steps
    case onOff
    case pitch
    case ramp
    case field

    func amperes(at time: Double, _ truth: VirtualBreakout.Truth, seed: UInt64) -> Double {
      let step = (time / 2).rounded(.down)
      var random = SeededGenerator(seed: seed &* 1000 &+ UInt64(max(step, 0)))
      let share = Double.random(in: 0...1, using: &random)
      switch self {
      case .steps: return 30 * share
      case .onOff: return share < 0.5 ? 0 : 30
      case .pitch: return 15 + truth.pitch / 6
      case .field: return 15 + 15 * (truth.field.microtesla.direction?.x ?? 0)
      case .ramp: return 15 - 15 * cos(time * 2 * .pi / 7)
      }
    }
  }

  /// A board, its motor and a sweep.
  struct Board {
    let breakout: VirtualBreakout
    let slope: Vector3
    let samples: [Sample]

    init(
      seed: UInt64, _ course: Course, late: Double = 0, noise: Double = 0, strength: Double? = nil, rate: Double = 50,
      _ change: (inout VirtualBreakout.Settings) -> Void = { _ in }
    ) {
      var settings = VirtualBreakout.Settings()
      settings.motion = .figureEight
      (settings.seed, settings.sensor, settings.rate) = (seed, seed + 1000, rate)
      change(&settings)
      var board = VirtualBreakout(settings)
      var random = SeededGenerator(seed: seed)
      func draw() -> Double { Double.random(in: -1...1, using: &random) }
      let direction = Vector3(draw(), draw(), draw()).direction ?? Vector3(1, 0, 0)
      let usual = exp(Double.random(in: log(0.5)...log(2), using: &random))
      let slope = direction * (strength ?? usual)
      var amperes: [Double] = []
      var samples: [Sample] = []
      for _ in 0..<Int(62 * rate) {
        var (sample, truth) = board.next()
        let now = course.amperes(at: sample.time, truth, seed: seed)
        amperes.append(now)
        sample.field = sample.field.map { MagneticField(microtesla: $0.microtesla + slope * now) }
        let told = amperes[max(0, amperes.count - 1 - Int((late * rate).rounded()))]
        sample.causes[0] = told + noise * draw()
        samples.append(sample)
      }
      (breakout, self.slope, self.samples) = (board, slope, samples)
    }

    /// Degrees of heading that a result is off at a current, root mean square up to 30° of tilt.
    func error(_ result: CalibrationResult, amperes: Double) -> Double {
      var correction = result.correction
      correction.hardIron = correction.hardIron - slope * amperes
      for cause in result.causes { correction.hardIron += cause.slope * (amperes - cause.middle) }
      return breakout.headingError(of: correction, force: result.forceCorrection)
    }
  }

  /// How many headings of a result are within the accuracy stated with them, and of how many: at 0, 10, 20 and 30 A.
  static func inside(_ board: Board, _ result: CalibrationResult) throws -> (within: Int, of: Int) {
    let profile = Profile(result, device: "board", created: 0)
    let (frame, model) = (DeviceFrame(profile), HeadingErrorModel(profile))
    var removal = CauseRemoval(result.causes)
    let settings = board.breakout.settings
    let dip = Angle.radians(settings.inclination)
    let earth = Vector3(0, cos(dip), -sin(dip)) * settings.fieldStrength
    var random = SeededGenerator(seed: settings.seed)
    func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0...1, using: &random) } }
    var (within, count, time) = (0, 0, 0.0)
    for amperes in [0.0, 10, 20, 30] {
      for tilt in [0.0, 15, 30] {
        for heading in stride(from: 0.0, to: 360, by: 20) {
          let axis = Vector3(cos(Angle.radians(heading * 3)), sin(Angle.radians(heading * 3)), 0)
          let turned =
            Matrix3(rotation: axis * Angle.radians(tilt)) * Matrix3(rotation: Vector3(0, 0, Angle.radians(heading)))
          let (field, up) = (turned * earth, turned * Vector3(0, 0, 1))
          let noise = Vector3(normal(), normal(), normal()) * settings.noise
          let raw = board.breakout.sensor.distortion * field + board.breakout.sensor.hardIron
          var sample = Sample(time: time, field: MagneticField(microtesla: raw + board.slope * amperes + noise))
          sample.acceleration = Acceleration(g: up)
          sample.causes[0] = amperes
          time += 1
          let open = removal?.remove(from: &sample) ?? 0
          let device = frame.read(sample)
          let corrected = try #require(device.field)
          let solution = try #require(HeadingSolution(field: corrected, up: device.acceleration?.g ?? up))
          let clean = DeviceFrame().field(of: MagneticField(microtesla: field))
          let truth = try #require(HeadingSolution(field: clean, up: up))
          let forward = Vector3(0, 1, 0)
          let stated = model.accuracy(of: solution, along: forward, tilt: 0.002).degrees ?? 0
          guard let a = solution.heading(of: forward)?.degrees, let b = truth.heading(of: forward)?.degrees else {
            continue
          }
          if abs(Angle.shortestTurn(from: a, to: b)) <= stated + open { within += 1 }
          count += 1
        }
      }
    }
    return (within, count)
  }

  private func settings(_ range: ClosedRange<Double>? = nil) -> CalibrationSettings {
    var settings = CalibrationSettings()
    settings.causes = [SoughtCause("current_A", range: range)]
    return settings
  }

  // MARK: Figures

  /// The rows of the figures to reach.
  enum Row: String, CaseIterable {
    case steps
    case onOff = "on and off"
    case pitch = "the current follows the pitch"
    case slow = "10 Hz"
    case late = "a column 0.2 s late"
    case disturbed = "4 s of +15 µT"

    func board(_ seed: UInt64) -> Board {
      switch self {
      case .steps: Board(seed: seed, .steps)
      case .onOff: Board(seed: seed, .onOff)
      case .pitch: Board(seed: seed, .pitch)
      case .slow: Board(seed: seed, .steps, rate: 10)
      case .late: Board(seed: seed, .onOff, late: 0.2)
      case .disturbed:
        Board(seed: seed, .steps) { $0.disturbances = [.init(field: Vector3(15, 0, 0), from: 20, to: 24)] }
      }
    }
  }

  /// Headings at both ends of the current, root mean square over boards, and those within what is stated.
  @Test(arguments: Row.allCases) func headingsHoldAtBothEnds(_ row: Row) throws {
    var (off, on, says, within, count) = (0.0, 0.0, 0.0, 0, 0)
    let seeds: [UInt64] = [301, 302, 303, 304, 305, 306]
    for seed in seeds {
      let board = row.board(seed)
      let outcome = Calibrator(settings: settings()).fit(board.samples)
      #expect(outcome.refusal == nil)
      let result = try #require(outcome.result)
      off += pow(board.error(result, amperes: 0), 2)
      on += pow(board.error(result, amperes: 30), 2)
      says += pow(result.quality.headingErrorDegrees ?? 180, 2)
      let share = try Self.inside(board, result)
      (within, count) = (within + share.within, count + share.of)
      let cause = try #require(result.causes.first)
      #expect((cause.slope - board.slope).length < 0.05)
      #expect(abs(cause.lag - (row == .late ? 0.2 : 0)) < 0.03)
    }
    let number = Double(seeds.count)
    let (offRMS, onRMS, predicted) = (
      (off / number).squareRoot(), (on / number).squareRoot(), (says / number).squareRoot()
    )
    #expect(offRMS <= 0.5 && onRMS <= 0.5)
    #expect(max(offRMS, onRMS) <= 1.2 * predicted)
    #expect(Double(within) >= 0.93 * Double(count))
  }

  /// A cause that does nothing is left out, and said to be.
  @Test func noEffectIsSaid() throws {
    let board = Board(seed: 311, .steps, strength: 0)
    let outcome = Calibrator(settings: settings()).fit(board.samples)
    let result = try #require(outcome.result)
    #expect(outcome.refusal == nil && result.causes.isEmpty)
    let limit = result.warnings.compactMap {
      if case .causeWithoutEffect("current_A", let limit) = $0 { limit } else { nil }
    }
    #expect(limit.count == 1 && (0.01...1).contains(limit.first ?? 0))
  }

  /// Two motors at once are told apart.
  @Test func severalCausesAreToldApart() throws {
    let (board, other) = (Board(seed: 312, .steps), Board(seed: 313, .ramp))
    let rudder = Vector3(0.1, 0.25, -0.05)
    let samples = zip(board.samples, other.samples).map { sample, other in
      var sample = sample
      let value = (other.causes[0] ?? 0) - 15
      sample.field = sample.field.map { MagneticField(microtesla: $0.microtesla + rudder * value) }
      sample.causes[1] = value
      return sample
    }
    var settings = settings()
    settings.causes.append(SoughtCause("rudder", range: -15...15))
    let result = try #require(Calibrator(settings: settings).fit(samples).result)
    #expect(result.causes.map { $0.name } == ["current_A", "rudder"])
    #expect((result.causes[0].slope - board.slope).length < 0.02 && (result.causes[1].slope - rudder).length < 0.02)
    #expect(result.quality.verdict == .good)
  }

  /// Counts of unknown scale keep theirs: ten to the µT here.
  @Test func countsKeepTheirScale() throws {
    let board = Board(seed: 314, .steps)
    let counts = board.samples.map { sample in
      var sample = sample
      sample.field = sample.field.map { MagneticField(microtesla: $0.microtesla * 10) }
      return sample
    }
    var settings = settings()
    settings.unitIsKnown = false
    let result = try #require(Calibrator(settings: settings).fit(counts).result)
    let cause = try #require(result.causes.first)
    #expect((cause.slope - board.slope * 10).length < 0.2 && result.quality.verdict == .good)
  }

  /// A touch-up takes off what the earlier calibration knows of a motor, and keeps it.
  @Test func aTouchUpKeepsTheCauses() throws {
    let board = Board(seed: 318, .steps)
    let full = try #require(Calibrator(settings: settings()).fit(board.samples).result)
    let moved = board.samples.map { sample in
      var sample = sample
      sample.field = sample.field.map { MagneticField(microtesla: $0.microtesla + Vector3(10, -5, 0)) }
      return sample
    }
    var settings = CalibrationSettings()
    let earlier: EarlierCalibration = try #require(EarlierCalibration(Profile(full, device: "board", created: 0)))
    settings.earlier = earlier
    let outcome = Calibrator(settings: settings).fit(moved)
    #expect(outcome.refusal == nil)
    let result = try #require(outcome.result)
    #expect(result.causes == full.causes)
    #expect((result.correction.hardIron - full.correction.hardIron - Vector3(10, -5, 0)).length < 0.2)
  }

  // MARK: Refusals

  private func refusal(_ samples: [Sample], _ range: ClosedRange<Double>? = nil) -> CalibrationRefusal? {
    Calibrator(settings: settings(range)).fit(samples).refusal
  }

  @Test func whatIsMissingIsRefused() {
    let board = Board(seed: 315, .steps)
    let none = board.samples.map { sample in
      var sample = sample
      sample.causes.clear()
      return sample
    }
    #expect(refusal(none) == .causeMissing("current_A"))
    let constant = board.samples.map { sample in
      var sample = sample
      sample.causes[0] = 7
      return sample
    }
    #expect(refusal(constant) == .causeConstant("current_A", range: 7...7))
    guard case .causeConstant = refusal(Board(seed: 316, .steps, noise: 4).samples) else {
      Issue.record("noise as large as the effect was taken")
      return
    }
    guard case .causeNarrow("current_A", _, 0...100) = refusal(board.samples, 0...100) else {
      Issue.record("a third of the range was taken for all of it")
      return
    }
    #expect(refusal(board.samples, 0...40) == nil)
  }

  /// A cause that goes with the attitude cannot be told from soft iron.
  @Test func aCauseThatFollowsTheAttitudeIsRefused() {
    let board = Board(seed: 317, .field)
    guard case .causesUnsettled(["current_A"], let error) = refusal(board.samples) else {
      Issue.record("it was taken: \(String(describing: refusal(board.samples)))")
      return
    }
    #expect(error > 3)
  }
}
