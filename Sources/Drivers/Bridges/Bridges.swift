import LodestoneCore

/// The bridges there are.
public enum Bridges {
  /// All, in the order in which they are listed.
  public static var all: [any Bridge.Type] { registry.all }

  /// Adds a bridge of a program's own, before anything is opened.
  public static func register(_ member: any Bridge.Type) { registry.add(member) }

  private static let registry = Registry<any Bridge.Type>([
    MCP2221A.self,
    CP2112.self,
    FT232H.self,
    CH341A.self,
    I2CTinyUSB.self,
  ])

  /// The bus clock where nobody asks for another: every chip and any wiring bears it.
  public static let standardHertz = 100_000

  /// The bridge that an address names.
  public static func named(_ name: String) -> (any Bridge.Type)? {
    let name = name.lowercased()
    return all.first { $0.name == name || $0.otherNames.contains(name) }
  }

  /// The bridge that a device with this identifier is.
  public static func identified(by identifier: USBIdentifier) -> (any Bridge.Type)? {
    all.first { $0.identifiers.contains(identifier) }
  }
}
