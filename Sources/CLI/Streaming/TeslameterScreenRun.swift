import Lodestone
import LodestoneCore
import LodestoneTerminal
import Navigation

/// The teslameter on a terminal: a large reading, its history, and keys.
struct TeslameterScreenRun {
  private let setup: InstrumentRun<Teslameter>
  private let session: TeslameterSession
  private var state = TeslameterState()
  private var screen: LiveScreen
  private var rate = RateMeter()
  /// Readings so far.
  private(set) var count = 0

  init(_ setup: InstrumentRun<Teslameter>) throws {
    self.setup = setup
    session = setup.session
    screen = try LiveScreen(on: setup.output)
    state.device = session.stream.identity
    state.unit = setup.facts.units.field
    session.loop.readsKeys = true
    session.loop.tickInterval = 0.05
  }

  mutating func run() throws -> StreamLoop.End {
    defer { screen.leave() }
    return try session.run { event in
      switch event {
      case .reading: try take()
      case .sample: note(session.instrument.phase)
      case .notice(let notice): note(notice)
      case .keys(let bytes): return press(screen.keys(bytes))
      case .resized: screen.redraw()
      case .tick:
        state.rate = rate.hertz
        try screen.show(on: setup.output) { TeslameterScreen.draw(state, into: &$0) }
      }
      return .goOn
    }
  }

  private mutating func take() throws {
    rate.count(session.reading.time)
    count += 1
    try setup.publisher?.publish(session.reading)
    state.isAway = false
    guard !state.isPaused else { return }
    state.reading = session.reading
    if let value = session.reading.magnitude ?? session.reading.atLeast {
      state.history.append(value, at: session.reading.time)
    }
  }

  private mutating func note(_ phase: Teslameter.Phase) {
    rate.count(session.sample.time)
    state.isAway = false
    if case .zeroing(let progress) = phase, !state.phase.isRefusal { state.phase = .zeroing(progress: progress) }
  }

  private mutating func note(_ notice: Notice) {
    if let isPresent = notice.isPresent { state.isAway = !isPresent }
    guard case .instrument(let notice) = notice else {
      if let words = setup.notices.words(notice) { state.note = words }
      return
    }
    switch notice {
    case .zeroRefused(let refusal, _):
      if case .measuring = session.instrument.phase {
        state.phase = .measuring
        state.note = "no new zero-point, the old one holds"
      } else if case .moving(let wander, _) = refusal {
        state.phase = .zeroRefused(moving: wander)
      } else {
        state.phase = .zeroing(progress: 0)
      }
    case .zeroed:
      state.phase = .measuring
      state.history.clear()
    default: break
    }
  }

  private mutating func press(_ keys: [Key]) -> StreamLoop.Verdict {
    for key in keys {
      switch key {
      case .character("q"), .interrupt: return .stop
      case .character("z"):
        session.instrument.zero()
        state.phase = .zeroing(progress: 0)
      case .character("p"): session.instrument.resetPeak()
      case .character("u"): state.unit = state.unit.next
      case .character(" "), .character("h"): state.isPaused.toggle()
      case .redraw: screen.redraw()
      default: break
      }
    }
    return .goOn
  }
}

extension TeslameterState.Phase {
  fileprivate var isRefusal: Bool {
    if case .zeroRefused = self { return true }
    return false
  }
}

extension FieldUnit {
  /// The one after this, round and round.
  fileprivate var next: FieldUnit {
    let all = FieldUnit.allCases
    let index = all.firstIndex(of: self) ?? 0
    return all[(index + 1) % all.count]
  }
}

/// How many samples a second arrive, by their own times.
struct RateMeter {
  private var times: (first: Double, last: Double, count: Int)?

  /// Counts a sample; the mean starts again every four seconds.
  mutating func count(_ time: Double) {
    guard let before = times, time >= before.last, time - before.first < 4 else {
      times = (times?.last ?? time, time, 1)
      return
    }
    times = (before.first, time, before.count + 1)
  }

  /// Samples a second; nil before there are two.
  var hertz: Double? {
    guard let times, times.last > times.first else { return nil }
    return Double(times.count) / (times.last - times.first)
  }
}
