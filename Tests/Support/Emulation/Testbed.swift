import CUMockdev
import Glibc
import LodestonePorts
import Synchronization

/// A small world of /sys and /dev with emulated devices in it. Only programs started in it see it; in them the real
/// libusb finds, claims and talks to the devices.
public final class Testbed: @unchecked Sendable {
  let world: World
  private let devices = Mutex<[EmulatedUSBDevice]>([])
  private let adapters = Mutex<[EmulatedI2CAdapter]>([])
  private let nodes = Mutex<[String]>([])

  /// An empty world.
  public init() { world = World.take() }

  deinit {
    for device in devices.withLock({ $0 }) { remove(device) }
    let system = FakeSystem(in: world.root)
    for name in nodes.withLock({ $0 }) {
      detachKernel(from: "/dev/" + name)
      system.remove("dev/.node/" + name)
      system.remove("dev/" + name)
    }
    for adapter in adapters.withLock({ $0 }) { umockdev_testbed_detach_ioctl(world.testbed, adapter.node, nil) }
    world.giveBack()
  }

  /// Starts a built program in this world. The program keeps the world.
  public func start(
    _ program: String, arguments: [String] = [], joinsErrors: Bool = false, environment: [String: String] = [:],
    terminal: String? = nil
  ) -> ChildProgram? {
    let environment = environment.merging(
      ["UMOCKDEV_DIR": world.root, "LD_PRELOAD": "libumockdev-preload.so.0"]) { $1 }
    return ChildProgram(
      program, arguments: arguments, environment: environment, joinsErrors: joinsErrors, terminal: terminal, world: self
    )
  }

  /// Plugs a device in at a port of bus 1 and says so to whoever watches.
  /// - Parameter hasDrivers: drivers of the kernel have its interfaces.
  public func plug(
    _ function: any USBFunction, port: Int = 1, address: Int = 2, hasDrivers: Bool = true
  ) -> EmulatedUSBDevice {
    let node = "bus/usb/001/" + Self.padded(address)
    let systemPath = "/sys/devices/usb1/1-\(port)"
    let system = FakeSystem(in: world.root)
    let device = EmulatedUSBDevice(function, node: "/dev/" + node, systemPath: systemPath, hasDrivers: hasDrivers) {
      number, driver in
      let link = "\(systemPath)/1-\(port):1.\(number)/driver"
      system.remove(link)
      if let driver { system.link(link, to: "../../../../bus/usb/drivers/\(driver)") }
    }
    attach(device, port: port, address: address, node: node)
    for (number, interface) in function.identity.interfaces.enumerated() {
      let folder = "\(systemPath)/1-\(port):1.\(number)"
      system.write(String(interface.classCode, radix: 16), to: folder + "/bInterfaceClass")
      system.write("0\(interface.endpoints.count)", to: folder + "/bNumEndpoints")
      system.write("0\(number)", to: folder + "/bInterfaceNumber")
    }
    device.showDrivers()
    return device
  }

  /// Makes a node that a driver of the kernel has made of an interface of a device: a pseudo-terminal stands behind it,
  /// which programs may open.
  /// - Returns: the pseudo-terminal, to be kept as long as the node is needed.
  public func addNode(_ name: String, below device: EmulatedUSBDevice, interface: Int = 0) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal()
    var facts = stat()
    stat(terminal.path, &facts)
    let number = UInt64(facts.st_rdev)
    let system = FakeSystem(in: world.root)
    let folder = "\(device.systemPath)/\(lastPart(of: device.systemPath)):1.\(interface)/\(name)"
    system.write("DEVNAME=\(name)\n", to: folder + "/uevent")
    system.link("dev/.node/\(name)", to: "\(number >> 8 & 0xFFF):\(number & 0xFF | number >> 12 & 0xFFF00) ")
    system.link("dev/\(name)", to: terminal.path)
    attachKernel(to: "/dev/" + name)
    nodes.withLock { $0.append(name) }
    return terminal
  }

  /// Calls to a node that leads to a pty are answered by the kernel.
  func attachKernel(to name: String) {
    let handler: UnsafeMutablePointer<UMockdevIoctlBase> = umockdev_ioctl_base_new()
    let call: @convention(c) (UnsafeMutablePointer<UMockdevIoctlBase>?, IoctlClient?, gpointer?) -> gboolean = {
      _, client, _ in
      guard let client else { return 0 }
      var code: Int32 = 0
      let result = umockdev_ioctl_client_execute(client, &code, nil)
      umockdev_ioctl_client_complete(client, glong(result), code)
      return 1
    }
    g_signal_connect_data(
      handler, "handle-ioctl", unsafeBitCast(call, to: GCallback.self), nil, nil, GConnectFlags(rawValue: 0))
    umockdev_testbed_attach_ioctl(world.testbed, name, handler, nil)
    g_object_unref(handler)
  }

  /// The node goes.
  func detachKernel(from name: String) { umockdev_testbed_detach_ioctl(world.testbed, name, nil) }

  private func lastPart(of path: String) -> Substring { path.split(separator: "/").last ?? "" }

  /// Gives the machine an I²C bus of its own.
  public func add(_ adapter: EmulatedI2CAdapter) {
    adapter.attach(to: world.testbed)
    umockdev_testbed_add_from_string(world.testbed, adapter.record, nil)
    // umockdev cannot make the same node twice in a testbed.
    mkdir(world.root + "/dev", 0o755)
    close(open(world.root + adapter.node, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
    adapters.withLock { $0.append(adapter) }
  }

  /// Adds a device of another kind, described in the form of umockdev-record.
  public func add(record: String) { umockdev_testbed_add_from_string(world.testbed, record, nil) }

  private func attach(_ device: EmulatedUSBDevice, port: Int, address: Int, node: String) {
    device.attach(to: world.testbed)
    umockdev_testbed_add_from_string(
      world.testbed, Self.record(device.function.identity, port: port, address: address, node: node), nil)
    // poll(2) must see whether a transfer is done, which a plain file cannot show: a pseudo-terminal can.
    unlink(world.root + device.node)
    symlink(device.line.name, world.root + device.node)
    devices.withLock { $0.append(device) }
    UdevEvent(action: "add", systemPath: device.systemPath, node: device.node).send(to: world.root)
  }

  /// The device in the form of umockdev-record.
  private static func record(_ identity: USBIdentity, port: Int, address: Int, node: String) -> String {
    let hex = identity.descriptors.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    let record = """
      P: /devices/usb1/1-\(port)
      N: \(node)
      E: SUBSYSTEM=usb
      E: DEVTYPE=usb_device
      E: DEVNAME=/dev/\(node)
      A: busnum=1\\n
      A: devnum=\(address)\\n
      A: speed=12\\n
      A: bConfigurationValue=1\\n
      A: idVendor=\(hex4(identity.vendor))\\n
      A: idProduct=\(hex4(identity.product))\\n
      A: manufacturer=\(identity.manufacturer)\\n
      A: product=\(identity.name)\\n
      H: descriptors=\(hex)

      """
    return identity.serial.isEmpty ? record : record + "A: serial=\(identity.serial)\\n\n"
  }

  /// Pulls the device out: transfers in flight fail, its node goes, and listeners are told.
  public func unplug(_ device: EmulatedUSBDevice) {
    device.vanish()
    remove(device)
    UdevEvent(action: "remove", systemPath: device.systemPath, node: device.node).send(to: world.root)
  }

  private func remove(_ device: EmulatedUSBDevice) {
    let isHere = devices.withLock { devices in
      defer { devices.removeAll { $0 === device } }
      return devices.contains { $0 === device }
    }
    guard isHere else { return }
    device.forgetPrograms()
    let system = FakeSystem(in: world.root)
    for number in device.function.identity.interfaces.indices {
      system.remove("\(device.systemPath)/\(lastPart(of: device.systemPath)):1.\(number)")
    }
    umockdev_testbed_remove_device(world.testbed, device.systemPath)
    umockdev_testbed_detach_ioctl(world.testbed, device.node, nil)
    unlink(world.root + device.node)
  }

  private static func padded(_ number: Int) -> String {
    String(repeating: "0", count: max(0, 3 - String(number).count)) + String(number)
  }

  private static func hex4(_ number: UInt16) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}

/// umockdev's testbeds, used again and again: making and ending one changes the environment, which other threads read.
struct World: @unchecked Sendable {
  let testbed: UnsafeMutablePointer<UMockdevTestbed>
  let root: String

  private static let idle = Mutex<[World]>([])
  /// Guarded by `idle`.
  nonisolated(unsafe) private static var isCleanedAtExit = false

  static func take() -> World {
    idle.withLock { worlds in
      if let world = worlds.popLast() { return world }
      let testbed: UnsafeMutablePointer<UMockdevTestbed> = umockdev_testbed_new()
      let folder = umockdev_testbed_get_root_dir(testbed)
      defer { g_free(folder) }
      if !isCleanedAtExit {
        isCleanedAtExit = true
        atexit { World.removeFolders() }
      }
      return World(testbed: testbed, root: folder.map { String(cString: $0) } ?? "")
    }
  }

  /// They are empty when they are given back.
  static func removeFolders() {
    idle.withLock { worlds in
      for world in worlds {
        rmdir(world.root + "/sys")
        rmdir(world.root)
      }
    }
  }

  func giveBack() {
    umockdev_testbed_clear(testbed)
    Self.idle.withLock { $0.append(self) }
  }
}
