import LodestonePorts
import Navigation

extension Session {
  /// The readings for programs that use concurrency: `for try await reading in session.readings`. They are waited for
  /// on a thread of their own, one at a time, so that none is lost to a slow reader but by the device itself. While the
  /// sequence is read, nobody else may use the session.
  public var readings: Readings<Kind.Reading> {
    nonisolated(unsafe) let session = self
    return Readings(stop: stop) { try session.next() }
  }
}

extension Device {
  /// The events for programs that use concurrency, waited for as a session's readings are. An event is asked for its
  /// readings before the next one is.
  public var allEvents: Readings<Event> {
    nonisolated(unsafe) let device = self
    return Readings(stop: stop) { try device.next() }
  }
}

/// Readings or events, one after the other.
public struct Readings<Element: Sendable>: AsyncSequence {
  private let stop: @Sendable () -> Void
  private let next: @Sendable () throws -> Element?

  init(stop: @escaping @Sendable () -> Void, next: @escaping @Sendable () throws -> Element?) {
    self.stop = stop
    self.next = next
  }

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator { Iterator(courier: Courier(next), stop: stop) }

  /// Fetches an element when it is asked for one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let courier: Courier<Element>
    fileprivate let stop: @Sendable () -> Void

    /// The next element; nil at the end of a recording, and when the task is cancelled.
    public mutating func next() async throws -> Element? {
      guard !Task.isCancelled else { return nil }
      let courier = courier
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { courier.fetch(for: $0) }
      } onCancel: { [stop] in
        stop()
      }
    }
  }
}

/// A thread that waits in place of the tasks that want something.
private final class Courier<Element: Sendable>: @unchecked Sendable {
  typealias Wish = CheckedContinuation<Element?, any Error>

  private let next: @Sendable () throws -> Element?
  private let wishes: Handover<Wish?>?
  private var thread: BackgroundThread?

  init(_ next: @escaping @Sendable () throws -> Element?) {
    self.next = next
    wishes = try? Handover(capacity: 16)
  }

  /// The last wish is that there are no more.
  deinit { _ = wishes?.put(nil) }

  func fetch(for wish: Wish) {
    guard let wishes else { return wish.resume(throwing: SessionError.system("no descriptor is left")) }
    do throws(SystemError) {
      if thread == nil { thread = try BackgroundThread(Self.work(wishes, next)) }
    } catch {
      return wish.resume(throwing: SessionError.system("no thread is left: \(error.message)"))
    }
    _ = wishes.put(wish)
  }

  private static func work(
    _ wishes: Handover<Wish?>, _ next: @escaping @Sendable () throws -> Element?
  ) -> @Sendable () -> Void {
    return {
      var poller = Poller()
      poller.watch(wishes.descriptor, for: .readable)
      while (try? poller.wait()) != nil {
        while let wish = wishes.take() {
          guard let wish else { return }
          wish.resume(with: Result { try next() })
        }
      }
    }
  }
}
