import Glibc

/// How to reach a broker.
public struct MQTTSettings: Sendable {
  /// Host and port; 1883, or 8883 where encrypted, is usual.
  public var endpoint: NetworkEndpoint
  /// TLS, with the broker's certificate checked.
  public var isEncrypted = false
  /// Certificates to trust; nil for the system's.
  public var caFile: String?
  /// A name for the broker's list of users; nil for none.
  public var user: String?
  /// Goes with `user`.
  public var password: String?
  /// The broker knows a client by it: no two at the same time.
  public var clientID: String
  /// The message, retained, that the broker sends if the client disconnects unexpectedly.
  public var will: (topic: String, payload: String)?

  /// Settings for a broker.
  public init(endpoint: NetworkEndpoint, clientID: String) {
    self.endpoint = endpoint
    self.clientID = clientID
  }

  /// Settings for an address. The password comes from LODESTONE_MQTT_PASSWORD, or from the file that
  /// LODESTONE_MQTT_PASSWORD_FILE names; LODESTONE_MQTT_CA_FILE names certificates to trust.
  public init(_ address: MQTTAddress) throws(MQTTError) {
    // Programs on two machines may have the same number.
    let mark = String(UInt16.random(in: 0...UInt16.max), radix: 16)
    self.init(endpoint: address.endpoint, clientID: "lodestone-\(getpid())-\(mark)-\(address.plainTopic.prefix(40))")
    isEncrypted = address.isEncrypted
    caFile = environmentVariable("LODESTONE_MQTT_CA_FILE")
    user = address.user
    password = try Self.storedPassword()
  }

  private static func storedPassword() throws(MQTTError) -> String? {
    if let password = environmentVariable("LODESTONE_MQTT_PASSWORD") { return password }
    guard let path = environmentVariable("LODESTONE_MQTT_PASSWORD_FILE") else { return nil }
    guard let bytes = try? AtomicFile.read(path, limit: 4096) else { throw .badPasswordFile(path) }
    return String(decoding: bytes.prefix { $0 != 10 && $0 != 13 }, as: UTF8.self)
  }
}

/// The kind of reason for which a broker is not there.
public enum BrokerTrouble: Equatable, Sendable {
  /// There is no way to it, or nothing listens there.
  case unreachable
  /// It does not let this user in.
  case rejected
  /// Its certificate is not believed.
  case untrusted(CertificateFault)
  /// Something else broke the connection.
  case other
}

/// Why there is no client: the facts, for the command to word.
public enum MQTTError: Error, Equatable, Sendable {
  /// libssl is not installed, and the connection is to be encrypted.
  case libraryMissing
  /// A file or folder of certificates that can't be read.
  case badCertificates(String)
  /// The file that LODESTONE_MQTT_PASSWORD_FILE names can't be read.
  case badPasswordFile(String)
  /// The broker is not there, and its reason, or that of the connection to it.
  case away(BrokerTrouble, reason: String)
  /// The broker does not let this user read the topic.
  case denied
}
