import Drivers
import LodestonePorts

extension ByteStream {
  func tap(_ listener: @escaping ByteListener) -> Bool {
    self.listener = listener
    return true
  }

  /// Takes in bytes that were read now; what has come after a pause is kept back for a moment.
  func take(_ bytes: UnsafeRawBufferPointer, _ now: MonotonicTime) throws(StreamError) {
    if link.isLive {
      if backlog.isLate(now) {
        late.skip(now)
      } else if late.keep(bytes, now) {
        return
      }
    }
    try hand(bytes, now)
  }

  /// Hands on what is kept back, where it is time to or the source has no more; true where there was some.
  func release(_ now: MonotonicTime, atEnd: Bool = false) throws(StreamError) -> Bool {
    guard let time = late.releaseTime, time <= now || atEnd else { return false }
    let (parts, waitedSince) = late.release(perSecond: backlog.perSecond)
    if let waitedSince, let end = parts.last?.moment {
      backlog.wait(for: parts.reduce(0) { $0 + $1.bytes.count }, since: waitedSince, until: end)
      queue.append(.late(seconds: end - waitedSince))
    }
    for (bytes, moment) in parts {
      try bytes.span.withUnsafeBytes { bytes throws(StreamError) in try hand(bytes, moment) }
    }
    return true
  }

  /// Hands bytes on, each piece with the moment at which it came.
  private func hand(_ bytes: UnsafeRawBufferPointer, _ now: MonotonicTime) throws(StreamError) {
    var start = 0
    while start < bytes.count {
      let (count, moment) = link.isLive ? backlog.piece(of: bytes.count - start, now) : (bytes.count, now)
      let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
      start += count
      try listener?(piece, moment - started)
      reader.wire.append(Span(_unsafeBytes: piece), at: link.isLive ? moment - started : nil)
    }
  }

  /// The protocol that was given; nil where it is sought, or comes of other words: a table's columns, a compass's
  /// number.
  var givenProtocol: String? {
    let name = decoder.map { type(of: $0).name }
    return name == "csv" || findings.compass != nil ? nil : name
  }

  /// The protocol of messages that come with nothing of use in them; nil where what comes makes no sense, and where
  /// something else is sought.
  private func idleProtocol(_ now: MonotonicTime) -> String? {
    guard !seeksPositions else { return nil }
    if let idle = reader.wire.idleProtocol { return idle }
    guard watch.hasMessages, !watch.isSenseless(now), let name = reader.wire.protocolName else { return nil }
    return Protocols.named(name)?.name
  }

  /// Tells of bytes that make no message, or none of use, unless that was told already.
  func senseless(_ now: MonotonicTime) -> StreamEvent {
    let isDamaged = tally.rejected.checksum > tally.rejected.total / 2
    let fault = reader.wire.unresolved ?? (isDamaged ? .wrongChecksums : nil)
    let notice =
      fault.map { StreamNotice.doubtful($0, sample: arrived.text) }
      ?? idleProtocol(now).map { StreamNotice.nothingOfUse(protocol: $0, sample: arrived.text) }
      ?? arrived.unrecognized(
        by: &reader.wire, hasBaudRate: link.baudRate != nil, as: givenProtocol, seeksPositions: seeksPositions)
    return findings.new(notice).map { .notice($0) } ?? .waiting
  }
}
