import Lodestone
import LodestoneCore
import LodestoneTerminal
import Navigation

/// Where a receiver is, on a terminal.
struct LocationScreenRun {
  private let setup: InstrumentRun<Location>
  private let session: LocationSession
  private var state = LocationState()
  private var screen: LiveScreen
  private var rate = RateMeter()

  init(_ setup: InstrumentRun<Location>) throws {
    self.setup = setup
    session = setup.session
    screen = try LiveScreen(on: setup.output)
    state.device = session.stream.identity
    state.unit = setup.facts.units.distance
    state.hasGivenOrigin = session.instrument.origin != nil
    session.loop.readsKeys = true
    session.loop.tickInterval = 0.05
  }

  mutating func run() throws -> StreamLoop.End {
    defer { screen.leave() }
    return try session.run { event in
      switch event {
      case .reading: try take()
      case .notice(let notice): note(notice)
      case .keys(let bytes): return press(screen.keys(bytes))
      case .resized: screen.redraw()
      case .tick:
        state.rate = rate.hertz
        try screen.show(on: setup.output) { LocationScreen.draw(state, into: &$0) }
      case .sample: break
      }
      return .goOn
    }
  }

  private mutating func take() throws {
    rate.count(session.reading.time)
    try setup.publisher?.publish(session.reading)
    state.isAway = false
    if !state.isPaused { state.reading = session.reading }
  }

  private mutating func note(_ notice: Notice) {
    if let isPresent = notice.isPresent { state.isAway = !isPresent }
    // A receiver that was unplugged from gpsd, or whose battery is empty, just stops.
    if case .stream(.silent) = notice { state.isAway = true }
    guard let words = setup.notices.words(notice) else { return }
    state.notes = (state.notes.filter { $0 != words } + [words]).suffix(3)
  }

  private mutating func press(_ keys: [Key]) -> StreamLoop.Verdict {
    for key in keys {
      switch key {
      case .character("q"), .interrupt: return .stop
      case .character("o"):
        session.instrument.countFromHere()
        state.hasGivenOrigin = true
      case .character(let character): _ = state.press(character)
      case .redraw: screen.redraw()
      default: break
      }
    }
    return .goOn
  }
}
