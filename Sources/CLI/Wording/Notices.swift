import ArgumentParser
import Calibration
import Instruments
import Lodestone
import LodestoneCore
import LodestoneOutput
import LodestonePorts
import Navigation

/// Words what a stream reports, on standard error.
struct Notices {
  private let isQuiet: Bool
  private let isVerbose: Bool
  private let profile: Profile?
  private let advice: CalibrationAdvice
  private let unit: FieldDisplayUnit

  /// Notices as loud as the options want.
  /// - Parameters:
  ///   - profile: the calibration that notices may speak of.
  ///   - advice: how the device is calibrated.
  ///   - unit: of fields.
  init(
    _ options: StreamOptions, profile: Profile? = nil, advice: CalibrationAdvice = CalibrationAdvice(),
    unit: FieldDisplayUnit = .microtesla
  ) {
    self.init(isQuiet: options.quiet, isVerbose: options.verbose, profile: profile, advice: advice, unit: unit)
  }

  /// The sentence for a notice of a session, details left out.
  static func words(_ notice: Notice, _ profile: Profile?, advice: CalibrationAdvice = CalibrationAdvice()) -> String? {
    Notices(isQuiet: false, profile: profile, advice: advice).words(notice)
  }

  /// Notices as loud as this.
  init(
    isQuiet: Bool, isVerbose: Bool = false, profile: Profile?, advice: CalibrationAdvice,
    unit: FieldDisplayUnit = .microtesla
  ) {
    self.isQuiet = isQuiet
    self.isVerbose = isVerbose
    self.profile = profile
    self.advice = advice
    self.unit = unit
  }

  // MARK: - Notices of a session

  /// Says what a session has to say.
  func say(_ notice: Notice) {
    if let words = words(notice) { say(words) }
  }

  /// Says what a stream has to say.
  func say(_ notice: StreamNotice) { say(.stream(notice)) }

  /// The sentence for a notice of a session; nil for one that the user does not want to see.
  func words(_ notice: Notice) -> String? {
    switch notice {
    case .stream(let notice): notice.isDetail && !isVerbose ? nil : words(notice)
    case .instrument(let notice): words(notice)
    case .sink(let name, let notice): notice.words(of: name)
    case .beside(let name, let inner): words(inner).map { inner.namesDevice ? $0 : "\(name): \($0)" }
    case .positionReceived, .timeReceived, .noTime, .noDeclination, .weakField, .noPosition, .learning:
      notice.words().map { $0 + notice.remedy(advice) }
    }
  }

  private func words(_ notice: StreamNotice) -> String? {
    switch notice {
    case .beside(let name, .unrecognized(let sample, _, _, _)):
      "\(name) sends no values with names: \(sample) (current_A: 1.2, a table with a header, JSON, or "
        + "?columns=time_s,current_A)"
    case .beside(let name, let inner): words(inner).map { inner.namesDevice ? $0 : "\(name): \($0)" }
    default: (notice.words() ?? notice.doubt).map { $0 + notice.remedy }
    }
  }

  private func words(_ notice: InstrumentNotice) -> String? {
    switch notice {
    case .zeroed(let zero): zero.words(in: unit)
    case .zeroRefused(let refusal, isFinal: false): "\(Failure(refusal, unit: unit).message); trying again"
    default: Notice.instrument(notice).words(in: unit).map { $0 + notice.remedy(advice, profile) }
    }
  }

  // MARK: - Sentences of the command's own

  /// Says a sentence of the command's own.
  func say(_ text: String) {
    if !isQuiet { writeToStandardError("lodestone: \(text.harmless)\n") }
  }

  /// Says that the times of a live stream cannot be told yet. A recording that is paced may tell none though the clock
  /// is right.
  func sayClock(of facts: StreamFacts, isLive: Bool) {
    guard isLive, facts.unixStart == nil, WallClock.setTime == nil else { return }
    say("\(clockWords(WallClock.unixTime)): times of day are left out until it is set")
  }

  /// Says how many lines a reader that did not keep up has lost; nothing when it got all of them.
  func sayLosses(of output: OutputPipe) {
    if let words = lossWords(output.droppedLineCount, "line", of: "the reader") { say(words) }
  }

  /// The sentence for a format that wrote no line.
  static func silence(of format: any Format.Type, at sinks: [String] = []) -> String {
    let place = sinks.isEmpty ? "" : " to \(sinks.listed)"
    return "nothing was written\(place): \(format.name) takes \(format.needs)"
  }
}

extension StreamNotice {
  /// Whether it is a detail, for those who want to know how the device was found.
  fileprivate var isDetail: Bool {
    switch self {
    case .detected(_, baudRate: nil), .tryingBaudRate, .weighed, .columnsNotRead: true
    default: false
    }
  }
}

/// Ends a streaming command as it ended: 130 after Ctrl-C, otherwise quietly.
func finish(_ end: StreamLoop.End) throws {
  if end == .interrupted { throw ExitCode(Failure.Code.interrupted.rawValue) }
}
