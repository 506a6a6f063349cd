import Instruments

/// The devices that the page may open, and the file for its settings.
public struct PanelDevices {
  /// The addresses that may be opened.
  public var addresses: PageAddresses
  /// Opens a device by its address.
  public var open: (String) throws -> any SampleStream
  /// The attached devices, and the recordings that may be opened, as a JSON array.
  public var list: () -> String
  /// The file that settings are kept in; nil for none.
  public var settingsFile: String?
  /// Whether the program was told where the device is: a place that was kept gives way.
  public var placeIsGiven = false

  /// The devices that the page may open.
  public init(
    addresses: PageAddresses, open: @escaping (String) throws -> any SampleStream, list: @escaping () -> String,
    settingsFile: String?
  ) {
    self.addresses = addresses
    self.open = open
    self.list = list
    self.settingsFile = settingsFile
  }
}
