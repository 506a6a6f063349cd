import LodestoneCore

/// A cause whose share in the field is not known at the moment.
public enum CauseFault: Equatable, Sendable {
  /// The device does not tell its value: the field may be off by this many µT.
  case missing(String, microtesla: Double)
  /// Its value is outside the range for which the calibration holds.
  case outside(String, value: Double, range: ClosedRange<Double>)
}

/// Takes off what causes add to the field, sample by sample.
public struct CauseRemoval: Sendable {
  private var followed: [FollowedCause]
  private var faults: [CauseFault] = []

  /// A removal for the causes of a calibration, in the order in which the stream was asked for them; nil where there
  /// are none.
  public init?(_ causes: [Cause]) {
    guard !causes.isEmpty else { return nil }
    followed = causes.enumerated().map { FollowedCause($0.element, place: $0.offset) }
  }

  /// Takes the causes' share off the field of a sample. Returns by how many µT it may still be off, for what is not
  /// told or lies outside the range. A field before the first values is left out: the share that comes with them would
  /// look like iron.
  public mutating func remove(from sample: inout Sample) -> Double {
    var (added, off, isAwaited) = (Vector3.zero, 0.0, false)
    for index in followed.indices {
      let share = followed[index].share(at: sample)
      added += share.field
      off += share.off
      isAwaited = followed[index].isAwaited(at: sample.time) || isAwaited
      if let fault = followed[index].takeFault() { faults.append(fault) }
    }
    guard !isAwaited else {
      sample.field = nil
      return off
    }
    if let field = sample.field { sample.field = MagneticField(microtesla: field.microtesla - added) }
    return off
  }

  /// A fault that has lasted, each told once; nil when there is nothing more to tell.
  public mutating func nextFault() -> CauseFault? { faults.isEmpty ? nil : faults.removeFirst() }
}

extension Cause {
  /// Seconds for which a value holds: many devices tell it less often than the field.
  public static let life = 2.0
  /// Share of the range by which a value may lie outside without a word.
  private static let margin = 0.05

  /// The distance of a value from the range for which the calibration holds; 0 within it.
  func excess(of value: Double) -> Double { max(0, value - range.upperBound, range.lowerBound - value) }

  /// A value lies so far outside the range that its share in the field is not known.
  public func isOutside(_ value: Double) -> Bool { excess(of: value) > 2 * Self.margin * halfRange }
}

/// One cause, and the values of it that count at the moment.
private struct FollowedCause: Sendable {
  /// Seconds for which a fault must last to be told.
  private static let patience = 2.0
  private static let historyLimit = 512
  /// Seconds that the first value may take to come.
  private static let wait = 1.0

  private let cause: Cause
  private let place: CausePlace
  private var last: (time: Double, value: Double)?
  /// The past values, as far back as the lag needs.
  private var history: [(time: Double, value: Double)] = []
  /// The time of the first sample that had no value.
  private var awaitedSince: Double?
  private var faultSince: Double?
  private var fault: CauseFault?
  private var isMissingTold = false
  private var isOutsideTold = false

  init(_ cause: Cause, place: Int) {
    self.cause = cause
    self.place = CausePlace(place, name: cause.name)
  }

  mutating func share(at sample: Sample) -> (field: Vector3, off: Double) {
    let time = sample.time
    if let value = place.value(in: sample) { follow(value, at: time) }
    guard let last, abs(time - last.time) <= Cause.life else {
      let off = cause.slope.length * cause.halfRange
      note(.missing(cause.name, microtesla: off), at: time, isTold: isMissingTold)
      return (.zero, off)
    }
    let value = cause.lag < 0 ? past(time + cause.lag) ?? last.value : last.value
    if cause.isOutside(value) {
      note(.outside(cause.name, value: value, range: cause.range), at: time, isTold: isOutsideTold)
    } else {
      faultSince = nil
    }
    // Values that come late have changed meanwhile by about what they did before.
    let change = cause.lag > 0 ? abs(value - (past(time - cause.lag) ?? value)) : 0
    return (cause.slope * (value - cause.middle), cause.slope.length * (cause.excess(of: value) + change))
  }

  /// No value has come yet, and one may still come.
  mutating func isAwaited(at time: Double) -> Bool {
    guard last == nil else { return false }
    let since = awaitedSince ?? time
    awaitedSince = since
    return time >= since && time - since < Self.wait
  }

  mutating func takeFault() -> CauseFault? {
    defer { fault = nil }
    return fault
  }

  private mutating func note(_ fault: CauseFault, at time: Double, isTold: Bool) {
    guard !isTold else { return }
    let since = min(faultSince ?? time, time)
    faultSince = since
    guard time - since >= Self.patience else { return }
    self.fault = fault
    if case .missing = fault { isMissingTold = true } else { isOutsideTold = true }
  }

  private mutating func follow(_ value: Double, at time: Double) {
    last = (time, value)
    guard cause.lag != 0 else { return }
    if let latest = history.last, time <= latest.time { history = [] }
    history.append((time, value))
    let needed = time - abs(cause.lag)
    while history.count > 2, history[1].time <= needed || history.count > Self.historyLimit { history.removeFirst() }
  }

  /// The value at a moment of the past; nil where that is too long ago.
  private func past(_ time: Double) -> Double? {
    guard let index = history.lastIndex(where: { $0.time <= time }) else { return nil }
    let before = history[index]
    guard index + 1 < history.count else { return before.value }
    let after = history[index + 1]
    return before.value + (after.value - before.value) * (time - before.time) / (after.time - before.time)
  }
}
