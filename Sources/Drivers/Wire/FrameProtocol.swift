/// The kind of data that begins at a place in a byte stream.
enum FrameStart {
  /// No frame.
  case none
  /// Perhaps a frame, of which bytes are still to come.
  case incomplete
  /// Looks like a frame, but its checksum is wrong.
  case damaged
  /// A frame, with its length in bytes.
  case whole(Int)
  /// A frame, with its length in bytes, that cannot be checked, because its kind is not known: passed over silently.
  case foreign(Int)
}

/// A protocol whose messages are binary frames. After a damaged frame the search goes on with its second byte, so that
/// a frame that begins within the wreck is found.
protocol FrameProtocol: WireProtocol {
  /// The place at or after another one at which a frame may begin: its first byte with a mark, or the count. What lies
  /// before is not shown to `frame`.
  static func start(in bytes: Span<UInt8>, from place: Int) -> Int

  /// The kind of data that begins at `start`. Returns `incomplete` for at most 4096 bytes.
  func frame(at start: Int, in bytes: Span<UInt8>) -> FrameStart

  /// Reads a frame into a message that holds nothing yet.
  mutating func read(_ frame: Span<UInt8>, into message: inout WireMessage) -> WireMeaning

  /// A message that frames have been joined into and that is complete, or never will be more so at the end; false when
  /// there is none.
  mutating func takeJoined(atEnd: Bool, into message: inout WireMessage) -> Bool

  /// A frame was damaged.
  mutating func noteDamage()
}

extension FrameProtocol {
  static func start(in bytes: Span<UInt8>, from place: Int) -> Int { place }

  mutating func takeJoined(atEnd: Bool, into message: inout WireMessage) -> Bool { false }

  mutating func noteDamage() {}

  mutating func next(
    in bytes: Span<UInt8>, from position: inout Int, into message: inout WireMessage
  ) -> WireStep? {
    if takeJoined(atEnd: false, into: &message) { return .message }
    var index = Self.start(in: bytes, from: position)
    while index < bytes.count {
      let found = frame(at: index, in: bytes)
      if case .none = found {
        index = Self.start(in: bytes, from: index &+ 1)
        continue
      }
      if index > position { return rejectNoise(upTo: index, &position) }
      switch found {
      case .incomplete, .none: return nil
      case .foreign(let count):
        position = index &+ count
        index = Self.start(in: bytes, from: position)
      case .damaged:
        position = index &+ 1
        noteDamage()
        return .rejected(.checksum, byteCount: 1)
      case .whole(let count):
        position = index &+ count
        message.clear()
        if let step = read(bytes.extracting(index..<position), into: &message).step(of: count) { return step }
        if takeJoined(atEnd: false, into: &message) { return .message }
        index = position
      }
    }
    return index > position ? rejectNoise(upTo: index, &position) : nil
  }

  /// A frame that is not complete now will never be; what lies within it may be frames.
  mutating func finish(in bytes: Span<UInt8>, from position: inout Int) -> WireEvent? {
    if let event = next(in: bytes, from: &position) { return event }
    if position < bytes.count {
      position += 1
      return .rejected(.truncated, byteCount: 1)
    }
    var joined = WireMessage()
    return takeJoined(atEnd: true, into: &joined) ? .message(joined) : nil
  }

  private func rejectNoise(upTo end: Int, _ position: inout Int) -> WireStep {
    defer { position = end }
    return .rejected(.unrecognized, byteCount: end - position)
  }
}

extension FrameProtocol where Self: CycleJoining {
  mutating func takeJoined(atEnd: Bool, into message: inout WireMessage) -> Bool {
    cycle.take(atEnd: atEnd, into: &message)
  }

  mutating func noteDamage() { cycle.damage() }
}
