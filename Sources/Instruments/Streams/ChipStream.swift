import LodestoneCore
import Drivers
import LodestonePorts

/// Samples from chips on an I²C bus, at the chip's own pace. A transfer is made when a measurement should be ready, and
/// never takes longer than the bus allows.
///
/// Trouble is met in steps: the transfer again, the chip set up again, the bus opened again; what still fails is waited
/// for like something unplugged. Before the first sample it is an error instead.
final class ChipStream: SampleStream {
  let descriptor: Int32? = nil
  let isLive = true
  let identity: String
  let unixStart: Double?

  private let link: any ChipLink
  private let request: ChipRequest
  private var presence: Presence
  private let name: String
  private let board: Board
  private let started: MonotonicTime

  private var open: OpenBoard?
  private var sampling: Sampling
  /// The pace of accelerometer and gyroscope; nil where they are asked with the field.
  private var motion: MotionPace?
  private var ranges: AutoRange?
  private var notices: [StreamNotice] = []
  private var watch = MissedSamples()
  private var nextFlags: Sample.Flags = []
  private var hadSample = false
  /// Whether a sample has just been given: where the bus is slower than the chip, the loop gets a turn between two.
  private var yields = false
  /// Failed transfers in a row.
  private var failures = 0
  /// The time to ask again after a failure.
  private var retry: Double?
  /// Times that the chip was set up again since it last measured.
  private var restarts = 0
  private var life = ChipLife()
  private var temperature = SlowTemperature()
  private var (force, rates) = (ForceWatch(), RateWatch())
  /// The time of the last sample; nil where the hole before the next one has been told of.
  private var lastTime: Double?
  /// Whether the bus was stuck when it was given up.
  private var isStuck = false
  /// The time at which what is beside the magnetometer last measured, or was set up.
  private var lastWhole = 0.0
  /// Whether it was set up again because it did not measure, and has not measured since.
  private var isRestAwaited = false

  /// Seconds of silence, and at least the periods of `silentPeriods`, after which a chip is set up again.
  private static let longestSilence = 0.5
  private static let silentPeriods = 10.0
  /// The steps of help for a failing transfer.
  private static let transfersBeforeRestart = 4
  private static let transfersBeforeReopening = 6
  private static let transfersBeforeLoss = 7
  private static let restartsBeforeNotice = 3
  /// A transfer that hung has taken as long as several that were refused, and counts for as many.
  private static let weightOfTimeout = 3

  /// Opens the bus, finds the chip, and starts it.
  init(_ link: any ChipLink, _ request: ChipRequest, reconnects: Bool) throws(StreamError) {
    self.link = link
    self.request = request
    presence = Presence(isAwaited: reconnects)
    let open = try OpenBoard.find(request, on: try link.open(resetting: false), name: link.name)
    board = open.board
    try link.claim(open.board.chips.map { $0.address })
    name = "\(link.name)/\(open.board.magnetometer)"
    identity = link.identity(of: open.board.magnetometer)
    do { try open.configure() } catch { throw .chip("\(link.name)/\(open.board.magnetometer)", error) }
    self.open = open
    started = .now
    unixStart = WallClock.unixTime
    guard request.motionRate == nil || open.motion != nil else { throw .oneRate(name) }
    sampling = Sampling(of: open.magnetometer, at: 0)
    motion = Self.motionPace(of: open, at: 0)
    notices.append(
      .chipsFound(
        name, magnetometer: type(of: open.magnetometer).part, motion: Self.words(open.companions),
        rate: 1 / open.magnetometer.timing.period))
    beginAutoRange()
  }

  private static func words(_ parts: [any Chip]) -> String? {
    parts.isEmpty ? nil : parts.map { type(of: $0).part }.joined(separator: " and ")
  }

  var wakeTime: MonotonicTime? { presence.nextLook ?? started + due }

  private var due: Double { retry ?? min(sampling.nextPoll, motion?.nextPoll ?? .infinity) }
  private var now: Double { MonotonicTime.now - started }

  func next() throws(StreamError) -> StreamEvent {
    if !notices.isEmpty { return .notice(notices.removeFirst()) }
    guard !yields else {
      yields = false
      return .waiting
    }
    if let sample = motion?.next(before: sampling.earliestTime) { return give(sample) }
    guard let wakeTime, wakeTime <= .now else { return .waiting }
    guard let open else { return try reopen() }
    do throws(ChipError) {
      guard open.isSetUp else {
        try restart(open)
        return .waiting
      }
      if let motion, motion.nextPoll <= sampling.nextPoll { return try pollMotion(open) }
      return try poll(open)
    } catch {
      return try help(error)
    }
  }

  // MARK: - Measuring

  /// One question to the chip; where it has an answer, a sample.
  private func poll(_ open: OpenBoard) throws(ChipError) -> StreamEvent {
    let begin = now
    let measurement = try open.measure()
    let asked = (begin + now) / 2
    retry = nil
    guard case .sample(let time, let missed, let isFrozen) = sampling.take(measurement, at: asked), let measurement
    else {
      try restartSilent(open, at: asked)
      return .waiting
    }
    (failures, restarts) = (0, 0)
    if !noteHole(until: time) { watch.note(missed, period: sampling.period) }
    let sample = try sample(from: open, measurement, time: time, missed: missed)
    try check(open, measurement, isFrozen: isFrozen)
    try restartIncomplete(open, sample, at: asked)
    if let notice = watch.notice(at: asked) { notices.append(.gap(seconds: notice)) }
    if let range = ranges?.change(after: measurement) { try change(open, to: range) }
    guard motion != nil else { return give(sample) }
    motion?.take(field: sample)
    return nextInOrder()
  }

  /// The next sample of the sensors that have rates of their own.
  private func nextInOrder() -> StreamEvent { motion?.next(before: sampling.earliestTime).map(give) ?? .waiting }

  private func give(_ new: Sample) -> StreamEvent {
    var sample = new
    (hadSample, yields) = (true, true)
    if let notice = rates.mark(&sample) { notices.append(notice) }
    if let acceleration = sample.acceleration, let length = force.length(of: acceleration.g, at: sample.time) {
      notices.append(.oddGravity(name, g: length))
    }
    return .sample(sample)
  }

  /// One question to the accelerometer and gyroscope, which are asked more often than the magnetometer.
  private func pollMotion(_ open: OpenBoard) throws(ChipError) -> StreamEvent {
    let begin = now
    let measurement = try open.measureMotion(at: begin)
    motion?.take(measurement, at: (begin + now) / 2)
    retry = nil
    return nextInOrder()
  }

  private static func motionPace(of open: OpenBoard, at now: Double) -> MotionPace? {
    open.isMotionFaster ? open.motion.map { MotionPace(of: $0, at: now) } : nil
  }

  /// A bus that hung and then went on has left a hole that no count of missed samples tells: after a restart the count
  /// begins anew. True where there is one.
  private func noteHole(until time: Double) -> Bool {
    defer { lastTime = time }
    let limit = max(Self.longestSilence, Self.silentPeriods * sampling.period)
    guard let lastTime, time - lastTime > limit else { return false }
    nextFlags.insert(.gap)
    notices.append(.gap(seconds: time - lastTime))
    return true
  }

  private func sample(
    from open: OpenBoard, _ measurement: Measurement, time: Double, missed: Int
  ) throws(ChipError) -> Sample {
    let paired = try open.pair(measurement, at: time)
    var celsius = paired.temperature
    if celsius == nil { celsius = try temperature.value(of: open, at: time) }
    var flags = nextFlags
    nextFlags = []
    if missed > 0 { flags.insert(.gap) }
    if measurement.saturated { flags.insert(.saturated) }
    if life.isSuspect { flags.insert(.stuck) }
    return Sample(
      time: time, field: paired.field, acceleration: paired.acceleration, rotationRate: paired.rotationRate,
      temperature: celsius, flags: flags)
  }

  /// A chip whose numbers no longer change is set up again once, and refused when that does not help.
  private func check(_ open: OpenBoard, _ measurement: Measurement, isFrozen: Bool) throws(ChipError) {
    let isNoisy = type(of: open.magnetometer).frozenAfter != nil
    switch life.verdict(on: measurement, isFrozen: isFrozen, isNoisy: isNoisy) {
    case .alive: return
    case .restart: try restart(open)
    case .dead(let count):
      throw .implausible(
        chip: type(of: open.magnetometer).name,
        what: "\(count) measurements in a row of exactly \(ChipLife.words(measurement))", read: [])
    }
  }

  /// Times and ranges anew, of chips that have just been set up: a retry that was due asks for nothing any more.
  private func begin(_ open: OpenBoard) {
    retry = nil
    sampling = Sampling(of: open.magnetometer, at: now)
    motion = Self.motionPace(of: open, at: now)
    lastWhole = now
    beginAutoRange()
  }

  private func beginAutoRange() {
    guard request.autoRange, let chip = open?.magnetometer, chip.fieldRanges.count > 1, let range = chip.fieldRange
    else { return }
    ranges = AutoRange(ranges: chip.fieldRanges, current: range)
  }

  private func change(_ open: OpenBoard, to range: Double) throws(ChipError) {
    nextFlags.insert(.rangeChanged)
    try open.change(fieldRange: range)
    sampling = Sampling(of: open.magnetometer, at: now)
  }

  // MARK: - Trouble

  /// A chip that answers and never has anything ready has lost its power, or is half dead: it is set up again, and
  /// where that has not helped, the user is told.
  private func restartSilent(_ open: OpenBoard, at time: Double) throws(ChipError) {
    let limit = max(Self.longestSilence, Self.silentPeriods * sampling.period)
    let silence = sampling.silence(at: time)
    guard silence > limit else { return }
    if restarts == Self.restartsBeforeNotice {
      guard hadSample, presence.isAwaited else {
        throw .timedOut(
          chip: type(of: open.magnetometer).name, waitingFor: "a measurement", milliseconds: (limit * 1000).rounded())
      }
      notices.append(.silent(seconds: silence + Double(restarts) * limit, of: .chip))
    }
    try restart(open)
  }

  /// An accelerometer or gyroscope of its own that answers and never has anything ready has lost its power, which the
  /// magnetometer kept: headings would be those of a level board from then on, or not fused. It is set up again, once
  /// until it measures.
  private func restartIncomplete(_ open: OpenBoard, _ sample: Sample, at time: Double) throws(ChipError) {
    let lacksForce = open.motion != nil && sample.acceleration == nil
    let lacksRate = open.gyroscope != nil && sample.rotationRate == nil
    guard lacksForce || lacksRate else {
      (lastWhole, isRestAwaited) = (time, false)
      return
    }
    let period = open.companions.map { $0.timing.period }.max() ?? 0
    let limit = max(Self.longestSilence, Self.silentPeriods * max(sampling.period, period))
    guard !isRestAwaited, time - lastWhole > limit else { return }
    isRestAwaited = true
    try restart(open)
  }

  private func restart(_ open: OpenBoard) throws(ChipError) {
    restarts += 1
    try open.configure()
    begin(open)
    if hadSample { nextFlags.insert(.gap) }
  }

  /// The next step after an error; what cannot be helped ends the stream, or is waited for.
  private func help(_ error: ChipError) throws(StreamError) -> StreamEvent {
    failures += error == .bus(.timeout) ? Self.weightOfTimeout : 1
    if case .bus = error, error != .bus(.disconnected), failures < Self.transfersBeforeLoss {
      return try retry(after: error)
    }
    if life.isDead { throw .chip(name, error) }
    return try lose(error)
  }

  /// Asks again, later with each failure; then with the chip set up again, then with the bus opened again.
  private func retry(after error: ChipError) throws(StreamError) -> StreamEvent {
    guard failures < Self.transfersBeforeReopening else {
      // Whoever called us still holds the old bus, which must be closed first: it is opened at the next call.
      open = nil
      isStuck = error == .bus(.busStuck)
      retry = now
      return .waiting
    }
    guard failures >= Self.transfersBeforeRestart else {
      retry = now + 0.002 * Double(1 << (2 * failures))
      return .waiting
    }
    retry = now + 0.1
    guard let open else { return .waiting }
    do throws(ChipError) {
      try restart(open)
    } catch .bus(.disconnected) {
      return try lose(.bus(.disconnected))
    } catch {
      // The next transfer tells whether it helped.
    }
    return .waiting
  }

  private func lose(_ error: ChipError) throws(StreamError) -> StreamEvent {
    open = nil
    guard error == .bus(.disconnected) || hadSample && presence.isAwaited else { throw .chip(name, error) }
    return try presence.lose(name, .now)
  }

  /// Opens a bus that was given up, and goes on as before; where its loss was told, its return is told too.
  private func reopen() throws(StreamError) -> StreamEvent {
    do throws(StreamError) {
      let bus = try link.open(resetting: isStuck)
      let board = OpenBoard(board, on: bus, request)
      do { try board.configure() } catch { throw .chip(name, error) }
      resume(board)
    } catch {
      guard presence.isLost else {
        guard hadSample, presence.isAwaited else { throw error }
        return try presence.lose(name, .now)
      }
      presence.miss(.now)
      return .waiting
    }
    guard let returned = presence.find(name, .now) else { return .waiting }
    lastTime = nil
    return returned
  }

  private func resume(_ board: OpenBoard) {
    open = board
    begin(board)
    if presence.isLost { failures = 0 }
    (restarts, isStuck) = (0, false)
    life = ChipLife()
    nextFlags.insert(.gap)
  }
}

/// Missed samples, put together so that they are told of once in a while.
private struct MissedSamples {
  private var seconds = 0.0
  private var nextNotice = 0.0

  /// Seconds from telling it to telling it again.
  private static let interval = 5.0
  /// The shortest gap that is reported, in seconds; a shorter one shows only in the flags of the samples.
  private static let leastSeconds = 0.1

  mutating func note(_ count: Int, period: Double) { seconds += Double(count) * period }

  /// The time missed since the last notice, in seconds; nil where no notice is due.
  mutating func notice(at now: Double) -> Double? {
    guard seconds >= Self.leastSeconds, now >= nextNotice else { return nil }
    defer { seconds = 0 }
    nextNotice = now + Self.interval
    return seconds
  }
}

/// A temperature that takes a transfer of its own: read seldom.
private struct SlowTemperature {
  private var last: Double?
  private var next = 0.0
  private var exists = true
  private static let interval = 5.0

  mutating func value(of open: OpenBoard, at now: Double) throws(ChipError) -> Double? {
    guard exists, now >= next else { return last }
    next = now + Self.interval
    last = try open.temperature()
    exists = last != nil
    return last
  }
}
