import Dispatch
import Glibc
import Testing

extension Trait where Self == WaitingTests {
  /// Tests that mostly wait, for programs, devices and clocks.
  public static var waiting: WaitingTests { WaitingTests() }
}

/// Runs tests on threads of their own, so that they wait side by side. Swift's own threads, one a core, are left to
/// tests that compute.
public struct WaitingTests: SuiteTrait, TestTrait, TestScoping {
  /// For each test of a suite.
  public let isRecursive = true

  /// Runs a test on those threads.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(WaitingThreads.shared) { try await function() }
  }
}

/// A few threads that run tasks in the order in which they come. A plain lock guards them, which the thread sanitizer
/// knows.
private final class WaitingThreads: TaskExecutor, @unchecked Sendable {
  static let shared = WaitingThreads(count: 12)

  private var jobs: [UnownedJob] = []
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  private init(count: Int) {
    pthread_mutex_init(lock, nil)
    pthread_cond_init(arrival, nil)
    for number in 1...count { DispatchQueue(label: "waiting tests \(number)").async { self.work() } }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    pthread_mutex_lock(lock)
    jobs.append(job)
    pthread_mutex_unlock(lock)
    pthread_cond_signal(arrival)
  }

  private func work() {
    while true {
      pthread_mutex_lock(lock)
      while jobs.isEmpty { pthread_cond_wait(arrival, lock) }
      let job = jobs.removeFirst()
      pthread_mutex_unlock(lock)
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
