import Drivers
import LodestonePorts

/// `tcp://` — the bytes of a device or program that listens at a TCP port. A serial server such as ser2net stands
/// between: what would be written to a serial port is written to the connection.
enum TCPScheme: AddressScheme {
  static let scheme: String? = "tcp"
  static let mayCount = true
  static let example = "tcp://192.168.4.1:10110"

  static func open(_ address: DeviceAddress, _ options: OpenOptions) throws(StreamError) -> any SampleStream {
    let address = try address.checked(allowing: WireOptions.names)
    let wire = try WireOptions(address, options)
    let link = try TCPLink(to: try address.endpoint(), as: address, reconnects: options.reconnects)
    let decoder = try wire.decoder()
    return ByteStream(
      link, decoder: decoder, stated: wire.stated,
      questions: DeviceQuestions(decoder, rate: options.rate, probes: options.probes), compass: wire.compass)
  }
}

extension DeviceAddress {
  /// The host and port of a network address; without a host, this machine.
  func endpoint(usualPort: UInt16? = nil) throws(StreamError) -> NetworkEndpoint {
    guard var endpoint = NetworkEndpoint(address: body, usualPort: usualPort) else {
      throw .badAddress(text, .incomplete("//host:port, with a port up to 65535,"))
    }
    if endpoint.host.isEmpty { endpoint.host = "127.0.0.1" }
    return endpoint
  }

  /// The address without its options.
  var withoutOptions: String { String(text.prefix { $0 != "?" }) }
}
