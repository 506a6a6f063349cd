import Lodestone
import LodestonePorts
import LodestoneTerminal
import Navigation

/// The compass in one line of a terminal that is written over.
struct HeadingLineRun {
  private let setup: InstrumentRun<Compass>
  private let session: CompassSession
  private let programs: EventPrograms<HeadingReading>
  private var state = HeadingState()
  private var count = 0

  init(_ setup: InstrumentRun<Compass>, _ programs: EventPrograms<HeadingReading>) {
    self.setup = setup
    self.programs = programs
    session = setup.session
    state.status.device = session.stream.identity
    state.unit = setup.facts.units.field
  }

  /// Writes ten times a second, until Ctrl-C or after `limit` readings.
  mutating func run(count limit: Int?) throws -> StreamLoop.End {
    session.loop.tickInterval = 0.1
    let end = try session.run { event in
      switch event {
      case .reading:
        try take()
        return count == limit ? .stop : .goOn
      case .notice(let notice):
        setup.notices.say(notice)
        if let isPresent = notice.isPresent { state.status.isAway = !isPresent }
      case .tick: try write()
      default: break
      }
      return .goOn
    }
    if end != .outputClosed {
      try write()
      writeToStandardError("\n")
    }
    return end
  }

  private func write() throws(OutputError) {
    guard count > 0, !setup.output.isWaiting else { return }
    let line = HeadingLine.overwriting(with: HeadingLine.line(state, width: TerminalSession.size(of: 1).columns - 1))
    try setup.output.append(line.span)
  }

  private mutating func take() throws {
    count += 1
    state.take(session.reading, from: session.instrument)
    state.status.isAway = false
    try setup.publisher?.publish(session.reading)
    for problem in try setup.take(session.reading, programs).problems { setup.notices.say(problem) }
  }
}
