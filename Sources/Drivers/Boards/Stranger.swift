/// A chip on a bus, before any driver has found it, or where none does.
public struct Stranger: Sendable, Equatable {
  /// The address at which it answered, 7 bits.
  public let address: UInt8
  /// Maker and part number of a magnetometer that there is no driver for; nil where nobody knows what it is.
  public let part: String?

  /// A chip at an address.
  public init(at address: UInt8, part: String? = nil) { (self.address, self.part) = (address, part) }

  /// A magnetometer without a driver here, and how it says what it is.
  private struct Kind {
    let part: String
    let addresses: [UInt8]
    let register: UInt8
    let content: [UInt8]
  }

  /// Sources: AKM data sheets of each (WIA1 and WIA2, which differ though the registers behind them do not all lie
  /// alike); Memsic data sheet MMC3416xPJ, "Product ID 1".
  private static let kinds = [
    Kind(part: "AKM AK09914", addresses: [0x0C], register: 0x00, content: [0x48, 0x07]),
    Kind(part: "AKM AK09913", addresses: [0x0C], register: 0x00, content: [0x48, 0x08]),
    Kind(part: "AKM AK09917", addresses: [0x0C], register: 0x00, content: [0x48, 0x0D]),
    Kind(part: "AKM AK09919", addresses: [0x0C], register: 0x00, content: [0x48, 0x0E]),
    Kind(part: "Memsic MMC34160PJ", addresses: [0x30], register: 0x20, content: [0x06]),
  ]

  /// The part at an address, by reading alone; nil where it is none of those that are known.
  static func part(at address: UInt8, on bus: inout some I2CBus) -> String? {
    for kind in kinds where kind.addresses.contains(address) {
      if (try? bus.get(kind.register, count: kind.content.count, at: address).all) == kind.content { return kind.part }
    }
    return nil
  }
}
