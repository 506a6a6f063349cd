import Drivers

/// A board on a bus, opened by its address to look at: for people who bring one up.
public final class ChipInspection {
  /// The bus and the magnetometer, as in an address.
  public let name: String
  /// The chips that there are.
  public var board: Board { open.board }
  private let open: OpenBoard

  /// Opens the bus that an address names, and finds the chip; nothing is written to it yet.
  public init(_ text: String, _ options: OpenOptions = OpenOptions()) throws(StreamError) {
    let address = DeviceAddress(text)
    let schemes = AddressSchemes.all.compactMap { $0 as? any BusScheme.Type }
    guard let scheme = schemes.first(where: { $0.scheme == address.scheme }) else {
      throw .badAddress(text, .noBus)
    }
    let (link, request) = try scheme.link(address, options)
    open = try OpenBoard.find(request, on: try link.open(resetting: false), name: link.name)
    name = "\(link.name)/\(open.board.magnetometer)"
  }

  /// Sets the chips up and takes one measurement.
  /// - Returns: the magnetometer as it runs, and what it measured.
  public func start() throws(StreamError) -> (chip: any Chip, measurement: Measurement) {
    do {
      try open.configure()
      let measurement = try open.firstMeasurement()
      return (open.magnetometer, try open.pair(measurement, at: 0))
    } catch {
      throw .chip(name, error)
    }
  }

  /// Sets the magnetometer up and lets it test itself; nil where its data sheet describes no test.
  public func selfTest() throws(StreamError) -> SelfTest? {
    do {
      try open.configure()
      let result = try open.selfTest()
      try open.configure()
      return result
    } catch {
      throw .chip(name, error)
    }
  }

  /// The registers of each chip as they stand now; only read.
  public func registers() throws(StreamError) -> [(chip: FoundChip, values: [RegisterValue])] {
    do { return try open.registers() } catch { throw .chip(name, error) }
  }
}
