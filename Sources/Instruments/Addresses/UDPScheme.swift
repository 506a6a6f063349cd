import Drivers
import LodestonePorts

/// `udp://` — datagrams that are sent to a port of this machine: at the loopback address unless another is given, at
/// all of them with `*`.
enum UDPScheme: AddressScheme {
  static let scheme: String? = "udp"
  static let mayCount = true
  static let example = "udp://:10110"

  static func open(_ address: DeviceAddress, _ options: OpenOptions) throws(StreamError) -> any SampleStream {
    let address = try address.checked(allowing: WireOptions.names)
    let wire = try WireOptions(address, options)
    let link = try UDPLink(at: try address.endpoint(), as: address)
    return ByteStream(link, decoder: try wire.decoder(), stated: wire.stated, compass: wire.compass)
  }
}
