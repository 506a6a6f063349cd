import ArgumentParser
import Calibration
import Core
import Glibc
import Instruments
import Ports

/// `lodestone calibrate`: a sweep, a fit, a verdict in degrees, a profile.
struct CalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate", abstract: "Calibrate a device: undo hard and soft iron, and say how good it is.",
    discussion: """
      In a terminal it guides: figure-eights until every direction is covered, then eight rests. From a recording or a \
      pipe it fits what is there. A sweep that can't support a good calibration is refused, with the reason.
      """)

  @OptionGroup var deviceOptions: DeviceOptions
  @OptionGroup var placeOptions: PlaceOptions
  @OptionGroup var streamOptions: StreamOptions

  @Option(help: ArgumentHelp("Save the profile to this file instead of under the device's name.", valueName: "file"))
  var profile: String?

  @Option(help: ArgumentHelp("End when the predicted heading error is this small.", valueName: "degrees"))
  var target = 1.0

  @Flag(help: "Save even a calibration that is refused, marked as poor.")
  var force = false

  @Flag(help: "Print the result as JSON.")
  var json = false

  @Flag(help: "Guide line by line, without a screen: for screen readers and logs.")
  var plain = false

  func validate() throws {
    if !(target >= 0.05 && target <= 30) { throw ValidationError("--target \(target): not in 0.05 to 30°") }
  }

  func run() throws {
    var settings = CalibrationSettings()
    settings.target = target
    settings.place = try placeOptions.field().map { CalibrationSettings.Place($0) }
    let stream = try deviceOptions.open()
    let output = try streamOptions.openOutput(isLive: false)
    let loop = try StreamLoop(stream, output: output)
    loop.duration = streamOptions.duration
    var batch = CalibrationBatch(loop: loop, options: streamOptions)
    let outcome = try batch.run(settings)
    try conclude(outcome, of: stream, on: output)
  }

  /// Saves what may be saved, and reports.
  private func conclude(_ outcome: CalibrationOutcome, of stream: any SampleStream, on output: OutputPipe) throws {
    if let refusal = outcome.refusal, !(force && outcome.result != nil) {
      throw Failure(.badData, "no calibration: \(refusal.words)", hint: refusal.hint)
    }
    guard let result = outcome.result else { throw Failure(.badData, "no calibration came of it") }
    var made = Profile(result, device: stream.identity, created: Int(WallClock.unixTime))
    made.quality.warnings = result.quality.warnings.map { $0.words }
    if let refusal = outcome.refusal {
      made.quality.verdict = .poor
      made.quality.warnings.insert("saved although refused: \(refusal.words)", at: 0)
    }
    let path = try save(made)
    var text = TextBuffer(capacity: 1024)
    if json {
      text.append(text: made.quality.json)
      if !made.quality.json.hasSuffix("\n") { text.append("\n") }
    } else {
      text.append(text: CalibrationReport(profile: made, path: path).text)
    }
    do throws(OutputError) {
      try output.append(text)
      try output.finish()
    } catch {
      if error != .closed { throw Failure(error) }
    }
  }

  private func save(_ made: Profile) throws -> String {
    if let profile {
      do {
        try AtomicFile.write(made.json(), to: profile)
      } catch let problem as FileProblem {
        throw Failure(problem, to: "write")
      } catch let problem as ProfileProblem {
        throw Failure(.badData, "can't write the profile: \(problem.sentence)")
      }
      return profile
    }
    let store = try ProfileStore.ofUser()
    return try worded(to: "write") { () throws(ProfileStoreProblem) in try store.save(made) }
  }
}

/// A calibration from whatever the stream holds, without a guide.
struct CalibrationBatch {
  private let loop: StreamLoop
  private let options: StreamOptions
  private var samples: [Sample] = []

  /// Memory is bounded: past this many samples every second one is dropped, again and again.
  private static let limit = 1 << 18
  private var stride = 1
  private var skipped = 0

  init(loop: StreamLoop, options: StreamOptions) {
    self.loop = loop
    self.options = options
  }

  /// Reads the stream to its end, or for the duration, and fits.
  mutating func run(_ settings: CalibrationSettings) throws -> CalibrationOutcome {
    let notices = Notices(options)
    let end = try loop.run { event in
      switch event {
      case .sample(let sample):
        keep(sample)
        return samples.count == options.count ? .stop : .goOn
      case .notice(let notice): notices.say(notice)
      default: break
      }
      return .goOn
    }
    if end == .interrupted { try finish(end) }
    return Calibrator(settings: settings).fit(samples)
  }

  private mutating func keep(_ sample: Sample) {
    skipped += 1
    guard skipped >= stride else { return }
    skipped = 0
    samples.append(sample)
    guard samples.count >= Self.limit else { return }
    stride *= 2
    samples = samples.enumerated().filter { $0.offset % 2 == 0 }.map { $0.element }
  }
}
