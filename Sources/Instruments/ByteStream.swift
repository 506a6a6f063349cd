import Core
import Drivers
import Ports

/// Samples out of bytes, wherever the bytes come from: a port, a file, a socket.
final class ByteStream: ByteCarrying {
  private let link: any ByteLink
  private let stated: StreamUnits.Stated
  private var decoder: (any WireProtocol)?
  private var questions: DeviceQuestions?
  private let started = MonotonicTime.now
  /// Unchecked: it is asked for each sample, and calls nothing that comes back here.
  @exclusivity(unchecked) private var reader: SampleReader
  private var units: StreamUnits?
  private var queue = EventQueue()
  private var rejected = RejectedCounts()
  private var truncated = 0
  private var watch: SilenceWatch
  private var pace: Pace?
  private var paced: (sample: Sample, due: MonotonicTime)?
  private var hadSample = false
  private var isOver = false
  private var announced: String?
  /// What a recording's numbers mean, to be said once.
  private var scannedScales: WireScales?
  private var scan: Scan?

  /// Reads a recording through to learn what its numbers mean; nil where they say it themselves.
  typealias Scan = (FieldExpectation?) throws(StreamError) -> WireScales?
  private var expectation: FieldExpectation?
  private var lostAt: MonotonicTime?
  private let chunk: UnsafeMutableRawBufferPointer

  /// A stream over a link.
  /// - Parameters:
  ///   - decoder: the protocol where it is given; else it is found.
  ///   - questions: what may be written to the device; nil for nothing at all.
  ///   - scan: learns what the numbers mean before the first is read, where that is possible.
  ///   - unixStart: UTC of time zero, where a recording tells.
  ///   - isPaced: a recording at the pace of its time stamps.
  init(
    _ link: any ByteLink, decoder: (any WireProtocol)?, stated: StreamUnits.Stated, questions: DeviceQuestions? = nil,
    scan: Scan? = nil, isPaced: Bool = false, unixStart: Double? = nil
  ) {
    self.unixStart = unixStart ?? (link.isLive ? WallClock.unixTime : nil)
    self.link = link
    self.stated = stated
    self.decoder = decoder
    self.questions = questions
    reader = SampleReader(
      wire: decoder.map { WireStream($0) } ?? WireStream(),
      assembler: SampleAssembler(scales: UnitInference().conclude(), keepsTime: !link.isLive))
    units = StreamUnits(isLive: link.isLive, stated: stated)
    watch = SilenceWatch(isLive: link.isLive, since: started)
    pace = isPaced ? Pace() : nil
    chunk = .allocate(byteCount: link.isLive ? 65_536 : InputFile.chunkByteCount, alignment: 16)
    self.scan = scan
  }

  deinit { chunk.deallocate() }

  var isLive: Bool { link.isLive || pace != nil }
  var identity: String { link.identity }
  var tap: ((UnsafeRawBufferPointer, Double) throws(StreamError) -> Void)?
  let unixStart: Double?
  var descriptor: Int32? { paced == nil ? link.descriptor : nil }
  var interest: Poller.Interest { link.interest }
  var wakeTime: MonotonicTime? {
    if let paced { return paced.due }
    guard link.source != nil else { return link.wakeTime }  // whoever is away is known to be silent
    let turnTime = questions?.isProbing == true ? nil : link.wakeTime
    return [turnTime, watch.wakeTime, questions?.wakeTime].compactMap { $0 }.min()
  }

  func expect(_ expectation: FieldExpectation) {
    self.expectation = expectation
    units?.expect(expectation)
  }

  /// Learns the units of a recording before its first sample.
  private func scanOnce() throws(StreamError) {
    guard let scan else { return }
    self.scan = nil
    guard let scales = try scan(expectation) else { return }
    reader.assembler.scales = scales
    scannedScales = scales
    units = nil
  }

  func nextSample(into sample: inout Sample) -> Bool { reader.next(into: &sample) }

  func next() throws(StreamError) -> StreamEvent {
    let event = try nextEvent()
    reader.isFlowing = hadSample && units == nil && queue.isEmpty && !isOver && !isLive
    return event
  }

  private func nextEvent() throws(StreamError) -> StreamEvent {
    try scanOnce()
    if let waiting = paced {
      guard waiting.due <= MonotonicTime.now else { return .waiting }
      paced = nil
      return .sample(waiting.sample)
    }
    while true {
      let event = try produce()
      guard case .sample(let sample) = event, pace != nil else { return event }
      let due = pace?.due(sample.time) ?? started
      guard due > MonotonicTime.now else { return event }
      paced = (sample, due)
      return .waiting
    }
  }

  /// The next event at full speed. A chunk that holds none is followed by `.waiting`, though there may be more to read:
  /// garbage without end must not keep the loop here.
  private func produce() throws(StreamError) -> StreamEvent {
    var hasRead = false
    while true {
      if let event = queue.next(&reader.assembler) { return noted(event) }
      if isOver { return .ended }
      if let message = reader.wire.next() {
        if let event = take(message) { return noted(event) }
      } else {
        if hasRead { return tend(.now) }
        hasRead = link.source != nil && !endIsSaid
        if let event = try readMore() { return event }
      }
    }
  }

  private func noted(_ event: StreamEvent) -> StreamEvent {
    if case .sample(let sample) = event {
      hadSample = true
      if sample.flags.contains(.stuck) != isStuck { noteStillness(!isStuck) }
    }
    return event
  }

  /// The field of the last sample was stuck.
  private var isStuck = false

  private func noteStillness(_ isStuck: Bool) {
    self.isStuck = isStuck
    if isStuck, isLive { queue.append(.stuck) }
  }

  // MARK: Messages

  private var arrival: Double { link.isLive ? MonotonicTime.now - started : Double(reader.count) }

  private func take(_ event: WireEvent) -> StreamEvent? {
    announce()
    switch event {
    case .other:
      if questions?.isAsking != true { watch.heard(.now) }  // two bytes of noise may be a status
      noteFieldScale()
    case .rejected(.truncated, let bytes): truncated += bytes
    case .rejected(let reason, _): rejected.count(reason)
    case .message(let message):
      watch.heard(.now)
      if let position = message.position { queue.append(.position(position)) }
      let arrival = arrival
      reader.count &+= 1
      guard units != nil, message.hasQuantities else {
        return reader.assembler.sample(of: message, arrival: arrival).map { .sample($0) }
      }
      if let scales = units?.add(message, arrival: arrival) { settle(scales) }
    }
    return nil
  }

  /// Says what was found, once for each finding.
  private func announce() {
    guard let found = reader.wire.finding, found.name != announced else { return }
    announced = found.name
    queue.append(.detected(found, baudRate: link.baudRate))
    if let scales = scannedScales { queue.append(.unitsChosen(scales)) }
    scannedScales = nil
  }

  /// The units are known: the messages that waited for them are samples now.
  private func settle(_ scales: WireScales) {
    reader.assembler.scales = scales
    queue.append(.unitsChosen(scales))
    queue.append(units?.release() ?? [])
    units = nil
  }

  /// The device has told what its counts are: from now on they are that, whatever they were taken for.
  private func noteFieldScale() {
    guard stated == .nothing, let told = reader.wire.fieldScale else { return }
    units?.tell(fieldScale: told)
    guard units == nil, reader.assembler.scales.field.microtesla != told else { return }
    reader.assembler.scales.field = .init(microtesla: told, basis: .told)
    queue.append(.unitsChosen(reader.assembler.scales))
  }

  // MARK: Bytes

  private func readMore() throws(StreamError) -> StreamEvent? {
    let now = MonotonicTime.now
    guard let source = link.source else { return try waitForReturn(now) }
    switch source.read(into: chunk) {
    case .bytes(let count):
      watch.received(now)
      let arrived = UnsafeRawBufferPointer(rebasing: chunk.prefix(count))
      try tap?(arrived, now - started)
      reader.wire.append(Span(_unsafeBytes: arrived))
      arrivedCount = count
      link.hear(Span(_unsafeBytes: arrived))
      questions?.hear(Span(_unsafeBytes: arrived))
      announce()
      return nil
    case .wouldBlock: return try idle(now)
    case .ended:
      if link.isLive, link.lose() { return lost(now) }
      return try end()
    case .gone:
      guard link.lose() else { throw link.isConnection ? .disconnected(link.name) : .gone(link.name) }
      return lost(now)
    case .failed(let error): throw .port(.system(path: link.name, error))
    }
  }

  private func lost(_ now: MonotonicTime) -> StreamEvent {
    lostAt = now
    return .notice(link.isConnection ? .disconnected(link.name) : .lost(link.name))
  }

  private func waitForReturn(_ now: MonotonicTime) throws(StreamError) -> StreamEvent? {
    guard try link.advance(now) else { return .waiting }
    reader.wire = decoder.map { WireStream($0) } ?? WireStream()
    reader.assembler.noteGap()
    watch = SilenceWatch(isLive: true, since: now)
    questions?.begin(now, afterReset: true)
    guard let since = lostAt else { return nil }
    lostAt = nil
    return .notice(.returned(link.name, seconds: now - since))
  }

  /// Nothing to read: units that can wait no longer are settled, and the device is looked after.
  private func idle(_ now: MonotonicTime) throws(StreamError) -> StreamEvent? {
    if units?.held.isEmpty == false, let first = units?.held.first, now - started - first.arrival > 1.2 {
      if let scales = units?.conclude() { settle(scales) }
      return nil
    }
    return tend(now)
  }

  /// What the clock asks for on a live stream: a question to the device, another baud rate, a word to the user.
  private func tend(_ now: MonotonicTime) -> StreamEvent {
    guard link.isLive else { return .waiting }
    let isUnderstood = watch.hasMessages || reader.wire.finding != nil
    let progress = DeviceQuestions.Progress(
      messageCount: reader.count, isUnderstood: isUnderstood,
      openQuestions: stated == .nothing ? reader.wire.openQuestions : [])
    if let answer = questions?.ask(over: link, now, progress) { return .notice(adopt(answer)) }
    if questions?.isProbing != true, link.tune(now, isUnderstood: isUnderstood) {
      reader.wire = decoder.map { WireStream($0) } ?? WireStream()
      questions?.begin(now, afterReset: false)
      return .notice(.tryingBaudRate(link.baudRate ?? 0))
    }
    switch watch.complaint(now) {
    case .silent(let seconds): return .notice(.silent(seconds: seconds))
    case .senseless: return .notice(unrecognized)
    case nil: return .waiting
    }
  }

  /// Bytes that arrived last: they stay in the chunk until the next read.
  private var arrivedCount = 0

  private var unrecognized: StreamNotice {
    let pending = Array(reader.wire.pending.prefix(48))
    let arrived = Array(chunk.prefix(min(48, arrivedCount)))
    let expected = reader.wire.protocolName ?? Protocols.all.map { $0.name }.joined(separator: ", ")
    return .unrecognized(
      sample: PrintableBytes.text(pending.count > arrived.count ? pending : arrived), expected: expected)
  }

  /// Goes on in the protocol that a question was answered in.
  private func adopt(_ answer: DeviceQuestions.Answer) -> StreamNotice {
    decoder = answer.decoder
    reader.wire = WireStream(answer.decoder)
    reader.wire.append(answer.bytes.span)
    return .detected(Detector.Finding(answerIn: type(of: answer.decoder).name), baudRate: link.baudRate)
  }

  /// The end of a recording.
  private func end() throws(StreamError) -> StreamEvent? {
    if !endIsSaid {
      endIsSaid = true
      firstBytes = PrintableBytes.text(reader.wire.pending.prefix(60))
      isEmpty = reader.count == 0 && reader.wire.pending.isEmpty && rejected.total == 0 && reader.wire.finding == nil
      reader.wire.end()
      return nil
    }
    if let scales = units?.conclude() {
      if case .ambiguous(let first, let second, _) = scales.field.basis {
        throw .ambiguousUnit(link.name, [first, second])
      }
      settle(scales)
      return nil
    }
    isOver = true
    rejected.implausible = reader.assembler.implausibleCount
    if truncated > 0 { queue.append(.truncated(byteCount: truncated)) }
    if rejected.total > 0 { queue.append(.rejected(rejected)) }
    guard hadSample || tap != nil else { throw .nothingValid(link.name, sample: firstBytes, isEmpty: isEmpty) }
    return nil
  }

  private var endIsSaid = false
  private var firstBytes = ""
  private var isEmpty = false
}

/// What a recording needs for each of its samples, in one place, because every look at a property of a class is guarded.
private struct SampleReader {
  var wire: WireStream
  var assembler: SampleAssembler
  /// Messages so far: what stands for the time of a recording that has none.
  var count = 0
  /// The stream is a recording in the middle of its samples: nothing waits, and nothing has to be found out.
  var isFlowing = false
  private var message = WireMessage()

  init(wire: WireStream, assembler: SampleAssembler) {
    self.wire = wire
    self.assembler = assembler
  }

  /// The next sample while samples flow; false when something else comes first.
  mutating func next(into sample: inout Sample) -> Bool {
    guard isFlowing else { return false }
    while wire.nextMessage(into: &message) {
      let arrival = Double(count)
      count &+= 1
      if assembler.assemble(message, arrival: arrival, into: &sample) { return true }
    }
    return false
  }
}

/// Events that wait: notices and positions, and messages that have been held back.
private struct EventQueue {
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
