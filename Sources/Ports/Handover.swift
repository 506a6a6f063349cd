import CLinux
import Glibc
import Synchronization

/// Things on their way from one thread, which waits where too many are there already, to a poll loop, which never waits.
public final class Handover<Item: Sendable>: Sendable {
  private struct State: Sendable {
    var items: [Item] = []
    var isClosed = false
  }

  /// At most so many wait.
  private let capacity: Int
  private let state = Mutex(State())
  /// Readable while items wait.
  private let arrivals: Int32
  /// Readable once there is room again.
  private let room: Int32

  /// An empty one for `capacity` items, at least one.
  public init(capacity: Int) throws(SystemError) {
    self.capacity = max(1, capacity)
    arrivals = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    room = eventfd(0, Int32(EFD_CLOEXEC))
    guard arrivals >= 0, room >= 0 else {
      let error = SystemError("eventfd")
      for descriptor in [arrivals, room] where descriptor >= 0 { _ = close(descriptor) }
      throw error
    }
  }

  deinit {
    _ = close(arrivals)
    _ = close(room)
  }

  /// For poll(2): readable while items wait.
  public var descriptor: Int32 { arrivals }

  /// Hands an item over, once there is room. False, and the item is lost, when nobody takes any more.
  public func put(_ item: Item) -> Bool {
    while true {
      let isDone: Bool? = state.withLock { state in
        if state.isClosed { return false }
        guard state.items.count < capacity else { return nil }
        if state.items.isEmpty { Self.signal(arrivals) }
        state.items.append(item)
        return true
      }
      if let isDone { return isDone }
      Self.clear(room)  // waits
    }
  }

  /// The oldest item; nil when there is none now.
  public func take() -> Item? {
    state.withLock { state in
      guard !state.items.isEmpty else { return nil }
      if state.items.count == capacity { Self.signal(room) }
      if state.items.count == 1 { Self.clear(arrivals) }
      return state.items.removeFirst()
    }
  }

  /// Says that nobody takes any more: whoever waits to put goes on.
  public func stop() {
    state.withLock { $0.isClosed = true }
    Self.signal(room)
  }

  private static func signal(_ descriptor: Int32) {
    var one: UInt64 = 1
    _ = uninterrupted { write(descriptor, &one, MemoryLayout<UInt64>.size) }
  }

  private static func clear(_ descriptor: Int32) {
    var count: UInt64 = 0
    _ = uninterrupted { read(descriptor, &count, MemoryLayout<UInt64>.size) }
  }
}
