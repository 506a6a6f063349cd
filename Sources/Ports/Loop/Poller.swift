import CLinux
import Glibc

/// Waits for any of several descriptors: the one place where a program that reads devices stands still.
public struct Poller {
  /// The conditions to wait for.
  public struct Interest: OptionSet, Sendable {
    /// The bits of poll(2).
    public let rawValue: Int16
    /// From bits.
    public init(rawValue: Int16) { self.rawValue = rawValue }
    /// Bytes, a connection, a signal, or the end.
    public static let readable = Interest(rawValue: Int16(POLLIN))
    /// Room to write.
    public static let writable = Interest(rawValue: Int16(POLLOUT))
  }

  /// The conditions found.
  public struct Readiness: OptionSet, Sendable {
    /// The bits of poll(2).
    public let rawValue: Int16
    /// From bits.
    public init(rawValue: Int16) { self.rawValue = rawValue }
    /// A read will not wait.
    public static let readable = Readiness(rawValue: Int16(POLLIN))
    /// A write will not wait.
    public static let writable = Readiness(rawValue: Int16(POLLOUT))
    /// The other side is gone; there may still be bytes to read.
    public static let hungUp = Readiness(rawValue: Int16(POLLHUP))
    /// An error is waiting, or nobody reads the pipe any more.
    public static let failed = Readiness(rawValue: Int16(POLLERR))
    /// Not an open descriptor.
    public static let invalid = Readiness(rawValue: Int16(POLLNVAL))
  }

  private var entries: [pollfd] = []

  /// Watches nothing yet.
  public init() {}

  /// Watches a descriptor, or changes what it is watched for. Hang-ups and errors are always reported; to hear nothing
  /// of it at all, `forget` it. A closed descriptor (−1) is ignored.
  public mutating func watch(_ descriptor: Int32, for interest: Interest) {
    guard descriptor >= 0 else { return }
    if let index = entries.firstIndex(where: { $0.fd == descriptor }) {
      entries[index].events = interest.rawValue
    } else {
      entries.append(pollfd(fd: descriptor, events: interest.rawValue, revents: 0))
    }
  }

  /// Watches it no longer. Must be called before the descriptor is closed.
  public mutating func forget(_ descriptor: Int32) {
    entries.removeAll { $0.fd == descriptor }
  }

  /// Waits until a descriptor is ready or the deadline has passed; without a deadline, as long as it takes. Returns how
  /// many are ready: 0 at the deadline. A deadline in the past looks without waiting.
  @discardableResult
  public mutating func wait(until deadline: MonotonicTime? = nil) throws(SystemError) -> Int {
    while true {
      let count = pollOnce(until: deadline)
      if count >= 0 { return Int(count) }
      guard errno == EINTR else { throw SystemError("poll") }
    }
  }

  /// Waits as `wait` does, but no longer once a signal that is held back asks the program to end.
  /// - Returns: whether a descriptor is ready; false at the deadline, or where the program is to end.
  public mutating func waitUnlessAsked(until deadline: MonotonicTime? = nil) throws(SystemError) -> Bool {
    watch(Signals.bell, for: .readable)
    defer { forget(Signals.bell) }
    while !Signals.haveArrived {
      let count = try wait(until: deadline)
      guard readiness(of: Signals.bell).contains(.readable) else { return count > 0 }
      // It may still ring of a signal that somebody was told of.
      if !Signals.haveArrived { Signals.silenceBell() }
    }
    return false
  }

  private mutating func pollOnce(until deadline: MonotonicTime?) -> Int32 {
    let left = deadline.map { max(0, $0.nanoseconds &- MonotonicTime.now.nanoseconds) } ?? -1
    return linux_poll(&entries, UInt(entries.count), left)
  }

  /// Looks at one descriptor alone, without waiting.
  static func look(at descriptor: Int32, for interest: Interest) -> Readiness {
    var entry = pollfd(fd: descriptor, events: interest.rawValue, revents: 0)
    _ = uninterrupted { linux_poll(&entry, 1, 0) }
    return Readiness(rawValue: entry.revents)
  }

  /// The conditions that the last `wait` found for a descriptor; none for one that is not watched.
  public func readiness(of descriptor: Int32) -> Readiness {
    guard let entry = entries.first(where: { $0.fd == descriptor }) else { return [] }
    return Readiness(rawValue: entry.revents)
  }
}
