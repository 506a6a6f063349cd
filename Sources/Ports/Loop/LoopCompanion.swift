/// A participant in the one wait of a loop, besides its stream: a server, a pseudo-terminal, a second stream.
public protocol LoopCompanion: AnyObject {
  /// The time to serve it though nothing became ready; nil for never.
  var wakeTime: MonotonicTime? { get }
  /// Whether it can take no more: the stream is left alone until it can.
  var isFull: Bool { get }
  /// The number of samples whose output it has room for while it is not full.
  var sampleRoom: Int { get }
  /// Watches what it waits for, and forgets what it no longer waits for. Called before each wait.
  func watch(with poller: inout Poller)
  /// Does what can be done without waiting. Called after each wait.
  func serve(_ poller: Poller) throws
  /// Hands over a part of what it still holds when the loop has ended; false when nothing is left. What it hands over
  /// is written before it is asked again.
  func settle() throws -> Bool
}

extension LoopCompanion {
  /// Never.
  public var wakeTime: MonotonicTime? { nil }
  /// False: it has room, or drops what it has no room for.
  public var isFull: Bool { false }
  /// Room for one sample.
  public var sampleRoom: Int { 1 }
  /// False: it holds nothing.
  public func settle() -> Bool { false }
}
