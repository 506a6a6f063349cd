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

/// A bridge that is found again after it was unplugged: by its serial number, or where it has none by its port.
final class USBLink: ChipLink {
  private let bus: USBBus
  private let device: BridgeDevice
  private let choice: BridgeDevice.Choice
  private let hertz: Int

  /// The only bridge that fits.
  /// - Parameter named: the address, for errors.
  init(_ choice: BridgeDevice.Choice, named address: String, hertz: Int) throws(StreamError) {
    do { bus = try USBBus() } catch { throw .port(error) }
    let found = bus.bridges(choice)
    guard found.count <= 1 else { throw .noDevice(found: found.map { $0.address(among: found) }) }
    guard let device = found.first else { throw .noBridge(choice.describes ? address : nil) }
    self.device = device
    let isUnique = device.hasSerial(uniqueAmong: bus.bridges())
    self.choice = BridgeDevice.Choice(
      name: device.bridge.name, serial: device.device.serial, path: isUnique ? nil : choice.path)
    self.hertz = hertz
  }

  var name: String { "usb:\(device.bridge.name)" }

  var identity: String { device.bridge.identity(serial: device.device.serial) }

  func open(resetting: Bool) throws(StreamError) -> any I2CBus {
    let found = bus.bridges(choice)
    // Several of a kind without serial numbers: only the port tells them apart.
    let same = found.count > 1 ? found.first { $0.device.path == device.device.path } : found.first
    guard let same else { throw .port(.gone(path: device.device.node)) }
    do {
      return try bus.open(same, hertz: hertz, resetting: resetting)
    } catch {
      switch error {
      case .port(let error): throw .port(error)
      case .bus(let error): throw .chip(name, .bus(error))
      }
    }
  }
}

extension BridgeDevice.Choice {
  /// It says more than that there is a bridge.
  fileprivate var describes: Bool { name != nil || serial != nil || path != nil }
}

extension Bridge {
  /// The first part of the identity of what is behind it, however it is reached.
  static func identity(serial: String?) -> String { serial.map { "\(name)-\($0)" } ?? name }
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

  /// It has a serial number, and no other of its kind has the same.
  func hasSerial(uniqueAmong all: [BridgeDevice]) -> Bool {
    device.serial != nil && all.filter { $0.bridge == bridge && $0.device.serial == device.serial }.count == 1
  }
}
