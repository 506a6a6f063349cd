import Drivers
import LodestonePorts

/// `mqtt://` — the samples or readings that another lodestone publishes at a broker: the stream of a topic.
enum MQTTScheme: AddressScheme {
  static let scheme: String? = "mqtt"
  static let mayCount = true
  static let example = "mqtt://host/topic"

  static func open(_ address: DeviceAddress, _ options: OpenOptions) throws(StreamError) -> any SampleStream {
    let address = try address.checked(allowing: WireOptions.names)
    let wire = try WireOptions(address, options)
    guard let topic = MQTTAddress(address.withoutOptions) else {
      throw .badAddress(address.text, problem(of: address))
    }
    let link = try BrokerLink(to: topic, reconnects: options.reconnects)
    return ByteStream(link, decoder: try wire.decoder(), stated: wire.stated, compass: wire.compass)
  }

  /// The part that keeps an address from being one: a pattern of topics in place of a topic, or a part that is missing.
  private static func problem(of address: DeviceAddress) -> BadAddress {
    let topic = address.body.drop { $0 == "/" }.drop { $0 != "/" }.dropFirst()
    guard topic.contains("+") || topic.contains("#") || topic.hasSuffix("/") else {
      return .incomplete("//[user@]host[:port]/topic (a password stands in LODESTONE_MQTT_PASSWORD)")
    }
    return .badValue(
      option: "the topic", value: String(topic), expected: "one topic, without + or # and no / at its end")
  }
}

/// `mqtts://` — the same encrypted.
enum EncryptedMQTTScheme: AddressScheme {
  static let scheme: String? = "mqtts"
  static let mayCount = true
  static let example = MQTTScheme.example

  static func open(_ address: DeviceAddress, _ options: OpenOptions) throws(StreamError) -> any SampleStream {
    try MQTTScheme.open(address, options)
  }
}
