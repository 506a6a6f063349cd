import LodestoneCore

@testable import Drivers

/// A decoder's events for a whole input, for the suites.
struct Heard: Equatable {
  var messages: [WireMessage] = []
  var otherCount = 0
  var rejections: [WireRejection] = []
  var rejectedByteCount = 0
  /// The most bytes that were left unconsumed.
  var longestRest = 0

  mutating func note(_ event: WireEvent) {
    switch event {
    case .message(let message): messages.append(message)
    case .other: otherCount += 1
    case .rejected(let reason, let count):
      rejections.append(reason)
      rejectedByteCount += count
    }
  }

  static func == (a: Heard, b: Heard) -> Bool {
    a.messages == b.messages && a.otherCount == b.otherCount && a.rejections == b.rejections
  }
}

extension WireProtocol {
  /// All that a fresh decoder says about a stream that arrives in chunks of a size and then ends.
  static func hear(_ bytes: [UInt8], chunk: Int = .max) -> Heard {
    var decoder = Self()
    return decoder.hear(bytes, chunk: chunk)
  }

  /// The same for text.
  static func hear(_ text: String, chunk: Int = .max) -> Heard { hear(Array(text.utf8), chunk: chunk) }

  /// All that this decoder says.
  mutating func hear(_ bytes: [UInt8], chunk: Int = .max) -> Heard {
    var heard = Heard()
    var held: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      held += rest.prefix(chunk)
      rest = rest.dropFirst(chunk)
      var position = 0
      while let event = next(in: held.span, from: &position) { heard.note(event) }
      held.removeFirst(position)
      heard.longestRest = max(heard.longestRest, held.count)
    }
    var position = 0
    while let event = finish(in: held.span, from: &position) { heard.note(event) }
    return heard
  }

  /// The bytes that a device would send for each of some messages.
  static func encode(_ messages: [WireMessage]) -> [[UInt8]] {
    var encoder = Self()
    return messages.map {
      var bytes: [UInt8] = []
      encoder.encode($0, into: &bytes)
      return bytes
    }
  }
}

extension WireMessage {
  /// Everything that a device can say, varied by a number.
  static func example(_ number: Int) -> WireMessage {
    let n = Double(number)
    var message = WireMessage()
    message.time = 100 + n / 50
    message.field = Vector3(-18.25 + n, 33.5 - n / 4, -42.75 + n / 8)
    message.fieldUnit = .microtesla
    message.acceleration = Vector3(0.125, -0.25 + n / 64, 0.9375)
    message.accelerationUnit = .g
    message.rotationRate = Vector3(1.5, -12.25, 0.75 + n)
    message.rotationRateUnit = .degreesPerSecond
    message.temperature = 25
    message.own = OwnHeading(
      magnetic: Heading(degrees: 120 + n), trueNorth: Heading(degrees: 124.5 + n), pitch: 5.25, roll: -3.5)
    return message
  }
}
