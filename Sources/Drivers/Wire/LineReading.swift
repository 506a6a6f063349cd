/// What a line says.
enum LineMeaning {
  /// The message that it was read into.
  case message
  /// A part of a later message, or one that was counted: it is not read again.
  case part
  /// A valid line with nothing in it for us.
  case other
  /// No line of the protocol, and why.
  case rejected(WireRejection)
}

/// A protocol whose lines are read right into the message that is wanted.
protocol LineReading: LineProtocol {
  /// Reads a line into a message that holds nothing yet. A line that is neither a message nor a part may be read again.
  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> LineMeaning

  /// A line was rejected.
  mutating func noteDamage()
}

extension LineReading {
  mutating func noteDamage() {}

  /// With one message for all lines: most lines of garbage are rejected by every protocol that listens.
  mutating func next(in bytes: Span<UInt8>, from position: inout Int) -> WireEvent? {
    var message = WireMessage()
    if takeJoined(atEnd: false, into: &message) { return .message(message) }
    while let found = framer.next(in: bytes, from: &position) {
      switch found {
      case .tooLong(let count): return .rejected(.tooLong, byteCount: count)
      case .line(let range):
        switch read(bytes.extracting(range), into: &message) {
        case .message: return .message(message)
        case .other: return .other
        case .rejected(let reason):
          noteDamage()
          return .rejected(reason, byteCount: range.count)
        case .part:
          message = WireMessage()
          if takeJoined(atEnd: false, into: &message) { return .message(message) }
        }
      }
    }
    return nil
  }

  mutating func read(_ line: Span<UInt8>) -> WireEvent? {
    var message = WireMessage()
    switch read(line, into: &message) {
    case .message: return .message(message)
    case .part: return nil
    case .other: return .other
    case .rejected(let reason):
      noteDamage()
      return .rejected(reason, byteCount: line.count)
    }
  }

  mutating func nextMessage(
    in bytes: Span<UInt8>, from position: inout Int, into message: inout WireMessage
  ) -> Bool {
    readLine(in: bytes, from: &position, into: &message)
  }

  /// The next lines as far as they make a message: `nextMessage` for all that know no shorter way.
  mutating func readLine(in bytes: Span<UInt8>, from position: inout Int, into message: inout WireMessage) -> Bool {
    while !takeJoined(atEnd: false, into: &message) {
      var lines = framer
      var end = position
      guard case .line(let range)? = lines.next(in: bytes, from: &end) else { return false }
      message = WireMessage()
      switch read(bytes.extracting(range), into: &message) {
      case .message:
        position = end
        return true
      case .part: position = end
      case .other, .rejected: return false
      }
    }
    return true
  }
}

extension LineReading where Self: CycleJoining {
  mutating func noteDamage() { cycle.damage() }
}
