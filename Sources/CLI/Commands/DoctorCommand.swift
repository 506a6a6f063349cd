import ArgumentParser
import Calibration
import Glibc
import Instruments
import Lodestone
import LodestoneCore
import LodestonePorts

/// `lodestone doctor`: one page about this machine, to paste into a report.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Print one page about devices, permissions, calibrations and versions.",
    discussion: """
      Examples:
        lodestone doctor               paste the page into a report
        lodestone doctor --no-listen   open no port

      Each free serial port is opened for 3 to 4 s to tell its protocol; opening can restart a board. The page holds no \
      passwords, no place and no user name.
      """)

  @Flag(inversion: .prefixedNo, help: "Open each free serial port to tell its protocol.")
  var listen = true

  func run() throws {
    try writeToStandardOutput(Diagnosis.versions + Diagnosis.machine)
    try writeToStandardOutput("\nDevices\n")
    var devices = DeviceListing.all(probing: .bridges)
    if devices.isEmpty { try writeToStandardOutput("  none attached\n") }
    for index in devices.indices {
      if listen { devices[index].listen() }
      try writeToStandardOutput(Diagnosis.paragraph(devices[index]))
    }
    try writeToStandardOutput("\nCalibrations\n" + Diagnosis.calibrations)
    try writeToStandardOutput("\nSettings\n" + Diagnosis.settings)
  }
}

/// The parts of the page. Nothing in them says who or where the user is.
private enum Diagnosis {
  /// The program and what it runs on.
  static var versions: String {
    var facts = utsname()
    uname(&facts)
    let release = withUnsafeBytes(of: facts.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    let machine = withUnsafeBytes(of: facts.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return "Lodestone \(Release.version) on \(system), Linux \(release.harmless) \(machine.harmless), \(library)\n\n"
  }

  /// The distribution, by os-release(5).
  private static var system: String {
    guard let bytes = try? AtomicFile.read("/etc/os-release", limit: 65_536) else { return "an unknown system" }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let name = lines.first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst("PRETTY_NAME=".count)
    return name.map { String($0.filter { $0 != "\"" }).harmless } ?? "an unknown system"
  }

  private static var library: String {
    var text = [CChar](repeating: 0, count: 64)
    guard confstr(Int32(_CS_GNU_LIBC_VERSION), &text, text.count) > 0 else { return "no glibc" }
    return text.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// The parts of the system that devices need, and their state.
  static var machine: String {
    let groups = NodeAccess(path: "/dev/null")?.userGroups ?? []
    let useful = groups.filter { ["dialout", "uucp", "plugdev", "i2c", "input", "root"].contains($0) }
    let rows = [
      ["libusb", USBBus.isInstalled ? "installed" : "missing: sudo apt-get install libusb-1.0-0 (for USB bridges)"],
      ["libssl", isInstalled("libssl.so.3") ? "installed" : "missing: sudo apt-get install libssl3 (for mqtts:)"],
      ["udev rules", UdevRules.installedPath ?? "not installed: lodestone devices --udev-rules prints them"],
      ["groups", useful.isEmpty ? "none that opens devices" : useful.joined(separator: ", ")],
      ["clock", CalendarTime.text(unixTime: WallClock.unixSeconds)],
    ]
    return TextTable.text(of: rows.map { ["  " + $0[0], $0[1]] })
  }

  private static func isInstalled(_ library: String) -> Bool {
    guard let found = dlopen(library, RTLD_LAZY) else { return false }
    dlclose(found)
    return true
  }

  /// A device: what it is, who may open it and who has it open.
  static func paragraph(_ device: DeviceListing) -> String {
    var text = DeviceWords.paragraph(device).split(separator: "\n").map { "  \($0)\n" }.joined()
    guard let node = device.node, let access = NodeAccess(path: node) else { return text }
    let mode = String(access.mode, radix: 8)
    let may = access.isReadable && access.isWritable ? "you may open it" : "you may not open it"
    text += "      owner \(access.owner == "root" ? "root" : "a user"), group \(access.group), mode \(mode): \(may)\n"
    return text
  }

  /// The active calibration of each device, how old and how good it is.
  static var calibrations: String {
    guard let entries = try? ProfileStore.required().entries().filter({ $0.isCurrent }), !entries.isEmpty else {
      return "  none saved\n"
    }
    return entries.map { entry in
      switch entry.profile {
      case .failure(let problem): "  \(entry.device.harmless)  unreadable: \(shown(Failure(problem).message))\n"
      case .success(let profile): "  " + words(profile)
      }
    }.joined()
  }

  private static func words(_ profile: Profile) -> String {
    let quality = profile.quality
    let error =
      quality.headingErrorDegrees.map { "heading error \(TextTable.number($0, 2))°" } ?? "heading error unknown"
    var text = "\(shown(profile.device))  \(CalibrationAge.words(since: profile.created)) old, "
    text += "\(quality.verdict.rawValue) (\(quality.kind.rawValue)), \(error), \(quality.rests) rests, "
    text += "\(TextTable.number(quality.coveragePercent, 0)) % of directions\n"
    for warning in quality.warnings { text += "      \(warning.harmless)\n" }
    return text
  }

  /// The settings, without what is private.
  static var settings: String {
    let current: UserSettings
    do { current = try UserSettings.current() } catch { return "  \(shown(error.message))\n" }
    var rows = UserSetting.allCases.compactMap { setting in
      current[setting].map { value in
        [setting.rawValue, setting == .at ? "set" : shown(value.text), "from " + shown(value.origin)]
      }
    }
    rows += current.devices.sorted { $0.key < $1.key }.map { ["device " + $0.key, shown($0.value), ""] }
    let ofBroker = ["LODESTONE_MQTT_PASSWORD", "LODESTONE_MQTT_PASSWORD_FILE", "LODESTONE_MQTT_CA_FILE"]
    for name in ofBroker where getenv(name) != nil {
      rows.append([name, "set", ""])
    }
    return rows.isEmpty ? "  none\n" : TextTable.text(of: rows.map { ["  " + $0[0]] + $0.dropFirst() })
  }

  /// A text without the user's folder, and without the user and password of an address.
  private static func shown(_ text: String) -> String {
    var text = text.harmless
    if let home = getenv("HOME").map({ String(cString: $0) }), home.count > 1 { text = text.replacing(home, with: "~") }
    guard let start = text.firstRange(of: "://")?.upperBound, let at = text[start...].lastIndex(of: "@") else {
      return text
    }
    return text[..<start] + "…" + text[at...]
  }
}
