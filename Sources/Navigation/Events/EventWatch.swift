import LodestoneCore

/// Waits for events in the readings of an instrument. Each has a hysteresis, so that a value that trembles about its
/// number is one event.
public struct EventWatch<Reading: EventfulReading>: Sendable {
  /// The events that are waited for.
  public let triggers: [EventTrigger]
  private let scale: Double
  private var isActive: [Bool]
  private var rest = RestWatch()
  private var orientation: Orientation?

  /// Waits for some events.
  /// - Parameter unit: one of the unit of the triggers' numbers in that of the readings' value.
  public init(_ triggers: [EventTrigger], unit: Double = 1) {
    self.triggers = triggers
    scale = unit
    isActive = triggers.map { _ in false }
  }

  /// The events of a reading, by their places among the triggers.
  public mutating func events(of reading: borrowing Reading) -> [Int] {
    let motion = rest.take(reading.place, for: Reading.patience, at: reading.time)
    let isTurned = reading.heldOrientation.map { turn(to: $0) } ?? false
    let told = reading.told
    var found: [Int] = []
    for index in triggers.indices {
      let name = triggers[index].name
      switch name {
      case .still: if motion == .still { found.append(index) }
      case .moved: if motion == .moved { found.append(index) }
      case .orientation where told == nil: if isTurned { found.append(index) }
      case .outside, .inside, .above, .below, .tilt, .disturbed:
        guard let now = holds(triggers[index], reading, isActive[index]) else { continue }
        if now, !isActive[index] { found.append(index) }
        isActive[index] = now
      default: if told == name { found.append(index) }
      }
    }
    return found
  }

  /// Whether it is held another way than before; unknown is no way.
  private mutating func turn(to new: Orientation) -> Bool {
    guard new != .unknown, new != orientation else { return false }
    defer { orientation = new }
    return orientation != nil
  }

  /// Whether a condition holds; nil where the reading does not tell.
  /// - Parameter held: it did before: it holds on until the value has come back by the slack.
  private func holds(_ trigger: EventTrigger, _ reading: borrowing Reading, _ held: Bool) -> Bool? {
    if trigger.name == .disturbed { return reading.isDisturbed }
    let numbers = trigger.numbers.map { $0 * (trigger.name == .tilt ? 1 : scale) }
    guard let first = numbers.first, let last = numbers.last else { return nil }
    if trigger.name == .tilt { return reading.tilt.map { $0 > (held ? 0.8 * first : first) } }
    guard let value = reading.eventValue else { return nil }
    if reading.isLowerBound, value <= last, trigger.name != .above { return nil }
    let slack = held ? reading.eventSlack : 0
    switch trigger.name {
    case .above: return value > first - Self.slack(slack, within: first)
    case .below: return value < first + slack
    case .inside: return distance(of: value, from: first, to: last) <= slack
    default:
      let width = Reading.isCircular ? Angle.wrapped(degrees: last - first) : last - max(0, first)
      return distance(of: value, from: first, to: last) > 0
        || (held && depth(of: value, first, last) < Self.slack(slack, within: width / 2))
    }
  }

  /// A slack by which a value can come back that has so far to go: half of that at most, or the event would never end.
  private static func slack(_ slack: Double, within way: Double) -> Double { way > 0 ? min(slack, way / 2) : slack }

  /// How far a value is from a range; zero within. On a circle the range goes clockwise, past north where need be.
  private func distance(of value: Double, from first: Double, to last: Double) -> Double {
    guard Reading.isCircular else { return max(0, first - value, value - last) }
    let (width, place) = (Angle.wrapped(degrees: last - first), Angle.wrapped(degrees: value - first))
    return place <= width ? 0 : min(place - width, 360 - place)
  }

  /// How deep a value is within a range. Sizes do not come from below a range that begins at zero.
  private func depth(of value: Double, _ first: Double, _ last: Double) -> Double {
    guard Reading.isCircular else { return min(first > 0 ? value - first : .infinity, last - value) }
    let (width, place) = (Angle.wrapped(degrees: last - first), Angle.wrapped(degrees: value - first))
    return min(place, width - place)
  }
}

/// Tells rest from movement: at rest everything has stayed within its slack for a while, and it does until it leaves
/// the mean of the rest by the slack: one place alone has the noise of one reading.
private struct RestWatch: Sendable {
  enum Change { case still, moved }

  private var begin: [Double] = []
  private var mean: [Double] = []
  private var count = 0.0
  private var since = 0.0
  private var last = 0.0
  private var isStill: Bool?

  /// The mean runs over this many times the patience, so that what creeps, as a sensor's drift, is no movement.
  private static let memory = 60.0

  /// - Parameter patience: seconds at one place that are a rest.
  mutating func take(_ place: [(value: Double, slack: Double)], for patience: Double, at time: Double) -> Change? {
    guard !place.isEmpty, place.allSatisfy({ $0.value.isFinite }) else { return nil }
    let anchor = isStill == true ? mean : begin
    let stays =
      anchor.count == place.count
      && zip(anchor, place).allSatisfy { abs($0 - $1.value) <= $1.slack }
    let step = time - last
    last = time
    guard stays else {
      let isFirst = begin.isEmpty
      begin = place.map { $0.value }
      (mean, count, since) = (begin, 1, time)
      defer { isStill = isFirst ? nil : false }
      return isStill == true ? .moved : nil
    }
    count += 1
    since = min(since, time)
    let share = max(1 / count, min(1, step / (Self.memory * patience)))
    mean = zip(mean, place).map { $0 + ($1.value - $0) * share }
    guard isStill != true, time - since >= patience else { return nil }
    isStill = true
    return .still
  }
}
