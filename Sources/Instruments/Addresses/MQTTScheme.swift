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
      throw .badAddress(address.text, .incomplete("//[user@]host[:port]/topic, without wildcards or a password,"))
    }
    let link = try BrokerLink(to: topic, reconnects: options.reconnects)
    return ByteStream(link, decoder: try wire.decoder(), stated: wire.stated, compass: wire.compass)
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
