import Drivers
import Glibc

/// An attached USB-to-I²C bridge.
public struct BridgeDevice: Sendable {
  /// Which bridge it is.
  public var bridge: any Bridge.Type
  /// The device.
  public var device: USBDevice
  /// Why it cannot be opened now, as far as one can tell without trying: `notPermitted`, `busy` or `gone`.
  public var obstacle: PortError?

  /// What a device is chosen by; nil matches any.
  public struct Choice: Equatable, Sendable {
    /// The bridge's name.
    public var name: String?
    /// The serial number.
    public var serial: String?
    /// Bus and ports: `1-2.4`.
    public var path: String?

    /// Nothing in particular.
    public init(name: String? = nil, serial: String? = nil, path: String? = nil) {
      self.name = name
      self.serial = serial
      self.path = path
    }
  }
}

extension USBBus {
  /// The attached bridges that fit, in the order of their ports. Nothing is sent to them.
  public func bridges(_ choice: BridgeDevice.Choice = .init()) -> [BridgeDevice] {
    let wanted = choice.name.map { Bridges.named($0) }
    return devices { identifier in
      guard let known = Bridges.identified(by: identifier) else { return false }
      return wanted.map { $0 == known } ?? true
    }.compactMap { device in
      guard let bridge = Bridges.identified(by: device.identifier),
        choice.serial == nil || choice.serial == device.serial,
        choice.path == nil || choice.path == device.path
      else { return nil }
      return BridgeDevice(bridge: bridge, device: device, obstacle: Self.obstacle(to: device))
    }
  }

  private static func obstacle(to device: USBDevice) -> PortError? {
    guard let access = NodeAccess(path: device.node) else { return .gone(path: device.node) }
    guard access.isReadable && access.isWritable else { return .notPermitted(path: device.node, access: access) }
    let holders = Holder.all(of: device.node)
    return holders.isEmpty ? nil : .busy(path: device.node, heldBy: holders)
  }

  /// Opens a bridge and brings it to a known state.
  public func open(
    _ found: BridgeDevice, hertz: Int = Bridges.standardHertz
  ) throws(BridgeOpenError) -> any Bridge {
    let pipe: USBInterface
    do {
      pipe = try open(
        found.device, interfaceClass: found.bridge.interfaceClass,
        returningKernelDriver: found.bridge.returnsKernelDriver)
    } catch {
      throw .port(error)
    }
    do {
      return try found.bridge.init(pipe: pipe, hertz: hertz)
    } catch {
      throw .bus(error)
    }
  }
}

/// Why a bridge could not be opened.
public enum BridgeOpenError: Error, Equatable, Sendable {
  /// The USB device could not be opened.
  case port(PortError)
  /// It was opened and then failed.
  case bus(BusError)
}
