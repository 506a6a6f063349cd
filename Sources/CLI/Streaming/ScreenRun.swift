import Glibc
import Lodestone
import LodestoneOutput
import LodestonePorts
import LodestoneTerminal
import Navigation

/// An instrument's live screen, until q, the stream, the user or the count ends it.
struct ScreenRun<State: ScreenState> {
  private let setup: InstrumentRun<State.Device>
  private let session: Session<State.Device>
  private let onReading: (State.Device.Reading) throws -> [String]
  private var state: State
  private var screen: LiveScreen
  private let keyboard = Keyboard()
  private var rate = RateMeter()
  /// The obstacle that is told stays there until a reading comes: samples come all the same.
  private var isOfSamples = false
  private var published: RateLimit?
  /// Readings so far.
  private(set) var count = 0

  /// Takes the terminal over.
  /// - Parameter onReading: done at each reading; returns what is to be said on the screen.
  init(
    _ setup: InstrumentRun<State.Device>, _ state: State,
    onReading: @escaping (State.Device.Reading) throws -> [String]
  ) throws {
    self.setup = setup
    self.state = state
    self.onReading = onReading
    session = setup.session
    published = RateLimit(setup.rate)
    screen = try LiveScreen(on: setup.output)
    self.state.status.device = session.stream.identity
    session.loop.companions.append(keyboard)
    session.loop.tickInterval = 0.05
  }

  /// Shows the instrument. The last reading stays on the terminal afterwards.
  mutating func run() throws -> StreamLoop.End {
    defer { screen.leave() }
    let end = try session.run { event in
      switch event {
      case .reading: return try take()
      case .sample:
        if !isOfSamples { state.status.obstacle = nil }
        arrive(session.sample.time)
        state.watch(session.instrument)
      case .notice(let notice): note(notice)
      case .turn: if let bytes = keyboard.take() { return press(try screen.keys(bytes)) }
      case .tick:
        state.status.rate = state.status.isAway ? nil : rate.hertz
        try screen.show(on: setup.output) { state.show(on: &$0) }
      }
      return .goOn
    }
    screen.leave()
    guard count > 0, !state.status.isAway, end != .outputClosed else { return end }
    return try setup.writeLast(after: end)
  }

  private mutating func arrive(_ time: Double) {
    rate.count(time)
    state.status.isAway = false
  }

  private mutating func take() throws -> StreamLoop.Verdict {
    let reading = session.reading
    state.status.obstacle = nil
    arrive(reading.time)
    count += 1
    if published?.passes(reading.time) != false { try setup.publisher?.publish(reading) }
    for words in try onReading(reading) { state.status.note(words) }
    if !state.status.isPaused { state.take(reading, from: session.instrument) }
    return count == setup.options.count ? .stop : .goOn
  }

  private mutating func note(_ notice: Notice) {
    if let isPresent = notice.isPresent { state.status.isAway = !isPresent }
    if rate.hertz != nil, notice.endsReadings { state.status.isAway = true }
    if case .instrument(let notice) = notice, state.take(notice, from: session.instrument) { return }
    if notice.isPresent == true { state.status.obstacle = nil }
    // The screen says by itself that it waits for a device that has gone.
    if case .stream(.lost) = notice { return }
    guard let words = setup.notices.words(notice) else { return }
    guard notice.isInTheWay || notice.endsReadings else { return state.status.note(words) }
    state.status.obstacle = words
    switch notice {
    case .instrument(.nothingOfUse), .stream(.unclearField): isOfSamples = true
    default: isOfSamples = false
    }
  }

  private mutating func press(_ keys: [Key]) -> StreamLoop.Verdict {
    for key in keys where !state.press(key, &session.instrument) { return .stop }
    return .goOn
  }
}

extension InstrumentRun {
  /// The instrument's screen where there is a terminal for it, else its lines. What programs at events print would tear
  /// the screen: where it could, it goes nowhere.
  func show<State: ScreenState>(_ state: State, _ programs: EventPrograms<Device.Reading>) throws -> StreamLoop.End
  where State.Device == Device, Device.Reading: EventfulReading {
    guard showsScreen, !programs.writesEventsAlone else { return try writeLines(programs).end }
    return try screen(state, programs).end
  }

  /// The screen with programs at events. Returns how many readings there were, too.
  func screen<State: ScreenState>(
    _ state: State, _ programs: EventPrograms<Device.Reading>
  ) throws -> (end: StreamLoop.End, count: Int) where State.Device == Device, Device.Reading: EventfulReading {
    programs.isMute = TerminalSession.isTerminal(STDERR_FILENO)
    var screen = try ScreenRun(self, state) { reading in try take(reading, programs).problems }
    let end = try screen.run()
    return (end, screen.count)
  }

  /// Writes the last reading as a line.
  fileprivate func writeLast(after end: StreamLoop.End) throws -> StreamLoop.End {
    var line = RecordWriter(Device.Reading.schema, as: TextFormat.self, facts)
    try output.append(header: line.stream.header)
    try line.write(session.reading) { bytes throws(OutputError) in try output.append(bytes) }
    try line.end { bytes throws(OutputError) in try output.append(bytes) }
    return try session.loop.drain(after: end)
  }
}
