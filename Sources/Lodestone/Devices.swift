import Instruments

/// Devices by their addresses.
public enum Devices {
  /// Opens the device that an address names, or the only one attached.
  public static func open(
    _ address: String? = nil, _ options: OpenOptions = OpenOptions()
  ) throws(StreamError) -> any SampleStream {
    try open(address, options, among: DeviceListing.all())
  }

  static func open(
    _ address: String?, _ options: OpenOptions, among attached: @autoclosure () -> [DeviceListing]
  ) throws(StreamError) -> any SampleStream {
    let address = if let address { address } else { try DeviceListing.onlyAttached(among: attached()) }
    return try AddressSchemes.open(address, options)
  }
}
