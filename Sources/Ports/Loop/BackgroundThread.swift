import Glibc

/// A thread that runs one piece of work, and handles no signals.
public final class BackgroundThread {
  private final class Work {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }

  private let thread: pthread_t
  private var isOwned = true

  /// Begins the work at once.
  /// - Throws: what the system says when it gives no thread.
  public init(_ work: @escaping @Sendable () -> Void) throws(SystemError) {
    let kept = Unmanaged.passRetained(Work(work))
    var thread = pthread_t()
    let code = Signals.blocked {
      pthread_create(
        &thread, nil,
        { kept in
          if let kept { Unmanaged<Work>.fromOpaque(kept).takeRetainedValue().run() }
          return nil
        }, kept.toOpaque())
    }
    self.thread = thread
    guard code == 0 else {
      kept.release()
      isOwned = false
      throw SystemError("pthread_create", code: code)
    }
  }

  /// Waits until the work is done.
  public func join() {
    guard isOwned else { return }
    isOwned = false
    pthread_join(thread, nil)
  }

  deinit { if isOwned { pthread_detach(thread) } }
}
