import Calibration
import Drivers
import Instruments
import LodestoneCore
import LodestonePorts
import Navigation

/// A calibration as it is made: the samples of a sweep, how far it has come, and at the end what came of it.
///
/// Guided, it follows the sweep while it lasts, and ends by itself when the target is reached. Unguided it takes what
/// the stream holds and fits that.
public final class CalibrationSession {
  /// An event of a calibration.
  public enum Event {
    /// The sweep has come further, or the fit has changed: `progress` tells.
    case progress
    /// A sample came that changed nothing.
    case sample
    /// A notice for the user.
    indirect case notice(Notice)
    /// The loop's `tickInterval` has passed.
    case tick
    /// The loop has waited, and served whoever shares the wait.
    case turn
  }

  /// The stream that is read.
  public var stream: any SampleStream { loop.stream }
  /// The loop in which it waits.
  public let loop: StreamLoop
  /// How the chip sits in the device: poses are told in the device frame.
  public let mounting: Mounting
  /// The facts that are known beforehand.
  public private(set) var settings: CalibrationSettings
  /// Whether samples are passed over.
  public var isPaused = false { didSet { if !isPaused { noteBreak() } } }
  /// The progress of the sweep; only followed when guided.
  public var progress: CalibrationProgress { guide.progress }
  /// Whether it guides level circles, from the beginning or since `continueLevel`.
  public var guidesLevelCircles: Bool { isGuided && guide.isLevel }
  /// Samples that were kept.
  public var samples: [Sample] { store.samples }
  /// Samples a second that are taken, at most; nil for all of them.
  public var rate: Double? { didSet { limit = RateLimit(rate) } }
  /// Called with what the user should know.
  public var onNotice: ((Notice) -> Void)?

  private let isGuided: Bool
  private let isLevel: Bool
  private var guide: GuidedCalibration
  private var store = SampleStore()
  private var limit: RateLimit?
  /// The causes that the calibration to be refined takes off.
  private var causes: CauseRemoval?
  /// Whether the device tells a field.
  private var parts = PartsWatch(needed: .field)

  /// A calibration of a device by its address, or of the only one attached.
  public convenience init(
    device: String? = nil, settings: CalibrationSettings = CalibrationSettings(), mounting: Mounting = .aligned,
    duration: Double? = nil
  ) throws {
    try self.init(Devices.open(device), settings, mounting: mounting, isGuided: false)
    loop.duration = duration
  }

  /// A calibration from a stream.
  /// - `isGuided`: follows the sweep, and ends when it is good.
  /// - `isLevel`: guides a board that cannot be tilted.
  /// - `output`: where a command draws.
  /// - `takesSignals`: Ctrl-C ends the session instead of the process.
  public init(
    _ stream: any SampleStream, _ settings: CalibrationSettings, mounting: Mounting = .aligned, isGuided: Bool,
    isLevel: Bool = false, output: OutputPipe? = nil, takesSignals: Bool = false
  ) throws {
    self.settings = settings
    self.mounting = mounting
    self.isGuided = isGuided
    self.isLevel = isLevel
    guide = GuidedCalibration(settings: settings, mounting: mounting, isLevel: isLevel)
    causes = settings.earlier?.causeRemoval
    loop = try StreamLoop(stream, output: output, takesSignals: takesSignals)
  }

  /// Runs until the sweep is good, `body` has enough, or the stream ends.
  public func run(_ body: (Event) throws -> StreamLoop.Verdict = { _ in .goOn }) throws -> StreamLoop.End {
    let end = try loop.run { event in
      switch event {
      case .sample:
        if try !parts.isOver && parts.see(DeviceParts(loop.sample), at: loop.sample.time) && tellUseless(body) == .stop
        {
          return .stop
        }
        return try take(loop.sample, body)
      case .position(let position):
        let isDue = !parts.isOver && parts.see(.position, at: position.time)
        return isDue ? try tellUseless(body) : .goOn
      case .notice(let notice): return try take(notice, body)
      case .tick: return try body(.tick)
      case .turn: return try body(.turn)
      }
    }
    if end == .streamEnded, parts.isInVain { throw SessionError.nothingOfUse(tells: parts.seen, needs: parts.needed) }
    return end
  }

  /// Says that the device sends no field; the recording of a probe is refused.
  private func tellUseless(_ body: (Event) throws -> StreamLoop.Verdict) throws -> StreamLoop.Verdict {
    if !stream.isLive, parts.seen.contains(.alongProbe) {
      throw SessionError.nothingOfUse(tells: parts.seen, needs: parts.needed)
    }
    let notice = Notice.instrument(.nothingOfUse(tells: parts.seen, needs: parts.needed))
    onNotice?(notice)
    return try body(.notice(notice))
  }

  private func take(_ sample: Sample, _ body: (Event) throws -> StreamLoop.Verdict) throws -> StreamLoop.Verdict {
    guard limit?.passes(sample.time) != false else { return .goOn }
    guard !isPaused else { return try body(.sample) }
    store.add(sample)
    var sample = sample
    if isGuided { _ = causes?.remove(from: &sample) }
    guard isGuided, guide.add(sample) else { return try body(.sample) }
    stream.follow(progress.request)
    let verdict = try body(.progress)
    return progress.phase == .done ? .stop : verdict
  }

  /// Counts whose scale was chosen are told to the fit, which then looks for directions only.
  private func take(_ notice: StreamNotice, _ body: (Event) throws -> StreamLoop.Verdict) throws -> StreamLoop.Verdict {
    if case .unitsChosen(let scales) = notice { take(scales) }
    if case .flightController(let told) = notice { flightController = told }
    switch notice {
    case .lost, .disconnected, .returned: noteBreak()
    default: break
    }
    if notice.isSettled(by: mounting) { return .goOn }
    onNotice?(.stream(notice))
    return try body(.notice(.stream(notice)))
  }

  private func take(_ scales: WireScales) {
    let before = settings.countsPerGravity
    if case .counts(let perGravity) = scales.acceleration.basis { settings.countsPerGravity = perGravity }
    var isNew = settings.countsPerGravity != before
    if case .countsScaledToEarth = scales.field.basis {
      settings.unitIsKnown = false
      settings.countsPerMicrotesla = scales.field.microtesla.map { 1 / $0 }
      isNew = true
    }
    guard isNew else { return }
    guide = GuidedCalibration(settings: settings, mounting: mounting, isLevel: isLevel)
  }

  /// An absence ends, of the device or of the program itself: the samples that are missing were not lost.
  public func noteBreak() { guide.noteBreak() }

  /// Goes on as the calibration of a board that cannot be tilted, with the samples there are.
  public func continueLevel() { guide.continueLevel() }

  /// The result, or why there is none.
  public func outcome() -> CalibrationOutcome {
    let outcome = isGuided ? guide.finished() : Calibrator(settings: settings).fit(store.samples)
    return outcome.noting(flightController, settings)
  }

  /// The firmware and turns that the device has told, where it is a flight controller.
  private var flightController: FlightController?
}

/// The samples of a sweep in bounded memory: past the limit every second one is dropped, again and again.
public struct SampleStore: Sendable {
  /// The samples that were kept.
  public private(set) var samples: [Sample] = []
  private var stride = 1
  private var skipped = 0

  private static let limit = 1 << 18
  /// The room that is reserved, a minute and a half at 90 samples a second: an array that grows is copied each time.
  private static let usual = 1 << 13

  /// A store without samples.
  public init() { samples.reserveCapacity(Self.usual) }

  /// Keeps a sample, or every n-th of a long sweep.
  public mutating func add(_ sample: Sample) {
    skipped += 1
    guard skipped >= stride else { return }
    skipped = 0
    samples.append(sample)
    guard samples.count >= Self.limit else { return }
    stride *= 2
    samples = samples.enumerated().filter { $0.offset % 2 == 0 }.map { $0.element }
  }
}
