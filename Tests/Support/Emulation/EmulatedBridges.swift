/// An emulated bridge for each one that there is, by its name in an address.
public enum EmulatedBridges {
  /// Names and makers; a suite compares them with the drivers'.
  public static let all: [String: @Sendable (VirtualI2CBus) -> any USBFunction] = [
    "mcp2221": { EmulatedMCP2221A($0) },
    "cp2112": { EmulatedCP2112($0) },
    "ft232h": { EmulatedFT232H($0) },
    "ch341a": { EmulatedCH341A($0) },
    "i2c-tiny-usb": { EmulatedI2CTinyUSB($0) },
  ]

  /// The bridge of this name with `bus` behind it.
  public static func make(_ name: String, _ bus: VirtualI2CBus) -> (any USBFunction)? { all[name]?(bus) }
}
