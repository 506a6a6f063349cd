import Calibration
import Core
import Geomagnetism
import Instruments
import Navigation
import Ports
import Terminal

/// The compass on a terminal: one line that is written over, or a rose.
struct HeadingScreenRun {
  private var session: HeadingSession
  private let loop: StreamLoop
  private var watch: CalibrationWatch
  private let notices: Notices
  private var state = HeadingState()
  private var rate = RateMeter()
  private var count = 0

  init(_ session: HeadingSession, loop: StreamLoop, earth: EarthField?, profile: Profile?, notices: Notices) {
    self.session = session
    self.loop = loop
    self.notices = notices
    watch = CalibrationWatch(profile, notices: notices)
    state.device = loop.stream.identity
    state.expectedStrength = profile?.fieldStrength ?? earth?.strength
    state.expectedInclination = profile?.inclination ?? earth?.inclination
    if profile == nil { state.notes = ["not calibrated: lodestone calibrate mends that"] }
  }

  /// A rose until q is pressed.
  mutating func showRose() throws -> StreamLoop.End {
    loop.readsKeys = true
    loop.tickInterval = 0.05
    var screen = try LiveScreen(on: loop.output)
    defer { screen.leave() }
    return try loop.run { event in
      switch event {
      case .sample: _ = take(loop.sample)
      case .keys(let bytes):
        for key in screen.keys(bytes) {
          if key == .character("q") || key == .interrupt { return .stop }
          if key == .redraw { screen.redraw() }
        }
      case .position(let fix): session.move(to: fix)
      case .resized: screen.redraw()
      case .tick: try screen.show(on: loop.output) { HeadingScreen.draw(state, into: &$0) }
      default: break
      }
      return .goOn
    }
  }

  /// One line, ten times a second, until Ctrl-C or so many samples.
  mutating func showLine(count limit: Int?) throws -> StreamLoop.End {
    loop.tickInterval = 0.1
    state.notes = []
    let end = try loop.run { event in
      switch event {
      case .sample:
        if let reading = take(loop.sample) {
          watch.see(reading.field, reading.inclination, loop.sample.acceleration, at: reading.time)
        }
        return count == limit ? .stop : .goOn
      case .notice(let notice): notices.say(notice)
      case .position(let fix): session.move(to: fix)
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
    guard count > 0, !loop.output.isWaiting else { return }
    let line = HeadingLine.overwriting(with: HeadingLine.line(state, width: TerminalSession.size(of: 1).columns - 1))
    try loop.output.append(line.span)
  }

  private mutating func take(_ sample: borrowing Sample) -> Reading? {
    var reading = Reading(time: 0)
    guard session.read(sample, into: &reading) else { return nil }
    count += 1
    rate.count(sample.time)
    state.declination = session.declination?.degrees
    state.rate = rate.hertz
    state.magnetic = reading.magneticHeading?.degrees
    state.trueNorth = reading.trueHeading?.degrees
    state.accuracy = reading.accuracy
    state.quality = HeadingState.Quality(rawValue: reading.quality.rawValue)
    state.pitch = reading.pitch
    state.roll = reading.roll
    state.strength = reading.field?.strength
    state.inclination = reading.inclination
    state.orientation = reading.orientation
    return reading
  }
}
