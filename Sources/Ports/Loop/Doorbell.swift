import CLinux
import Glibc

/// Wakes a poll loop from another thread. Unchecked: its descriptor never changes, and the system calls on it are safe.
public final class Doorbell: @unchecked Sendable {
  /// For poll(2): readable when it was rung.
  public var descriptor: Int32 { bell.number }
  private let bell: Descriptor

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
  }

  /// Whether it was rung since the last question.
  public func wasRung() -> Bool {
    var count: UInt64 = 0
    return read(bell.number, &count, MemoryLayout<UInt64>.size) > 0
  }
}
