import Lodestone
import LodestonePorts
import LodestoneTerminal
import Navigation

/// The compass on a terminal: one line that is written over, or a rose.
struct HeadingScreenRun {
  private let setup: InstrumentRun<Compass>
  private let session: CompassSession
  private var state = HeadingState()
  private var rate = RateMeter()
  private var count = 0

  init(_ setup: InstrumentRun<Compass>) {
    self.setup = setup
    session = setup.session
    let (profile, earth) = (session.profile, session.place.earth)
    state.device = session.stream.identity
    state.unit = setup.facts.units.field
    state.expectedStrength = profile?.fieldStrength ?? earth?.strength
    state.expectedInclination = profile?.inclination ?? earth?.inclination
  }

  /// A rose until q is pressed.
  mutating func showRose() throws -> StreamLoop.End {
    session.loop.readsKeys = true
    session.loop.tickInterval = 0.05
    var screen = try LiveScreen(on: setup.output)
    defer { screen.leave() }
    return try session.run { event in
      switch event {
      case .reading: try take()
      case .notice(let notice): note(notice)
      case .keys(let bytes):
        for key in screen.keys(bytes) {
          if key == .character("q") || key == .interrupt { return .stop }
          if key == .redraw { screen.redraw() }
        }
      case .resized: screen.redraw()
      case .tick: try screen.show(on: setup.output) { HeadingScreen.draw(state, into: &$0) }
      case .sample: break
      }
      return .goOn
    }
  }

  /// One line, ten times a second, until Ctrl-C or so many samples.
  mutating func showLine(count limit: Int?) throws -> StreamLoop.End {
    session.loop.tickInterval = 0.1
    let end = try session.run { event in
      switch event {
      case .reading:
        try take()
        return count == limit ? .stop : .goOn
      case .notice(let notice):
        setup.notices.say(notice)
        if let isPresent = notice.isPresent { state.isAway = !isPresent }
      case .tick: try writeLine()
      default: break
      }
      return .goOn
    }
    if end != .outputClosed {
      try writeLine()
      writeToStandardError("\n")
    }
    return end
  }

  private func writeLine() throws(OutputError) {
    guard count > 0, !setup.output.isWaiting else { return }
    let line = HeadingLine.overwriting(with: HeadingLine.line(state, width: TerminalSession.size(of: 1).columns - 1))
    try setup.output.append(line.span)
  }

  private mutating func take() throws {
    count += 1
    rate.count(session.reading.time)
    state.declination = session.instrument.declination?.degrees
    state.rate = rate.hertz
    state.reading = session.reading
    state.isAway = false
    try setup.publisher?.publish(session.reading)
  }

  /// What is said stands on the screen, the last few of it.
  private mutating func note(_ notice: Notice) {
    if let isPresent = notice.isPresent { state.isAway = !isPresent }
    guard let words = setup.notices.words(notice) else { return }
    state.notes = (state.notes.filter { $0 != words } + [words]).suffix(3)
  }
}
