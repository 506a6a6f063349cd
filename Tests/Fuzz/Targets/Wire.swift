import Drivers
import LodestoneCore

/// Bytes of a wire, through the detector and through every decoder. The first byte tells which, by its place in
/// `Protocols.all`, so that a protocol that comes in between gives kept inputs another meaning; the second how large
/// the chunks are in which the rest arrives.
enum WireTarget: FuzzTarget {
  static let name = "wire"

  static func take(_ bytes: Span<UInt8>) {
    guard bytes.count > 2 else { return }
    let content = bytes.extracting(2...)
    let chunk = bytes[1] == 0 ? Int.max / 2 : Int(bytes[1])
    let choice = Int(bytes[0]) % (Protocols.all.count + 1)
    guard choice < Protocols.all.count else { return listen(content, chunk: chunk) }
    read(content, as: Protocols.all[choice], chunk: chunk)
  }

  /// Reads bytes in a protocol.
  static func read(_ bytes: Span<UInt8>, as type: any WireProtocol.Type, chunk: Int) {
    feed(type.init(), bytes, chunk: chunk == 0 ? .max / 2 : chunk)
  }
}

/// Feeds a decoder and checks what every protocol promises.
func feed(_ fresh: any WireProtocol, _ bytes: Span<UInt8>, chunk: Int) {
  var decoder = fresh
  var end = 0, position = 0, rejected = 0, found = 0
  func check(_ event: WireEvent) {
    switch event {
    case .message(let message):
      require(isSane(message), "a number that is not finite")
      found += 1
      if found <= 8 { writeBack(message, as: fresh) }
    case .rejected(_, let count): rejected += count
    case .other: break
    }
    require(position <= end, "a position past the bytes")
  }
  while end < bytes.count {
    end = min(bytes.count, end + chunk)
    let arrived = bytes.extracting(..<end)
    while let event = decoder.next(in: arrived, from: &position) { check(event) }
    require(end - position <= 4096, "more than 4096 bytes left")
  }
  while let event = decoder.finish(in: bytes, from: &position) { check(event) }
  require(position == bytes.count, "bytes left at the end")
  require(rejected <= bytes.count, "more rejected than there was")
}

/// What was read is written, and what was written is read: no more is asked, since a wire has its own resolution.
private func writeBack(_ message: WireMessage, as fresh: any WireProtocol) {
  var device = fresh
  var bytes: [UInt8] = []
  device.encode(message, into: &bytes)
  var decoder = fresh
  var position = 0
  while let event = decoder.next(in: bytes.span, from: &position) {
    if case .message(let again) = event { require(isSane(again), "a number that is not finite in what was written") }
  }
}

/// All numbers are finite and positions are on the Earth.
private func isSane(_ message: WireMessage) -> Bool {
  let vectors = [message.field, message.acceleration, message.rotationRate].compactMap { $0 }
  let own = message.own
  let numbers = [message.time, message.temperature, own?.pitch, own?.roll, own?.rateOfTurn].compactMap { $0 }
  let headings = [own?.magnetic?.degrees, own?.trueNorth?.degrees].compactMap { $0 }
  let isPlaced =
    message.position?.position.coordinate.map { abs($0.latitude) <= 90 && abs($0.longitude) <= 180 } ?? true
  let causes = (0..<CauseValues.limit).compactMap { message.causes[$0] }
  return causes.allSatisfy { $0.isFinite } && vectors.allSatisfy { $0.isFinite } && numbers.allSatisfy { $0.isFinite }
    && headings.allSatisfy { $0 >= 0 && $0 < 360 } && isPlaced
}

/// Feeds the stream that finds its protocol by itself, and its numbers to the inference of units.
private func listen(_ bytes: Span<UInt8>, chunk: Int) {
  var stream = WireStream()
  var inference = UnitInference()
  var end = 0
  while end < bytes.count {
    let start = end
    end = min(bytes.count, end + chunk)
    stream.append(bytes.extracting(start..<end))
    while let event = stream.next() { if case .message(let message) = event { inference.add(message) } }
  }
  stream.end()
  while let event = stream.next() { if case .message(let message) = event { inference.add(message) } }
  _ = inference.conclude()
}
