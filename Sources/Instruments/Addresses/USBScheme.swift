import Drivers
import LodestonePorts

/// `usb:` — chips behind a USB-to-I²C bridge.
enum USBScheme: BusScheme {
  static let scheme: String? = "usb"
  static let example = "usb:mcp2221/lis3mdl"

  static func link(
    _ address: DeviceAddress, _ options: OpenOptions
  ) throws(StreamError) -> (any ChipLink, ChipRequest) {
    let address = try address.checked(allowing: ChipRequest.optionNames + ["serial", "path"])
    var request = try ChipRequest(address, options)
    var choice = BridgeDevice.Choice(serial: address.option("serial"), path: address.option("path"))
    for part in address.body.split(separator: "/").map(String.init) {
      if part.hasPrefix("serial=") {
        choice.serial = String(part.dropFirst("serial=".count))
      } else if part.hasPrefix("path=") {
        choice.path = String(part.dropFirst("path=".count))
      } else if choice.name == nil, request.driver == nil, let bridge = Bridges.named(part) {
        choice.name = bridge.name
      } else if request.driver == nil, Chips.named(String(part.prefix { $0 != "@" })) != nil || choice.name != nil {
        try request.take(chip: part, of: address)
      } else {
        throw .badAddress(address.text, .unknownName(part, allowed: Bridges.all.map { $0.name }))
      }
    }
    return (try USBLink(choice, named: address.text, hertz: request.hertz), request)
  }
}

extension Bridge {
  /// The first part of the identity of what is behind it, however it is reached.
  /// - Parameter port: where it is plugged in, as `1-1.2`, where others that are attached cannot be told from it
  ///   otherwise.
  static func identity(serial: String?, port: String?) -> String {
    name + (serial.map { "-" + $0 } ?? "") + (port.map { "-at-" + $0 } ?? "")
  }
}

extension BridgeDevice {
  /// The address to type for this bridge: with its serial number if it has one, with its port where others are alike.
  func address(among all: [BridgeDevice]) -> String { "usb:\(bridge.name)\(query(among: all))" }

  /// The query that distinguishes it from the others, at the end of an address.
  func query(among all: [BridgeDevice]) -> String {
    if hasSerial(uniqueAmong: all), let serial = device.serial, !serial.contains(where: { "&?#/ ".contains($0) }) {
      return "?serial=\(serial)"
    }
    let alike = all.filter { $0.bridge == bridge }
    return alike.count > 1 ? "?path=\(device.path)" : ""
  }

  /// The first part of the identity of what is behind it.
  func identity(among all: [BridgeDevice]) -> String {
    let alike = all.filter { $0.bridge == bridge && $0.device.serial == device.serial }
    return bridge.identity(serial: device.serial, port: alike.count > 1 ? device.path : nil)
  }

  /// Whether it has a serial number, and no other of its kind has the same.
  func hasSerial(uniqueAmong all: [BridgeDevice]) -> Bool {
    device.serial != nil && all.filter { $0.bridge == bridge && $0.device.serial == device.serial }.count == 1
  }
}
