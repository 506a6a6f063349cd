/// Tells what a stream speaks by listening: every protocol reads along, and the evidence decides. A checksum that is
/// right twice beats words, words beat an end mark at its place, and that beats bare numbers.
///
/// Bytes go in, a finding comes out; it opens nothing and reads no clock. It listens at one baud rate: begin a new one
/// for another.
public struct Detector: Sendable {
  /// A protocol that was chosen, and the reasons.
  public struct Finding: Equatable, Sendable {
    /// The name of the protocol.
    public var name: String
    /// The kind of evidence for it.
    public var proof: WireProof
    /// The number of its messages that were heard, of any content.
    public var validCount: Int
    /// The number of its messages that hold something of use.
    public var messageCount: Int
    /// Bytes that were nothing in this protocol.
    public var rejectedByteCount: Int

    /// The finding for a device that has answered the probe of a protocol.
    public init(answerIn name: String) {
      self.init(name: name, proof: .request, validCount: 1, messageCount: 1, rejectedByteCount: 0)
    }

    init(name: String, proof: WireProof, validCount: Int, messageCount: Int, rejectedByteCount: Int) {
      self.name = name
      self.proof = proof
      self.validCount = validCount
      self.messageCount = messageCount
      self.rejectedByteCount = rejectedByteCount
    }
  }

  private var candidates: [Candidate]

  /// A detector that has heard nothing, for the protocols that can be told by listening.
  public init(candidates: [any WireProtocol.Type] = Protocols.all) {
    self.candidates = candidates.filter { $0.proof > .request }.map { Candidate($0) }
  }

  /// Listens to all bytes that have arrived and not been dropped; `position` of each reader is kept here, so the same
  /// array with more at its end is what is to be shown next. The finding as soon as the evidence is enough.
  public mutating func listen(to bytes: Span<UInt8>) -> Finding? {
    for index in candidates.indices { candidates[index].read(bytes) }
    return best { $0.isProven }
  }

  /// The finding when there is nothing more to hear: what is likely though not proven, such as a stream of valid
  /// messages with nothing for us, or a file of two lines. Nil when nothing was understood.
  public mutating func conclude(_ bytes: Span<UInt8>) -> Finding? {
    for index in candidates.indices { candidates[index].finish(bytes) }
    return best { $0.isLikely }
  }

  /// The reason why the best listening protocol holds back its messages; nil where none does, or another protocol has
  /// messages.
  var doubt: WireFault? {
    if let doubt = candidates.lazy.compactMap({ $0.decoder.doubt }).first { return doubt }
    return candidates.contains { $0.hasWrongChecksums } ? .wrongChecksums : nil
  }

  /// The name of a protocol that is understood, and whose messages hold nothing of use; nil for none.
  var idleProtocol: String? { candidates.first { $0.isIdle }?.type.name }

  /// A decoder for the first byte that was listened to, which knows what was learnt of the stream meanwhile; nil for a
  /// protocol that did not listen.
  func decoder(named name: String) -> (any WireProtocol)? {
    candidates.first { $0.type.name == name }?.decoder.fromStart()
  }

  /// The findings of all protocols that made a message, the best first.
  var weighed: [Finding] {
    candidates.filter { $0.finding.validCount > 0 }.sorted { $1.isBeaten(by: $0) }.map { $0.finding }
  }

  /// The number of first bytes that no reader needs any more.
  public var consumedCount: Int { candidates.map { $0.position }.min() ?? 0 }

  /// Passes over what lies before a position; what a header has said stays known.
  mutating func skip(to position: Int) {
    for index in candidates.indices { candidates[index].skip(to: position) }
  }

  /// Begins anew at the first byte that is still held, with what the headers before it have said.
  mutating func hearAgain() {
    candidates = candidates.map { Candidate($0.type, decoder: $0.decoder.fromStart()) }
  }

  /// Forgets all that it has heard.
  mutating func restart() { candidates = candidates.map { Candidate($0.type) } }

  /// Says that the first bytes have been taken away.
  public mutating func drop(_ count: Int) {
    for index in candidates.indices { candidates[index].position = max(0, candidates[index].position - count) }
  }

  /// The best of the candidates that qualify, unless a stronger kind of evidence has begun to speak for another.
  private func best(_ qualifies: (Candidate) -> Bool) -> Finding? {
    guard let chosen = candidates.filter(qualifies).max(by: { $0.isBeaten(by: $1) }) else { return nil }
    return chosen.finding
  }
}

/// A protocol that reads along.
private struct Candidate: Sendable {
  let type: any WireProtocol.Type
  var decoder: any WireProtocol
  var position = 0
  private var messageCount = 0
  private var otherCount = 0
  private var acceptedByteCount = 0
  private var rejectedByteCount = 0
  private var checksumByteCount = 0
  /// Messages since the last rejection, and the longest such row.
  private var row = 0
  private var longestRow = 0

  /// - Parameter decoder: one that knows something of the stream already; nil for one that knows nothing.
  init(_ type: any WireProtocol.Type, decoder: (any WireProtocol)? = nil) {
    self.type = type
    self.decoder = decoder ?? type.init()
  }

  mutating func read(_ bytes: Span<UInt8>) {
    var (start, message) = (position, WireMessage())
    while let step = decoder.next(in: bytes, from: &position, into: &message) {
      note(step, byteCount: position - start)
      start = position
    }
  }

  mutating func skip(to position: Int) {
    guard position > self.position else { return }
    decoder = decoder.fromStart()
    self.position = position
    row = 0
  }

  mutating func finish(_ bytes: Span<UInt8>) {
    var message = WireMessage()
    while let event = decoder.finish(in: bytes, from: &position) { note(event.step(into: &message), byteCount: 0) }
  }

  private mutating func note(_ step: WireStep, byteCount: Int) {
    switch step {
    case .message: messageCount += 1
    case .other: otherCount += 1
    case .rejected(let reason, let count):
      rejectedByteCount += min(count, Self.longestLine)
      if reason == .checksum { checksumByteCount += count }
      // The checksum of a sentence that makes no sense has been right: it is of its protocol all the same.
      if reason != .malformed || type.proof != .checksum || !(decoder is any LineProtocol) { row = 0 }
      return
    }
    acceptedByteCount += byteCount
    row += 1
    longestRow = max(longestRow, row)
  }

  /// Bytes of a rejected line that count: one that goes on for pages is no more than one.
  private static let longestLine = 512

  /// The number of sentences with right checksums that chance will not produce, however much stands between them.
  private static let enough = 8

  /// The number of messages in a row that chance will not produce.
  private var requiredRow: Int {
    switch decoder.evidence {
    case .checksum, .signature: 2
    case .numbers: 4
    case .framing: 8
    case .request: .max
    }
  }

  /// Whether enough messages of use came in a row; the weak kinds also need most of the stream on their side.
  var isProven: Bool {
    messageCount >= 2 && longestRow >= requiredRow && (decoder.evidence >= .signature || holdsMost) || isRepeated
  }

  /// Sentences whose checksums are right come again and again, with something else between any two: a device that sends
  /// in turn.
  private var isRepeated: Bool {
    messageCount >= Self.enough && decoder.evidence == .checksum && decoder is any LineProtocol
  }

  var isLikely: Bool {
    if decoder.fault != nil { return true }
    if type.proof == .checksum { return longestRow >= 2 || isRepeated || (longestRow == 1 && holdsMost) }
    return messageCount > 0 && (holdsMost || isHeaded)
  }

  /// The stream has said more than its protocol asks for.
  private var isHeaded: Bool { decoder.evidence > type.proof }

  /// Whether its messages hold nothing of use, and checksums, or frames of a bus, leave no doubt that they are its.
  var isIdle: Bool {
    messageCount == 0 && longestRow >= requiredRow && holdsMost
      && (type.proof == .checksum || decoder is any NMEA2000Lines)
  }

  /// Whether most of the stream are its lines, and the checksum of each is wrong.
  var hasWrongChecksums: Bool {
    decoder is any LineProtocol && acceptedByteCount == 0 && 2 * checksumByteCount > rejectedByteCount
  }

  private var holdsMost: Bool { acceptedByteCount > 4 * rejectedByteCount }

  func isBeaten(by other: Candidate) -> Bool {
    if (messageCount > 0) != (other.messageCount > 0) { return messageCount == 0 }
    if type.proof != other.type.proof { return type.proof < other.type.proof }
    if messageCount != other.messageCount { return messageCount < other.messageCount }
    return acceptedByteCount < other.acceptedByteCount
  }

  var finding: Detector.Finding {
    Detector.Finding(
      name: type.name, proof: type.proof, validCount: messageCount + otherCount, messageCount: messageCount,
      rejectedByteCount: rejectedByteCount)
  }
}
