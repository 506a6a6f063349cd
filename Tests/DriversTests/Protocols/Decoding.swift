@testable import Drivers

/// What decoders say about whole inputs, for the suites.
struct Heard: Equatable {
  var messages: [WireMessage] = []
  var otherCount = 0
  var rejections: [WireRejection] = []
  var rejectedByteCount = 0

  mutating func note(_ event: WireEvent) {
    switch event {
    case .message(let message): messages.append(message)
    case .other: otherCount += 1
    case .rejected(let reason, let count):
      rejections.append(reason)
      rejectedByteCount += count
    }
  }
}

extension WireProtocol {
  /// All that this decoder says about a stream that arrives in chunks of a size and then ends.
  static func hear(_ bytes: [UInt8], chunk: Int = .max, decoder: Self = Self()) -> Heard {
    var decoder = decoder
    var heard = Heard()
    var held: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      held += rest.prefix(chunk)
      rest = rest.dropFirst(chunk)
      var position = 0
      while let event = decoder.next(in: held.span, from: &position) { heard.note(event) }
      held.removeFirst(position)
    }
    var position = 0
    while let event = decoder.finish(in: held.span, from: &position) { heard.note(event) }
    return heard
  }

  /// The same for text.
  static func hear(_ text: String, chunk: Int = .max) -> Heard { hear(Array(text.utf8), chunk: chunk) }
}
