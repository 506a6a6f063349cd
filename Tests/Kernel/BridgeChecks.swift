import LodestoneCore
import Glibc
import LodestonePorts
import Support

/// An emulated bridge with a magnetometer behind it, plugged into the kernel.
final class Plugged {
  let name: String
  let bus: VirtualI2CBus
  private let device: USBIPDevice
  /// The interface with the bus in sysfs.
  private let interface: String

  /// The field that the model measures, in µT.
  static let field = Vector3(18.4, 11.2, -42.9)

  /// Plugs it in and waits until the kernel's driver has made what it makes.
  init(_ name: String, chips: [UInt8: any VirtualChip]? = nil) throws {
    self.name = name
    let model = LIS3MDLModel()
    model.field = { _ in Self.field }
    bus = VirtualI2CBus(chips ?? [0x1C: model]) { Double(MonotonicTime.now.nanoseconds) * 1e-9 }
    guard let function = Self.function(name, bus) else { throw CannotCheck(name) }
    try Machine.load("vhci-hcd")
    for module in ["usbhid", "hid-generic", "hid-mcp2221", "hid-cp2112", "i2c-tiny-usb", "ftdi_sio", "i2c-dev"] {
      try Machine.load(module)
    }
    device = try USBIPDevice(function)
    let identity = function.identity
    let number = identity.interfaces.firstIndex { $0.classCode == 0x03 } ?? 0
    let vendor = String(identity.vendor, radix: 16)
    var found: String?
    try Machine.await("\(name) on USB") {
      found = Self.devices().first { folder in
        Machine.read(folder + "/idVendor").map { $0.hasSuffix(vendor) } ?? false
      }
      return found != nil
    }
    let folder = found ?? ""
    interface = "\(folder)/\(folder.split(separator: "/").last ?? ""):1.\(number)"
    try Machine.await("the driver of \(name)") { [self] in isWhole }
  }

  /// The driver of Linux 6.1 is deaf until it has set the MCP2221A up: it waits in vain for each answer, and cancels
  /// what it believes to hang before the first transfer. Such a chip as that locks up is none here.
  private static func function(_ name: String, _ bus: VirtualI2CBus) -> (any USBFunction)? {
    name == "mcp2221" ? EmulatedMCP2221A(bus, isFragile: false) : EmulatedBridges.make(name, bus)
  }

  deinit { unplug() }

  /// The address of what is behind it. With the chip named nothing else is looked for, which takes seconds here.
  var chip: String { "usb:\(name)/lis3mdl@0x1c" }

  /// Pulls the plug and waits until the kernel has noticed.
  func unplug() {
    device.unplug()
    _ = eventually { !Machine.exists(interface) }
  }

  private static func devices() -> [String] {
    (1...9).flatMap { bus in (1...9).map { "/sys/bus/usb/devices/\(bus)-\($0)" } }.filter { Machine.exists($0) }
  }

  /// The kernel's driver, by its link.
  var driver: String? {
    var name = [CChar](repeating: 0, count: 4096)
    let count = readlink(interface + "/driver", &name, name.count)
    guard count > 0 else { return nil }
    return String(decoding: name.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      .split(separator: "/").last.map(String.init)
  }

  /// The node that the driver makes; nil while there is none.
  var node: String? {
    let names = ["mcp2221": "i2c-", "cp2112": "i2c-", "i2c-tiny-usb": "i2c-", "ft232h": "ttyUSB"]
    guard let prefix = names[name] else { return nil }
    let numbers = (0...9).map { "\(prefix)\($0)" }
    return numbers.first { number in
      Machine.exists("/dev/" + number) && Machine.belongs(number, to: interface)
    }.map { "/dev/" + $0 }
  }

  /// The driver and its node are there. The CH341A has none; that of the MCP2221A makes its other pins last.
  var isWhole: Bool {
    switch name {
    case "ch341a": Machine.exists(interface)
    case "mcp2221": node != nil && (0...9).contains { Machine.belongs("gpiochip\($0)", to: interface) }
    default: driver != nil && driver != "usbfs" && node != nil
    }
  }
}

extension Machine {
  /// A bus or port is below an interface.
  static func belongs(_ name: String, to interface: String) -> Bool {
    let folders = ["class/i2c-dev", "class/tty", "bus/gpio/devices"].map { "/sys/\($0)/\(name)" }
    guard let own = folders.first(where: { exists($0) }).flatMap({ realpath($0, nil) }) else { return false }
    defer { free(own) }
    guard let other = realpath(interface, nil) else { return false }
    defer { free(other) }
    return String(cString: own).hasPrefix(String(cString: other) + "/")
  }
}

/// Bridges that the kernel's drivers have: taken over when named, given back however the command ends.
enum BridgeChecks {
  static let names = ["i2c-tiny-usb", "cp2112", "ft232h", "ch341a", "mcp2221"]
  /// The driver of the MCP2221A takes 24 s to have it back.
  private static let signals = ["cp2112": [SIGINT, SIGTERM, SIGHUP, SIGQUIT], "mcp2221": [SIGINT]]

  static let all =
    names.map { name in
      Check("\(name): streams, is left alone where it is used, comes back") { findings in
        let bridge = try Plugged(name)
        try listing(of: bridge, &findings)
        try holding(bridge, &findings)
        try kernelsWay(bridge, &findings)
        for signal in signals[name] ?? [SIGINT, SIGTERM] { try ending(bridge, by: signal, &findings) }
        try unplugging(bridge, &findings)
      }
    } + [
      Check("i2c-tiny-usb: ten times Ctrl-C") { findings in
        let bridge = try Plugged("i2c-tiny-usb")
        for _ in 0..<10 { try ending(bridge, by: SIGINT, &findings) }
      }
    ]

  /// `devices` says whose it is, and takes nothing.
  private static func listing(of bridge: Plugged, _ findings: inout Findings) throws {
    let (driver, node) = (bridge.driver, bridge.node)
    let listed = try Machine.lodestone("devices")
    findings.expect(listed.exitCode == 0, "devices: \(listed.text)")
    findings.expect(bridge.driver == driver && bridge.node == node, "devices took \(driver ?? "?")'s \(node ?? "?")")
    guard let node else { return }
    let way = node.contains("i2c") ? "i2c:\(node)" : node
    findings.expect(listed.text.contains("\(way) reaches it, usb:\(bridge.name)"), "devices: \(listed.text)")
  }

  /// A program that has the node open keeps it.
  private static func holding(_ bridge: Plugged, _ findings: inout Findings) throws {
    guard let node = bridge.node else { return }
    guard let holder = ChildProgram("/bin/sh", arguments: ["-c", "exec 3<>\(node); echo ready; read line"]),
      holder.line() == "ready"
    else { throw CannotCheck("\(node) cannot be opened") }
    let refused = try Machine.lodestone("heading", "-d", "usb:\(bridge.name)", "--count", "1")
    findings.expect(refused.exitCode == 75, "held: exit \(refused.exitCode): \(refused.text)")
    findings.expect(refused.text.contains("in use by sh (process \(holder.process))"), "held: \(refused.text)")
    let listed = try Machine.lodestone("devices", "--probe")
    findings.expect(listed.text.contains("in use by sh"), "devices: \(listed.text)")
    findings.expect(bridge.node == node, "held: \(node) went")
    _ = holder.ask("go")
  }

  /// With no device named, the kernel's own way is used; and a chip that is not there has not gone.
  private static func kernelsWay(_ bridge: Plugged, _ findings: inout Findings) throws {
    let driver = bridge.driver
    if bridge.name != "ft232h" {
      let only = try Machine.lodestone("heading", "--count", "3", "--format", "json")
      findings.expect(only.exitCode == 0 && only.strengths.count == 3, "the only one: \(only.text)")
      findings.expect(only.strengths.allSatisfy { abs($0 - 48) < 1 }, "the only one: \(only.strengths)")
    }
    findings.expect(bridge.driver == driver, "the only one: took \(driver ?? "?") off")
    guard let node = bridge.node, node.contains("i2c") else { return }
    let absent = try Machine.lodestone("heading", "-d", "i2c:\(node)/mmc5603", "--count", "1")
    findings.expect(absent.exitCode == 66, "absent: exit \(absent.exitCode): \(absent.text)")
    findings.expect(absent.text.contains("can't find mmc5603"), "absent: \(absent.text)")
  }

  /// However it is asked to end, the exit is 130 and the kernel's driver is back.
  static func ending(_ bridge: Plugged, by signal: Int32, _ findings: inout Findings) throws {
    let word = "signal \(signal)"
    let program = try Machine.start(["heading", "-d", bridge.chip, "--format", "json"])
    var count = 0
    var said: [String] = []
    while count < 3, let line = program.line() {
      if Machine.strength(in: line) != nil { count += 1 } else { said.append(line) }
    }
    findings.expect(count == 3, "\(word): \(said)")
    let code = program.end(by: signal)
    findings.expect(code == 130, "\(word): exit \(code.map { "\($0)" } ?? "by the signal")")
    let isBack = eventually { bridge.isWhole }
    findings.expect(isBack, "\(word): the driver is not back: \(bridge.driver ?? "none"), \(bridge.node ?? "none")")
  }

  /// Pulled out in mid-stream it is waited for.
  private static func unplugging(_ bridge: Plugged, _ findings: inout Findings) throws {
    let program = try Machine.start(["heading", "-d", bridge.chip, "--format", "json"])
    while let line = program.line(), Machine.strength(in: line) == nil {}
    bridge.unplug()
    var heard = ""
    while let line = program.line() {
      heard = line
      if line.contains("waiting for it to come back") { break }
    }
    findings.expect(heard.contains("waiting for it to come back"), "unplugged: \(heard)")
    findings.expect(program.end(by: SIGINT) == 130, "unplugged: Ctrl-C")
  }
}
