import Calibration
import LodestoneCore
import LodestoneOutput
import LodestonePorts
import Navigation

/// One view of the panel: its events with their shapes, what can be asked of it, and what it makes of samples. A new
/// one is a file in Views and a line in `InstrumentPanel.kinds`; what shows it is a file of the page that `app.js` and
/// `WebPage.c` name.
protocol PanelView: AnyObject {
  /// The events that it publishes.
  static var events: [WebEvent] { get }
  /// The actions that it offers.
  static var actions: [ViewAction<Self>] { get }

  /// A view of a device.
  init(_ context: PanelContext)

  /// Takes a sample, in the device frame and as it came, and publishes what it makes of it.
  func take(_ sample: DeviceSample, raw: borrowing Sample, at now: MonotonicTime)
  /// Takes a heading, before the sample that it is of.
  func take(_ heading: borrowing HeadingReading, at now: MonotonicTime)
  /// Takes the Earth's field where the device is; nil while it is not known.
  func follow(_ earth: EarthReference?)
  /// Publishes what has changed without a sample.
  func tell(at now: MonotonicTime)
  /// The next notice for the user, since the last call.
  func nextNotice() -> InstrumentNotice?
  /// The request to the person who holds the device; nil for none.
  var request: HandRequest? { get }
  /// Appends its last reading for Prometheus.
  func appendMetrics(to text: inout TextBuffer)
}

extension PanelView {
  static var actions: [ViewAction<Self>] { [] }
  var request: HandRequest? { nil }
  func take(_ heading: borrowing HeadingReading, at now: MonotonicTime) {}
  func follow(_ earth: EarthReference?) {}
  func tell(at now: MonotonicTime) {}
  func nextNotice() -> InstrumentNotice? { nil }
  func appendMetrics(to text: inout TextBuffer) {}

  /// The actions of views of this kind, as declared to the server.
  static var declaredActions: [WebAction] { actions.map { $0.declaration } }

  /// The answer to a request; nil for one that is not for this view.
  func answer(_ request: WebRequest, _ body: JSONValue?) throws -> WebAnswer? {
    guard let action = Self.actions.first(where: { $0.declaration.path == request.action }) else { return nil }
    return try action.run(self, body)
  }
}

/// A request that can be made of a view, and how it answers.
struct ViewAction<View> {
  let declaration: WebAction
  let run: (View, JSONValue?) throws -> WebAnswer

  /// A command that is answered with `{"done": true}`.
  init(_ path: String, _ summary: String, body: Shape? = nil, _ run: @escaping (View, JSONValue?) throws -> Void) {
    declaration = WebAction(path: path, summary: summary, body: body)
    self.run = { view, body in
      try run(view, body)
      return .done
    }
  }

  /// A command or a question with an answer of its own.
  init(_ declaration: WebAction, _ run: @escaping (View, JSONValue?) throws -> WebAnswer) {
    self.declaration = declaration
    self.run = run
  }
}

extension WebAnswer {
  /// The answer to a request that was carried out.
  static let done = WebAnswer.json("{\"done\":true}\n")
}

/// Why a request is not fulfilled: the reason in one line.
struct Refusal: Error {
  /// The HTTP status: 400 for what was asked wrongly, 409 for what cannot be done now.
  var status = 409
  let reason: String
}

/// The bound for marks that a hand sets, of headings or distances: each one is fitted and published with all before it.
enum HandMarks {
  /// A heading for each degree, and more than a hand takes.
  static let most = 360

  /// Throws where there is no room for another one.
  static func checkRoom(after count: Int) throws(Refusal) {
    guard count < most else { throw Refusal(reason: "there are \(most) marks, the most possible: take one back first") }
  }
}

/// The surroundings of a view.
struct PanelContext {
  /// The server that events go to.
  let server: WebServer
  /// How facts are worded.
  let words: PanelWords
  /// The calibration of the device; nil for none.
  let profile: Profile?
  /// How its chip sits in it.
  let mounting: Mounting
  /// The facts about the device.
  let facts: StreamFacts
  /// The panel that the view is on.
  unowned let panel: InstrumentPanel

  /// The shortest time in seconds between two readings of a kind; it is longer where fewer readings were asked for.
  func interval(atLeast seconds: Double) -> Double { max(seconds, panel.rate.map { 1 / $0 } ?? 0) }
}

// MARK: - Instruments

/// A view of one instrument that reads samples in the device frame.
protocol InstrumentView: PanelView {
  /// The instrument.
  associatedtype Device: Instrument
  /// The instrument and its way to the page.
  var part: InstrumentPart<Device> { get }
}

extension InstrumentView {
  func take(_ sample: DeviceSample, raw: borrowing Sample, at now: MonotonicTime) { part.take(sample, at: now) }
  func follow(_ earth: EarthReference?) { part.instrument.follow(earth) }
  func tell(at now: MonotonicTime) { part.channel.flush(at: now) }
  func appendMetrics(to text: inout TextBuffer) { part.channel.appendMetrics(to: &text) }
}

/// An instrument on the panel's stream.
final class InstrumentPart<Device: Instrument> {
  /// The instrument, to be told something.
  var instrument: Device
  let channel: ReadingChannel<Device.Reading>
  /// Whether every reader must get a reading.
  private let keeps: (Device.Reading) -> Bool
  private var reading = Device.Reading()

  init(
    _ event: String, _ settings: Device.Settings, _ context: PanelContext,
    keeps: @escaping (Device.Reading) -> Bool = { _ in false }
  ) {
    instrument = Device(settings, profile: context.profile, mounting: context.mounting)
    channel = ReadingChannel(event, context)
    self.keeps = keeps
  }

  /// Publishes the reading of a sample; false where there is none.
  @discardableResult
  func take(_ sample: DeviceSample, at now: MonotonicTime) -> Bool {
    guard instrument.read(sample, into: &reading) else { return false }
    channel.publish(reading, isKept: keeps(reading), at: now)
    return true
  }
}

/// The readings of one kind on their way to the page, thirty a second at most, or as many as are wanted, and to
/// Prometheus.
final class ReadingChannel<Reading: Record> {
  /// Between two readings, in seconds.
  private let interval: Double
  private let event: String
  private let server: WebServer
  private var writer: RecordWriter
  private var due: MonotonicTime?
  private var last: Reading?
  /// Whether the last reading came too early to be sent.
  private var isPending = false

  init(_ event: String, _ context: PanelContext) {
    self.event = event
    server = context.server
    interval = context.interval(atLeast: 1 / 30)
    writer = RecordWriter(Reading.schema, as: JSONFormat.self, context.facts)
  }

  /// Whether one may be sent again. A reading that comes earlier is only kept.
  private func isDue(at now: MonotonicTime) -> Bool {
    if let due, now < due { return false }
    due = now + interval
    return true
  }

  /// Sends a reading if it is time for one.
  /// - Parameter isKept: every reader must get it, so it is sent in any case.
  func publish(_ reading: borrowing Reading, isKept: Bool = false, at now: MonotonicTime) {
    last = copy reading
    isPending = !isDue(at: now) && !isKept
    guard !isPending else { return }
    try? writer.write(reading) { bytes throws(OutputError) in server.publish(event, json: bytes, isKept: isKept) }
  }

  /// Sends the last reading, where it came too early: no other may follow it.
  func flush(at now: MonotonicTime) {
    guard isPending, let last else { return }
    publish(last, at: now)
  }

  /// Tells something else in place of a reading.
  func publish(_ state: JSONValue, at now: MonotonicTime) {
    last = nil
    guard isDue(at: now) else { return }
    server.publish(event, state)
  }

  func appendMetrics(to text: inout TextBuffer) {
    guard let last else { return }
    var row = Row(Reading.schema)
    row.take(last)
    Metrics.append(row, Reading.schema, to: &text)
  }
}
