import Calibration
import LodestoneCore
import Instruments
import Lodestone
import LodestonePorts
import LodestoneTerminal

/// A guided calibration on a terminal: on a screen, or line by line.
struct GuidedCalibrationRun {
  /// How it is shown.
  enum Style {
    case screen
    /// Sentences on standard error, for screen readers and logs.
    case plain
  }

  private let session: CalibrationSession
  private let notices: Notices
  private let isQuiet: Bool
  /// Samples after which it ends at the latest; nil for no such limit.
  private let count: Int?
  private var screen: LiveScreen?
  private let keyboard = Keyboard()
  private var view: CalibrationView
  private var told = CalibrationLines()
  private var rate = RateMeter()
  private var wantsBell = false
  /// Whether a field has come: without one, nothing can be said of how it behaves.
  private var hasField = false
  private let ear = Ear()

  /// A listener for whether bytes come at all.
  private final class Ear { var hasHeard = false }

  /// Whether the user has discarded it.
  private(set) var isDiscarded = false

  init(_ session: CalibrationSession, style: Style, options: StreamOptions) throws {
    self.session = session
    isQuiet = options.quiet
    count = options.count
    notices = Notices(options)
    view = CalibrationView(session.progress)
    view.device = session.stream.identity
    screen = style == .screen ? try LiveScreen(on: session.loop.output) : nil
    if style == .screen { session.loop.companions.append(keyboard) }
    let ear = ear
    if session.stream.isLive { _ = session.stream.tap { _, _ in ear.hasHeard = true } }
    session.loop.tickInterval = style == .screen ? 0.1 : 0.5
  }

  /// Runs until it is done, the user ends it, or the stream does.
  mutating func run() throws -> StreamLoop.End {
    defer { screen?.leave() }
    let end = try session.run { event in
      switch event {
      case .sample, .progress:
        try follow(event)
        if let count, session.samples.count >= count { return .stop }
      case .notice(let notice): take(notice)
      case .turn: if let bytes = keyboard.take() { return press(try screen?.keys(bytes) ?? []) }
      case .tick: try show()
      }
      return .goOn
    }
    if screen == nil { try show() }
    return end
  }

  private mutating func press(_ keys: [Key]) -> StreamLoop.Verdict {
    for key in keys {
      switch key {
      case .character("q"), .interrupt:
        isDiscarded = true
        return .stop
      case .character("f"): return .stop
      case .character("l"): session.continueLevel()
      case .suspend: session.noteBreak()
      case .character(" "):
        session.isPaused.toggle()
        view.isPaused = session.isPaused
      default: break
      }
    }
    return .goOn
  }

  private mutating func follow(_ event: CalibrationSession.Event) throws {
    rate.count(session.loop.sample.time)
    hasField = hasField || session.loop.sample.field != nil
    if view.isAway { (view.isAway, view.notice) = (false, nil) }
    let progress = session.progress
    guard case .progress = event else {
      view.progress.restProgress = progress.restProgress
      view.progress.fieldDirection = progress.fieldDirection
      view.progress.up = progress.up
      return
    }
    wantsBell = wantsBell || progress.deservesBell(after: view.progress)
    if view.progress.phase == .waiting, progress.phase != .waiting { view.notice = nil }
    view.progress = progress
    view.rate = rate.hertz
    let problem = hasField ? progress.problem : nil
    view.problem = problem.map { $0.words }
    view.remedy = problem.map { $0.hint }
    if screen == nil, !session.stream.isLive { try show() }
  }

  /// Keeps a notice about the device on the screen until it is back.
  private mutating func take(_ notice: Notice) {
    if screen == nil { notices.say(notice) }
    if let isPresent = notice.isPresent { view.isAway = !isPresent }
    switch notice.isPresent {
    case true: view.notice = nil
    case false: view.notice = notices.words(notice)
    case nil: if notice.isInTheWay { view.notice = notices.words(notice) }
    }
  }

  private mutating func show() throws {
    view.hearsData = ear.hasHeard
    if screen != nil {
      try screen?.show(on: session.loop.output, bell: wantsBell) { CalibrationScreen.draw(view, into: &$0) }
      wantsBell = false
    } else if !isQuiet {
      for line in told.lines(for: view) { writeToStandardError(line.harmless + "\n") }
    }
  }
}
