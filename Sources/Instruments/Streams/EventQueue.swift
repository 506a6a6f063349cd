import Drivers

/// Events that wait: notices and positions, and messages that have been held back.
struct EventQueue {
  private var events: [StreamEvent] = []
  private var messages: [(message: WireMessage, arrival: Double)] = []
  private var position = 0

  var isEmpty: Bool { events.isEmpty && messages.isEmpty }

  mutating func append(_ notice: StreamNotice) { events.append(.notice(notice)) }
  mutating func append(_ event: StreamEvent) { events.append(event) }
  mutating func append(_ held: [(message: WireMessage, arrival: Double)]) {
    messages = held
    position = 0
  }

  /// Takes out the messages that have not become samples yet.
  mutating func takeMessages() -> ArraySlice<(message: WireMessage, arrival: Double)> {
    defer { (messages, position) = ([], 0) }
    return messages.dropFirst(position)
  }

  /// Appends messages that wait behind all others.
  mutating func append(_ rest: ArraySlice<(message: WireMessage, arrival: Double)>) { messages += rest }

  mutating func next(_ assembler: inout SampleAssembler) -> StreamEvent? {
    if !events.isEmpty { return events.removeFirst() }
    while position < messages.count {
      let (message, arrival) = messages[position]
      position += 1
      if let sample = assembler.sample(of: message, arrival: arrival) { return .sample(sample) }
    }
    if !messages.isEmpty { messages = [] }
    return nil
  }
}
