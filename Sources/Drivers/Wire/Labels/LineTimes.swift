/// The times of lines with names, whose unit a name says, or the steps of the first messages tell, which wait for that.
struct LineTimes: Sendable {
  /// Seconds in one unit of the time; 0 while that is not known.
  private(set) var scale = 0.0
  /// No name has said the unit.
  private(set) var isAssumed = false
  private var waiting = WaitingMessages()
  /// Whether its name is `t` alone, as that of a temperature may be.
  private var mayBeTemperature = false
  /// The numbers of that name do not rise: they are temperatures in °C.
  private var areTemperatures = false

  /// Whether it has no name, and may be anything; and whether it has been found to be no time.
  private var mayBeNone = false
  private(set) var areNone = false

  /// Messages that tell whether it is one.
  private static let tellingCount = 6
  private static let mostWaiting = 64

  /// The first message, while it has no time, alone in an array, which is quickly seen to be empty: where the second
  /// has one, the first was cut off, and would have all that follow be counted instead.
  private var first: [WireMessage] = []
  private var hasBegun = false

  /// Keeps a first message without a time, and gives it behind which none has one either; true while it waits.
  mutating func holdFirst(_ message: WireMessage) -> Bool {
    if !hasBegun {
      hasBegun = true
      if message.time == nil { first = [message] }
      return !first.isEmpty
    }
    if message.time == nil { first.forEach { append($0) } }
    first = []
    return false
  }

  /// No message waits.
  @inline(__always)
  var isEmpty: Bool { waiting.isEmpty && first.isEmpty }

  /// Messages wait for the unit of their times.
  var areOpen: Bool { waiting.holdsTimes || !first.isEmpty }

  /// Times can be told in seconds, and no message waits.
  @inline(__always)
  var areKnown: Bool { scale != 0 && isEmpty }

  /// Seconds in one unit of the times, where their steps leave open which it is.
  var openScale: Double? { waiting.unitIsOpen ? scale : nil }

  /// Takes note of when what is read arrived.
  mutating func hear(at arrival: Double) { waiting.arrival = arrival }

  /// A name has said the unit.
  mutating func tell(scale: Double) { self.scale = scale }

  /// Takes note that the name of the time is `t` alone.
  mutating func doubt() { mayBeTemperature = true }

  /// Takes note whether the time has no name: it is none then, unless it rises as a clock does.
  mutating func note(isNameless: Bool) { mayBeNone = isNameless }

  /// Puts a time into a message, in seconds; as it is where the unit is not known.
  @inline(__always)
  func put(_ time: Double, into message: inout WireMessage) {
    if areTemperatures || areNone {
      (message.temperature, message.time) = (areNone ? nil : time, nil)
    } else {
      message.time = scale == 0 ? time : time * scale
    }
  }

  /// Keeps a message whose time has no unit yet; false for any other. It may be the one that tells.
  mutating func hold(_ message: WireMessage) -> Bool {
    guard scale == 0, waiting.hold(message, times: true) else { return false }
    if isInDoubt, waiting.times.count < Self.tellingCount || takeTemperatures() { return true }
    if mayBeTemperature, waiting.standStill, waiting.areTooFewToStand || dropTimes() { return true }
    if mayBeNone, isTooFew(waiting.times) || dropNameless() { return true }
    if let found = waiting.foundTimeScale(isFine: false) { settle(found) }
    return true
  }

  /// Puts a message behind those that wait.
  mutating func append(_ message: WireMessage) {
    waiting.ready(message)
    // One with a time may not come again.
    if waiting.count >= Self.mostWaiting { conclude() }
  }

  /// No more will come: what waits is taken for what it most likely is.
  mutating func conclude() {
    first.forEach { append($0) }
    first = []
    if waiting.holdsTimes, !isInDoubt || !takeTemperatures(), !mayBeNone || !dropNameless(),
      !mayBeTemperature || !waiting.standStill || waiting.areTooFewToStand || !dropTimes()
    {
      settle(waiting.foundTimeScale(isFine: false, atEnd: true) ?? 1)
    }
  }

  /// The next message that waits no longer; false where there is none.
  mutating func take(into message: inout WireMessage) -> Bool { waiting.take(into: &message) }

  /// The times that wait may be temperatures.
  private var isInDoubt: Bool {
    mayBeTemperature && waiting.times.allSatisfy { WaitingMessages.temperatures.contains($0) }
  }

  /// Takes numbers that do not rise for temperatures; false for others.
  private mutating func takeTemperatures() -> Bool {
    guard !RisingColumn(waiting.times).rises else { return false }
    (areTemperatures, scale) = (true, 1)
    waiting.releaseTemperatures()
    return true
  }

  /// Whether there are too few to tell that they are times: several lines have each.
  private func isTooFew(_ times: [Double]) -> Bool {
    times.count < 4 * Self.tellingCount && Self.moments(of: times).count < Self.tellingCount
  }

  /// The times without those that are the one before.
  private static func moments(of times: [Double]) -> [Double] {
    times.prefix(1) + zip(times, times.dropFirst()).lazy.filter { $0 != $1 }.map { $1 }
  }

  /// Takes the numbers for no times, nor for temperatures in °C: `T=2450`.
  private mutating func dropTimes() -> Bool {
    (areNone, scale) = (true, 1)
    waiting.releaseWithoutTimes()
    return true
  }

  /// Takes numbers without a name that do not rise as a clock does, or count lines, for none of ours; false for a time.
  private mutating func dropNameless() -> Bool {
    let times = Self.moments(of: waiting.times)
    if case .seconds? = TimeSteps.meaning(of: times), RisingColumn(times).isClock { return false }
    return dropTimes()
  }

  private mutating func settle(_ scale: Double) {
    self.scale = scale
    isAssumed = true
    waiting.release(timeScale: scale)
  }
}

/// Lines that are joined, and whose times may have no unit yet.
protocol TimedCycleJoining: CycleJoining {
  /// The times of its messages; a cycle holds them as they are on the wire.
  var times: LineTimes { get set }
}

extension LineProtocol where Self: TimedCycleJoining {
  mutating func hear(at arrival: Double) { times.hear(at: arrival) }

  mutating func takeJoined(atEnd: Bool, into message: inout WireMessage) -> Bool {
    while times.isEmpty || times.areOpen, cycle.take(atEnd: atEnd, into: &message) {
      if times.holdFirst(message) || times.hold(message) { continue }
      if times.isEmpty {
        if let time = message.time { times.put(time, into: &message) }
        return true
      }
      times.append(message)
    }
    if atEnd { times.conclude() }
    return times.take(into: &message)
  }
}
