import ArgumentParser

/// `--location`: where positions come from while the device moves.
struct LocationOptions {
  /// The source as it was typed; nil where it was not.
  let location: String?

  /// Help on the option: see `CalibrationOptions.help`.
  static let help = ArgumentHelp(
    "Follow positions: gpsd://host, or nmea: and a port, file or tcp:// address of NMEA sentences.",
    valueName: "address")

  func validate() throws {
    guard let location else { return }
    if Self.address(location) == nil {
      throw ValidationError("--location \(location): must be gpsd://host, or nmea: and a device")
    }
  }

  /// The address of the source of positions; nil where none is wanted. The one that is set is for live devices, and
  /// gives way to a place that is given.
  func address(besides place: PlaceOptions?, isLive: Bool) throws(Failure) -> String? {
    if let location { return Self.address(location) }
    guard isLive, place?.at == nil else { return nil }
    return try UserSettings.current()[.location].flatMap { Self.address($0.text) }
  }

  /// The address of the device behind a location; nil for what is none.
  static func address(_ text: String) -> String? {
    if text.hasPrefix("gpsd:") { return text }
    guard text.hasPrefix("nmea:"), text.utf8.count > 5 else { return nil }
    let device = text.dropFirst(5)
    return device + (device.contains("?") ? "&" : "?") + "protocol=nmea"
  }
}
