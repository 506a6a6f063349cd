import ArgumentParser
import Lodestone
import Instruments
import LodestoneCore
import LodestoneOutput
import LodestonePorts
import Navigation

/// The parts that all instruments' commands share: a session, the outputs of its readings, and the notices meanwhile.
struct InstrumentRun<Device: Instrument> {
  let session: Session<Device>
  let output: OutputPipe
  let notices: Notices
  let publisher: Publisher?
  let facts: StreamFacts
  /// The format of the lines; nil where none was asked for.
  let format: (any Format.Type)?
  let options: StreamOptions
  /// Readings a second that are wanted; nil for all.
  let rate: Double?
  /// The option that means nothing unless the device tells where it is; nil for none.
  private var dependsOnPlace: String?
  /// The address that was asked for; nil for that of the settings or the only device.
  private var source: String?

  /// Opens the device, and what its readings are published to.
  /// - Parameters:
  ///   - placeNeededFor: the option that makes no sense where nothing tells the place; nil where nothing is needed.
  ///   - unit: of the fields that are written, where there are any.
  ///   - triggers: the events that programs wait for, as they were typed.
  init(
    _ settings: Device.Settings, _ device: DeviceOptions, _ calibration: CalibrationOptions, place: PlaceOptions? = nil,
    location: LocationOptions? = nil, placeNeededFor option: String? = nil, learning: Learning = .off,
    format: FormatOption<some Record>, publish: PublishOptions<some Record>, stream options: StreamOptions,
    unit unitOption: UnitOption? = nil, triggers: [String] = [], volume: VolumeUnit = .litre, talker: String = "HC",
    attitudeSentence: AttitudeSentence = .pashr
  ) throws {
    var session = SessionOptions()
    session.mounting = device.input.mount
    let showsCounts = try Self.showsCounts(unitOption, calibration)
    session.profile = showsCounts ? .none : calibration.choice
    session.learning = learning
    session.place = try place?.settings() ?? PlaceSettings()
    let stream = try device.open(
      columnUnit: unitOption?.unit?.name, autoRange: Device.followsRange, showsCounts: showsCounts)
    session.location = try location?.address(besides: place, isLive: stream.isLive)
    if let option, session.place.place == nil, session.location == nil {
      throw ValidationError("\(option): say where the device is, as in --at 48.2,16.37")
    }
    try self.init(
      settings, stream, session, rate: device.address.wantedRate, format: format, publish: publish, stream: options,
      units: DisplayUnits(field: unitOption?.shown ?? .microtesla, volume: volume), triggers: triggers, talker: talker,
      attitudeSentence: attitudeSentence, advice: CalibrationAdvice(device.address, session.profile))
    source = device.address.device
    if session.place.place == nil, session.location == nil { dependsOnPlace = place?.dependsOnPlace }
  }

  /// Whether fields are shown in counts; an error where that says nothing.
  private static func showsCounts(
    _ option: UnitOption?, _ calibration: CalibrationOptions
  ) throws(ValidationError) -> Bool {
    guard option?.unit == .counts else { return false }
    guard Device.needs.isSubset(of: [.field, .strength, .alongProbe]) else {
      throw ValidationError("--unit counts is for lodestone teslameter: --field-unit counts says what a board sends")
    }
    guard calibration.profile == nil || calibration.profile == "none" else {
      throw ValidationError("--unit counts: a calibration is in µT; leave --profile out")
    }
    return true
  }

  /// Takes a stream that is open, and opens what its readings are published to.
  /// - Parameters:
  ///   - rate: readings a second that are written, at most; nil for all of them.
  ///   - advice: how the device is calibrated.
  init(
    _ settings: Device.Settings, _ stream: any SampleStream, _ session: SessionOptions, rate: Double?,
    format: FormatOption<some Record>, publish: PublishOptions<some Record>, stream options: StreamOptions,
    units: DisplayUnits, triggers: [String] = [], talker: String = "HC", attitudeSentence: AttitudeSentence = .pashr,
    advice: CalibrationAdvice = CalibrationAdvice()
  ) throws {
    var session = session
    session.duration = options.duration
    // Before the output is opened, which must not take its place.
    if case .file(let path) = session.profile { UserFiles.note(input: path, .kept) }
    let output = try options.openOutput(isLive: stream.isLive)
    self.session = try Session(stream, settings, session, output: output, takesSignals: true)
    self.output = output
    self.options = options
    self.rate = rate
    notices = Notices(options, profile: self.session.profile, advice: advice, unit: units.field)
    self.format = try format.kind(for: Device.Reading.schema)
    if self.format == nil, let path = options.output, let name = FormatOption<Device.Reading>.named(by: path) {
      notices.say("\(path) is written as text; --format \(name) writes \(name)")
    }
    facts = StreamFacts(
      device: stream.identity, unixStart: stream.unixStart, isLive: stream.isLive, units: units, talker: talker,
      attitudeSentence: attitudeSentence)
    if self.format != nil || !publish.publish.isEmpty { notices.sayClock(of: facts, isLive: stream.isLive) }
    let usual = (Device.Reading.self as? any EventfulReading.Type)?.events.filter { $0.numberCount == 0 } ?? []
    let chosen = triggers.filter { text in !usual.contains { $0.rawValue == text } }
    publisher = try publish.open(
      Device.Reading.schema, as: self.format, facts, events: usual.map { $0.rawValue } + chosen, notices: notices)
    guard let publisher else { return }
    self.session.loop.companions += publisher.sinks
    publisher.tell { [unowned session = self.session] in session.tell(.sink($0, $1)) }
    self.session.onNotice = { [weak publisher] in if $0.endsReadings { publisher?.deviceIsAway() } }
  }

  /// Whether a screen is wanted and there is a terminal for it.
  var showsScreen: Bool {
    format == nil && options.output == nil && session.stream.isLive && LiveScreen.isPossible
  }

  /// Ends as a command ends, after what was lost has been said.
  func finish(_ run: () throws -> StreamLoop.End) throws {
    defer {
      notices.sayLosses(of: output)
      publisher?.sayLosses(notices)
    }
    let end = try Failure.naming(options.output) {
      do { return try run() } catch let error as SessionError { throw Failure(error, of: source ?? "it") }
    }
    try publisher?.finish(after: end, notices)
    try checkPlace(after: end)
    try CLI.finish(end)
  }

  /// A device may tell where it is: only in the end it is known that it did not.
  private func checkPlace(after end: StreamLoop.End) throws(ValidationError) {
    guard let dependsOnPlace, session.place.earth == nil, end != .outputClosed else { return }
    let error = PlaceOptions.useless(dependsOnPlace)
    guard end == .interrupted else { throw error }
    notices.say(error.message)
  }

  /// Publishes a reading, unless the rate thins it out; false then. What happens at an event is never thinned out.
  func publishes(_ reading: borrowing Device.Reading, isEvent: Bool, _ limit: inout RateLimit?) throws -> Bool {
    if limit?.passes(reading.time) == false, !isEvent { return false }
    try publisher?.publish(reading)
    return true
  }

  /// Lines to the output, one a reading, until the stream, the user or the count ends it. Returns how many.
  /// - Parameters:
  ///   - passes: what is written.
  ///   - always: what is too important to be thinned out.
  @discardableResult
  func writeLines(
    where passes: ((borrowing Device.Reading) -> Bool)? = nil,
    always isEvent: ((borrowing Device.Reading) throws -> Bool)? = nil, onNotice: (Notice) throws -> Void = { _ in }
  ) throws -> (end: StreamLoop.End, count: Int) {
    let (session, publisher, count) = (session, publisher, options.count)
    let lines = try RecordOutput<Device.Reading>(
      format ?? TextFormat.self, facts, to: output, on: session.stream.sideThread)
    session.loop.companions.append(lines)
    let attachment = session.attachment
    // Events are looked for in all readings: where they are, readings are thinned out here.
    if isEvent == nil { attachment.rate = rate }
    var limit = isEvent == nil ? nil : RateLimit(rate)
    func isWanted(_ reading: Device.Reading) throws -> Bool {
      let isEvent = try isEvent?(reading) == true
      return try publishes(reading, isEvent: isEvent, &limit) && passes?(reading) != false
    }
    let allAreWanted = publisher == nil && passes == nil && isEvent == nil
    let end = try session.run { event in
      switch event {
      case .reading:
        if !allAreWanted, try !isWanted(attachment.reading) { return .goOn }
        let written = try attachment.withReading { reading throws(OutputError) in try lines.write(from: &reading) }
        return written == count ? .stop : .goOn
      case .notice(let notice):
        notices.say(notice)
        try onNotice(notice)
      default: break
      }
      return .goOn
    }
    try lines.end()
    if lines.count > 0, lines.isSilent { notices.say(Notices.silence(of: format ?? TextFormat.self)) }
    return (try session.loop.drain(after: end), lines.count)
  }
}
