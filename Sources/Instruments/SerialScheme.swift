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
    let decoder = try wire.decoder()
    return ByteStream(
      link, decoder: decoder, stated: wire.stated,
      questions: DeviceQuestions(decoder, rate: options.rate, probes: options.probes))
  }
}

/// A serial port that is found again after it was unplugged, by what it is and not by its name, and whose baud rate is
/// searched for until something is understood.
final class SerialLink: ByteLink {
  /// How often a port that is away is looked for.
  private static let lookInterval = 0.25

  let isLive = true
  private(set) var name: String
  let identity: String
  private var port: PortIdentity
  /// What is there besides, and so is another board, though it may look the same: many have no serial numbers.
  private var bystanders: Set<PortIdentity>
  private let given: String
  private let reconnects: Bool
  private var rate: Int
  private var open: SerialPort?
  private var nextLook: MonotonicTime?

  /// Nil when the rate was given, or something has been understood at it.
  private var search: BaudSearch?
  /// Since when the rate in force is judged.
  private var judgedSince: MonotonicTime
  private var hasHeard = false
  private var turnTime: MonotonicTime?

  init(path: String, baudRate: Int?, reconnects: Bool) throws(StreamError) {
    let listings = listPorts(findingHolders: false)
    given = path
    name = path
    port = PortIdentity(path: path, among: listings)
    identity = port.key
    bystanders = Set(listings.map { $0.identity }).subtracting([port])
    self.reconnects = reconnects
    let search = BaudSearch(first: baudRate ?? port.find(in: listings)?.board?.baudRate)
    rate = search.rate
    self.search = baudRate == nil ? search : nil
    judgedSince = .now + DeviceQuestions.resetPatience
    do {
      open = try SerialPort(path: path, options: .init(baudRate: rate))
    } catch {
      throw .port(error)
    }
  }

  var source: (any ByteSource)? { open }
  var baudRate: Int? { rate }
  var wakeTime: MonotonicTime? { open == nil ? nextLook : turnTime }

  func lose() -> Bool {
    guard reconnects else { return false }
    open?.close()
    open = nil
    turnTime = nil
    nextLook = .now + Self.lookInterval
    noteBystanders()
    return true
  }

  /// A board that has a serial number may be back already, under another name, by the time that its loss is noticed;
  /// one that has none, only in its socket.
  private func noteBystanders() {
    let present = Set(listPorts(findingHolders: false).map { $0.identity })
    bystanders.formIntersection(present)
    if port.usb?.serial == nil { bystanders.formUnion(present) }
    bystanders = bystanders.filter { $0.socket != port.socket || $0.interface != port.interface }
  }

  func advance(_ now: MonotonicTime) throws(StreamError) -> Bool {
    guard open == nil, let due = nextLook, due <= now else { return false }
    nextLook = now + Self.lookInterval
    let listings = port.usb == nil ? [] : listPorts(findingHolders: false)
    let listing = find(in: listings)
    guard let path = port.usb == nil ? given : listing?.path,
      let found = try? SerialPort(path: path, options: .init(baudRate: rate))
    else { return false }
    open = found
    name = path
    if let listing {
      port = listing.identity
      bystanders = Set(listings.map { $0.identity }).subtracting([port])
    }
    nextLook = nil
    hasHeard = false
    judgedSince = now + DeviceQuestions.resetPatience
    return true
  }

  /// The board among the ports there are now. A bystander that is plugged out and in again is one no longer.
  private func find(in listings: [PortListing]) -> PortListing? {
    bystanders.formIntersection(listings.map { $0.identity })
    return port.find(in: listings.filter { !bystanders.contains($0.identity) })
  }

  func hear(_ bytes: Span<UInt8>) {
    guard search != nil else { return }
    if !hasHeard { judgedSince = .now }
    hasHeard = true
    search?.hear(bytes)
  }

  func tune(_ now: MonotonicTime, isUnderstood: Bool) -> Bool {
    if isUnderstood {
      search = nil
      turnTime = nil
    }
    guard let open, search != nil else { return false }
    var seconds = now - judgedSince
    for _ in BaudSearch.rates {  // some ports can't make every rate
      switch search?.advance(seconds: seconds) {
      case .change(let next):
        seconds = .infinity
        guard (try? open.setBaudRate(next)) != nil else { continue }
        rate = next
        judgedSince = now
        turnTime = now
        return true
      case .listen(let until): turnTime = judgedSince + until
      case nil: break
      }
      return false
    }
    search = nil
    turnTime = nil
    return false
  }

  func write(_ bytes: [UInt8]) -> Bool {
    guard let open, case .bytes(bytes.count) = bytes.withUnsafeBytes({ open.write($0) }) else { return false }
    return true
  }
}
