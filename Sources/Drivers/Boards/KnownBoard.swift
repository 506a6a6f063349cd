/// A kind of board, chip or instrument that its USB numbers give away. The numbers name the chip, never the program on
/// it or the sensor behind it: they sort candidates and choose sensible defaults, no more.
public struct KnownBoard: Equatable, Sendable {
  /// The kind of product that the USB numbers identify.
  public enum Kind: Equatable, Sendable {
    /// A serial chip that thousands of unrelated devices share.
    case serialChip
    /// A development board: whatever its owner programmed.
    case board
    /// An instrument with a magnetometer or a position.
    case instrument
    /// A bridge to I²C, which may have a serial port as well.
    case bridge
  }

  /// The vendor's number, given by the USB Implementers Forum.
  public let vendorID: UInt16
  /// The product's number, given by the vendor; nil stands for all of the vendor's.
  public let productID: UInt16?
  /// The name that people give it.
  public let name: String
  /// Whether it is a chip that many devices share, a board, an instrument or a bridge.
  public let kind: Kind
  /// Wire protocols it is likely to speak, the likeliest first; empty where there is no telling.
  public let protocols: [String]
  /// The rate to listen at first; nil where the line has none or any will do.
  public let baudRate: Int?
  /// Opening the port restarts the board (DTR is wired to its reset), which is then deaf for about two seconds.
  public let restartsWhenOpened: Bool

  /// A row of the table.
  package init(
    _ vendorID: UInt16, _ productID: UInt16?, _ name: String, _ kind: Kind, _ protocols: [String] = [],
    baudRate: Int? = nil, restarts: Bool = false
  ) {
    self.vendorID = vendorID
    self.productID = productID
    self.name = name
    self.kind = kind
    self.protocols = protocols
    self.baudRate = baudRate
    restartsWhenOpened = restarts
  }

  /// The row for a device: one for exactly its numbers, else one for all of the vendor's.
  public static func identified(vendorID: UInt16, productID: UInt16) -> KnownBoard? {
    let vendor = all.filter { $0.vendorID == vendorID }
    return vendor.first { $0.productID == productID } ?? vendor.first { $0.productID == nil }
  }
}
