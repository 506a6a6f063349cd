import NIOConcurrencyHelpers
import NIOCore

/// The latest event of each name, and the last few that nobody may miss. The poll loop writes, the server's thread
/// reads.
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
    /// Kept events that still hold, each with its subject: a reader that comes later gets them too.
    var standing: [(subject: String, entry: Entry)] = []
    /// The number of the newest event.
    var newest: UInt64 = 0

    /// The next event.
    fileprivate mutating func number(_ frame: ByteBuffer, _ json: ByteBuffer) -> Entry {
      newest += 1
      return Entry(number: newest, frame: frame, json: json)
    }

    fileprivate mutating func keep(_ entry: Entry) {
      kept.append(entry)
      if kept.count > EventBoard.keptCount { kept.removeFirst() }
    }
  }

  /// The number of kept events: a reader that was away misses older ones, and no more of them stand.
  fileprivate static let keptCount = 64

  private let content = NIOLockedValueBox(Content())

  /// The present content.
  var now: Content { content.withLockedValue { $0 } }

  /// Puts an event of a name up.
  /// - Parameters:
  ///   - json: one JSON object; line ends in it are left out.
  ///   - isKept: every reader gets it; otherwise a newer one of its name takes its place.
  func put(_ name: String, json: UnsafeRawBufferPointer, isKept: Bool) {
    let (frame, text) = Self.frame(name, json)
    content.withLockedValue { content in
      let entry = content.number(frame, text)
      if isKept {
        content.keep(entry)
      } else if let place = content.latest.firstIndex(where: { $0.name == name }) {
        content.latest[place].entry = entry
      } else {
        content.latest.append((name, entry))
      }
    }
  }

  /// Puts an event up that every reader gets, and takes the place of an earlier one about its subject.
  /// - Parameters:
  ///   - json: one JSON object; line ends in it are left out.
  ///   - stands: readers that come later get it too, until another one about the subject.
  func put(_ name: String, json: UnsafeRawBufferPointer, about subject: String, stands: Bool) {
    let (frame, text) = Self.frame(name, json)
    content.withLockedValue { content in
      let entry = content.number(frame, text)
      content.keep(entry)
      content.standing.removeAll { $0.subject == subject }
      guard stands else { return }
      content.standing.append((subject, entry))
      if content.standing.count > Self.keptCount { content.standing.removeFirst() }
    }
  }

  /// An event as it goes over the wire, and its object alone.
  private static func frame(_ name: String, _ json: UnsafeRawBufferPointer) -> (ByteBuffer, ByteBuffer) {
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
    return (frame, text)
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
