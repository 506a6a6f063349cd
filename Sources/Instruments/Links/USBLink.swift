import Drivers
import LodestonePorts

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
    let all = bus.bridges()
    identity = device.identity(among: all)
    let isUnique = device.hasSerial(uniqueAmong: all)
    self.choice = BridgeDevice.Choice(
      name: device.bridge.name, serial: device.device.serial, path: isUnique ? nil : choice.path)
    self.hertz = hertz
  }

  var name: String { "usb:\(device.bridge.name)" }

  /// Kept while it is open, whatever is plugged in beside it.
  let identity: String

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
  /// Whether it says more than that there is a bridge.
  fileprivate var describes: Bool { name != nil || serial != nil || path != nil }
}
