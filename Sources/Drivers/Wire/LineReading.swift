/// A protocol whose lines are read right into the message that is wanted.
protocol LineReading: LineProtocol {
  /// Reads a line into a message that holds nothing yet.
  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> WireMeaning

  /// A line was rejected.
  mutating func noteDamage()
}

extension LineReading {
  mutating func noteDamage() {}

  mutating func next(
    in bytes: Span<UInt8>, from position: inout Int, into message: inout WireMessage
  ) -> WireStep? {
    nextLine(in: bytes, from: &position, into: &message)
  }

  /// The next lines as far as they say something: `next` for all that know no shorter way.
  @inline(__always)
  mutating func nextLine(
    in bytes: Span<UInt8>, from position: inout Int, into message: inout WireMessage
  ) -> WireStep? {
    while !takeJoined(atEnd: false, into: &message) {
      switch framer.next(in: bytes, from: &position) {
      case nil: return nil
      case .tooLong(let count): return .rejected(.tooLong, byteCount: count)
      case .line(let range):
        message.clear()
        switch read(bytes.extracting(range), into: &message) {
        case .message: return .message
        case .part: break
        case .other: return .other
        case .rejected(let reason):
          noteDamage()
          return .rejected(reason, byteCount: range.count)
        }
      }
    }
    return .message
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
}

/// A protocol of which each object of JSON says something by itself.
protocol ObjectReading: LineReading {}

extension ObjectReading {
  /// A closing brace proves that an object is whole.
  mutating func readLast(_ line: Span<UInt8>) -> WireEvent? {
    if case .message(let message) = read(line) { return .message(message) }
    return .rejected(.truncated, byteCount: line.count)
  }
}

/// A protocol of sentences of NMEA 0183.
protocol SentenceReading: LineReading {}

extension SentenceReading {
  /// The checksum at its end proves that a line is whole.
  mutating func readLast(_ line: Span<UInt8>) -> WireEvent? {
    if case .found(let frame) = NMEAFrame.find(in: line), frame.isChecked { return read(line) }
    return .rejected(.truncated, byteCount: line.count)
  }
}

extension LineReading where Self: CycleJoining {
  mutating func noteDamage() { cycle.damage() }
}
