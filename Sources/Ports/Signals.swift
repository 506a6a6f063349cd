import CLinux
import Glibc

/// The signals a program takes in its poll loop instead of in a handler, through signalfd(2).
public final class Signals {
  /// A signal that arrived.
  public enum Event: Int32, CaseIterable, Sendable {
    /// Ctrl-C.
    case interrupt
    /// A polite request to end.
    case terminate
    /// The terminal has gone.
    case hangUp
    /// The terminal has another size.
    case windowChange

    var number: Int32 {
      switch self {
      case .interrupt: SIGINT
      case .terminate: SIGTERM
      case .hangUp: SIGHUP
      case .windowChange: SIGWINCH
      }
    }
  }

  private let owned: Descriptor
  private var before = sigset_t()

  /// For poll(2).
  public var descriptor: Int32 { owned.number }

  /// Takes over the signals for the calling thread, and lets SIGPIPE be an error of write(2). A signal that the parent
  /// had ignored (`nohup`, a background job of a script) stays ignored.
  public init() throws(SystemError) {
    Self.ignoreBrokenPipes()
    var taken = sigset_t()
    sigemptyset(&taken)
    for event in Event.allCases where !Self.isIgnored(event.number) { sigaddset(&taken, event.number) }
    let number = signalfd(-1, &taken, Int32(SFD_NONBLOCK | SFD_CLOEXEC))
    guard number >= 0 else { throw SystemError("signalfd") }
    owned = Descriptor(owning: number)
    pthread_sigmask(SIG_BLOCK, &taken, &before)
  }

  /// The signals act again as they did before.
  deinit { pthread_sigmask(SIG_SETMASK, &before, nil) }

  /// The next signal that has arrived, or nil.
  public func next() -> Event? {
    var information = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    guard uninterrupted({ read(descriptor, &information, size) }) == size else { return nil }
    return Event.allCases.first { $0.number == Int32(information.ssi_signo) }
  }

  /// Makes writing to a closed pipe an error instead of the end of the program.
  public static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1  // SIG_IGN
  }
}
