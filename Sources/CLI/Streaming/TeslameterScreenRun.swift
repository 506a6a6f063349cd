import Core
import Instruments
import Navigation
import Ports
import Terminal

/// The teslameter on a terminal: a large reading, its history, and keys.
struct TeslameterScreenRun {
  private var session: FieldSession
  private let loop: StreamLoop
  private var state = TeslameterState()
  private var screen: LiveScreen
  private var rate = RateMeter()

  init(_ session: FieldSession, loop: StreamLoop, unit: FieldUnit) throws {
    self.session = session
    self.loop = loop
    screen = try LiveScreen(on: loop.output)
    state.device = loop.stream.identity
    state.unit = unit
    loop.readsKeys = true
    loop.tickInterval = 0.05
  }

  mutating func run() throws -> StreamLoop.End {
    defer { screen.leave() }
    return try loop.run { event in
      switch event {
      case .sample: take(loop.sample)
      case .keys(let bytes): return press(screen.keys(bytes))
      case .resized: screen.redraw()
      case .tick:
        state.rate = rate.hertz
        try screen.show(on: loop.output) { TeslameterScreen.draw(state, into: &$0) }
      default: break
      }
      return .goOn
    }
  }

  private mutating func take(_ sample: Sample) {
    rate.count(sample.time)
    guard let step = session.take(sample) else { return }
    switch step {
    case .zeroing(let progress): if !state.phase.isRefusal { state.phase = .zeroing(progress: progress) }
    case .refused(.moving(let wander, _)): state.phase = .zeroRefused(moving: wander)
    case .refused: state.phase = .zeroing(progress: 0)
    case .zeroed:
      state.phase = .measuring
      state.history.clear()
    case .reading(let reading): if !state.isPaused { show(reading) }
    }
  }

  private mutating func show(_ reading: FieldReading) {
    let isBelow = reading.flags.contains(.belowNoise)
    state.magnitude = isBelow ? .below(microtesla: reading.uncertainty) : .microtesla(reading.magnitude)
    state.difference = MagneticField(microtesla: reading.difference)
    state.uncertainty = reading.uncertainty
    state.peak = reading.peak
    state.minimum = reading.minimum
    state.raw = MagneticField(microtesla: reading.field)
    state.isSaturated = reading.flags.contains(.saturated)
    state.isZeroSpoiled = reading.flags.contains(.turned)
    state.history.append(reading.magnitude, at: reading.time)
  }

  private mutating func press(_ keys: [Key]) -> StreamLoop.Verdict {
    for key in keys {
      switch key {
      case .character("q"), .interrupt: return .stop
      case .character("z"):
        session.zero()
        state.phase = .zeroing(progress: 0)
      case .character("p"): session.resetPeak()
      case .character("u"): state.unit = state.unit.next
      case .character(" "): state.isPaused.toggle()
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
