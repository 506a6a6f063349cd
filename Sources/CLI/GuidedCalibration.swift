import Calibration
import Core
import Drivers
import Instruments
import Ports
import Terminal

/// A calibration guided as it is made: on a screen, or line by line.
struct GuidedCalibration {
  /// How it is shown.
  enum Style {
    case screen
    /// Sentences on standard error, for screen readers and logs.
    case plain
  }

  private let loop: StreamLoop
  private let mounting: Mounting
  private var collector: SweepCollector
  private var settings: CalibrationSettings
  private var screen: LiveScreen?
  private var state = CalibrationState()
  private var told: CalibrationState?
  private var rate = RateMeter()
  private var wantsBell = false
  private(set) var samples = SampleStore()

  init(_ loop: StreamLoop, settings: CalibrationSettings, mounting: Mounting, style: Style) throws {
    self.loop = loop
    self.settings = settings
    self.mounting = mounting
    collector = SweepCollector(settings: settings)
    screen = style == .screen ? try LiveScreen(on: loop.output) : nil
    state.device = loop.stream.identity
    state.target = settings.target
    loop.readsKeys = style == .screen
    loop.tickInterval = style == .screen ? 0.1 : 0.5
  }

  /// Runs until it is done, the user ends it, or the stream does; nil when the user discarded it.
  mutating func run() throws -> CalibrationOutcome? {
    defer { screen?.leave() }
    var isDiscarded = false
    let end = try loop.run { event in
      switch event {
      case .sample: take(loop.sample)
      case .notice(let notice): take(notice)
      case .keys(let bytes):
        for key in screen?.keys(bytes) ?? [] {
          switch key {
          case .character("q"), .interrupt:
            isDiscarded = true
            return .stop
          case .character("f"): return .stop
          case .character(" "): state.isPaused.toggle()
          case .redraw: screen?.redraw()
          default: break
          }
        }
      case .resized: screen?.redraw()
      case .tick: try show()
      default: break
      }
      return state.phase == .done ? .stop : .goOn
    }
    if end == .interrupted { screen?.leave() }
    if end == .interrupted || end == .outputClosed { try finish(.interrupted) }
    if screen == nil { try show() }
    return isDiscarded ? nil : collector.finished()
  }

  private mutating func take(_ sample: Sample) {
    rate.count(sample.time)
    if let field = sample.field, let result = collector.progress.result {
      state.fieldDirection = (mounting.matrix * result.correction.apply(to: field).field.microtesla).direction
    }
    guard !state.isPaused else { return }
    samples.add(sample)
    guard collector.add(sample) else { return }
    let before = state
    state.follow(collector.progress, mounting: mounting)
    state.rate = rate.hertz
    wantsBell = wantsBell || state.deservesBell(after: before)
  }

  /// Counts whose scale was chosen are told to the fit, which then looks for directions only.
  private mutating func take(_ notice: StreamNotice) {
    guard case .unitsChosen(let scales) = notice, case .countsScaledToEarth = scales.field.basis else { return }
    settings.unitIsKnown = false
    collector = SweepCollector(settings: settings)
  }

  private mutating func show() throws(OutputError) {
    if screen != nil {
      try screen?.show(on: loop.output, bell: wantsBell) { CalibrationScreen.draw(state, into: &$0) }
      wantsBell = false
    } else {
      for line in CalibrationLines.lines(from: told, to: state) { writeToStandardError(line.singleLine + "\n") }
      told = state
    }
  }
}

extension CalibrationState {
  /// Takes over what the sweep has come to.
  mutating func follow(_ progress: SweepProgress, mounting: Mounting) {
    switch progress.phase {
    case .sweep: phase = progress.samples == 0 ? .waiting : .sweep
    case .rests: phase = .rests
    case .done: phase = .done
    }
    directions =
      progress.met(mounting: mounting).map { CoveredDirection($0, isCovered: true) }
      + progress.missing(mounting: mounting).map { CoveredDirection($0, isCovered: false) }
    coverage = (progress.coverage?.percent ?? 0) / 100
    rests = progress.rests
    restsWanted = progress.restsNeeded
    isStill = progress.isStill
    samples = progress.samples
    elapsed = progress.seconds
    accuracy = progress.result?.quality.headingErrorDegrees
    fit = progress.result.map { result in
      Fit(
        hardIron: MagneticField(microtesla: result.correction.hardIron), strength: result.fieldStrength,
        residual: result.quality.residual, dip: result.inclination)
    }
    if case .rest(let up, _) = progress.next {
      nextPoseUp = mounting.matrix * up
    } else {
      nextPoseUp = nil
    }
    problem = progress.problem.map { $0.words }
    remedy = progress.problem.map { $0.hint }
    warnings = progress.warnings.sorted { $0.rawValue < $1.rawValue }.map { $0.shown }
  }
}

extension SweepWarning {
  /// As the screen shows it.
  fileprivate var shown: CalibrationState.Warning {
    switch self {
    case .disturbed: .magneticDisturbance(microtesla: nil)
    case .shaking: .shaking
    case .saturated: .saturated
    case .frozen: .other("The field does not change: is the sensor still sending?")
    case .samplesLost: .other("Samples were lost: check cable, baud rate and load.")
    }
  }
}

/// The samples of a sweep in bounded memory: past the limit every second one is dropped, again and again.
struct SampleStore {
  private(set) var samples: [Sample] = []
  private var stride = 1
  private var skipped = 0

  private static let limit = 1 << 18

  /// Keeps a sample, or every n-th of a long sweep.
  mutating func add(_ sample: Sample) {
    skipped += 1
    guard skipped >= stride else { return }
    skipped = 0
    samples.append(sample)
    guard samples.count >= Self.limit else { return }
    stride *= 2
    samples = samples.enumerated().filter { $0.offset % 2 == 0 }.map { $0.element }
  }
}
