import Lodestone
import LodestoneCore
import LodestoneTerminal
import Navigation

/// The inclinometer on a terminal. The numbers are the reading's; the needle moves as one with a spring does.
struct LevelScreenRun {
  private let setup: InstrumentRun<Level>
  private let session: LevelSession
  private var state = LevelState()
  private var screen: LiveScreen
  private var rate = RateMeter()
  private var needle = (pitch: DampedNeedle(), roll: DampedNeedle())

  init(_ setup: InstrumentRun<Level>) throws {
    self.setup = setup
    session = setup.session
    screen = try LiveScreen(on: setup.output)
    state.device = session.stream.identity
    session.loop.readsKeys = true
    session.loop.tickInterval = 0.05
  }

  mutating func run() throws -> StreamLoop.End {
    defer { screen.leave() }
    return try session.run { event in
      switch event {
      case .reading: try take()
      case .notice(let notice):
        if let words = setup.notices.words(notice) { state.note = words }
      case .keys(let bytes): return press(screen.keys(bytes))
      case .resized: screen.redraw()
      case .tick:
        state.rate = rate.hertz
        try screen.show(on: setup.output) { LevelScreen.draw(state, into: &$0) }
      case .sample: break
      }
      return .goOn
    }
  }

  private mutating func take() throws {
    let reading = session.reading
    rate.count(reading.time)
    try setup.publisher?.publish(reading)
    guard !state.isPaused else { return }
    state.isMoving = reading.isMoving
    state.show(pitch: reading.pitch, roll: reading.roll)
    state.needles = (
      needle.pitch.follow(reading.pitch, at: reading.time), needle.roll.follow(reading.roll, at: reading.time)
    )
  }

  private mutating func press(_ keys: [Key]) -> StreamLoop.Verdict {
    for key in keys {
      switch key {
      case .character("q"), .interrupt: return .stop
      case .character("z"): session.instrument.zero()
      case .character("c"): calibrate()
      case .character(" "): state.isPaused.toggle()
      case .redraw: screen.redraw()
      default: break
      }
    }
    return .goOn
  }

  private mutating func calibrate() {
    guard session.instrument.firstPosition != nil else {
      session.instrument.takeFirstPosition()
      state.note = "turn the board by 180° on the same spot, then press c"
      return
    }
    guard let found = session.instrument.takeSecondPosition() else { return }
    var text = TextBuffer()
    text.append("board off by ")
    text.append(found.board.pitch, decimals: 2)
    text.append("°, ")
    text.append(found.board.roll, decimals: 2)
    text.append("°; surface tilted by ")
    text.append(found.surface.pitch, decimals: 2)
    text.append("°, ")
    text.append(found.surface.roll, decimals: 2)
    text.append("°")
    state.note = text.text
  }
}
