import Glibc

/// Notices that a device may have been plugged in or out: device nodes come, go, or get their permissions. Watches the
/// folders of nodes, those of USB included, by inotify(7), which needs no rights, no udev and no thread. It says that
/// something changed, never what: list the ports again then.
public final class HotplugWatcher {
  private let owned: Descriptor
  private let folders: [String]
  /// A folder for each bus is in it, and in that a node for each device.
  private let usb: String
  private let name: String?

  /// The descriptor for poll(2); readable when something changed.
  public var descriptor: Int32 { owned.number }

  /// Watches the nodes, the stable names of serial ports as soon as there are any, and one path besides: a pty, or a
  /// link of the user's own.
  public init(roots: SystemRoots = .real, besides path: String? = nil) throws(SystemError) {
    owned = try .watch()
    name = path.map(lastComponent)
    let own = path.map { String($0.dropLast(lastComponent($0).count)) }.map { $0.isEmpty ? "." : $0 }
    folders = [roots.dev, roots.dev + "/serial", roots.dev + "/serial/by-id"] + (own.map { [$0] } ?? [])
    usb = roots.dev + "/bus/usb"
    guard watchFolders() else { throw SystemError("inotify_add_watch") }
  }

  /// Adding a folder again changes nothing, so those that have come are simply all added.
  private func watchFolders() -> Bool {
    let changes = UInt32(IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_TO | IN_MOVED_FROM | IN_ONLYDIR)
    let buses = [usb] + folderContents(usb).map { "\(usb)/\($0)" }
    let watches = (folders + buses).map { inotify_add_watch(descriptor, $0, changes) }
    return watches[0] >= 0
  }

  /// Notices too when a program opens or closes one of these nodes. Those that have gone are forgotten by themselves.
  public func watchUse(of nodes: [String]) {
    for node in nodes { _ = inotify_add_watch(descriptor, node, UInt32(IN_OPEN | IN_CLOSE)) }
  }

  /// Takes what has been noticed since the last time; true when it is worth listing the devices again.
  public func takeChanges() -> Bool {
    var isRelevant = false
    withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 8) { buffer in
      while true {
        let count = uninterrupted { read(descriptor, buffer.baseAddress, buffer.count) }
        guard count > 0 else { return }
        for name in names(in: UnsafeRawBufferPointer(rebasing: buffer.prefix(count))) {
          isRelevant = isRelevant || name == self.name || Self.mayBeOurs(name)
        }
      }
    }
    if isRelevant { _ = watchFolders() }
    return isRelevant
  }

  /// The names in a run of inotify events. An event that lost its name (the queue overflowed, a folder went) has "".
  private func names(in events: UnsafeRawBufferPointer) -> [String] {
    let headerSize = MemoryLayout<inotify_event>.size
    var names: [String] = []
    var index = 0
    while index + headerSize <= events.count {
      let header = events.loadUnaligned(fromByteOffset: index, as: inotify_event.self)
      let start = index + headerSize
      let end = min(start + Int(header.len), events.count)
      names.append(String(decoding: events[start..<end].prefix { $0 != 0 }, as: UTF8.self))
      index = end
    }
    return names
  }

  /// Nodes of serial ports, raw USB HID devices, I²C buses and IIO devices, those of USB, which are numbers; the
  /// folders and links of `serial` and `bus`. An event of a watched node itself has no name.
  private static func mayBeOurs(_ name: String) -> Bool {
    let virtualConsole = name.hasPrefix("tty") && name.dropFirst(3).allSatisfy { $0.isNumber }
    if virtualConsole { return false }
    return name.allSatisfy { $0.isNumber } || name == "bus" || name == "usb"
      || ["tty", "rfcomm", "hidraw", "i2c-", "iio:", "serial", "by-id", "usb-"].contains { name.hasPrefix($0) }
  }
}
