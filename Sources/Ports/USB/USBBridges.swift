import Drivers
import Glibc

/// An attached USB-to-I²C bridge.
public struct BridgeDevice: Sendable {
  /// The kind of bridge.
  public var bridge: any Bridge.Type
  /// The device.
  public var device: USBDevice
  /// The kernel's driver and nodes for it.
  public var share: KernelShare
  /// Why it cannot be opened now, as far as one can tell without trying: `notPermitted`, `busy` or `gone`. It is busy
  /// too while a program has a node open that the kernel's driver has made of it.
  public var obstacle: PortError?
  /// Whether neither a driver of the kernel has it nor a program.
  public var isFree: Bool { share.driver == nil && obstacle == nil }

  /// The criteria for choosing a device; nil matches any.
  public struct Choice: Equatable, Sendable {
    /// The bridge's name.
    public var name: String?
    /// The serial number.
    public var serial: String?
    /// Bus and ports: `1-2.4`.
    public var path: String?

    /// Criteria that match what is named.
    public init(name: String? = nil, serial: String? = nil, path: String? = nil) {
      self.name = name
      self.serial = serial
      self.path = path
    }
  }
}

extension USBBus {
  /// The attached bridges as the kernel shows them, where there is no libusb.
  public static func shownByKernel(roots: SystemRoots = .real) -> [(bridge: any Bridge.Type, usb: USBIdentity)] {
    let folder = roots.sys + "/bus/usb/devices"
    return folderContents(folder).compactMap { name in
      guard let usb = USBIdentity(folder: "\(folder)/\(name)"),
        let bridge = Bridges.identified(by: USBIdentifier(usb.vendorID, usb.productID))
      else { return nil }
      return (bridge, usb)
    }
  }

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
      let share = KernelShare(port: device.path, interfaceClass: bridge.interfaceClass)
      return BridgeDevice(
        bridge: bridge, device: device, share: share, obstacle: Self.obstacle(to: device, sharedAs: share))
    }
  }

  private static func obstacle(to device: USBDevice, sharedAs share: KernelShare) -> PortError? {
    guard let facts = NodeAccess(path: device.node) else { return .gone(path: device.node) }
    guard access(device.node, R_OK | W_OK) == 0 else { return .notPermitted(path: device.node, access: facts) }
    let nodes = [device.node] + share.nodes
    let holders = Holder.all(ofEach: nodes)
    for node in nodes { if let who = holders[node] { return .busy(path: node, heldBy: who) } }
    // Programs that read its attributes one by one hold no node.
    if let sensor = share.sensor { return .usedByKernel(path: device.node, as: sensor) }
    // Claimed by a program of another user, which cannot be seen.
    return share.driver == "usbfs" ? .busy(path: device.node, heldBy: []) : nil
  }

  /// Opens a bridge and brings it to a known state. A driver of the kernel that has it is taken off, unless a program
  /// uses what the driver has made of it. Where its bus is stuck, or `resetting` says that it was when it was last
  /// used, the bridge is reset first, which makes it leave and come back.
  public func open(
    _ found: BridgeDevice, hertz: Int = Bridges.standardHertz, resetting: Bool = false
  ) throws(BridgeOpenError) -> any Bridge {
    // Taking a bus away from under a program that has it open would wait until that program ends.
    switch found.obstacle {
    case .busy?, .usedByKernel?: if let obstacle = found.obstacle { throw .port(obstacle) }
    default: break
    }
    if resetting { try reset(found) }
    do {
      return try start(found, hertz)
    } catch {
      guard error == .bus(.busStuck), !resetting else { throw error }
    }
    guard try reset(found) else { throw .bus(.busStuck) }
    return try start(found, hertz)
  }

  private func start(_ found: BridgeDevice, _ hertz: Int) throws(BridgeOpenError) -> any Bridge {
    let pipe = try claim(found)
    do {
      return try found.bridge.init(pipe: pipe, hertz: hertz)
    } catch {
      throw .bus(error)
    }
  }

  private func claim(_ found: BridgeDevice) throws(BridgeOpenError) -> any USBPipe {
    do {
      return try open(
        found.device, interfaceClass: found.bridge.interfaceClass,
        returningKernelDriver: found.bridge.returnsKernelDriver)
    } catch {
      throw .port(error)
    }
  }

  /// Resets the bridge and waits until it is back, a few seconds at the most. False where it has no reset.
  @discardableResult private func reset(_ found: BridgeDevice) throws(BridgeOpenError) -> Bool {
    do {
      guard found.bridge.reset(try claim(found)) else { return false }
    }
    // It takes a moment to leave; until then it is found as if nothing had happened.
    for _ in 0..<30 {
      pause(milliseconds: 100)
      if bridges(.init(name: found.bridge.name, path: found.device.path)).contains(where: { $0.obstacle == nil }) {
        return true
      }
    }
    throw .port(.gone(path: found.device.node))
  }
}

/// Why a bridge could not be opened.
public enum BridgeOpenError: Error, Equatable, Sendable {
  /// The USB device could not be opened.
  case port(PortError)
  /// The bridge was opened and then failed.
  case bus(BusError)
}
