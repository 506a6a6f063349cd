import LodestoneCore

@testable import Drivers

/// Bytes of a board, all the way to its samples: found or given protocols, units that are inferred, expected or told,
/// the search for a baud rate, and what answers a question. The first bytes tell which of it; the rest arrives in
/// chunks, twice or for so long that nobody listens to all of it any more.
enum StreamsTarget: FuzzTarget {
  static let name = "streams"

  static func take(_ bytes: Span<UInt8>) {
    guard bytes.count > 4 else { return }
    let content = bytes.extracting(4...), choice = Int(bytes[0]), options = bytes[1]
    let chunk = max(1, Int(bytes[2]) << 8 | Int(bytes[3]))
    if options & 1 == 1 { ask(content) }
    var stream = choice < Protocols.all.count ? WireStream(Protocols.all[choice].init()) : WireStream()
    var inference = UnitInference()
    if options & 2 == 2 {
      inference.expectation = FieldExpectation(strength: 48, countsPerMicrotesla: options & 4 == 4 ? 15 : nil) { $0 }
    }
    var messages: [WireMessage] = []
    let rounds = options & 0xF8 == 0xF8 && content.count > 2000 ? 300_000 / content.count : options & 8 == 8 ? 2 : 1
    for _ in 0..<rounds {
      var start = 0
      while start < content.count {
        let end = min(content.count, start + chunk)
        stream.append(content.extracting(start..<end))
        start = end
        drain(&stream, into: &messages)
      }
    }
    _ = stream.pending
    _ = (stream.openQuestions, stream.fault, stream.changeCount, stream.timeIsIndex)
    stream.end()
    drain(&stream, into: &messages)
    inference.toldFieldScale = stream.fieldScale
    inference.fieldNaming = stream.fieldNaming
    let isAssumed = stream.timeIsAssumed || options & 64 == 64
    assemble(messages, inference, keepsTime: options & 32 == 32, timeIsAssumed: isAssumed)
  }

  private static func drain(_ stream: inout WireStream, into messages: inout [WireMessage]) {
    var message = WireMessage()
    while let step = stream.next(into: &message) { if step == .message { messages.append(message) } }
  }

  private static func assemble(
    _ messages: [WireMessage], _ inference: UnitInference, keepsTime: Bool, timeIsAssumed: Bool
  ) {
    var inference = inference
    for message in messages { inference.add(message) }
    _ = inference.fieldCount
    var assembler = SampleAssembler(scales: inference.conclude(), keepsTime: keepsTime)
    assembler.timeIsAssumed = timeIsAssumed
    var positions = PositionAssembler(keepsTime: keepsTime)
    defer { check(positions.end(arrival: 0, now: 1.8e9)) }
    for (number, message) in messages.enumerated() {
      if let part = message.position { check(positions.add(part, arrival: Double(number) * 0.02, now: 1.8e9)) }
      guard let sample = assembler.sample(of: message, arrival: Double(number) * 0.02) else { continue }
      let vectors = [sample.field?.microtesla, sample.acceleration?.g, sample.rotationRate?.degreesPerSecond]
      require(vectors.allSatisfy { $0?.isFinite ?? true }, "a sample that is not finite")
    }
  }

  /// Numbers, and places that there are.
  private static func check(_ positions: [Position]) {
    for position in positions {
      let numbers = [
        position.time, position.altitude, position.seaLevelAltitude, position.course, position.speed, position.climb,
        position.horizontalAccuracy, position.verticalAccuracy, position.unixTime,
      ]
      require(numbers.allSatisfy { $0?.isFinite ?? true }, "a position that is not finite")
      require(position.coordinate.map { abs($0.latitude) <= 90 } ?? true, "a latitude past the pole")
    }
  }

  /// Bytes at a serial port that nobody understands.
  private static func ask(_ bytes: Span<UInt8>) {
    for question in WireProbe.all { _ = question.isAnswered(by: bytes) }
    var search = BaudSearch(first: bytes[0] & 1 == 1 ? 57_600 : nil)
    for step in 0..<40 {
      search.hear(bytes.extracting(..<min(bytes.count, step)))
      _ = search.advance(seconds: Double(bytes[step % bytes.count]) / 16)
    }
  }
}
