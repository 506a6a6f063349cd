import CLinux
import Glibc

/// Things on their way from one thread, which may wait where too many are there already, to a poll loop, which never
/// waits. Unchecked: what changes is touched under the lock only. (A lock of the C library, because the thread
/// sanitizer knows it.)
public final class Handover<Item: Sendable>: @unchecked Sendable {
  /// The most items that may wait.
  private let capacity: Int
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  /// Told when there is room again.
  private let room = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// An eventfd, readable while items wait.
  private let arrivals: Descriptor
  private var items: [Item] = []
  private var hasStopped = false

  /// An empty one for `capacity` items, at least one.
  public init(capacity: Int) throws(SystemError) {
    self.capacity = max(1, capacity)
    pthread_mutex_init(lock, nil)
    pthread_cond_init(room, nil)
    let number = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    arrivals = Descriptor(owning: number)
    guard number >= 0 else { throw SystemError("eventfd") }
  }

  deinit {
    pthread_cond_destroy(room)
    pthread_mutex_destroy(lock)
    room.deallocate()
    lock.deallocate()
  }

  /// The descriptor for poll(2): readable while items wait.
  public var descriptor: Int32 { arrivals.number }

  /// Hands an item over.
  /// - Parameter waits: once there is room; else at once or not at all.
  /// - Returns: false, and the item is lost, where nobody takes any more, or there is no room and no wait.
  public func put(_ item: Item, waits: Bool = true) -> Bool {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while waits, items.count >= capacity, !hasStopped { pthread_cond_wait(room, lock) }
    guard items.count < capacity, !hasStopped else { return false }
    if items.isEmpty {
      var one: UInt64 = 1
      _ = write(arrivals.number, &one, MemoryLayout<UInt64>.size)
    }
    items.append(item)
    return true
  }

  /// The oldest item; nil when there is none now.
  public func take() -> Item? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    guard !items.isEmpty else { return nil }
    if items.count == 1 {
      var count: UInt64 = 0
      _ = read(arrivals.number, &count, MemoryLayout<UInt64>.size)
    }
    pthread_cond_signal(room)
    return items.removeFirst()
  }

  /// Whether nobody takes any more.
  public var isStopped: Bool {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return hasStopped
  }

  /// Says that nobody takes any more: whoever waits to put goes on.
  public func stop() {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    hasStopped = true
    pthread_cond_broadcast(room)
  }
}
