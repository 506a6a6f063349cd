/// Messages that cannot be given yet, because the unit of their times is not known, and those that can but were not
/// taken.
struct WaitingMessages: Sendable {
  /// Messages that wait for the unit of their time at most.
  private static let messageLimit = 8

  /// The messages in order; `next` of them have been taken.
  private var messages: [WireMessage] = []
  private var next = 0
  /// The times of the messages are still in their own unit.
  private(set) var holdsTimes = false

  init(arrival: Double? = nil) { self.arrival = arrival }

  /// The messages that wait, and those that have been taken of them.
  var count: Int { messages.count }

  /// Whether nothing waits.
  @inline(__always)
  var isEmpty: Bool { messages.isEmpty }

  /// The times that wait for their unit, as they were read.
  var times: [Double] { messages.compactMap { $0.time } }

  /// Numbers that may be temperatures, in °C.
  static let temperatures = -40.0...85
  /// Messages that tell that what is called `t` stands still, and is no time in whole seconds: of a live stream, which
  /// must not wait for long, and of a recording.
  private static let (fewestStanding, fewestOfRecording) = (12, 48)

  /// All times are the same number.
  var standStill: Bool { times.allSatisfy { $0 == times.first } }

  /// There are too few to tell by that.
  var areTooFewToStand: Bool { times.count < (arrival == nil ? Self.fewestOfRecording : Self.fewestStanding) }

  /// The unit that was found may as well be another: steps of a recording as long as these leave it open.
  private(set) var unitIsOpen = false

  /// Seconds in one unit of the times that wait: by their steps, or 1 from `messageLimit` messages on; nil before. Long
  /// steps of a recording are looked at together.
  /// - Parameters:
  ///   - isFine: they are a SampleTimeFine.
  ///   - atEnd: no more will come.
  mutating func foundTimeScale(isFine: Bool, atEnd: Bool = false) -> Double? {
    let times = times
    if isFine { return zip(times, times.dropFirst()).map { TimeSteps.fineScale(ofStep: $1 - $0) }.first }
    let isOpen = arrival == nil && TimeSteps.areOpen(times)
    if isOpen, !atEnd, messages.count < Self.messageLimit { return nil }
    switch TimeSteps.meaning(of: times) {
    case .seconds(let scale):
      unitIsOpen = isOpen
      return scale
    case .index: return 1
    case nil: return messages.count >= Self.messageLimit ? 1 : nil
    }
  }

  /// The time at which what is read arrived; nil where nobody said.
  var arrival: Double?

  /// Keeps a message whose time has no unit yet, or that follows such a one; false where neither is so.
  mutating func hold(_ message: WireMessage, times areOpen: Bool) -> Bool {
    guard areOpen && message.time != nil else { return false }
    holdsTimes = true
    ready(message)
    return true
  }

  /// The unit of the times is known.
  mutating func release(timeScale: Double) {
    holdsTimes = false
    for index in messages.indices { messages[index].time = messages[index].time.map { $0 * timeScale } }
  }

  /// The times were temperatures in °C.
  mutating func releaseTemperatures() {
    holdsTimes = false
    for index in messages.indices { (messages[index].temperature, messages[index].time) = (messages[index].time, nil) }
  }

  /// The times were none.
  mutating func releaseWithoutTimes() {
    holdsTimes = false
    for index in messages.indices { messages[index].time = nil }
  }

  /// Puts a message behind those that can be taken.
  mutating func ready(_ message: WireMessage) {
    messages.append(message)
    if message.arrival == nil { messages[messages.count - 1].arrival = arrival }
  }

  /// The next message that can be taken; false where there is none.
  mutating func take(into message: inout WireMessage) -> Bool {
    guard !holdsTimes, next < messages.count else { return false }
    message = messages[next]
    next += 1
    if next == messages.count { (messages, next) = ([], 0) }
    return true
  }
}
