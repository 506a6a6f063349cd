import ArgumentParser
import Lodestone
import LodestoneCore
import Instruments
import LodestonePorts

/// `lodestone devices`: what is attached, and the address to type.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "List attached devices that may be magnetometers.",
    discussion: """
      Examples:
        lodestone devices            what is attached
        lodestone devices --listen   and what each port speaks
        lodestone devices --json
      """)

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(help: "Follow plugging and unplugging until Ctrl-C.")
  var watch = false

  @Flag(help: "Open each free serial port for 3 to 4 s to tell what it speaks; opening can restart a board.")
  var listen = false

  @Flag(
    help: ArgumentHelp(
      "Look for chips behind what may be a bridge (FT232H, CH341A) and on the kernel's I2C buses too.",
      discussion: """
        A read may disturb other chips. The machine's own buses (SMBus, graphics) are left alone, and so is what a \
        program has open; lodestone chip ADDRESS looks at one that you name.
        """))
  var probe = false

  @Flag(help: "Print udev rules that open such devices to the user at the machine, and how to install them.")
  var udevRules = false

  func validate() throws {
    let looks = [("--json", json), ("--listen", listen), ("--probe", probe), ("--watch", watch)]
    let given = looks.filter { $0.1 }.map { $0.0 }
    if udevRules, let other = given.first {
      throw ValidationError("--udev-rules prints rules alone: leave \(other) out")
    }
    if watch, let deep = given.first(where: { ["--listen", "--probe"].contains($0) }) {
      throw ValidationError("--watch opens no device: leave \(deep) out, or --watch")
    }
  }

  func run() throws {
    if udevRules { return try writeToStandardOutput(UdevRules.text()) }
    if watch { return try watchDevices() }
    var found = DeviceListing.all(probing: probe ? [.bridges, .buses, .generic] : .bridges)
    if listen { listenToPorts(&found) }
    if json { return try writeToStandardOutput(JSONValue.array(found.map { DeviceWords.object($0) }).printed) }
    try writeToStandardOutput(found.map { DeviceWords.paragraph($0) }.joined())
    if found.isEmpty {
      writeToStandardError("Nothing is attached. --device sim: is the built-in simulation.\n")
    }
  }

  /// Opens the serial ports that are free, one after the other.
  private func listenToPorts(_ devices: inout [DeviceListing]) {
    let ports = devices.indices.filter { devices[$0].kind == .serial && devices[$0].problem == nil }
    guard !ports.isEmpty else { return }
    writeToStandardError("lodestone: listening; opening a port can restart the board at it\n")
    for index in ports { devices[index].listen() }
  }

  /// Says each that comes, goes or changes, as an object a line for programs.
  private func watchDevices() throws {
    do {
      let signals = try Signals()
      let watcher = try HotplugWatcher()
      var poller = Poller()
      poller.watch(signals.descriptor, for: .readable)
      poller.watch(watcher.descriptor, for: .readable)
      var known: [DeviceListing] = []
      while true {
        let now = DeviceListing.all()
        watcher.watchUse(of: now.compactMap { $0.node })
        try announce(from: known, to: now)
        known = now
        // A chip that a driver of the kernel gets has no node where the driver has no buffer: look now and then.
        try poller.wait(until: MonotonicTime.now + 10)
        _ = watcher.takeChanges()
        if signals.next() != nil { return try finish(.interrupted) }
      }
    } catch let error as SystemError {
      throw Failure(.inputOutput, "can't watch for devices: \(error)")
    }
  }

  /// Announces devices that were added, removed, or changed, such as one that can be used now and could not before.
  /// Another device under the same address is another device.
  private func announce(from before: [DeviceListing], to now: [DeviceListing]) throws {
    func isSame(_ one: DeviceListing, _ other: DeviceListing) -> Bool {
      one.address == other.address && one.usb == other.usb
    }
    for device in before where !now.contains(where: { isSame($0, device) }) { try announce(device, "-", "removed") }
    for device in now {
      guard let old = before.first(where: { isSame($0, device) }) else {
        try announce(device, "+", "added")
        continue
      }
      if old != device { try announce(device, "~", "changed") }
    }
  }

  private func announce(_ device: DeviceListing, _ sign: String, _ event: String) throws {
    guard json else { return try writeToStandardOutput("\(sign) \(DeviceWords.paragraph(device))") }
    let event = JSONValue.members(("event", .string(event)), ("device", DeviceWords.object(device)))
    try writeToStandardOutput(event.line)
  }
}

/// A device in words and in JSON.
enum DeviceWords {
  /// The address and what it is; below it, what stands in the way.
  static func paragraph(_ device: DeviceListing) -> String {
    var text = "\(device.address.harmless)  \(device.description.harmless)"
    if let usb = device.usb { text += "  [\(usb.numbers)\(usb.serial.map { " serial \($0.harmless)" } ?? "")]" }
    if let name = device.protocolName { text += device.baudRate == nil ? "  probably \(name)" : "  speaks \(name)" }
    if let rate = device.baudRate { text += " at \(rate) baud" }
    if let chip = device.chip { text += "  \(chip)" }
    text += "\n"
    if device.baudRate != nil, !device.sensors.isEmpty { text += "    measures \(device.sensors.listed)\n" }
    for words in device.scales?.words ?? [] { text += "    \(words)\n" }
    if device.isSilent { text += "    nothing arrives\n" }
    if let doubt = device.doubt { text += "    \(doubt.words.harmless)\n" }
    for words in StreamNotice.weighed(device.weighed, device.weighedOrders) { text += "    \(words.harmless)\n" }
    if let heard = device.unrecognized { text += "    can't read what arrives: \(heard.harmless)\n" }
    if let other = device.sameAs { text += "    the same device as \(other.harmless)\n" }
    for link in device.links { text += "    also \(link.harmless)\n" }
    if let kernel = device.kernel { text += "    \(words(kernel, of: device).harmless)\n" }
    if !device.holders.isEmpty { text += "    in use by \(device.holders.words.harmless)\n" }
    if let problem = device.problem.map({ Failure($0) }) {
      text += "    \(problem.message.harmless)\n"
      if let hint = problem.hint { text += "    \(hint.harmless)\n" }
    }
    return text
  }

  /// The driver of the kernel that has it, and what that means to its user.
  private static func words(_ kernel: DeviceListing.KernelUse, of device: DeviceListing) -> String {
    var ways = kernel.address.map { ["\($0) reaches it"] } ?? []
    if device.problem == nil { ways.append("\(device.address) takes it over") }
    return "a kernel driver (\(kernel.driver)) has it" + (ways.isEmpty ? "" : ": \(ways.joined(separator: ", "))")
  }

  /// The object that programs read.
  static func object(_ device: DeviceListing) -> JSONValue {
    let usb = device.usb.map { usb in
      JSONValue.members(
        ("vendor_id", .integer(Int(usb.vendorID))), ("product_id", .integer(Int(usb.productID))),
        ("serial", .orNull(usb.serial)))
    }
    return .members(
      ("address", .string(device.address)), ("kind", .string(device.kind.rawValue)),
      ("description", .string(device.description)), ("usb", usb ?? .null), ("protocol", .orNull(device.protocolName)),
      ("chip", .orNull(device.chip)), ("rate_hz", .orNull(device.rate)),
      ("baud_rate", device.baudRate.map { .integer($0) } ?? .null),
      ("sensors", .array(device.sensors.map { .string($0) })), ("same_as", .orNull(device.sameAs)),
      ("problem", .orNull(device.problem.map { Failure($0).message })))
  }
}
