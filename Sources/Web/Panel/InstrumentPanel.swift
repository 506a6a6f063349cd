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
  /// What the panel goes on with when a session has ended.
  private enum Change {
    /// The same device, with the calibration that is now in force.
    case calibration
    case device(any SampleStream)
  }

  private let server: WebServer
  private let options: SessionOptions
  private let words: PanelWords
  private let open: (String) throws -> any SampleStream
  private let devices: () -> String
  private var stream: any SampleStream
  private var session: Session<Compass>?
  private var heading: ReadingChannel<HeadingReading>?
  private var teslameter: InstrumentPart<Teslameter>?
  private var level: InstrumentPart<Level>?
  private var parts: [any PanelPart] = []
  private var desk: CalibrationDesk
  private var recent = RecentSamples()
  private var earth: EarthReference?
  private var change: Change?
  private var isGone = false
  private var publisher: Publisher?

  /// A panel of a device.
  /// - Parameters:
  ///   - stream: what the device sends.
  ///   - open: opens another device by its address.
  ///   - devices: what is attached, as a JSON array.
  public init(
    _ stream: any SampleStream, _ options: SessionOptions, server: WebServer, words: PanelWords,
    open: @escaping (String) throws -> any SampleStream, devices: @escaping () -> String
  ) {
    self.stream = stream
    self.options = options
    self.server = server
    self.words = words
    self.open = open
    self.devices = devices
    desk = CalibrationDesk(words: words, mounting: options.mounting, identity: stream.identity)
  }

  /// Called with what the user should know.
  public var onNotice: ((Notice, Profile?) -> Void)?

  /// Where every heading goes as well, and in which format.
  public var publication: (format: any Format.Type, sinks: [any Sink])?

  /// Runs until the stream ends, or a signal comes.
  public func run() throws -> StreamLoop.End {
    while true {
      change = nil
      let session = try Session<Compass>(stream, .init(), options, takesSignals: true)
      begin(session)
      let end = try session.run { event in try take(event, session) }
      session.loop.companions.removeAll()
      self.session = nil
      switch change {
      case .calibration: continue
      case .device(let stream):
        self.stream = stream
        recent = RecentSamples()
        publisher = nil
        desk = CalibrationDesk(words: words, mounting: options.mounting, identity: stream.identity)
      case nil: return end
      }
    }
  }

  private func begin(_ session: Session<Compass>) {
    self.session = session
    session.loop.companions.append(self)
    session.loop.tickInterval = 1
    let facts = StreamFacts(device: stream.identity, unixStart: stream.unixStart)
    let (profile, mounting) = (session.profile, options.mounting)
    if let publication {
      session.loop.companions += publication.sinks
      publisher = publisher ?? Publisher(HeadingReading.schema, as: publication.format, facts, to: publication.sinks)
    }
    heading = ReadingChannel(.heading, facts, server: server)
    let teslameter = InstrumentPart<Teslameter>(
      .field, .init(), profile, mounting, facts, server: server, otherwise: Self.zeroing)
    let level = InstrumentPart<Level>(.level, .init(), profile, mounting, facts, server: server)
    (self.teslameter, self.level) = (teslameter, level)
    // Every instrument besides the compass. A new one is a line here and a view of the page.
    parts = [
      teslameter, level,
      InstrumentPart<Motion>(
        .motion, .init(), profile, mounting, facts, server: server, keeps: { $0.event != nil }),
      InstrumentPart<Attitude>(.attitude, .init(), profile, mounting, facts, server: server),
      SpectrumPart(server: server),
    ]
    (earth, isGone) = (nil, false)
    tellDevice()
  }

  /// What the page is told while a zero-point is taken.
  private static func zeroing(_ teslameter: Teslameter, _ time: Double) -> JSONValue? {
    guard case .zeroing(let progress) = teslameter.phase else { return nil }
    return .members(("time_s", .number(time)), ("zeroing", .number(progress)))
  }

  // MARK: - The stream

  private func take(_ event: Session<Compass>.Event, _ session: Session<Compass>) throws -> StreamLoop.Verdict {
    switch event {
    case .reading:
      heading?.publish(session.reading, at: .now)
      try publisher?.publish(session.reading)
      takeSample(session)
    case .sample: takeSample(session)
    case .notice(let notice): tell(notice, session.profile)
    case .tick: tellDevice()
    case .keys, .resized: break
    }
    return change == nil ? .goOn : .stop
  }

  private func takeSample(_ session: Session<Compass>) {
    let now = MonotonicTime.now
    let earth = session.place.earth.map { EarthReference($0) }
    for part in parts {
      if earth != self.earth { part.follow(earth) }
      part.take(session.sample, at: now)
      while let notice = part.nextNotice() {
        // What is wrong with the gyroscope the compass has told already.
        if part === teslameter { tell(.instrument(notice), session.profile) }
      }
    }
    self.earth = earth
    recent.add(session.loop.sample)
    desk.take(session.loop.sample, unixTime: WallClock.unixTime)
    stream.follow(desk.request ?? (teslameter?.instrument.isZeroing ?? false ? .still : .none))
    desk.publish(to: server, at: now)
  }

  private func tell(_ notice: Notice, _ profile: Profile?) {
    onNotice?(notice, profile)
    if let isPresent = notice.isPresent {
      isGone = !isPresent
      tellDevice()
    }
    guard let text = words.notice(notice, profile) else { return }
    publish(.notice, .members(("text", .string(text)), ("kind", .string("warning"))), isKept: true)
  }

  private func tellDevice() {
    publish(
      .device,
      .members(
        ("name", .string(stream.identity)), ("calibration", .string(words.calibration(session?.profile))),
        ("gone", .bool(isGone))))
    desk.publish(to: server, at: .now)
  }

  private func publish(_ event: WebEvent, _ value: JSONValue, isKept: Bool = false) {
    Array(value.line.utf8).withUnsafeBytes { server.publish(event, json: $0, isKept: isKept) }
  }

  // MARK: - The server

  /// Watches for requests.
  public func watch(with poller: inout Poller) { poller.watch(server.descriptor, for: .readable) }

  /// Answers what was asked.
  public func serve(_ poller: Poller) {
    while let request = server.nextRequest() {
      do {
        request.answer(try answer(request))
      } catch {
        request.answer(.failure(409, words.failure(error)))
      }
      desk.publish(to: server, at: .now)
    }
    if change != nil { session?.stop() }
  }

  private func answer(_ request: WebRequest) throws -> WebAnswer {
    let body = JSONValue(parsing: request.body)
    switch request.action {
    case "zero": teslameter?.instrument.zero()
    case "peak": teslameter?.instrument.resetPeak()
    case "level/zero": level?.instrument.zero()
    case "level/reset": level?.instrument.clearZero()
    case "calibration/start":
      desk.start(try calibrationSettings(), isLevel: body?["level"] == .bool(true), before: session?.profile)
    case "calibration/cancel": desk.cancel()
    case "calibration/save": return try save()
    case "device": return try choose(body)
    case "devices": return .json(devices())
    case "metrics": return metrics
    case "recording.csv":
      let metadata = RecordingWriter.Metadata(device: stream.identity, unixStart: stream.unixStart)
      return WebAnswer(type: "text/csv; charset=utf-8", body: recent.recording(metadata))
    default: return .failure(404, "there is nothing at this path")
    }
    return .json("{\"done\":true}\n")
  }

  private func calibrationSettings() throws -> CalibrationSettings {
    var settings = CalibrationSettings()
    settings.place = try options.place.field().map { CalibrationSettings.Place($0) }
    return settings
  }

  private func save() throws -> WebAnswer {
    guard let profile = desk.savable else { return .failure(409, "there is no calibration to save") }
    guard let store = ProfileStore.ofUser else { return .failure(409, "there is no place for profiles") }
    let path = try store.save(profile)
    desk.cancel()
    change = .calibration
    return .json(JSONValue.members(("text", .string("Saved as \(path)"))).line)
  }

  private func choose(_ body: JSONValue?) throws -> WebAnswer {
    guard case .string(let address)? = body?["address"], !address.isEmpty, address.utf8.count <= 512 else {
      return .failure(400, "give the address of a device")
    }
    change = .device(try open(address))
    return .json("{\"done\":true}\n")
  }

  private var metrics: WebAnswer {
    var text = TextBuffer(capacity: 4096)
    heading?.appendMetrics(to: &text)
    for part in parts { part.appendMetrics(to: &text) }
    text.append("# EOF\n")
    return WebAnswer(type: Metrics.type, body: text.withUnsafeBytes { Array($0) })
  }
}
