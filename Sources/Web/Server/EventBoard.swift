import NIOConcurrencyHelpers
import NIOCore

/// The latest event of each name, and the last few that nobody may miss. The poll loop writes, the server's thread reads.
final class EventBoard: Sendable {
  /// Events as they go over the wire, numbered in the order they came.
  struct Entry: Sendable {
    var number: UInt64
    var frame: ByteBuffer
    var json: ByteBuffer
  }

  /// The events to send.
  struct Content: Sendable {
    /// The latest of each name, in the order in which the names came up.
    var latest: [(name: String, entry: Entry)] = []
    /// Events that are all sent: notices, gestures.
    var kept: [Entry] = []
    /// The number of the newest event.
    var newest: UInt64 = 0
  }

  /// A reader that was away misses what is older than this many kept events.
  private static let keptCount = 64

  private let content = NIOLockedValueBox(Content())

  /// The present content.
  var now: Content { content.withLockedValue { $0 } }

  /// Puts an event of a name up.
  /// - Parameters:
  ///   - json: one JSON object; line ends in it are left out.
  ///   - isKept: every reader gets it; otherwise a newer one of its name takes its place.
  func put(_ name: String, json: UnsafeRawBufferPointer, isKept: Bool) {
    var text = ByteBufferAllocator().buffer(capacity: json.count)
    let line = json.last == 10 ? UnsafeRawBufferPointer(rebasing: json.dropLast()) : json
    if line.contains(10) || line.contains(13) {
      text.writeBytes(line.filter { $0 != 10 && $0 != 13 })
    } else {
      text.writeBytes(line)
    }
    var frame = ByteBufferAllocator().buffer(capacity: json.count + 32)
    frame.writeString("event: \(name)\ndata: ")
    frame.writeImmutableBuffer(text)
    frame.writeString("\n\n")
    content.withLockedValue { content in
      content.newest += 1
      let entry = Entry(number: content.newest, frame: frame, json: text)
      if isKept {
        content.kept.append(entry)
        if content.kept.count > Self.keptCount { content.kept.removeFirst() }
      }
      guard !isKept else { return }
      if let place = content.latest.firstIndex(where: { $0.name == name }) {
        content.latest[place].entry = entry
      } else {
        content.latest.append((name, entry))
      }
    }
  }

  /// The latest event of each name in one JSON object.
  var state: ByteBuffer {
    let content = now
    var buffer = ByteBufferAllocator().buffer(capacity: 4096)
    buffer.writeString("{")
    var isFirst = true
    for (name, entry) in content.latest {
      buffer.writeString("\(isFirst ? "" : ",")\"\(name)\":")
      buffer.writeImmutableBuffer(entry.json)
      isFirst = false
    }
    buffer.writeString("}\n")
    return buffer
  }
}
