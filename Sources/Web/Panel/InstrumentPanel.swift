import Calibration
import Geomagnetism
import Instruments
import Lodestone
import LodestoneCore
import LodestoneOutput
import LodestonePorts
import Navigation

/// All instruments on one device's stream, shown by a web server: what `lodestone serve` runs. The server's thread is
/// handed finished events, and its requests are answered here, between two samples.
public final class InstrumentPanel: LoopCompanion {
  /// The change for the next session, after one has ended.
  private enum Change {
    /// The device again, with the calibration that is saved.
    case calibration
    /// The device again, with a place that was chosen.
    case place
    /// The device has failed: it is looked for.
    case absence(reopen: () throws -> any SampleStream)
    /// Another device, how to open it once more, and whether it stands, if it is a recording.
    case device(any SampleStream, () throws -> any SampleStream, isPaused: Bool = false)
  }

  /// Every view besides the compass; `PanelView` says how one is added.
  static var kinds: [any PanelView.Type] {
    [
      CalibrationView.self, TeslameterView.self, SpectrumView.self, LevelView.self, MotionView.self, AttitudeView.self,
      RawView.self, SwingView.self, DistanceView.self, BesideView.self, CausesView.self,
    ]
  }

  private let server: WebServer
  private var options: SessionOptions
  private let words: PanelWords
  private let devices: PanelDevices
  private var settings: PanelSettings
  private(set) var stream: any SampleStream
  private var reopen: (() throws -> any SampleStream)?
  private var session: Session<Compass>?, compass: CompassView?
  private var views: [any PanelView] = []
  private var recent = RecentSamples()
  private var earth: EarthReference?
  private var change: Change?, candidates = Candidates(), published: RateLimit?
  private var (isGone, hasReading, hasSample) = (false, false, false)
  private var notices: PageNotices

  /// A panel of a device.
  /// - Parameters:
  ///   - stream: what the device sends.
  ///   - reopen: opens it once more; nil where that is not possible.
  public init(
    _ stream: any SampleStream, reopen: (() throws -> any SampleStream)?, _ options: SessionOptions, server: WebServer,
    words: PanelWords, devices: PanelDevices
  ) {
    self.options = options
    self.server = server
    notices = PageNotices(server)
    self.words = words
    self.devices = devices
    self.reopen = reopen
    self.stream = stream
    settings = PanelSettings(keptIn: devices.settingsFile)
    if devices.placeIsGiven { settings.place = nil }
    self.stream = paced(stream)
  }

  /// Called with what the user should know.
  public var onNotice: ((Notice, Profile?) -> Void)?

  /// Called with the name of a device, or of a recording, that is no longer read, and why.
  public var onFailure: ((_ name: String, _ reason: String) -> Void)?

  /// A device beside the one in use; nil for none.
  public var second: SecondDevice? {
    didSet {
      second?.onNotice = { [unowned self] in tell($0, $1) }
      second?.onFailure = { [unowned self] in tellEnd(of: $0, $1, isSecond: true) }
    }
  }

  /// The sinks that every heading goes to as well, and the format.
  public var publication: (format: any Format.Type, sinks: [any Sink])?
  /// The sender of headings there; nil before it runs, and without sinks.
  public private(set) var publisher: Publisher?

  /// Readings a second that go there and to the page, at most; nil for as many as there are.
  public var rate: Double? { didSet { published = RateLimit(rate) } }

  /// The place and date: what was chosen on the page, else what the program was started with.
  var place: PlaceSettings {
    var place = options.place
    place.place = settings.place ?? place.place
    return place
  }

  /// The file of the calibration in use; nil where it is in none.
  var profilePath: String? {
    get throws { try options.profile.path(of: stream.identity) }
  }

  /// Runs until a signal comes, or a device fails that cannot be opened again, or has sent nothing yet. Any other is
  /// gone then, and looked for.
  public func run() throws -> StreamLoop.End {
    var keepsViews = false
    var returned: Notice?
    while true {
      change = nil
      var options = options
      options.place = place
      let session = try Session<Compass>(stream, settings.compass, options, takesSignals: true)
      begin(session, keepsViews: keepsViews)
      if let notice = returned.take() { tell(notice, session.profile) }
      var end = StreamLoop.End.streamEnded
      do {
        end = try session.run { event in try take(event, session) }
      } catch let error as StreamError {
        guard hasSample, let reopen else { throw error }
        tellEnd(of: stream.identity, error, isSecond: false)
        change = change ?? .absence(reopen: reopen)
      }
      session.loop.companions.removeAll()
      self.session = nil
      keepsViews = false
      switch change {
      case .calibration: continue
      case .place: keepsViews = true
      case .absence(let reopen): (stream, keepsViews) = (AbsentDevice(stream, reopen: reopen), true)
      case .device(let stream, let reopen, let isPaused):
        returned = (self.stream as? AbsentDevice)?.notice(ofReturnAs: stream)
        notices.endDevice()
        self.reopen = reopen
        self.stream = paced(stream)
        (self.stream as? Playback)?.isPaused = isPaused
        recent = RecentSamples()
        publisher = nil
      case nil: return end
      }
    }
  }

  /// A recording is played at its own pace, and stays at its end.
  private func paced(_ stream: any SampleStream) -> any SampleStream {
    guard !stream.isLive else { return stream }
    let playback = Playback(stream, duration: (try? reopen?()).flatMap { Playback.duration(of: $0) })
    playback.onFailure = { [unowned self, name = stream.identity] in tellEnd(of: name, $0, isSecond: false) }
    return playback
  }

  private func begin(_ session: Session<Compass>, keepsViews: Bool) {
    self.session = session
    notices.endSession()
    let causes = session.profile?.causes.map { $0.name } ?? []
    if causes != recent.causes { recent = RecentSamples(causes: causes, countSize: recent.countSize) }
    session.loop.companions.append(self)
    session.loop.tickInterval = 0.5
    if let second { session.loop.companions.append(second) }
    let facts = StreamFacts(device: stream.identity, unixStart: stream.unixStart, isLive: stream.isLive)
    if let publication {
      session.loop.companions += publication.sinks
      publisher = publisher ?? Publisher(HeadingReading.schema, as: publication.format, facts, to: publication.sinks)
    }
    let context = PanelContext(
      server: server, words: words, profile: session.profile, mounting: options.mounting, facts: facts, panel: self)
    if compass == nil || !keepsViews { compass = CompassView(context) }
    if !keepsViews { views = Self.kinds.map { $0.init(context) } }
    if !keepsViews { earth = nil }
    (isGone, hasReading) = (stream is AbsentDevice, false)
    if isGone { publisher?.deviceIsAway() }
    tellDevice()
  }

  // MARK: - The stream

  private func take(_ event: Session<Compass>.Event, _ session: Session<Compass>) throws -> StreamLoop.Verdict {
    switch event {
    case .reading:
      let now = MonotonicTime.now
      compass?.take(session.reading, at: now)
      for view in views { view.take(session.reading, at: now) }
      notices.haveReading()
      hasReading = true
      if published?.passes(session.reading.time) != false { try publisher?.publish(session.reading) }
      takeSample(session)
    case .sample: takeSample(session)
    case .notice(let notice): tell(notice, session.profile)
    case .tick:
      tellDevice()
      if stands { publisher?.deviceIsAway() }
      if candidates.present == nil, let found = (stream as? AbsentDevice)?.look() { candidates.take(found) }
    case .turn: break
    }
    return change == nil ? .goOn : .stop
  }

  /// Whether a recording is paused or has ended: its last reading stays on the page, and is not current for programs.
  private var stands: Bool { (stream as? Playback)?.isStanding == true }

  private func takeSample(_ session: Session<Compass>) {
    hasSample = true
    if isGone { speakAgain() }
    // The views are of vectors: a notice has said so.
    guard session.sample.alongProbe == nil else { return recent.add(session.loop.sample) }
    let now = MonotonicTime.now
    let earth = session.place.earth.map { EarthReference($0) }
    let isNewPlace = earth != self.earth
    for view in views {
      if isNewPlace { view.follow(earth) }
      view.take(session.sample, raw: session.loop.sample, at: now)
      while let notice = view.nextNotice() { tell(.instrument(notice), session.profile) }
    }
    self.earth = earth
    recent.add(session.loop.sample)
    stream.follow(views.lazy.compactMap { $0.request }.first ?? .none)
    compass?.tell(session.instrument, settings)
  }

  /// A device that had fallen silent sends again: no notice tells that.
  private func speakAgain() {
    isGone = false
    tellDevice()
    notices.tell(PageNotice(topic: "link", kind: .good, text: "The device sends again."))
  }

  private func tell(_ notice: Notice, _ profile: Profile?) {
    onNotice?(notice, profile)
    if case .stream(.unitsChosen(let scales)) = notice { recent.countSize = scales.field.microtesla }
    if notice.endsReadings { publisher?.deviceIsAway() }
    // Before the first reading there is none to end: its baud rate is looked for, say.
    let isGone = notice.isPresent == false || hasReading && notice.endsReadings
    if isGone || notice.isPresent == true {
      self.isGone = isGone
      tellDevice()
    }
    notices.tell(notice)
  }

  private func tellEnd(of name: String, _ error: any Error, isSecond: Bool) {
    onFailure?(name, words.failure(error))
    notices.tellEnd(of: name, words.failure(error), isSecond: isSecond)
  }

  private func tellDevice() {
    let playback = (stream as? Playback).map { playback in
      JSONValue.members(
        ("position_s", .number(playback.position)), ("duration_s", .orNull(playback.duration)),
        ("paused", .bool(playback.isPaused)), ("ended", .bool(playback.hasEnded)))
    }
    server.publish(
      "device",
      .members(
        ("name", .string(stream.identity)), ("calibration", .string(words.calibration(session?.profile))),
        ("gone", .bool(isGone)), ("playback", playback ?? .null)))
    compass?.tell(at: .now)
    for view in views { view.tell(at: .now) }
  }

  // MARK: - The server

  /// The time at which a device that is being opened wants to be looked at.
  public var wakeTime: MonotonicTime? { candidates.present?.wakeTime }

  /// Watches for requests, and for a device that is being opened.
  public func watch(with poller: inout Poller) {
    poller.watch(server.descriptor, for: .readable)
    candidates.watch(with: &poller)
  }

  /// Answers what was asked.
  public func serve(_ poller: Poller) {
    while let request = server.nextRequest() {
      do {
        guard let answer = try answer(request) else { continue }
        request.answer(answer)
      } catch let refusal as Refusal {
        request.answer(.failure(refusal.status, refusal.reason))
      } catch {
        request.answer(.failure(409, words.failure(error)))
      }
      for view in views { view.tell(at: .now) }
    }
    look()
    if change != nil { session?.stop() }
  }

  /// The answer to a request; nil where it comes later.
  private func answer(_ request: WebRequest) throws -> WebAnswer? {
    let body = request.body.isEmpty ? nil : JSONValue(parsing: request.body)
    switch request.action {
    case "device": try open(body, for: request)
    case "devices": return .json(devices.list())
    case "metrics": return metrics
    case "recording.csv": return recording
    case "playback": return try play(body)
    default:
      if let answer = try compass?.answer(request, body) { return answer }
      for view in views { if let answer = try view.answer(request, body) { return answer } }
      return .failure(404, "there is nothing at this path")
    }
    return nil
  }

  private var metrics: WebAnswer {
    var text = TextBuffer(capacity: 4096)
    let isPresent = !isGone && !stands
    Metrics.append(isPresent: isPresent, to: &text)
    if isPresent {
      compass?.appendMetrics(to: &text)
      for view in views { view.appendMetrics(to: &text) }
    }
    text.append("# EOF\n")
    return WebAnswer(type: Metrics.type, body: text.withUnsafeBytes { Array($0) })
  }

  private var recording: WebAnswer {
    let metadata = RecordingWriter.Metadata(device: stream.identity, unixStart: stream.unixStart)
    var answer = WebAnswer(type: "text/csv; charset=utf-8", body: recent.recording(metadata))
    answer.fields = [("content-disposition", "attachment; filename=\"recording.csv\"")]
    return answer
  }

  private func play(_ body: JSONValue?) throws -> WebAnswer {
    guard let playback = stream as? Playback else { throw Refusal(reason: "the device is no recording") }
    switch (body?["restart"], body?["paused"]) {
    case (.bool(true)?, let paused):
      guard let reopen else { throw Refusal(reason: "this recording can be read once only") }
      change = .device(try reopen(), reopen, isPaused: paused == .bool(true))
    case (_, .bool(let isPaused)?): playback.isPaused = isPaused
    default: throw Refusal(status: 400, reason: "give paused (true or false), or restart (true)")
    }
    tellDevice()
    return .done
  }

  // MARK: - Changes

  /// Goes on with the calibration that was saved, whatever was chosen at the start: headings begin at the top edge.
  func useSavedCalibration() {
    options.profile = .saved
    settings.axis = .top
    keepSettings()
    change = .calibration
  }

  /// Takes what was chosen on the page.
  func choose(_ wanted: PanelSettings.Change) {
    let before = settings
    settings.take(wanted)
    keepSettings()
    if settings.place != before.place {
      change = .place
    } else if settings != before, let session {
      renewCompass(of: session, leavesIron: session.instrument.settings.leavesIron)
    }
  }

  private func renewCompass(of session: Session<Compass>, leavesIron: Bool) {
    var chosen = settings.compass
    chosen.leavesIron = leavesIron
    session.instrument = Compass(chosen, profile: session.profile, mounting: options.mounting)
    session.instrument.follow(session.place.earth.map { EarthReference($0) })
    if let deviation = session.deviation { session.instrument.follow(deviation.deviation) }
  }

  /// Leaves iron in headings that the calibration does not know, for a swing; the field taken off for it so far, in µT.
  func leaveIron() -> Double {
    let taken = session?.instrument.carriedIron.length ?? 0
    session?.instrument.leaveIron()
    return taken
  }

  /// Takes it off again, without a swing; a deviation keeps it in.
  func takeOffIron() {
    if let session, session.instrument.settings.leavesIron { renewCompass(of: session, leavesIron: false) }
  }

  private func keepSettings() {
    guard let path = devices.settingsFile else { return }
    do { try settings.keep(in: path) } catch { notices.tellUnkept(words.failure(error)) }
  }

  private func open(_ body: JSONValue?, for request: WebRequest) throws {
    guard case .string(let wanted)? = body?["address"], !wanted.isEmpty, wanted.utf8.count <= 512 else {
      throw Refusal(status: 400, reason: "give the address of a device")
    }
    let address = try devices.addresses.checked(wanted)
    let open = devices.open
    let stream = try open(address)
    _ = try options.profile.load(for: stream)
    candidates.take(Candidate(stream, for: request, open: { try open(address) }))
  }

  /// Takes over a device that has sent something.
  private func look() {
    if let usable = candidates.takeUsable() { change = .device(usable.stream, usable.open) }
  }
}
