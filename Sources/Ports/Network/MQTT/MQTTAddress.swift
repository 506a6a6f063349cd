import LodestoneCore

/// A topic of a broker as a user names it: `mqtt://[user@]host[:port]/topic`, and `mqtts://` for an encrypted
/// connection.
public struct MQTTAddress: Equatable, Sendable, CustomStringConvertible {
  /// Host and port.
  public let endpoint: NetworkEndpoint
  /// A name for the broker's list of users; nil for none.
  public let user: String?
  /// Without wildcards.
  public private(set) var topic: String
  /// With TLS.
  public let isEncrypted: Bool

  /// Nil for what is no such address. A password in it would be seen by every user of the machine: it is no address.
  public init?(_ text: String) {
    isEncrypted = text.hasPrefix("mqtts://")
    guard isEncrypted || text.hasPrefix("mqtt://") else { return nil }
    let rest = text.dropFirst(isEncrypted ? 8 : 7)
    guard let slash = rest.firstIndex(of: "/") else { return nil }
    topic = String(rest[rest.index(after: slash)...])
    var host = rest[..<slash]
    var user: String?
    if let at = host.lastIndex(of: "@") {
      user = String(host[..<at])
      host = host[host.index(after: at)...]
    }
    guard !host.isEmpty, user?.contains(":") != true, user != "",
      let endpoint = NetworkEndpoint(address: "//" + host, usualPort: isEncrypted ? 8883 : 1883)
    else { return nil }
    self.user = user
    self.endpoint = endpoint
    // Wildcards are for readers of many topics, and a topic is at most 65535 bytes.
    guard !topic.isEmpty, topic.utf8.count < 1024, !topic.hasSuffix("/"),
      !topic.unicodeScalars.contains(where: { "+#".unicodeScalars.contains($0) || $0.endsConnections })
    else { return nil }
  }

  /// Where every record of a topic stands, behind it.
  public static let streamEnd = "/stream"

  /// Without `/stream` at the topic's end: where the state of that stream stands.
  public var ofState: MQTTAddress {
    var address = self
    if topic.hasSuffix(Self.streamEnd), topic != Self.streamEnd { address.topic.removeLast(Self.streamEnd.count) }
    return address
  }

  /// Without the user.
  public var description: String { "\(isEncrypted ? "mqtts" : "mqtt")://\(endpoint)/\(topic)" }

  /// The topic as a word of letters, digits and `_`, another one for each topic: with `_` between its levels, and where
  /// that leaves anything unsaid, with a mark behind it that comes of all its bytes, the same in every run.
  public var plainTopic: String {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    let word = String(topic.unicodeScalars.map { $0.isPlain ? Character($0) : "_" })
    let isWhole = levels.allSatisfy { !$0.isEmpty && $0.unicodeScalars.allSatisfy(\.isPlain) }
    return isWhole ? word : "\(word)__\(String(topic.utf8.fingerprint, radix: 16))"
  }
}

extension Unicode.Scalar {
  /// A control character or noncharacter, for which a broker may break off, each time again (MQTT 5, 1.5.4).
  fileprivate var endsConnections: Bool {
    properties.generalCategory == .control || properties.isNoncharacterCodePoint
  }

  /// A letter or a digit of ASCII.
  fileprivate var isPlain: Bool { isASCII && properties.isAlphabetic || ("0"..."9").contains(self) }
}
