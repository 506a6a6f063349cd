import NIOCore
import NIOHTTP1

/// One reader of the events. What it does not take in time is replaced by what is newer; nobody waits for it.
final class EventStream {
  private let channel: any Channel
  /// The number of the newest event that it has got; nil before the first look.
  private var seen: UInt64?
  private var sinceLast = 0
  /// The moment since which the reader has taken nothing although something waits.
  private var stalled: NIODeadline?

  /// A reader that gets the latest of each name first.
  init(channel: any Channel) {
    self.channel = channel
  }

  /// The event that tells a reader, once a second without news, that the server is there.
  static let alive = WebEvent("alive", .object([], "Nothing is new, and the server is there"), isState: false)
  private static let aliveFrame = ByteBuffer(string: "event: \(alive.name)\ndata: {}\n\n")

  /// Looks without anything new after which the reader is told that the server is there: once a second.
  private static let quietLooks = 30

  /// Sends what is new, if the reader has taken what it got before.
  /// - Parameter patience: a reader that takes nothing for so long is gone, and makes room for another.
  func update(_ content: EventBoard.Content, at now: NIODeadline, patience: TimeAmount) {
    guard channel.isActive else { return }
    guard channel.isWritable else {
      let since = stalled ?? now
      stalled = since
      if now - since > patience { channel.close(promise: nil) }
      return
    }
    stalled = nil
    let isFirst = seen == nil
    var isAnything = false
    // A reader that has just come is told how things are, not what happened before.
    for entry in isFirst ? content.standing.map({ $0.entry }) : content.kept where entry.number > seen ?? 0 {
      write(entry.frame)
      isAnything = true
    }
    for (_, entry) in content.latest where entry.number > seen ?? 0 {
      write(entry.frame)
      isAnything = true
    }
    seen = content.newest
    sinceLast = isAnything ? 0 : sinceLast + 1
    if isFirst || sinceLast >= Self.quietLooks {
      write(Self.aliveFrame)
      sinceLast = 0
      isAnything = true
    }
    if isAnything { channel.flush() }
  }

  private func write(_ frame: ByteBuffer) {
    channel.write(HTTPServerResponsePart.body(.byteBuffer(frame)), promise: nil)
  }
}
