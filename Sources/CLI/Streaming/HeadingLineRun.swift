import Glibc
import Lodestone
import LodestonePorts
import LodestoneTerminal
import Navigation

/// The compass in one line of a terminal that is written over: it shows the last of the readings that would be lines of
/// a file.
struct HeadingLineRun {
  private let setup: InstrumentRun<Compass>
  private let session: CompassSession
  private let programs: EventPrograms<HeadingReading>
  private var filter: HeadingFilter?
  private var limit: RateLimit?
  private var state = HeadingState()
  private var count = 0

  init(_ setup: InstrumentRun<Compass>, _ programs: EventPrograms<HeadingReading>, _ filter: HeadingFilter?) {
    self.setup = setup
    self.programs = programs
    self.filter = filter
    session = setup.session
    limit = RateLimit(setup.rate)
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
        wipe()
        setup.notices.say(notice)
        if let isPresent = notice.isPresent { state.status.isAway = !isPresent }
        if notice.endsReadings { state.status.isAway = true }
      case .tick: try write()
      default: break
      }
      return .goOn
    }
    guard count > 0, end != .outputClosed else { return end }
    let last = line + Array("\n".utf8)
    try setup.output.append(last.span)
    return try session.loop.drain(after: end)
  }

  private var line: [UInt8] {
    HeadingLine.overwriting(with: HeadingLine.line(state, width: TerminalSession.size(of: 1).columns - 1))
  }

  /// Makes room for a sentence: the line is written again with the next tick.
  private func wipe() {
    if count > 0, isatty(STDERR_FILENO) != 0 { writeToStandardError("\r\u{1B}[K") }
  }

  /// A terminal that does not keep up is not hurried.
  private func write() throws(OutputError) {
    guard count > 0, !setup.output.isWaiting else { return }
    let line = line
    try setup.output.append(line.span)
  }

  private mutating func take() throws {
    let reading = session.reading
    state.status.isAway = false
    let (events, problems) = try setup.take(reading, programs)
    for problem in problems {
      wipe()
      setup.notices.say(problem)
    }
    guard try setup.publishes(reading, isEvent: !events.isEmpty, &limit), filter?.passes(reading) != false else {
      return
    }
    count += 1
    state.take(reading, from: session.instrument)
  }
}
