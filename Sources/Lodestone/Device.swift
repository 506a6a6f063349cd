import Calibration
import Geomagnetism
import Instruments
import LodestoneCore
import LodestonePorts
import Navigation

/// A device with everything around it: one stream, one calibration, one place that follows positions, the loop that
/// waits for them, and any number of instruments that read what comes.
///
/// ```swift
/// let device = try Device("/dev/ttyACM0")
/// let compass = device.attach(Compass.self), meter = device.attach(Teslameter.self, rate: 5)
/// while let event = try device.next() {
///   if let heading = event.reading(of: compass) { … }
/// }
/// ```
///
/// A device belongs to whoever made it: one thread or task uses it at a time.
public final class Device {
  /// An event of a device.
  public enum Event: Sendable {
    /// A sample came: it is the device's `sample`, and attachments may have a reading of it.
    case sample
    /// A receiver said where it is, or that it has no fix; attachments may have a reading of that.
    indirect case position(Position)
    /// A notice for the user, of the stream or of an attachment.
    indirect case notice(Notice)
    /// The loop's `tickInterval` has passed.
    case tick
    /// The loop has waited, and served whoever shares the wait.
    case turn

    /// The reading of an attachment in it; nil where it read nothing, or where that was thinned out. Asked while the
    /// event is the last one.
    public func reading<Kind>(of attachment: Attachment<Kind>) -> Kind.Reading? {
      switch self {
      case .sample, .position: attachment.latest
      case .notice, .tick, .turn: nil
      }
    }
  }

  /// A program's answer to an event.
  public typealias Body = (Event) throws -> StreamLoop.Verdict

  /// The stream that is read.
  public var stream: any SampleStream { loop.stream }
  /// The loop in which it waits.
  public let loop: StreamLoop
  /// The calibration in use; nil for none.
  public private(set) var profile: Profile?
  /// The result of a swing with this calibration; nil where none is kept.
  public let deviation: SavedDeviation?
  /// The Earth's field where the device is.
  public let place: LocalField
  /// The mounting of the chip in the device.
  public let mounting: Mounting
  /// The last sample, in the device frame.
  /// Exclusivity is unchecked, as below: these are used for each sample, and changed between samples only.
  @exclusivity(unchecked) public private(set) var sample = DeviceSample()
  /// The last sample as the device sent it, in its own axes and uncorrected.
  public var raw: Sample { loop.sample }
  /// Called with what the user should know. Without it nobody is told, except by events.
  @exclusivity(unchecked) public var onNotice: ((Notice) -> Void)?

  @exclusivity(unchecked) private var stage: SampleStage
  private let learner: Learner?
  @exclusivity(unchecked) private var attachments: [AnyAttachment] = []
  @exclusivity(unchecked) private var watch: CalibrationWatch?
  @exclusivity(unchecked) private var waiting: [Notice] = []
  /// Whether the device tells anything of use here.
  @exclusivity(unchecked) private var parts = PartsWatch()
  private var told = ToldNotices()
  private var ahead = LookAhead()
  /// Events that `next` has not given yet.
  private var events: [Event] = []
  private var hasBegun = false
  private var hasEnded = false
  @exclusivity(unchecked) private var check = ReadingCheck()

  /// A device by its address, or the only one attached.
  /// - Parameters:
  ///   - address: such as `/dev/ttyACM0`, `usb:`, `sim:` or a recording.
  ///   - place: where it is: gives true headings.
  ///   - profile: the calibration.
  ///   - mounting: how the chip sits in the device.
  public convenience init(
    _ address: String? = nil, place: Place? = nil, profile: ProfileChoice = .saved, mounting: Mounting = .aligned
  ) throws {
    var open = OpenOptions()
    open.autoRange = true
    try self.init(Devices.open(address, open), SessionOptions(place: place, profile: profile, mounting: mounting))
  }

  /// A device of one's own.
  public convenience init(
    source: some SampleSource, place: Place? = nil, profile: ProfileChoice = .saved, mounting: Mounting = .aligned
  ) throws {
    try self.init(source.makeStream(), SessionOptions(place: place, profile: profile, mounting: mounting))
  }

  /// A device behind a stream that is open.
  /// - `output`: where a command writes lines; nil for a program that takes readings itself.
  /// - `takesSignals`: Ctrl-C ends the loop instead of the process.
  public init(
    _ stream: any SampleStream, _ options: SessionOptions = SessionOptions(), output: OutputPipe? = nil,
    takesSignals: Bool = false
  ) throws {
    place = try LocalField(options.place, isLive: stream.isLive, start: stream.unixStart)
    mounting = options.mounting
    let profile = try options.profile.load(for: stream)
    self.profile = profile
    stage = SampleStage(profile, mounting: options.mounting)
    deviation = try Self.deviation(options.profile, profile, of: stream.identity)
    learner = options.learning == .off ? nil : Learner(profile, saves: options.learning == .save)
    loop = try StreamLoop(stream, output: output, takesSignals: takesSignals)
    loop.duration = options.duration
    if stream.isLive { loop.companions.append(place) }
    place.onNotice = { [weak self] in self?.waiting.append($0) }
    place.onChange = { [weak self] earth in for attachment in self?.attachments ?? [] { attachment.follow(earth) } }
    place.begin()
    guard let location = options.location else { return }
    let positions = try AddressSchemes.open(location, OpenOptions())
    loop.companions.append(SecondStream(positionsOf: positions, name: location, for: place))
  }

  private static func deviation(
    _ choice: ProfileChoice, _ profile: Profile?, of device: String
  ) throws(ProfileStoreProblem) -> SavedDeviation? {
    guard let profile, let path = try choice.path(of: device) else { return nil }
    return try SavedDeviation.kept(beside: path, for: profile)
  }

  // MARK: Instruments

  /// Lets an instrument read the device from the next sample on. It is told the calibration, the mounting and the
  /// place.
  /// - `rate`: readings a second that are passed on, at most; nil for all.
  @discardableResult
  public func attach<Kind: Instrument>(
    _ kind: Kind.Type, _ settings: Kind.Settings = Kind.Settings(), rate: Double? = nil
  ) -> Attachment<Kind> {
    let attachment = Attachment(Kind(settings, profile: profile, mounting: mounting), rate: rate)
    if let deviation { attachment.follow(deviation.deviation) }
    attachment.follow(place.earth.map { EarthReference($0) })
    if Kind.watchesCalibration, watch == nil { watch = CalibrationWatch(profile, hasPlace: place.earth != nil) }
    parts.need(Kind.needs)
    attachments.append(attachment)
    return attachment
  }

  /// Lets an instrument read no longer.
  public func detach(_ attachment: AnyAttachment) {
    attachment.isFresh = false
    attachments.removeAll { $0 === attachment }
  }

  /// The quantities that the device tells, by its first half second, which is kept for the instruments. Waits for it,
  /// three seconds at most: empty where nothing came.
  public func tells() throws -> DeviceParts {
    try begin()
    try ahead.look(loop)
    return ahead.parts
  }

  // MARK: Events

  /// The next event, waited for as long as it takes; nil at the end of a recording, and when `stop` was called.
  public func next() throws -> Event? {
    if events.isEmpty {
      let end = try pump { event in
        _ = try take(event) {
          events.append($0)
          return .goOn
        }
        return events.isEmpty ? .goOn : .stop
      }
      try conclude(end) {
        events.append($0)
        return .goOn
      }
    }
    return events.isEmpty ? nil : events.removeFirst()
  }

  /// The next sample as the device sent it; nil at the end of a recording, and when `stop` was called. Attachments read
  /// it too; notices go to `onNotice`.
  public func nextSample() throws -> Sample? {
    while let event = try next() {
      if case .sample = event { return raw }
    }
    return nil
  }

  /// Runs until something ends it, with everything that happens. What was written has reached the output then.
  public func run(_ body: Body) throws -> StreamLoop.End {
    try begin()
    if let end = try replay({ event in try take(event, body) }) { return end }
    let end = try loop.run { event in try take(event, body) }
    try conclude(end, body)
    return end
  }

  /// Runs until something ends it, and leaves what was written in the output.
  func pump(until body: Body) throws -> StreamLoop.End {
    let end = try pump { event in try take(event, body) }
    try conclude(end, body)
    return end
  }

  private func pump(_ body: StreamLoop.Body) throws -> StreamLoop.End {
    try begin()
    if let end = try replay(body) { return end }
    return try loop.pump(body)
  }

  /// Takes an event of the stream where another loop waits for it.
  func feed(_ event: StreamEvent, _ body: Body) throws {
    switch event {
    case .sample(let raw):
      loop.sample = raw
      _ = try takeSample(body)
    case .position(let position): _ = try take(position, body)
    case .notice(let notice): _ = try take(notice, body)
    case .waiting, .ended: break
    }
  }

  /// Ends what is under way; from any thread.
  public var stop: @Sendable () -> Void {
    let bell = loop.bell
    return { bell.ring() }
  }

  /// Puts a notice among those of the device, to be told with them.
  public func tell(_ notice: Notice) { waiting.append(notice) }

  /// Tells the stream what is wanted of it, before the first event. A receiver is one where nobody wants samples.
  func begin() throws {
    guard !hasBegun else { return }
    hasBegun = true
    if !attachments.isEmpty, attachments.allSatisfy({ $0.readsPositions }) {
      guard stream.seekPositions() else { throw StreamError.noReceiver(stream.identity) }
      loop.followsPositions = true
    }
    stream.follow(attachments.map { $0.handRequest }.first { $0 != .none } ?? .none)
  }

  /// Gives what was looked at beforehand; nil once there is nothing more of it.
  private func replay(_ body: StreamLoop.Body) throws -> StreamLoop.End? {
    while let (event, sample) = ahead.next() {
      loop.sample = sample
      if try body(event) == .stop { return .stopped }
    }
    return nil
  }

  // MARK: What came

  private func take(_ event: StreamLoop.Event, _ body: Body) throws -> StreamLoop.Verdict {
    switch event {
    case .sample: return try takeSample(body)
    case .position(let position): return try take(position, body)
    case .notice(let notice): return try take(notice, body)
    case .tick:
      if try tellWaiting(body) == .stop { return .stop }
      return try body(.tick)
    case .turn: return try body(.turn)
    }
  }

  private func take(_ notice: StreamNotice, _ body: Body) throws -> StreamLoop.Verdict {
    if case .timesCounted(rate: nil) = notice {
      parts.countsMessages = true
      if loop.followsPositions { return .goOn }  // positions have times of their own
    }
    return notice.isSettled(by: mounting) ? .goOn : try tell(.stream(notice), body)
  }

  private func takeSample(_ body: Body) throws -> StreamLoop.Verdict {
    if stage.read(&loop.sample, into: &sample) {
      while let notice = stage.nextNotice() { waiting.append(.instrument(notice)) }
    }
    if !waiting.isEmpty, try tellWaiting(body) == .stop { return .stop }
    if learner != nil, try learn(body) == .stop { return .stop }
    if sample.field != nil, watch?.isDue(at: sample.time) == true {
      for notice in watch?.see(sample) ?? [] where try tell(.instrument(notice), body) == .stop { return .stop }
    }
    if !parts.isOver, parts.see(DeviceParts(sample), at: sample.time), try tellUseless(body) == .stop { return .stop }
    check.take(
      loop.sample.field, tellsTilt: loop.sample.own?.pitch != nil || loop.sample.own?.roll != nil)
    if attachments.count == 1 {  // nearly always, and a list need not be held for it
      if try pass(to: attachments[0], body) == .stop { return .stop }
    } else {
      for attachment in attachments where try pass(to: attachment, body) == .stop { return .stop }
    }
    return try body(.sample)
  }

  /// Lets an attachment read the sample, and tells what it has to say.
  @inline(__always)
  private func pass(to attachment: AnyAttachment, _ body: Body) throws -> StreamLoop.Verdict {
    attachment.take(&sample)
    if attachment.isFresh { check.hasReading = true }
    return try tell(what: attachment, at: sample.time, body)
  }

  /// Lets a sample tell what it knows of the hard iron; where that has moved, all goes on with the new one.
  private func learn(_ body: Body) throws -> StreamLoop.Verdict {
    guard let news = learner.flatMap({ stage.teach($0, loop.sample) }) else { return .goOn }
    if let moved = news.profile, moved != profile {
      profile = moved
      stage.follow(moved, &loop.sample, into: &sample)
      watch?.follow(moved)
      for attachment in attachments { attachment.follow(moved) }
    }
    for notice in news.notices where try tell(.learning(notice), body) == .stop { return .stop }
    return .goOn
  }

  private func take(_ position: Position, _ body: Body) throws -> StreamLoop.Verdict {
    if !parts.isOver, parts.see(.position, at: position.time), try tellUseless(body) == .stop { return .stop }
    for attachment in attachments where attachment.readsPositions {
      attachment.take(position)
      if attachment.isFresh { check.hasReading = true }
      if try tell(what: attachment, at: position.time, body) == .stop { return .stop }
    }
    if !loop.followsPositions {
      for attachment in attachments where !attachment.readsPositions { attachment.isFresh = false }
      place.move(to: position)
      if try tellWaiting(body) == .stop { return .stop }
    }
    return try body(.position(position))
  }

  /// Says that no instrument can use what the device tells; the recording of a probe is refused.
  private func tellUseless(_ body: Body) throws -> StreamLoop.Verdict {
    guard !attachments.isEmpty else { return .goOn }
    if !stream.isLive, parts.seen.contains(.alongProbe) {
      throw SessionError.nothingOfUse(tells: parts.seen, needs: parts.needed)
    }
    return try tell(.instrument(.nothingOfUse(tells: parts.seen, needs: parts.needed)), body)
  }

  /// Tells the notices of an attachment, without those that another one has just told.
  @inline(__always)
  private func tell(what attachment: AnyAttachment, at time: Double, _ body: Body) throws -> StreamLoop.Verdict {
    while let notice = attachment.nextNotice() {
      guard told.isNew(notice, of: attachment, at: time, isAlone: attachments.count == 1) else { continue }
      if try tell(.instrument(notice), body) == .stop { return .stop }
    }
    return .goOn
  }

  private func tellWaiting(_ body: Body) throws -> StreamLoop.Verdict {
    while !waiting.isEmpty {
      if try tell(waiting.removeFirst(), body) == .stop { return .stop }
    }
    return .goOn
  }

  private func tell(_ notice: Notice, _ body: Body) throws -> StreamLoop.Verdict {
    onNotice?(notice)
    return try body(.notice(notice))
  }

  /// The last words of the instruments when the stream has ended, or the duration, in which something has to be read too.
  private func conclude(_ end: StreamLoop.End, _ body: Body) throws {
    guard !hasEnded, end == .streamEnded || end == .durationReached else { return }
    hasEnded = true
    if !attachments.isEmpty, parts.isInVain, end == .streamEnded || !check.hasReading {
      throw SessionError.nothingOfUse(tells: parts.seen, needs: parts.needed)
    }
    for attachment in attachments {
      attachment.isFresh = false
      guard let notice = attachment.end() else { continue }
      check.hasReading = true
      _ = try tell(.instrument(notice), body)
    }
    guard end == .streamEnded || !check.hasReading, !attachments.isEmpty else { return }
    let isAttitude = attachments.count == 1 && attachments[0].needs.contains(.rotation)
    if let problem = check.problem(parts, isAttitude: isAttitude, at: sample.time) { throw problem }
  }
}
