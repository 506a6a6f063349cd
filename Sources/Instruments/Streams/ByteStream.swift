import LodestoneCore
import Drivers
import LodestonePorts

/// Samples out of bytes, wherever the bytes come from: a port, a file, a socket.
final class ByteStream: SampleStream {
  let link: any ByteLink
  let stated: StreamUnits.Stated
  private(set) var decoder: (any WireProtocol)?
  private var questions: DeviceQuestions?
  let started = MonotonicTime.now
  /// Exclusivity is unchecked: it is asked for each sample, and calls nothing that comes back here.
  @exclusivity(unchecked) var reader: SampleReader
  var units: StreamUnits?
  private var positions: PositionAssembler
  /// Exclusivity is unchecked as for the reader, and so is that of `findings`.
  @exclusivity(unchecked) var queue = EventQueue()
  var tally = StreamTally()
  private(set) var watch: SilenceWatch
  private var paced: PacedSamples?
  /// Whether positions are wanted of it, and not samples.
  private(set) var seeksPositions = false
  private var isOver = false
  @exclusivity(unchecked) var findings: StreamFindings
  private var scan: RecordingScan?
  /// The field that a calibration of the device expects.
  var expectation: FieldExpectation?
  /// Why the stream cannot be read, as its units show.
  var refusal: StreamError?
  private var causes = CauseNames()
  let arrived: ArrivedBytes

  /// A stream over a link.
  /// - Parameters:
  ///   - decoder: the protocol where it is given; else it is found.
  ///   - questions: what may be written to the device; nil for nothing at all.
  ///   - scan: learns what the numbers mean before the first is read, where that is possible.
  ///   - messageRate: of a recording that tells no times, where somebody knows it.
  ///   - unixStart: UTC of time zero, where a recording tells.
  ///   - compass: which of the device's compasses is read, where that was asked for.
  ///   - isPaced: a recording at the pace of its time stamps.
  init(
    _ link: any ByteLink, decoder: (any WireProtocol)?, stated: StreamUnits.Stated, questions: DeviceQuestions? = nil,
    scan: RecordingScan? = nil, messageRate: Double? = nil, isPaced: Bool = false, unixStart: Double? = nil,
    compass: Int? = nil
  ) {
    findings = StreamFindings(compass: compass)
    self.unixStart = unixStart ?? (link.isLive ? WallClock.unixTime : nil)
    self.link = link
    self.stated = stated
    self.decoder = decoder
    self.questions = questions
    reader = SampleReader(
      wire: decoder.map { WireStream($0) } ?? WireStream(),
      assembler: SampleAssembler(scales: UnitInference().conclude(), keepsTime: !link.isLive))
    positions = PositionAssembler(keepsTime: !link.isLive)
    if let messageRate, !link.isLive { reader.period = 1 / messageRate }
    reader.wire.sourceName = link.name
    units = StreamUnits(isLive: link.isLive, stated: stated)
    watch = SilenceWatch(isWatched: link.isWatched, since: (link.awaitedSince ?? started) + link.bootSeconds)
    backlog = Backlog(since: started)
    paced = isPaced ? PacedSamples() : nil
    arrived = ArrivedBytes(capacity: link.isLive ? 65_536 : InputFile.chunkByteCount)
    self.scan = scan
  }

  var isLive: Bool { link.isLive || paced != nil }
  var identity: String { link.identity + (findings.compass.map { $0 > 1 ? "-compass\($0)" : "" } ?? "") }
  var listener: ByteListener?
  var backlog: Backlog
  var late = LateBytes()
  var rateWatch = RateWatch()
  let unixStart: Double?
  var descriptor: Int32? { paced?.due == nil ? link.descriptor : nil }
  var interest: Poller.Interest { link.interest }
  var wakeTime: MonotonicTime? {
    if let due = paced?.due { return due }
    // Whoever is away is known to be silent.
    guard link.source != nil else { return [link.wakeTime, link.presence.overdueTime].compactMap { $0 }.min() }
    let turnTime = questions?.isProbing == true ? nil : link.wakeTime
    return [turnTime, watch.wakeTime, questions?.wakeTime, backlog.wakeTime, late.releaseTime].compactMap { $0 }.min()
  }

  func seekPositions() -> Bool {
    seeksPositions = true
    // What its fields are in does not matter, so that they are samples at once: of no use, and to be told of.
    (scan, units) = (nil, nil)
    reader.assembler.scales = .unimportant
    paced?.followsPositions = true
    return true
  }

  func expect(_ expectation: FieldExpectation) {
    self.expectation = expectation
    scan?.expectation = expectation
    units?.expect(expectation)
  }

  func seek(_ causes: CauseNames) {
    self.causes = causes
    reader.wire.seek(causes)
  }

  /// Learns the units of a recording before its first sample; false while there is more to read for it.
  private func hasScanned() throws(StreamError) -> Bool {
    guard let progress = try scan?.advance() else { return true }
    guard case .done(let scales) = progress else { return false }
    if let again = scan?.again { reader.wire = again }
    scan = nil
    if let scales {
      take(scales)
      units = nil  // told behind the protocol, where that is sought
      if decoder == nil { findings.scales = scales } else { queue.append(.unitsChosen(scales)) }
    }
    return true
  }

  func nextSample(into sample: inout Sample) -> Bool {
    guard reader.next(into: &sample) else { return false }
    if reader.assembler.isStuckWhileTurning != isStuck { noteStillness(!isStuck) }
    if sample.flags.contains(.rateSaturated) { noteRate(sample.rotationRate) }
    reader.isFlowing = queue.isEmpty
    if reader.assembler.unitHasChanged {
      doubtUnits()
      reader.isFlowing = false
    }
    return true
  }

  func next() throws(StreamError) -> StreamEvent {
    let event = try nextEvent()
    reader.isFlowing = tally.hadSample && queue.isEmpty && !isOver && !isLive
    reader.waitsForUnits = units != nil
    return event
  }

  private func nextEvent() throws(StreamError) -> StreamEvent {
    guard try hasScanned() else { return .waiting }
    if let event = paced?.release() { return event }
    let event = try produce()
    if let refusal { throw refusal }
    return paced?.hold(event) ?? event
  }

  /// The next event at full speed. A chunk that holds none is followed by `.waiting`, though there may be more to read:
  /// garbage without end must not keep the loop here.
  private func produce() throws(StreamError) -> StreamEvent {
    var hasRead = false
    while true {
      if let event = queue.next(&reader.assembler) { return noted(event) }
      if isOver { return .ended }
      if let step = reader.nextStep() {
        if let event = try take(step) { return noted(event) }
      } else {
        if hasRead { return tend(.now) }
        hasRead = link.source != nil && !tally.hasEnded
        if let event = try readMore() { return event }
      }
    }
  }

  private func noted(_ event: StreamEvent) -> StreamEvent {
    if case .sample(let sample) = event {
      if !tally.hadSample, !link.isLive, reader.assembler.countsMessages == true {
        queue.append(.timesCounted(rate: reader.period == 1 ? nil : 1 / reader.period))
      }
      tally.hadSample = true
      let isStuck = isLive ? sample.flags.contains(.stuck) : reader.assembler.isStuckWhileTurning
      if isStuck != self.isStuck { noteStillness(isStuck) }
      if sample.flags.contains(.rateSaturated) { noteRate(sample.rotationRate) }
      if reader.assembler.unitHasChanged { doubtUnits() }
    }
    return event
  }

  /// Whether the field of the last sample was stuck. In a recording the board must have turned meanwhile: a coarse
  /// sensor at rest sends equal numbers too, and long recordings are made at rest.
  private var isStuck = false
  /// The error that ends the stream once all that was held has been handed out.
  var failure: StreamError?

  private func noteStillness(_ isStuck: Bool) {
    self.isStuck = isStuck
    if isStuck || isLive { queue.append(isStuck ? .stuck : .changesAgain) }
  }

  // MARK: Messages

  /// The time at which the last message arrived, in seconds of the stream.
  private var arrival: Double {
    link.isLive ? reader.arrival ?? MonotonicTime.now - started : Double(reader.count) * reader.period
  }

  private func take(_ step: WireStep) throws(StreamError) -> StreamEvent? {
    findings.tell(&reader.wire, over: link, to: &queue)
    if let fault = reader.wire.fault { throw .useless(link.name, fault) }
    switch step {
    case .other:
      tally.hasUnderstood = true
      if questions?.isAsking != true { watch.heardOther() }  // two bytes of noise may be a status
      noteFieldScale()
      findings.tellDevice(of: &reader.wire, to: &queue)
    case .rejected(.truncated, let bytes): tally.truncated += bytes
    case .rejected(let reason, _): tally.rejected.count(reason)
    case .message:
      watch.heard()
      if reader.message.hasPosition, let part = reader.message.position {
        take(part)
        return nil
      }
      if let unit = reader.message.fieldUnit, stated.contradicts(unit) { throw .otherUnit(link.name, unit) }
      let arrival = arrival
      if reader.count == 0 { findings.tellColumns(of: &reader.wire, to: &queue) }
      reader.count &+= 1
      if reader.count & 15 == 0 { findings.tellSources(of: &reader.wire, to: &queue) }
      guard units != nil, reader.message.hasQuantities else {
        let sample = reader.sample(arrival: arrival)
        findings.tell(reader.assembler.correction, to: &queue)
        if reader.assembler.unitHasChanged { doubtUnits() }
        return sample.map { .sample($0) }
      }
      units?.tell(reader.wire.fieldNaming)
      if let scales = units?.add(reader.message, arrival: arrival) {
        settle(scales)
      } else {
        findings.tell(unclear: units?.unclear, to: &queue)
      }
    }
    return nil
  }

  private func take(_ part: WirePosition) {
    let wrongDate = positions.wrongDate
    let arrival = link.isLive ? arrival : Double(tally.positionCount) * reader.period
    let now = link.isLive ? WallClock.setTime : nil
    if seeksPositions {
      enqueue(positions.add(part, arrival: arrival, now: now))
    } else if let place = positions.position(of: part, arrival: arrival, now: now, tellsNoFix: link.isLive) {
      enqueue([place])  // beside samples, which must not wait for the rest of it
    }
    if let wrong = positions.wrongDate, wrongDate == nil {
      queue.append(.wrongDate(unixTime: wrong.unixTime, rollovers: wrong.rollovers))
    }
  }

  private func enqueue(_ whole: [Position]) {
    tally.positionCount += whole.count
    whole.forEach { queue.append(.position($0)) }
  }

  // MARK: Bytes

  private func readMore() throws(StreamError) -> StreamEvent? {
    let now = MonotonicTime.now
    if let failure { throw failure }
    guard let source = link.source else { return try waitForReturn(now) }
    if try release(now) { return nil }
    let outcome = source.read(into: arrived.room)
    if outcome.isEnd, try release(now, atEnd: true) { return nil }
    switch outcome {
    case .bytes where link.isStale: return nil
    case .bytes(let count):
      watch.received(now)
      units?.hear(now - started)
      let bytes = arrived.take(count)
      try take(bytes, now)
      if !link.isLive, let fault = reader.wire.fault { throw .useless(link.name, fault) }
      link.hear(Span(_unsafeBytes: bytes))
      questions?.hear(Span(_unsafeBytes: bytes))
      findings.tell(&reader.wire, over: link, to: &queue)
      return nil
    case .wouldBlock:
      link.noteEmpty(now)
      if late.releaseTime == nil, let hole = backlog.end(now), watch.goOn(now, after: hole) {
        return .notice(.gap(seconds: hole.seconds))
      }
      return try idle(now)
    case .ended:
      return try link.isLive && link.presence.isAwaited ? lose(now) : end()
    case .gone: return try lose(now)
    case .failed(let error): return try fail(.port(.system(path: link.name, error)))
    }
  }

  private func lose(_ now: MonotonicTime) throws(StreamError) -> StreamEvent? {
    link.close()
    do throws(StreamError) { return try link.lose(now) } catch { return try fail(error) }
  }

  private func waitForReturn(_ now: MonotonicTime) throws(StreamError) -> StreamEvent? {
    guard try link.advance(now) else {
      return link.presence.isOverdue(now) ? .notice(.unanswered(link.name)) : .waiting
    }
    reader.wire =
      decoder.map { WireStream($0) } ?? reader.wire.finding.map { WireStream(likely: $0) } ?? WireStream()
    reader.wire.seek(causes)
    reader.assembler.noteGap()
    watch = SilenceWatch(since: now + link.bootSeconds)
    (backlog, late) = (Backlog(since: now), LateBytes())
    questions?.begin(now, afterReset: true)
    return link.presence.find(link.name, now)
  }

  /// Nothing to read: units that can wait no longer are settled, and the device is looked after.
  private func idle(_ now: MonotonicTime) throws(StreamError) -> StreamEvent? {
    if units?.held.isEmpty == false, let first = units?.held.first, now - started - first.arrival > 1.2 {
      if let scales = units?.concludeIfClear(now - started) {
        settle(scales)
        return nil
      }
      findings.tell(unclear: units?.unclear, to: &queue)
      if !queue.isEmpty { return nil }
    }
    return tend(now)
  }

  /// Does the timed work of a live stream: asks the device, changes the baud rate, notifies the user.
  private func tend(_ now: MonotonicTime) -> StreamEvent {
    guard link.isWatched else { return .waiting }
    let isUnderstood = (watch.hasMessages || reader.wire.finding != nil || isAnswered) && !watch.isSenseless(now)
    let progress = DeviceQuestions.Progress(
      messageCount: reader.count, isUnderstood: isUnderstood,
      openQuestions: stated == .nothing || questions?.isAsking == true ? reader.wire.openQuestions : [],
      besideRequest: questions?.isAsking == true ? reader.wire.besideRequest : [])
    if let answer = questions?.ask(over: link, now, progress) { return .notice(adopt(answer)) }
    let isLegible = reader.wire.unresolved?.isLegible == true || reader.wire.idleProtocol != nil
    if questions?.isProbing != true, link.tune(now, isUnderstood: isUnderstood || isLegible) {
      beginAnew(now)
      return .notice(.tryingBaudRate(link.baudRate ?? 0))
    }
    switch watch.complaint(now) {
    case .silent where link.sender != .board && watch.isSenseless(now): return senseless(now)
    case .silent(let seconds): return .notice(.silent(seconds: seconds, of: link.sender))
    case .senseless: return senseless(now)
    case .useless where link.sender == .gpsd: return .notice(.silent(seconds: watch.patience, of: .gpsd))
    case .useless:
      guard !seeksPositions else { return .waiting }  // a receiver that has no fix says so itself
      findings.forgetComplaint()  // messages have come since
      return senseless(now)
    case nil: return .waiting
    }
  }

  /// Begins again at another baud rate: what was believed at the one before does not count any more.
  private func beginAnew(_ now: MonotonicTime) {
    reader.wire = decoder.map { WireStream($0) } ?? WireStream()
    reader.wire.seek(causes)
    questions?.begin(now, afterReset: false)
    guard watch.hasMessages || findings.protocolName != nil else { return }
    findings.beginAnew()
    (backlog, late) = (Backlog(since: now), LateBytes())
    watch = SilenceWatch(since: now)
    units = StreamUnits(isLive: true, stated: stated)
    if let expectation { units?.expect(expectation) }
  }

  /// Whether a question was answered, so that the baud rate is right.
  private var isAnswered = false

  /// Goes on in the protocol that a question was answered in.
  private func adopt(_ answer: DeviceQuestions.Answer) -> StreamNotice {
    decoder = answer.decoder
    isAnswered = true
    reader.wire = WireStream(answer.decoder)
    reader.wire.seek(causes)
    reader.wire.append(answer.bytes.span)
    return .detected(Detector.Finding(answerIn: type(of: answer.decoder).name), baudRate: link.baudRate)
  }

  /// The end of a recording.
  private func end() throws(StreamError) -> StreamEvent? {
    if !tally.hasEnded {
      tally.end(reader)
      reader.wire.end()
      return nil
    }
    if let scales = units?.conclude() {
      let hadZeros = scales.field.basis == .zero && tally.hadSample
      if !hadZeros, let refusal = scales.refusal(of: link.name) { throw refusal }
      settle(scales)
      return nil
    }
    isOver = true
    findings.tellSources(of: &reader.wire, to: &queue)
    enqueue(positions.end(arrival: Double(tally.positionCount) * reader.period, now: nil))
    if reader.wire.protocolName != nil { tally.forgotten = reader.wire.forgottenCount }
    tally.rejected.implausible = reader.assembler.implausibleCount
    for notice in tally.notices { queue.append(notice) }
    guard seeksPositions ? tally.positionCount == 0 : !tally.hadSample, listener == nil else { return nil }
    if !seeksPositions, tally.positionCount > 0 { throw .onlyPositions(link.name) }
    if let doubt = reader.wire.unresolved, !seeksPositions || doubt == .wrongChecksums {
      throw .useless(link.name, doubt)
    }
    if let name = reader.wire.protocolName, tally.hasUnderstood || tally.hadSample {
      throw seeksPositions ? .noPositions(link.name) : .nothingOfUse(link.name, protocol: name)
    }
    if seeksPositions, givenProtocol == nil, !tally.isEmpty { throw .noPositions(link.name) }
    throw tally.nothingValid(link.name, as: givenProtocol)
  }
}
