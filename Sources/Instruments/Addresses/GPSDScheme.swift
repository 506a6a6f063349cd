import Drivers
import LodestonePorts

/// `gpsd://` — what gpsd's devices say: attitude, field and position as JSON reports.
enum GPSDScheme: AddressScheme {
  static let scheme: String? = "gpsd"
  static let example = "gpsd://localhost"

  static func open(_ address: DeviceAddress, _ options: OpenOptions) throws(StreamError) -> any SampleStream {
    let address = try address.checked(allowing: ["unit"])
    let wire = try WireOptions(address, options)
    let endpoint = try address.endpoint(usualPort: TCPClient.gpsdPort)
    let link = try TCPLink(
      to: endpoint, as: address, greeting: TCPClient.gpsdGreeting, sender: .gpsd, reconnects: options.reconnects)
    return ByteStream(link, decoder: Protocols.named("gpsd")?.init(), stated: wire.stated)
  }
}
