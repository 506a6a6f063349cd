import LodestoneCore

/// Bytes in, events out, in a protocol that is given or found on the way; vectors along the axes of samples.
///
/// A protocol that was found is given up when the evidence turns: after a kilobyte of rejected bytes without a message
/// the detector listens again beside the decoder, and what it proves takes over. A protocol that was given stays.
public struct WireStream: Sendable {
  /// Rejected bytes in a row after which a guess is doubted.
  static let doubtLimit = 1024
  /// Bytes that are listened to at a time, as they would come from a port.
  private static let listeningStep = 4096
  /// Bytes listened to in vain after which only every eighth step is listened to: what makes no sense for so long
  /// seldom begins to, and a recording without end must not take an hour to be refused.
  private static let patience = 262_144
  /// Byte order mark, which some editors put before a text.
  private static let mark: StaticString = "\u{FEFF}"
  /// Bytes kept while nothing is understood.
  static let memoryLimit = patience

  /// The protocol that the stream was found to be in; nil while it is not known, and for a protocol that was given.
  public private(set) var finding: Detector.Finding?
  /// The decoder in charge.
  private var decoder: (any WireProtocol)?
  /// Whether there is a decoder, a look at which would copy it, and the axes of its vectors.
  private var isDecoding = false
  private var axes = WireAxes.rightForwardUp
  /// Listening; nil once there is nothing to find.
  private var detector: Detector?
  /// The protocols that it may be in; empty for one that was given.
  private let candidates: [any WireProtocol.Type]
  private var isPinned: Bool { candidates.isEmpty }

  private var bytes: [UInt8] = []
  private var position = 0
  private var arrivals = ArrivalMarks()
  /// Bytes rejected since the last message, and those listened to since the last finding.
  private var (doubt, heardInVain) = (0, 0)
  private var hasEnded = false
  private var stamps = LineStamps()
  private var text = PlainText()
  /// The stream is a file of another program.
  private var foreign: WireFault?
  private var isBegun = false
  private var causes = CauseNames()
  /// The choice of one of several sensors, where the messages tell it.
  private var choice = OriginChoice()
  private(set) var course = MessageCourse()
  /// The doubt that was left when the stream ended without a finding.
  private var heardDoubt: WireFault?

  /// A stream in a protocol that is known.
  public init(_ decoder: any WireProtocol) {
    (self.decoder, isDecoding, axes, candidates) = (decoder, true, type(of: decoder).axes, [])
  }

  /// A stream in a protocol to be found among `candidates`.
  public init(candidates: [any WireProtocol.Type] = Protocols.all) {
    detector = Detector(candidates: candidates)
    self.candidates = candidates
  }

  /// A stream of a device that was away, and spoke what was found before: that is read from the first byte on, and
  /// given up when the evidence turns.
  public init(likely finding: Detector.Finding) {
    self.init()
    guard let type = Protocols.named(finding.name) else { return }
    (detector, self.finding) = (nil, finding)
    (decoder, isDecoding, axes) = (type.init(), true, type.axes)
  }

  /// The stream from its first byte on, where what this one has found came too late for some of it; else nil.
  public var again: WireStream? {
    guard forgottenCount > 0, let decoder else { return nil }
    var stream = finding.map { WireStream(likely: $0) } ?? WireStream(decoder)
    stream.decoder = decoder.fromStart()
    (stream.weighed, stream.sourceName) = (weighed, sourceName)
    stream.seek(causes)
    return stream
  }

  /// The name of the protocol in charge.
  public var protocolName: String? { decoder.map { type(of: $0).name } }

  /// The name of a protocol that is understood, and has told nothing of use, while one is sought; nil for none.
  public var idleProtocol: String? { decoder == nil ? detector?.idleProtocol : nil }

  /// The times of the messages count samples instead of telling seconds, as the header of a table or its rows say.
  public var timeIsIndex: Bool { decoder?.timeIsIndex ?? false }

  /// The fault that makes all messages useless; nil where the stream shows none.
  public var fault: WireFault? {
    if let fault = foreign ?? decoder?.fault { return fault }
    guard let table = decoder as? CSV, table.isUnnamed, !sourceName.lowercased().contains("mag") else { return nil }
    return .unnamedAxes
  }

  /// The name of the file, which may say what its numbers are.
  public var sourceName = ""

  /// The open question that messages are held back for; nil where there is none.
  public var unresolved: WireFault? {
    if decoder == nil, HexNumbers.fill(bytes.span) { return .hexadecimal }
    return decoder == nil ? heardDoubt ?? detector?.doubt : decoder?.doubt
  }

  /// The compasses that were heard, where a device has several; only one of them is read.
  public var compasses: [Int] { decoder?.compasses ?? [] }

  /// Another compass of the stream, whose headings are left out; nil where there is none.
  public var otherCompass: String? {
    decoder?.otherCompass ?? stamps.otherContainer ?? choice.foreign.flatMap { decoder?.origins?.name($0) }
  }

  /// The frame along whose axes the vectors are, by its name in the messages; nil for known ones, and without a name.
  public var unknownFrame: String? { decoder?.unknownFrame }

  /// No message so far has carried the checksum that its kind has.
  public var lacksChecksums: Bool { decoder?.lacksChecksums ?? false }

  /// The protocols that were weighed for the finding, the best first.
  public private(set) var weighed: [Detector.Finding] = []

  /// The orders of columns that were weighed for a table without names, the best first.
  public var weighedOrders: [WeighedColumns] { (decoder as? CSV)?.weighedOrders ?? [] }

  /// The columns of a table without names; nil for anything else.
  public var assumedColumns: AssumedColumns? { (decoder as? CSV)?.assumedColumns }

  /// The unit of the messages' times is not named: their steps told it.
  public var timeIsAssumed: Bool { decoder?.timeIsAssumed ?? false }

  /// Seconds in one unit of a recording's times, where their steps leave open which it is; nil where they do not.
  public var openTimeScale: Double? { decoder?.openTimeScale }

  /// The names of the axes that are taken for a field's; a file may have the name of a magnetometer.
  public var fieldNaming: FieldNaming {
    let naming = decoder?.fieldNaming ?? .unsaid
    return naming == .axes && sourceName.lowercased().contains("mag") ? .unsaid : naming
  }

  /// The columns of a table with names that are no quantity of a sample, and no cause that is sought.
  public var columnsNotRead: [String] { (decoder as? CSV)?.columnsNotRead ?? [] }

  /// The number of times that the meaning of the messages has changed in mid-stream.
  public var changeCount: Int { decoder?.changeCount ?? 0 }

  /// µT in one number of the field, where the device was asked and has told it.
  public var fieldScale: Double? { decoder?.fieldScale }

  /// The questions to send to the device, one after the other; empty where nothing is open, or no longer.
  public var openQuestions: [[UInt8]] { decoder?.openQuestions ?? [] }

  /// The bytes to send before each request, for the causes that are sought.
  public var besideRequest: [UInt8] { decoder?.besideRequest ?? [] }

  /// The flight controller that the device has told to be.
  public var flightController: FlightController? { decoder?.flightController }

  /// Tells which values are wanted beside the field.
  public mutating func seek(_ causes: CauseNames) {
    self.causes = causes
    decoder?.seek(causes)
  }

  /// The time at which the line or frame that was read last arrived, in seconds of the stream; nil where that is not
  /// known. A message that has waited says it itself.
  public var arrival: Double? { arrivals.seconds }

  /// Takes in what has arrived, at a moment in seconds of the stream where it comes at the pace of the world.
  public mutating func append(_ chunk: Span<UInt8>, at seconds: Double? = nil) {
    compact()
    if !isBegun {
      isBegun = true
      text.begin(with: chunk)
      foreign = isPinned ? nil : ForeignFile.fault(of: chunk)
      let markCount = Self.mark.utf8CodeUnitCount
      if chunk.holds(Self.mark) { return append(chunk.extracting(markCount..<chunk.count), at: seconds) }
    }
    guard let plain = text.plain(chunk) else { return takeOffStamps(chunk, at: seconds) }
    takeOffStamps(plain.span, at: seconds)
  }

  /// Takes in bytes of plain text.
  private mutating func takeOffStamps(_ chunk: Span<UInt8>, at seconds: Double?) {
    if stamps.areSought { seekStamps(with: chunk) }
    guard stamps.arePresent else { return hear(chunk, at: seconds) }
    var plain: [UInt8] = []
    stamps.takeOff(chunk, into: &plain, at: bytes.count)
    hear(plain.span, at: seconds)
  }

  /// Looks for stamps before the first lines; where there are some, what has come of them so far is heard anew without.
  private mutating func seekStamps(with chunk: Span<UInt8>) {
    let first = bytes + chunk.bytes(in: 0..<min(chunk.count, LineStamps.searchedByteCount))
    stamps.look(at: first.span)
    guard stamps.arePresent else { return }
    let held = bytes
    bytes.removeAll(keepingCapacity: true)
    arrivals.removeAll()
    detector?.restart()
    stamps.takeOff(held.span, into: &bytes, at: 0)
  }

  /// Takes in bytes of lines without stamps.
  private mutating func hear(_ chunk: Span<UInt8>, at seconds: Double?) {
    chunk.withUnsafeBufferPointer { all in
      var rest = all[...]
      // All protocols read along until one is found: of a long recording they need only the beginning.
      while detector != nil, !rest.isEmpty {
        let isPatient = heardInVain < Self.patience
        let step = rest.prefix(isPatient ? Self.listeningStep : 8 * Self.listeningStep)
        bytes.append(contentsOf: step)
        rest = rest.dropFirst(step.count)
        heardInVain &+= step.count
        arrivals.add(upTo: bytes.count, at: seconds)
        if !isPatient { detector?.skip(to: bytes.count - Self.listeningStep) }
        detect()
      }
      bytes.append(contentsOf: rest)
    }
    arrivals.add(upTo: bytes.count, at: seconds)
    tellArrival()
  }

  /// The stream has ended: what it still holds will come out of `next`.
  public mutating func end() {
    hasEnded = true
    let rest = text.rest()
    if !rest.isEmpty { takeOffStamps(rest.span, at: nil) }
    stamps.finish(into: &bytes)
    guard decoder == nil, var detector else { return }
    // What was passed over at the end is listened to after all.
    if heardInVain > Self.patience { detector.hearAgain() }
    if let found = detector.listen(to: bytes.span) ?? detector.conclude(bytes.span) { take(found, by: detector) }
    heardDoubt = detector.doubt
    self.detector = nil
  }

  /// The next thing said, a message written where it is wanted; nil when more bytes are needed, or the stream is over.
  public mutating func next(into message: inout WireMessage) -> WireStep? {
    stamps.arePresent ? nextStamped(into: &message) : nextPlain(into: &message)
  }

  /// The next thing that stamped lines say.
  private mutating func nextStamped(into message: inout WireMessage) -> WireStep? {
    while !stamps.take(into: &message) {
      switch nextPlain(into: &message) {
      case .message: stamps.hold(message, at: position)
      case nil:
        stamps.settle()
        return stamps.take(into: &message) ? follow(&message) : nil
      case let other: return other
      }
    }
    return follow(&message)
  }

  /// A message that is given out, and belongs to the stream's course. Not a copy of it, which is large.
  private mutating func follow(_ message: inout WireMessage) -> WireStep {
    if !course.isSettled { course.add(message) }
    return .message
  }

  private mutating func nextPlain(into message: inout WireMessage) -> WireStep? {
    guard isDecoding else { return nil }
    if !choice.isIdle, choice.take(into: &message) { return .message }
    var step = Self.next(of: &decoder, in: &bytes, upTo: arrivals.limit, from: &position, into: &message)
    while step == nil, arrivals.advance() {
      tellArrival()
      step = Self.next(of: &decoder, in: &bytes, upTo: arrivals.limit, from: &position, into: &message)
    }
    // Nearly always.
    if step == .message, doubt == 0, axes == .rightForwardUp, message.origin == 0, choice.isIdle, course.isSettled {
      return step
    }
    return weigh(step, into: &message)
  }

  /// Tells the decoder when what it reads from now on arrived.
  private mutating func tellArrival() {
    if isDecoding, let seconds = arrivals.seconds { decoder?.hear(at: seconds) }
  }

  /// The next thing that a decoder reads. The bytes are only read: handed over so, they are not kept for each line.
  @inline(__always)
  private static func next(
    of decoder: inout (any WireProtocol)?, in bytes: inout [UInt8], upTo limit: Int?, from position: inout Int,
    into message: inout WireMessage
  ) -> WireStep? {
    guard let limit else { return decoder?.next(in: bytes.span, from: &position, into: &message) }
    return decoder?.next(in: bytes.span.extracting(first: limit), from: &position, into: &message)
  }

  /// The next thing that a decoder has left behind the end.
  private static func finish(
    _ decoder: inout (any WireProtocol)?, in bytes: inout [UInt8], from position: inout Int,
    into message: inout WireMessage
  ) -> WireStep? {
    decoder?.finish(in: bytes.span, from: &position)?.step(into: &message)
  }

  /// A step with what it says of the protocol, and its message along the axes of samples; behind the end what the
  /// decoder has left.
  @inline(never)
  private mutating func weigh(_ step: WireStep?, into message: inout WireMessage) -> WireStep? {
    let left = step == nil && hasEnded ? Self.finish(&decoder, in: &bytes, from: &position, into: &message) : nil
    guard let step = step ?? left else {
      if hasEnded, !choice.isIdle { choice.conclude() }
      return choice.take(into: &message) ? .message : nil
    }
    switch step {
    case .message:
      if doubt > 0 { trust() }
      if axes != .rightForwardUp { message.turn(from: axes) }
      if message.origin > 0 || !choice.isIdle, !isOfChosen(&message) { return .other }
      if !stamps.arePresent { return follow(&message) }  // else it may be another container's
    case .rejected(_, let count): doubtMore(count)
    case .other: break
    }
    return step
  }

  /// A message is to be given now, be it one that has waited for its sensor to be told from others.
  private mutating func isOfChosen(_ message: inout WireMessage) -> Bool {
    choice.pass(&message, areNamed: decoder?.origins?.areNamed ?? false, at: arrivals.seconds)
  }

  /// The next thing said, with its message.
  public mutating func next() -> WireEvent? {
    var message = WireMessage()
    return next(into: &message).map { WireEvent($0, message) }
  }

  /// Bytes that were forgotten before it was known how to read them.
  public var forgottenCount: Int { unheardCount + (decoder?.forgottenCount ?? 0) }
  /// The number of forgotten bytes that came before the protocol was found.
  private var unheardCount = 0

  /// The bytes that wait to be understood, for telling the user what arrives instead.
  public var pending: ArraySlice<UInt8> { bytes[min(position, bytes.count)...] }

  // MARK: Finding

  private mutating func detect() {
    guard detector != nil else { return }
    let held = bytes
    if let found = detector?.listen(to: held.span) { return take(found, by: detector) }
    guard decoder == nil, bytes.count > Self.memoryLimit, let consumed = detector?.consumedCount else { return }
    unheardCount += consumed
    bytes.removeFirst(consumed)
    stamps.drop(consumed)
    arrivals.drop(consumed)
    detector?.drop(consumed)
  }

  /// Puts the protocol of a finding in charge, from the first byte that nobody has understood.
  private mutating func take(_ found: Detector.Finding, by listener: Detector?) {
    if [CSV.name, LabelledLines.name].contains(found.name), HexNumbers.fill(bytes.span) { foreign = .hexadecimal }
    weighed = listener?.weighed ?? []
    detector = nil
    (doubt, heardInVain) = (0, 0)
    guard found.name != protocolName, let listener = listener?.decoder(named: found.name) else { return }
    finding = found
    decoder = listener
    choice = OriginChoice()
    isDecoding = true
    if !causes.isEmpty { decoder?.seek(causes) }
    axes = type(of: listener).axes
    tellArrival()
  }

  private mutating func trust() {
    (doubt, heardInVain) = (0, 0)
    if detector != nil { detector = nil }
  }

  private mutating func doubtMore(_ count: Int) {
    doubt = min(doubt &+ count, Self.doubtLimit + 1)
    guard doubt > Self.doubtLimit, !isPinned, detector == nil else { return }
    compact()
    var listener = Detector(candidates: candidates)
    // A recording's next lines have all come by now, and a detector hears only what comes.
    let found = listener.listen(to: bytes.span.extracting(first: Self.listeningStep))
    detector = listener
    if let found { take(found, by: listener) }
  }

  /// Drops what has been consumed.
  private mutating func compact() {
    guard position > 0 else { return }
    bytes.removeFirst(position)
    stamps.drop(position)
    arrivals.drop(position)
    if decoder != nil { detector?.drop(position) }
    position = 0
  }
}
