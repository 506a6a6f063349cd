import Drivers

/// `serial:` — a serial port or pseudo-terminal, at a baud rate and in a protocol that are given or found.
enum SerialScheme: AddressScheme {
  static let scheme: String? = "serial"
  static let mayCount = true
  static let example = "/dev/ttyACM0"

  static func open(_ address: DeviceAddress, _ options: OpenOptions) throws(StreamError) -> any SampleStream {
    let address = try address.checked(allowing: WireOptions.names + ["baud"])
    let wire = try WireOptions(address, options)
    guard !address.body.isEmpty else { throw .badAddress(address.text, .incomplete("the path of the port")) }
    var baudRate: Int?
    if let text = address.option("baud") {
      guard let rate = Int(text), rate > 0 else {
        throw .badAddress(address.text, .badValue(option: "baud", value: text, expected: "a number such as 115200"))
      }
      baudRate = rate
    }
    let link = try SerialLink(path: address.body, baudRate: baudRate, reconnects: options.reconnects)
    let decoder = try wire.decoder()
    return ByteStream(
      link, decoder: decoder, stated: wire.stated,
      questions: DeviceQuestions(decoder, rate: options.rate, probes: options.probes), compass: wire.compass)
  }
}
