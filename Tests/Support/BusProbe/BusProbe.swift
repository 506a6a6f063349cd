import Drivers
import Glibc
import LodestonePorts

/// Does with USB and I²C buses what it is told, a line at a time, and answers each line with one: `ok …` or `error …`.
/// Tests start it in a world of emulated devices.
///
///     list                   the bridges: name, vendor:product, serial, path, obstacle
///     open NAME [HERTZ]      opens a bridge
///     buses                  the buses of the kernel: path, name, obstacle, chips that drivers have
///     bus PATH               opens one
///     write ADDRESS BYTE…    numbers in hexadecimal, counts in decimal
///     read ADDRESS COUNT
///     writeread ADDRESS COUNT BYTE…
///     close
///     watch                  begins to notice plugging
///     changed                whether something was plugged or unplugged within two seconds
@main struct BusProbe {
  static func main() throws {
    var probe = try Session()
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      let answer: String
      do {
        answer = "ok " + (try probe.answer(to: words.first ?? "", Array(words.dropFirst())))
      } catch {
        answer = "error \(error)"
      }
      let bytes = Array((answer + "\n").utf8)
      _ = Glibc.write(1, bytes, bytes.count)
    }
  }
}

private struct Misuse: Error {}

private struct Session {
  var usb: USBBus
  var watcher: HotplugWatcher?
  var bus: (any I2CBus)?

  init() throws { usb = try USBBus() }

  mutating func answer(to command: String, _ words: [String]) throws -> String {
    switch command {
    case "list": return usb.bridges().map(Self.summary).joined(separator: "; ")
    case "open":
      guard let found = usb.bridges(.init(name: words.first)).first else { return "none" }
      let hertz = words.dropFirst().first.flatMap { Int($0) } ?? Bridges.standardHertz
      bus = nil
      bus = try usb.open(found, hertz: hertz)
      return found.bridge.name
    case "close":
      bus = nil
      return ""
    case "buses": return listI2CBuses().map(Self.summary).joined(separator: "; ")
    case "bus":
      bus = try LinuxI2CBus(path: words.first ?? "")
      return ""
    case "watch":
      watcher = try HotplugWatcher()
      return ""
    case "changed": return "\(try waitForChange())"
    default: return try transfer(command, words)
    }
  }

  private mutating func transfer(_ command: String, _ words: [String]) throws -> String {
    guard bus != nil, let address = words.first.flatMap({ UInt8($0, radix: 16) }) else { throw Misuse() }
    let rest = Array(words.dropFirst())
    switch command {
    case "write":
      try bus?.write(Self.bytes(rest), to: address)
      return ""
    case "read":
      let bytes = try bus?.read(Self.count(rest), from: address)
      return Self.text(bytes ?? [])
    case "writeread":
      let bytes = try bus?.write(Self.bytes(Array(rest.dropFirst())), thenRead: Self.count(rest), at: address)
      return Self.text(bytes ?? [])
    default: throw Misuse()
    }
  }

  private func waitForChange() throws -> Bool {
    guard let watcher else { throw Misuse() }
    var descriptors = [pollfd(fd: watcher.descriptor, events: Int16(POLLIN), revents: 0)]
    for _ in 0..<20 {
      if watcher.takeChanges() { return true }
      poll(&descriptors, nfds_t(descriptors.count), 100)
    }
    return false
  }

  private static func summary(_ found: BridgeDevice) -> String {
    let device = found.device
    let numbers =
      String(device.identifier.vendor, radix: 16) + ":" + String(device.identifier.product, radix: 16)
    return [
      found.bridge.name, numbers, device.serial ?? "-", device.path, found.obstacle.map { "\($0)" } ?? "free",
    ].joined(separator: " ")
  }

  private static func summary(_ found: I2CListing) -> String {
    let claimed = found.claimed.sorted { $0.key < $1.key }.map { " \(String($0.key, radix: 16))=\($0.value)" }
    return "\(found.path) \(found.name) \(found.obstacle.map { "\($0)" } ?? "free")" + claimed.joined()
  }

  private static func bytes(_ words: [String]) throws -> [UInt8] {
    try words.map { word in
      guard let byte = UInt8(word, radix: 16) else { throw Misuse() }
      return byte
    }
  }

  private static func count(_ words: [String]) throws -> Int {
    guard let count = words.first.flatMap({ Int($0) }) else { throw Misuse() }
    return count
  }

  private static func text(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
  }
}
