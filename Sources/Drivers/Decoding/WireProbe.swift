/// A question to a silent device, and how to tell its answer. It writes to the device, which can disturb one that is
/// something else: only for a user who has asked for it.
public struct WireProbe: Sendable {
  /// The protocol that would answer.
  public let protocolName: String
  /// The bytes to send.
  public let bytes: [UInt8]
  private let type: any WireProtocol.Type

  /// Every question, the least disturbing first.
  public static let all: [WireProbe] = ["bno055", "pni", "hmr2300", "vectornav", "xbus", "msp"].compactMap { name in
    Protocols.named(name).flatMap { type in type.probe.map { WireProbe(protocolName: name, bytes: $0, type: type) } }
  }

  /// Whether the answer consists of messages of the protocol and nothing else.
  public func isAnswered(by answer: Span<UInt8>) -> Bool {
    var decoder: any WireProtocol = type.init()
    var position = 0
    var isUnderstood = false
    while let event = decoder.next(in: answer, from: &position) {
      if case .rejected = event { return false }
      isUnderstood = true
    }
    return isUnderstood
  }
}
