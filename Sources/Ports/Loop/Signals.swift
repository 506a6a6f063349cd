import CLinux
import Glibc
import Synchronization

/// The signals that end a program, taken in its poll loop.
///
/// A handler notes them while something holds them back: a loop that will see them, or a device that was taken from a
/// driver of the kernel and has to be given back first. While nothing does, they act as if there were no handler. It is
/// a handler and no blocked signal because a library's thread may have been started before anybody could block it, and
/// because a program that is started from this one begins without handlers by itself.
public final class Signals {
  /// A signal that arrived.
  public enum Event: Int32, CaseIterable, Sendable {
    /// Ctrl-C.
    case interrupt
    /// A polite request to end.
    case terminate
    /// The terminal has gone.
    case hangUp
    /// Ctrl-\, where the terminal sends it.
    case quit

    var number: Int32 {
      switch self {
      case .interrupt: SIGINT
      case .terminate: SIGTERM
      case .hangUp: SIGHUP
      case .quit: SIGQUIT
      }
    }
  }

  /// The descriptor for poll(2).
  public var descriptor: Int32 { Self.state.bell }

  /// Holds the signals back for a loop, and lets SIGPIPE be an error of write(2).
  public init() throws(SystemError) {
    guard Self.state.bell >= 0 else { throw SystemError("eventfd", code: EMFILE) }
    Self.install()
    Self.hold()
  }

  /// The signals act again.
  deinit { Self.release() }

  /// The next signal that has arrived, or nil. Of several that end a program, one is told.
  public func next() -> Event? {
    let state = Self.state
    Self.silenceBell()
    let arrived = state.arrived.load(ordering: .acquiring)
    guard let event = Event.allCases.first(where: { arrived & $0.bit != 0 }) else { return nil }
    state.isEnding.store(true, ordering: .releasing)
    state.arrived.store(0, ordering: .releasing)
    return event
  }

  // MARK: - For the whole process

  /// Whether one has arrived that nobody was told of: whoever waits for anything else gives up.
  static var haveArrived: Bool { state.arrived.load(ordering: .acquiring) != 0 }

  /// Readable once one has arrived.
  static var bell: Int32 { state.bell }

  /// Makes the bell unreadable. What has arrived stays to be told.
  static func silenceBell() {
    var count: UInt64 = 0
    _ = read(state.bell, &count, MemoryLayout<UInt64>.size)
  }

  /// Begins to note signals: first thing in a program that opens devices. One that the parent had ignored (`nohup`, a
  /// background job of a script) stays ignored.
  public static func install() {
    ignoreBrokenPipes()
    var taken = sigset_t()
    sigemptyset(&taken)
    for event in Event.allCases where take(event.number) { sigaddset(&taken, event.number) }
    pthread_sigmask(SIG_UNBLOCK, &taken, nil)
  }

  /// Makes writing to a closed pipe, or past the size that files may have, an error instead of the end of the program.
  public static func ignoreBrokenPipes() {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
  }

  /// Holds signals back: the process does not end by one until `release`.
  static func hold() { state.holdCount.add(1, ordering: .sequentiallyConsistent) }

  /// Lets signals act again, those too that have arrived meanwhile and that no loop has seen. Once a loop was told to
  /// end it does so in its own way: a second request on the heels of the first changes nothing.
  static func release() {
    guard state.holdCount.subtract(1, ordering: .sequentiallyConsistent).newValue == 0 else { return }
    let arrived = state.arrived.exchange(0, ordering: .acquiringAndReleasing)
    if state.isEnding.exchange(false, ordering: .acquiringAndReleasing) { return }
    if let event = Event.allCases.first(where: { arrived & $0.bit != 0 }) { act(event.number) }
  }

  /// Runs the body with every signal blocked: a thread that is started meanwhile never has to handle one.
  static func blocked<Result>(_ body: () -> Result) -> Result {
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return body()
  }

  /// The state that the handler may access.
  private final class State: Sendable {
    /// A bit for each signal that nobody has been told of.
    let arrived = Atomic<UInt64>(0)
    /// Whether a loop was told of one that ends a program.
    let isEnding = Atomic<Bool>(false)
    /// The number of those that hold the signals back.
    let holdCount = Atomic<Int>(0)
    /// An eventfd, readable once a signal has arrived.
    let bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
  }

  private static let state = State()

  /// Sets the handler, in place of any that the language's runtime may have set to report a crash; false for a signal
  /// that is ignored.
  private static func take(_ number: Int32) -> Bool {
    _ = state  // made here, because the handler must not allocate
    var found = sigaction()
    guard sigaction(number, nil, &found) == 0,
      unsafeBitCast(found.__sigaction_handler.sa_handler, to: Int.self) != 1  // SIG_IGN
    else { return false }
    var ours = sigaction()
    ours.__sigaction_handler.sa_handler = { Signals.note($0) }
    ours.sa_flags = SA_RESTART
    sigfillset(&ours.sa_mask)
    return sigaction(number, &ours, nil) == 0
  }

  /// The handler: nothing here allocates or takes a lock.
  private static func note(_ number: Int32) {
    let before = errno
    defer { errno = before }
    if state.holdCount.load(ordering: .sequentiallyConsistent) > 0 {
      state.arrived.bitwiseOr(1 << UInt64(number), ordering: .acquiringAndReleasing)
      eventfd_write(state.bell, 1)
    } else {
      act(number)
    }
  }

  /// Lets a signal do what it does to a program without a handler: it ends.
  private static func act(_ number: Int32) {
    _ = signal(number, SIG_DFL)
    var one = sigset_t()
    sigemptyset(&one)
    sigaddset(&one, number)
    pthread_sigmask(SIG_UNBLOCK, &one, nil)
    raise(number)
  }
}

extension Signals.Event {
  fileprivate var bit: UInt64 { 1 << UInt64(number) }
}
