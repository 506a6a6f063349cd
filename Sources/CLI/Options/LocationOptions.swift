import ArgumentParser

/// Where positions come from while the device moves.
struct LocationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Follow positions: gpsd://host, or nmea: and a port, file or tcp:// address of NMEA sentences.",
      valueName: "address"))
  var location: String?

  func validate() throws {
    guard let location else { return }
    if address(location) == nil {
      throw ValidationError("--location \(location): must be gpsd://host, or nmea: and a device")
    }
  }

  /// The address of the source of positions; nil where none was asked for.
  var address: String? { location.flatMap { address($0) } }

  /// The address of the device behind a location; nil for what is none.
  private func address(_ text: String) -> String? {
    if text.hasPrefix("gpsd:") { return text }
    guard text.hasPrefix("nmea:"), text.utf8.count > 5 else { return nil }
    let device = text.dropFirst(5)
    return device + (device.contains("?") ? "&" : "?") + "protocol=nmea"
  }
}
