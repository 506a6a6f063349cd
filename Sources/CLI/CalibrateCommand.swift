import ArgumentParser
import Calibration
import Core
import Drivers
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
  @OptionGroup var inputUnit: InputUnitOption
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

  @Option(help: ArgumentHelp("Draw the sweep before and after, residuals and coverage, as SVG.", valueName: "file"))
  var plot: String?

  @Flag(help: "Guide line by line, without a screen: for screen readers and logs.")
  var plain = false

  func validate() throws {
    if !(target >= 0.05 && target <= 30) { throw ValidationError("--target \(target): not in 0.05 to 30°") }
  }

  func run() throws {
    var settings = CalibrationSettings()
    settings.target = target
    settings.place = try placeOptions.field().map { CalibrationSettings.Place($0) }
    let stream = try deviceOptions.open(unit: inputUnit.unit)
    var report = try OutputFile(path: streamOptions.output)
    let loop = try StreamLoop(stream, output: streamOptions.openStandardOutput())
    loop.duration = streamOptions.duration
    if stream.isLive, plain || LiveScreen.isPossible {
      var guided = try GuidedCalibration(
        loop, settings: settings, mounting: deviceOptions.mount, style: plain ? .plain : .screen)
      guard let outcome = try guided.run() else {
        writeToStandardError("Discarded; nothing was saved.\n")
        return
      }
      try conclude(outcome, guided.samples.samples, of: stream, to: &report)
    } else {
      var batch = CalibrationBatch(loop: loop, options: streamOptions)
      let outcome = try batch.run(settings)
      try conclude(outcome, batch.store.samples, of: stream, to: &report)
    }
  }

  /// Saves what may be saved, and reports.
  private func conclude(
    _ outcome: CalibrationOutcome, _ samples: [Sample], of stream: any SampleStream, to report: inout OutputFile
  ) throws {
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
    if let plot { try write(SweepPlot(result, profile: made, samples: samples).svg, to: plot) }
    var text = TextBuffer(capacity: 1024)
    if json {
      text.append(text: made.quality.json)
      if !made.quality.json.hasSuffix("\n") { text.append("\n") }
    } else {
      text.append(text: CalibrationReport(profile: made, path: path).text)
    }
    try report.write(&text)
    try report.finish()
  }

  private func save(_ made: Profile) throws -> String {
    if let profile {
      let json: [UInt8]
      do throws(ProfileProblem) {
        json = try made.json()
      } catch {
        throw Failure(.badData, "can't write the profile: \(error.sentence)")
      }
      try write(String(decoding: json, as: UTF8.self), to: profile)
      return profile
    }
    let store = try ProfileStore.ofUser()
    return try worded(to: "write") { () throws(ProfileStoreProblem) in try store.save(made) }
  }
}

/// Writes a small file whole or not at all.
func write(_ text: String, to path: String) throws {
  do throws(FileProblem) {
    try AtomicFile.write(Array(text.utf8), to: path)
  } catch {
    throw Failure(error, to: "write")
  }
}

/// A calibration from whatever the stream holds, without a guide.
struct CalibrationBatch {
  private let loop: StreamLoop
  private let options: StreamOptions
  private(set) var store = SampleStore()

  init(loop: StreamLoop, options: StreamOptions) {
    self.loop = loop
    self.options = options
  }

  /// Reads the stream to its end, or for the duration, and fits.
  mutating func run(_ settings: CalibrationSettings) throws -> CalibrationOutcome {
    let notices = Notices(options)
    var settings = settings
    let end = try loop.run { event in
      switch event {
      case .sample:
        store.add(loop.sample)
        return store.samples.count == options.count ? .stop : .goOn
      case .notice(let notice):
        notices.say(notice)
        if case .unitsChosen(let scales) = notice, case .countsScaledToEarth = scales.field.basis {
          settings.unitIsKnown = false
        }
      default: break
      }
      return .goOn
    }
    if end == .interrupted { try finish(end) }
    return Calibrator(settings: settings).fit(store.samples)
  }
}
