/// Cuts a byte stream into what a protocol reads at a time.
protocol Framing: Sendable {
  /// The next thing to read at or after `position`, and `position` moved past it; nil when none is complete.
  mutating func next(in bytes: Span<UInt8>, from position: inout Int) -> LineFramer.Event?

  /// The next thing to read once the stream is over and `next` has nothing more, be it cut off; nil when nothing is
  /// left.
  mutating func finish(in bytes: Span<UInt8>, from position: inout Int) -> LineFramer.Event?
}

/// Cuts a byte stream into lines that end in CR, LF or CR LF. Empty lines are nothing, which is why the three need not
/// be told apart, even when CR and LF arrive in different chunks. The zero that ends a string of C is no part of a line
/// where a sketch sends it along, `Serial.write(line, strlen(line) + 1)`; several zeros are damage.
struct LineFramer: Framing {
  /// The longest line that is looked at, in bytes.
  static let limit = 4096

  /// Bytes of a line past the limit that were dropped so far; 0 while no such line is being dropped.
  private var dropped = 0
  /// The next bytes are the rest of a line past the limit.
  var isDropping: Bool { dropped > 0 }

  /// Drops the rest of the line whose first bytes have been looked at.
  mutating func drop(_ byteCount: Int) { dropped &+= byteCount }

  /// A line found in the bytes.
  enum Event: Equatable {
    /// A line without its end: where it lies in the bytes.
    case line(Range<Int>)
    /// A line past the limit, dropped: its length.
    case tooLong(byteCount: Int)
  }

  /// The next line at or after `position`, and `position` moved past its end; nil when none is complete.
  mutating func next(in bytes: Span<UInt8>, from position: inout Int) -> Event? {
    while position < bytes.count {
      let start = position
      let end = bytes.quickIndex(of: .lineFeed, or: .carriageReturn, from: start)
      guard end < bytes.count else {
        if dropped > 0 || end - start > Self.limit {
          dropped &+= end - start
          position = end
        }
        return nil
      }
      position = end &+ 1
      // Empty lines, as between CR and LF: only the end of a line that is being dropped matters.
      if end == start, dropped == 0 { continue }
      // Those who read lines of one kind without cutting them go on right at the next.
      if bytes[end] == .carriageReturn, position < bytes.count, bytes[position] == .lineFeed { position &+= 1 }
      if dropped > 0 || end - start > Self.limit {
        defer { dropped = 0 }
        return .tooLong(byteCount: dropped &+ (end - start))
      }
      let line = Self.withoutZero(bytes, start..<end)
      if !line.isEmpty { return .line(line) }
    }
    return nil
  }

  /// The end of the stream: a line without its end, or the rest of one past the limit.
  mutating func finish(in bytes: Span<UInt8>, from position: inout Int) -> Event? {
    let start = position
    position = bytes.count
    if dropped > 0 {
      defer { dropped = 0 }
      return .tooLong(byteCount: dropped &+ (bytes.count - start))
    }
    guard start < bytes.count else { return nil }
    let line = Self.withoutZero(bytes, start..<bytes.count)
    return line.isEmpty ? nil : .line(line)
  }

  /// A line without the one zero at its beginning or its end. It has at least a byte.
  @inline(__always)
  private static func withoutZero(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Range<Int> {
    let (first, last) = (bytes[line.lowerBound], bytes[line.upperBound &- 1])
    guard first == 0 || last == 0 else { return line }
    if first != 0 { return line.lowerBound..<line.upperBound &- 1 }
    // A zero by itself is both.
    return line.lowerBound &+ 1..<line.upperBound
  }
}

/// A protocol whose messages are lines.
protocol LineProtocol: WireProtocol {
  /// Cuts the stream.
  associatedtype Framer: Framing

  /// The framer that cuts the stream.
  var framer: Framer { get set }

  /// Reads a line; nil for one that is kept for a later message.
  mutating func read(_ line: Span<UInt8>) -> WireEvent?

  /// A last line that ends as those before it do is whole, though the end of the line is missing.
  static var endsAlike: Bool { get }

  /// A last line whose end never came. It may be cut anywhere, so only one that proves to be whole is a message.
  mutating func readLast(_ line: Span<UInt8>) -> WireEvent?

  /// A message that lines have been joined into and that is complete, or never will be more so at the end; false when
  /// there is none.
  mutating func takeJoined(atEnd: Bool, into message: inout WireMessage) -> Bool
}

extension LineProtocol {
  /// False: something else has to prove it.
  static var endsAlike: Bool { false }

  mutating func readLast(_ line: Span<UInt8>) -> WireEvent? { .rejected(.truncated, byteCount: line.count) }

  mutating func takeJoined(atEnd: Bool, into message: inout WireMessage) -> Bool { false }

  mutating func finish(in bytes: Span<UInt8>, from position: inout Int) -> WireEvent? {
    while let last = framer.finish(in: bytes, from: &position) {
      switch last {
      case .line(let range):
        let line = bytes.extracting(range)
        let isWhole = Self.endsAlike && LastLine.isWhole(range, in: bytes)
        if let event = isWhole ? read(line) : readLast(line) { return event }
      case .tooLong(let count): return .rejected(.tooLong, byteCount: count)
      }
    }
    var joined = WireMessage()
    return takeJoined(atEnd: true, into: &joined) ? .message(joined) : nil
  }
}

extension LineProtocol where Self: CycleJoining {
  mutating func takeJoined(atEnd: Bool, into message: inout WireMessage) -> Bool {
    cycle.take(atEnd: atEnd, into: &message)
  }
}
