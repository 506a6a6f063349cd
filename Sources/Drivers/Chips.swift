/// Every chip there is a driver for. The order is that of probing where several can have one address: first those that
/// are recognised by reading alone, first the ones that must not be disturbed by the others' reads.
public enum Chips {
  /// One line a chip.
  public static let all: [any Chip.Type] = [
    LIS3MDL.self,
    HMC5883L.self,
    MMC5603.self,
    RM3100.self,
    BMM150.self,
  ]

  /// The chip of this name, in any case of letters.
  public static func named(_ name: String) -> (any Chip.Type)? {
    all.first { $0.name == name.lowercased() }
  }
}
