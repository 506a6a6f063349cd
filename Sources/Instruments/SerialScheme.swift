import Drivers
import Ports

/// `serial:` — a serial port or pseudo-terminal, at a baud rate and in a protocol that are given or found.
enum SerialScheme: AddressScheme {
  static let scheme: String? = "serial"
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
    return ByteStream(link, decoder: try wire.decoder(), stated: wire.stated)
  }
}

/// A serial port that is found again after it was unplugged, by what it is and not by its name.
final class SerialLink: ByteLink {
  /// The rates that are listened at, the likeliest first.
  static let baudRates = [115_200, 9600, 57_600, 38_400, 19_200, 230_400, 460_800, 921_600, 4800]
  /// How often a port that is away is looked for.
  private static let lookInterval = 0.25

  let isLive = true
  private(set) var name: String
  private let port: PortIdentity
  private let given: String
  private let isRateGiven: Bool
  private let reconnects: Bool
  private var rates: [Int]
  private var open: SerialPort?
  private var nextLook: MonotonicTime?

  init(path: String, baudRate: Int?, reconnects: Bool) throws(StreamError) {
    let listings = listPorts()
    given = path
    name = path
    port = PortIdentity(path: path, among: listings)
    self.reconnects = reconnects
    isRateGiven = baudRate != nil
    let usual = port.find(in: listings)?.board?.baudRate
    let first = baudRate ?? usual ?? Self.baudRates[0]
    rates = [first] + Self.baudRates.filter { $0 != first }
    do {
      open = try SerialPort(path: path, options: .init(baudRate: first))
    } catch {
      throw .port(error)
    }
  }

  var identity: String { port.key }
  var source: (any ByteSource)? { open }
  var baudRate: Int? { rates.first }
  var wakeTime: MonotonicTime? { nextLook }

  func lose() -> Bool {
    guard reconnects else { return false }
    open?.close()
    open = nil
    nextLook = .now + Self.lookInterval
    return true
  }

  func advance(_ now: MonotonicTime) throws(StreamError) -> Bool {
    guard open == nil, let due = nextLook, due <= now else { return false }
    nextLook = now + Self.lookInterval
    let path = port.usb == nil ? given : port.find(in: listPorts())?.path
    guard let path, let found = try? SerialPort(path: path, options: .init(baudRate: rates[0])) else { return false }
    open = found
    name = path
    nextLook = nil
    return true
  }

  func tryNextBaudRate() -> Bool {
    guard !isRateGiven, let open else { return false }
    for _ in rates.indices.dropFirst() {
      rates.append(rates.removeFirst())
      if (try? open.setBaudRate(rates[0])) != nil { return true }
    }
    return false
  }
}
