import CLinux
import Glibc
import Synchronization

/// Wakes a poll loop from another thread. Unchecked: its descriptor never changes, and the system calls on it are safe.
public final class Doorbell: @unchecked Sendable {
  /// The descriptor for poll(2): readable when it was rung.
  public var descriptor: Int32 { bell.number }
  private let bell: Descriptor
  private let isRung = Atomic<Bool>(false)

  /// A bell that nobody has rung.
  public init() throws(SystemError) {
    let number = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard number >= 0 else { throw SystemError("eventfd") }
    bell = Descriptor(owning: number)
  }

  /// Rings, from any thread.
  public func ring() {
    var one: UInt64 = 1
    _ = write(bell.number, &one, MemoryLayout<UInt64>.size)
    isRung.store(true, ordering: .releasing)
  }

  /// Whether it was rung since the last question; cheap where it was not.
  public func wasRung() -> Bool {
    guard isRung.load(ordering: .acquiring) else { return false }
    isRung.store(false, ordering: .relaxed)
    var count: UInt64 = 0
    _ = read(bell.number, &count, MemoryLayout<UInt64>.size)
    return true
  }
}
