import ArgumentParser
import Calibration
import LodestoneCore
import Drivers
import Instruments
import Lodestone
import LodestonePorts

/// `lodestone calibrate`: a sweep, a fit, a verdict in degrees, a profile.
struct CalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate", abstract: "Calibrate a device: correct hard and soft iron, and report the accuracy.",
    discussion: """
      Examples:
        lodestone calibrate               the only device attached, step by step
        lodestone calibrate sim:          watch how it goes, without hardware
        lodestone calibrate --level       in a boat or a car that can't be tilted
        lodestone calibrate sweep.csv     from a recording
        lodestone calibrate --touch-up    refine the saved one: a battery or a screw has moved
        lodestone calibrate --held        an instrument that is only ever held in positions
        lodestone calibrate --held --laser   the same, and where its laser or sight points
        lodestone calibrate --cause amps  a motor's current turns the needle, too

      It guides: figure-eights until every direction is covered, then eight positions held still. A recording is fitted \
      as it is. A sweep that can't support a good calibration is refused, with the reason.
      """)

  @OptionGroup var deviceOptions: DeviceOptions
  @OptionGroup var columnUnit: ColumnUnitOption
  @OptionGroup var placeOptions: PlaceOptions
  @OptionGroup var streamOptions: StreamOptions

  @Option(
    help: ArgumentHelp("Save the profile to this file instead of under the device's name.", valueName: "file"),
    completion: .file())
  var profile: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "End when the predicted heading error (RMS; 95 % of headings are within twice that) is this small. (default: 1)",
      valueName: "degrees"))
  var target: Double?

  @Flag(help: "Guide two level circles for a board that can't be tilted; the calibration holds within 5° of level.")
  var level = false

  @Flag(
    help: ArgumentHelp(
      "Refine the saved calibration: only the hard iron has changed. 20 s of motion by 30° and more are enough."))
  var touchUp = false

  @Flag(
    help: ArgumentHelp(
      "Guide 12 positions held still, for an instrument that is not swept (survey, borehole, gimbal).",
      discussion: "A recording of 8 or more positions with nothing between them is recognized by itself."))
  var held = false

  @Flag(
    help: ArgumentHelp(
      "After --held: guide eight shots, four rolls at each of two marks, and find where a laser or sight points.",
      discussion: "It ends when that is known to a quarter of --target; f ends it earlier. A recording needs no option."
    ))
  var laser = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The true heading that the device keeps, for what can't be turned: finds the hard iron. Needs --at.",
      valueName: "degrees"))
  var facing: Double?

  @OptionGroup var causes: CauseOptions

  @Flag(help: "Save even a calibration that is refused, marked as poor.")
  var force = false

  @Flag(help: "Replace the active calibration even with a worse one, without asking.")
  var replace = false

  @Flag(help: "Print the result as JSON.")
  var json = false

  @Option(
    help: ArgumentHelp("Draw the sweep before and after, residuals and coverage, as SVG.", valueName: "file"),
    completion: .file())
  var plot: String?

  @Flag(help: "Guide line by line, without a screen: for screen readers and logs.")
  var plain = false

  func validate() throws {
    try OptionRange.check("--target", target, in: 0.05...30, "°")
    try OptionRange.check("--facing", facing, in: -360...360, "°")
    let ways = [
      ("--level", level), ("--touch-up", touchUp), ("--held", held), ("--facing", facing != nil),
      ("--cause", !causes.cause.isEmpty),
    ].filter { $0.1 }.map { $0.0 }
    if profile == "none" {
      throw ValidationError("--profile none: calibrate saves a calibration; ./none names a file of that name")
    }
    if profile == "-" {
      throw ValidationError("--profile -: a profile is saved to a file; lodestone profiles export --for json prints it")
    }
    if deviceOptions.causeDevice != nil, causes.cause.isEmpty, !touchUp, facing == nil {
      throw ValidationError("--cause-device needs --cause NAME")
    }
    if laser, !held { throw ValidationError("--laser needs --held") }
    if ways.count > 1 { throw ValidationError("\(ways.joined(separator: " and ")) exclude each other") }
  }

  func run() throws {
    var settings = CalibrationSettings()
    if let target { settings.target = target }
    _ = try placeOptions.known()  // what was mistyped is said before a device is opened
    let stream = try deviceOptions.open(columnUnit: columnUnit.unit(for: deviceOptions))
    let earth = try placeOptions.field(of: stream)
    settings.place = earth.map { CalibrationSettings.Place($0) }
    (settings.isHeld, settings.asksForLaser) = (held, laser)
    var files = try Files(
      report: OutputFile(path: streamOptions.output), plot: plot.map { try OutputFile(path: $0, .drawing) })
    if stream.isLive || profile != nil { try checkSaving(of: stream.identity) }
    let before = try profileInUse(of: stream.identity)
    settings.knownAxes = AxisMap(of: before ?? Profile.saved(of: stream.identity), mounting: deviceOptions.input.mount)
    if let facing { try face(facing, in: earth, before, &settings) }
    if touchUp { settings.earlier = try earlier(before, of: stream) }
    settings.causes = causes.cause
    causes.seek(in: stream)
    if settings.earlier != nil || settings.facingFrom != nil { seekCauses(of: before, in: stream) }
    let isBounded = streamOptions.duration != nil || streamOptions.count != nil
    let isGuided = facing == nil && causes.cause.isEmpty && (stream.isLive || stream.isEndless && !isBounded)
    if !isGuided { try refuseGuidance(of: stream) }
    let session = try CalibrationSession(
      stream, settings, mounting: deviceOptions.input.mount, isGuided: isGuided, isLevel: level,
      output: streamOptions.openStandardOutput(), takesSignals: true)
    session.rate = deviceOptions.address.wantedRate
    session.loop.duration = streamOptions.duration ?? (stream.isLive || stream.isEndless ? ownDuration : nil)
    if !causes.cause.isEmpty, stream.isLive { askForCauses(seconds: session.loop.duration) }
    if isGuided {
      let showsScreen = stream.isLive && !plain && LiveScreen.isPossible
      var guided = try GuidedCalibrationRun(session, style: showsScreen ? .screen : .plain, options: streamOptions)
      let end = try guided.run()
      guard !guided.isDiscarded else {
        writeToStandardError("Discarded. Nothing was saved.\n")
        return try finish(.interrupted)
      }
      try conclude(session, after: end, insteadOf: before, &files)
    } else {
      try conclude(session, after: collect(session), insteadOf: before, &files)
    }
  }

  /// Refuses the options of a guide where there is none.
  private func refuseGuidance(of stream: any SampleStream) throws {
    let options = [
      ("--level", level, "a recording made level is recognized"),
      ("--laser", laser, "rolled shots in a recording are recognized"),
      ("--target", target != nil, "the verdict says what was reached"), ("--plain", plain, "there is no screen"),
    ]
    guard let option = options.first(where: { $0.1 }) else { return }
    let why = stream.isLive || stream.isEndless ? "nothing is guided here" : "\(stream.identity) is a recording"
    throw Failure(
      .usage, "\(option.0) guides a live calibration; \(why)", hint: "leave it out: \(option.2)")
  }

  /// Reads the stream to its end, or for the duration.
  private func collect(_ session: CalibrationSession) throws -> StreamLoop.End {
    let notices = Notices(streamOptions)
    let tellsCauses = !causes.cause.isEmpty && session.stream.isLive && !streamOptions.quiet
    if tellsCauses { session.loop.tickInterval = 3 }
    var told = ""
    do {
      return try session.run { event in
        if case .notice(let notice) = event { notices.say(notice) }
        if case .tick = event, tellsCauses { causes.tell(session.samples, &told) }
        return session.samples.count == streamOptions.count ? .stop : .goOn
      }
    } catch StreamError.ambiguousUnit(_, _, isTurned: false) {
      throw Failure.notTurned
    } catch let error as SessionError {
      throw Failure(error, of: deviceOptions.address.device ?? "it")
    }
  }

  /// The files besides the calibration: opened before anything is turned.
  private struct Files: ~Copyable {
    var report: OutputFile
    var plot: OutputFile?
  }

  /// A calibration, and where it is saved.
  private struct Saved {
    let result: CalibrationResult
    let profile: Profile
    let path: String
  }

  /// Saves and reports what came of a sweep. One that a signal ended may be good enough all the same.
  private func conclude(
    _ session: CalibrationSession, after end: StreamLoop.End, insteadOf before: Profile?, _ files: inout Files
  ) throws {
    let isStopped = end == .interrupted || end == .outputClosed
    guard isStopped else {
      let saved = try save(session, insteadOf: before, asks: true)
      return try report(saved, session, insteadOf: before, &files)
    }
    let saved: Saved
    do {
      saved = try save(session, insteadOf: before, asks: false)
    } catch let failure as Failure {
      let isRefused = failure.exitCode == .badData
      let hint = isRefused ? "" : failure.hint.map { "Hint: \($0.harmless)\n" } ?? ""
      writeToStandardError("\nStopped. Nothing was saved: \(failure.message.harmless)\n\(hint)")
      return try finish(.interrupted)
    }
    writeToStandardError("\nStopped. The sweep so far was fitted and saved.\n")
    try report(saved, session, insteadOf: before, &files)
    try finish(.interrupted)
  }

  /// Saves what may be saved.
  /// - Parameter asks: the user is there to be asked whether a worse one may replace the active calibration.
  private func save(_ session: CalibrationSession, insteadOf before: Profile?, asks: Bool) throws -> Saved {
    var (result, made) = try session.made(force: force)
    if touchUp || session.settings.facingFrom != nil, let before { made.takeUnknown(from: before) }
    tellLostCauses(made, before)
    let isByHand = session.stream.isLive || deviceOptions.address.device == "-"
    try confirm(made, insteadOf: before, asks: asks, keeps: isByHand)
    do {
      return Saved(result: result, profile: made, path: try save(made))
    } catch let failure as Failure where isByHand {
      throw failure.keeping(made, for: profile)
    }
  }

  private func report(
    _ saved: Saved, _ session: CalibrationSession, insteadOf before: Profile?, _ files: inout Files
  ) throws {
    try files.plot?.finish(with: SweepPlot(saved.result, profile: saved.profile, samples: session.samples).svg)
    let made = saved.profile
    let json = made.resultJSON
    let text =
      self.json
      ? json.hasSuffix("\n") ? json : json + "\n"
      : CalibrationReport(profile: made, before: before, path: saved.path, next: nextCommand(session.stream)).text
    try files.report.finish(with: text)
  }

  /// Says which causes the active calibration takes off and this one does not.
  private func tellLostCauses(_ made: Profile, _ before: Profile?) {
    let lost = before?.causes.map { $0.name }.filter { name in !made.causes.contains { $0.name == name } } ?? []
    guard !lost.isEmpty, !streamOptions.quiet else { return }
    writeToStandardError(
      "lodestone: the active calibration takes off \(lost.listed.harmless), this one does not. To keep that: "
        + "--cause \(lost[0].harmless)\n")
  }

  /// Refuses a place that the calibration could not be saved in, before anything is turned.
  private func checkSaving(of device: String) throws {
    let store = profile == nil ? try ProfileStore.required() : nil
    try worded(to: "write") { () throws(ProfileStoreProblem) in
      if let profile { try Profile.checkWriting(to: profile) } else { try store?.checkSaving(of: device) }
    }
  }

  /// The active calibration of the device; nil for none. One that cannot be read is an error, unless it is to be
  /// replaced whatever it is.
  private func profileInUse(of device: String) throws -> Profile? {
    do throws(ProfileStoreProblem) {
      guard let profile else { return try ProfileStore.ofUser?.current(of: device) }
      let isEmpty = (try? AtomicFile.read(profile, limit: 0, as: .kept)) != nil
      guard !isEmpty, (NodeKind.at(profile) ?? .regularFile) == .regularFile else { return nil }
      return try ProfileStore.read(profile).get()
    } catch .file(.missing) {
      return nil
    } catch .file(.inUse(let path)) {
      throw Failure(PortError.inUse(path: path))
    } catch {
      guard (replace || force) && !touchUp else {
        var failure = Failure(error, to: "read")
        if !touchUp { failure.hint = "--replace saves a new calibration all the same" }
        throw failure
      }
      return nil
    }
  }

  /// Seconds over which a live device that keeps one heading is averaged, and of a sweep with causes, which nothing
  /// guides; nil for one that ends when it is good.
  private var ownDuration: Double? { facing != nil ? 5 : causes.cause.isEmpty || streamOptions.count != nil ? nil : 90 }

  /// Says how a sweep with causes is made.
  private func askForCauses(seconds: Double?) {
    guard !streamOptions.quiet else { return }
    let time = seconds.map { " for \(number($0, 0)) s (Ctrl-C ends it earlier)" } ?? ""
    writeToStandardError(
      "Turn the device through all directions\(time), while \(causes.names.harmless) goes through all its values. "
        + "Hold it still in eight positions, and let \(causes.names.harmless) change then too.\n")
  }

  /// Sets the known heading and the earlier calibration of a device that keeps one heading.
  private func face(
    _ heading: Double, in earth: EarthField?, _ before: Profile?, _ settings: inout CalibrationSettings
  ) throws {
    guard let field = earth else {
      throw Failure(
        .usage, "--facing needs the place: --at LAT,LON",
        hint: "the field of the place and the heading give the hard iron")
    }
    settings.facing = KnownHeading(
      magneticDegrees: heading - field.declination.degrees, mounting: deviceOptions.input.mount)
    settings.facingFrom = before.flatMap { EarlierCalibration($0) }
  }

  /// Asks a stream for the causes that a calibration takes off.
  private func seekCauses(of earlier: Profile?, in stream: any SampleStream) {
    guard let causes = earlier?.causes, !causes.isEmpty else { return }
    stream.seek(CauseNames(causes.map { $0.name }))
  }

  /// The calibration that a touch-up refines.
  private func earlier(_ before: Profile?, of stream: any SampleStream) throws -> EarlierCalibration {
    var advice = CalibrationAdvice(deviceOptions.address)
    advice.profile = profile
    guard let saved = before else {
      throw Failure(
        .badData, "\(stream.identity) has no saved calibration to touch up",
        hint: "calibrate it first: \(advice.command())")
    }
    guard let earlier = EarlierCalibration(saved) else {
      throw Failure(
        .badData, "the saved calibration is not a full one: it can't be touched up",
        hint: "calibrate it first, with rests: \(advice.command())")
    }
    return earlier
  }

  /// The command to type next, to see how good the calibration is.
  private func nextCommand(_ stream: any SampleStream) -> String {
    var words = ["lodestone", "heading"]
    if let device = deviceOptions.address.device { words += ["--device", device.asOperand] }
    if let profile { words += ["--profile", profile.asOperand] }
    if stream.isLive { words.append("--rose") }
    return words.map(\.shellQuoted).joined(separator: " ")
  }

  private func save(_ made: Profile) throws -> String {
    if let profile {
      try worded(to: "write") { () throws(ProfileStoreProblem) in try made.write(to: profile) }
      return profile
    }
    let store = try ProfileStore.required()
    return try worded(to: "write") { () throws(ProfileStoreProblem) in try store.save(made) }
  }
}

extension Profile {
  /// The calibration saved for a device; nil for none that can be read.
  static func saved(of device: String) -> Profile? { try? ProfileStore.ofUser?.current(of: device) }
}

extension CalibrationSession {
  /// The calibration and its profile, or why there is none, in words.
  /// - Parameter force: one that was refused is taken all the same, marked as poor.
  func made(force: Bool = false) throws(Failure) -> (result: CalibrationResult, profile: Profile) {
    let outcome = outcome()
    if let refusal = outcome.refusal, !(force && outcome.result != nil) {
      let hint = guidesLevelCircles ? refusal.levelHint(at: settings.place) : refusal.hint(at: settings.place)
      throw Failure(.badData, "no calibration: \(refusal.words)", hint: hint)
    }
    guard let result = outcome.result else { throw Failure(.badData, "no calibration came of it") }
    var profile = Profile(result, device: stream.identity, created: WallClock.unixSeconds)
    if let refusal = outcome.refusal {
      profile.quality.verdict = .poor
      profile.quality.warnings.insert("saved although refused: \(refusal.words)", at: 0)
    }
    return (result, profile)
  }
}

extension Failure {
  /// A sweep in counts that stays in one place.
  static let notTurned = Failure(
    .badData, "no calibration: the board was not turned, so that not even the field's unit can be told",
    hint: "turn the board through all directions while it records")
}
