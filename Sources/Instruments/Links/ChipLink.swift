import Drivers

/// The source of a `ChipStream`'s bus, which comes back after it was unplugged.
protocol ChipLink: AnyObject {
  /// The bus as in an address: `usb:mcp2221`.
  var name: String { get }
  /// The identity of the bus, the same wherever it is plugged in: the first part of a device's identity.
  var identity: String { get }
  /// Opens the bus, or opens it again; what was returned before must have been let go of.
  /// - Parameter resetting: its lines were stuck, and nothing gentler helped.
  func open(resetting: Bool) throws(StreamError) -> any I2CBus
  /// Claims chips for this program, on a bus that other programs may use at the same time.
  func claim(_ addresses: [UInt8]) throws(StreamError)
}

extension ChipLink {
  /// The bus is this program's alone.
  func claim(_ addresses: [UInt8]) throws(StreamError) {}
}
