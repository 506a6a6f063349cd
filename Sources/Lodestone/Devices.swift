import Instruments

/// Devices by their addresses.
public enum Devices {
  /// Opens the device that an address names, or the only one attached.
  public static func open(
    _ address: String? = nil, _ options: OpenOptions = OpenOptions()
  ) throws(StreamError) -> any SampleStream {
    if let address { return try AddressSchemes.open(address, options) }
    let found = DeviceListing.all()
    guard found.count == 1, let only = found.first else { throw .noDevice(found: found.map { $0.address }) }
    return try AddressSchemes.open(only.address, options)
  }
}
