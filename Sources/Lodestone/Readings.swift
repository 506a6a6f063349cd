import LodestonePorts
import Navigation

extension Session {
  /// The readings for programs that use concurrency: `for try await reading in session.readings`. They are waited for on
  /// a thread of their own, one at a time, so that none is lost to a slow reader but by the device itself. While the
  /// sequence is read, nobody else may use the session.
  public var readings: Readings<Device> { Readings(self) }
}

/// The readings of a session, one after the other.
public struct Readings<Device: Instrument>: AsyncSequence {
  private let session: Session<Device>

  init(_ session: Session<Device>) { self.session = session }

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator { Iterator(courier: Courier(session)) }

  /// Fetches a reading when it is asked for one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let courier: Courier<Device>

    /// The next reading; nil at the end of a recording, and when the task is cancelled.
    public mutating func next() async throws -> Device.Reading? {
      let courier = courier
      let stop = courier.stop
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { courier.fetch(for: $0) }
      } onCancel: {
        stop()
      }
    }
  }
}

/// A thread that waits for readings in place of the tasks that want them.
/// Unchecked: the session is used by the thread alone, one wish at a time.
private final class Courier<Device: Instrument>: @unchecked Sendable {
  typealias Wish = CheckedContinuation<Device.Reading?, any Error>

  let stop: @Sendable () -> Void
  private let session: Session<Device>
  private let wishes: Handover<Wish?>?
  private var thread: BackgroundThread?

  init(_ session: Session<Device>) {
    self.session = session
    stop = session.stop
    wishes = try? Handover(capacity: 16)
  }

  /// The last wish is that there are no more.
  deinit { _ = wishes?.put(nil) }

  func fetch(for wish: Wish) {
    guard let wishes else { return wish.resume(throwing: SessionError.system("no descriptor is left")) }
    do throws(SystemError) {
      if thread == nil { thread = try BackgroundThread(Self.work(wishes, session)) }
    } catch {
      return wish.resume(throwing: SessionError.system("no thread is left: \(error.message)"))
    }
    _ = wishes.put(wish)
  }

  private static func work(_ wishes: Handover<Wish?>, _ session: Session<Device>) -> @Sendable () -> Void {
    nonisolated(unsafe) let session = session
    return {
      var poller = Poller()
      poller.watch(wishes.descriptor, for: .readable)
      while (try? poller.wait()) != nil {
        while let wish = wishes.take() {
          guard let wish else { return }
          wish.resume(with: Result { try session.next() })
        }
      }
    }
  }
}
