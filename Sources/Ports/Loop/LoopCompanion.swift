/// What else takes part in the one wait of a loop: a server, a pseudo-terminal, a second stream.
public protocol LoopCompanion: AnyObject {
  /// When to serve it though nothing became ready; nil for never.
  var wakeTime: MonotonicTime? { get }
  /// It can take no more: the stream is left alone until it can.
  var isFull: Bool { get }
  /// Watches what it waits for, and forgets what it no longer waits for. Called before each wait.
  func watch(with poller: inout Poller)
  /// Does what can be done without waiting. Called after each wait.
  func serve(_ poller: Poller) throws
}

extension LoopCompanion {
  /// Never.
  public var wakeTime: MonotonicTime? { nil }
  /// It always has room, or drops what it has no room for.
  public var isFull: Bool { false }
}
