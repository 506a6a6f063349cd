/// A thread that does jobs in the order they come: what a loop need not do itself in a long recording, so that two
/// cores share it. What a job makes comes back through a `Handover`.
public final class SideThread {
  /// The jobs; nil is the end.
  private let jobs: Handover<(@Sendable () -> Void)?>
  private let thread: BackgroundThread

  /// A thread with nothing to do yet.
  public init() throws(SystemError) {
    let jobs = try Handover<(@Sendable () -> Void)?>(capacity: 64)
    self.jobs = jobs
    thread = try BackgroundThread {
      var poller = Poller()
      poller.watch(jobs.descriptor, for: .readable)
      while (try? poller.wait()) != nil {
        while let next = jobs.take() {
          guard let job = next else { return }
          job()
        }
      }
    }
  }

  /// The jobs it has are done first. None of them may own the thread.
  deinit {
    _ = jobs.put(nil)
    thread.join()
  }

  /// Gives it a job.
  public func perform(_ job: @escaping @Sendable () -> Void) { _ = jobs.put(job) }
}
