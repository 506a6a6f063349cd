import LodestoneCore
import LodestoneOutput
import LodestonePorts

// The words for what happens where readings are published.

extension SinkNotice {
  /// A sentence.
  /// - Parameter isEnd: all has been sent, and nothing is tried again.
  func words(of sink: String, isEnd: Bool = false) -> String {
    switch self {
    case .away(let trouble, let reason):
      switch trouble {
      case .unreachable, .other:
        "\(sink) is unreachable: \(reason.asClause)" + (isEnd ? " (\(trouble.remedy))" : "; trying again")
      case .rejected, .untrusted:
        "can't publish at \(sink): \(reason.asClause)\(isEnd ? "" : "; trying again") (\(trouble.remedy))"
      }
    case .arrived(lost: 0): "\(sink) is connected"
    case .arrived(let count): "\(sink) is connected; \(SinkLoss.undelivered(count).words)"
    case .shared: "another program publishes at \(sink) too: its readers get both; give each board a topic of its own"
    case .refused(let topic, let reason): "\(sink) rejected \(topic): \(reason.asClause)"
    }
  }
}

extension SinkLoss {
  /// A sentence.
  var words: String {
    switch self {
    case .messages(let count): lost(count, "message", of: "the reader")
    case .undelivered(let count):
      "\(count) message\(count == 1 ? "" : "s") did not reach the broker"
    case .clients(let count): lost(count, "client", of: "they")
    case .refusals(let count, let limit):
      "\(count) client\(count == 1 ? " was" : "s were") turned away because \(limit) were connected already"
    case .datagrams(let count): "\(count) datagram\(count == 1 ? "" : "s") could not be sent"
    case .frames(let count): "\(count) frame\(count == 1 ? " was" : "s were") not taken by the bus"
    }
  }

  private func lost(_ count: Int, _ thing: String, of reader: String) -> String {
    lossWords(count, thing, of: reader) ?? ""
  }
}

/// The loss of a reader that did not keep up, in words; nil for none.
func lossWords(_ count: Int, _ thing: String, of reader: String) -> String? {
  guard count > 0 else { return nil }
  return "\(count) \(thing)\(count == 1 ? " was" : "s were") dropped because \(reader) did not keep up"
}
