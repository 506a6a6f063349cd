import Glibc

/// A running buffer of the kernel: frames of samples at the device's own pace. Stopped when it goes.
final class IIOBuffer {
  /// How a frame is packed.
  let layout: IIOScanLayout
  private let folder: String
  private let node: Descriptor
  private let path: String
  private var received: [UInt8] = []

  /// Frames that the kernel keeps when nobody reads.
  private static let length = 128

  /// Enables the channels of these kinds and the time stamp, chooses a trigger where the driver needs one, and starts.
  init(_ listing: IIOListing, kinds: [IIOKind], roots: SystemRoots) throws(PortError) {
    folder = listing.folder
    path = listing.node
    try? SystemAttribute.write("0", to: folder + "/buffer/enable")
    layout = IIOScanLayout(try Self.enableChannels(of: kinds, in: folder))
    guard layout.size > 0, layout.size <= 1024 else {
      throw .system(path: folder, SystemError("scan_elements", code: ENOTSUP))
    }
    try Self.chooseTrigger(folder, roots)
    try? SystemAttribute.write("monotonic", to: folder + "/current_timestamp_clock")
    try? SystemAttribute.write("\(Self.length)", to: folder + "/buffer/length")
    do {
      node = try Descriptor(opening: path, flags: O_RDONLY | O_NONBLOCK)
    } catch {
      throw SystemAttribute.failure(path, error)
    }
    try SystemAttribute.write("1", to: folder + "/buffer/enable")
  }

  deinit { try? SystemAttribute.write("0", to: folder + "/buffer/enable") }

  /// For poll(2).
  var descriptor: Int32 { node.number }

  /// The next frame; nil while there is none.
  func next() throws(PortError) -> [UInt8]? {
    if received.count < layout.size { try receive() }
    guard received.count >= layout.size else { return nil }
    defer { received.removeFirst(layout.size) }
    return Array(received.prefix(layout.size))
  }

  private func receive() throws(PortError) {
    var bytes = [UInt8](repeating: 0, count: layout.size * 16)
    let count = uninterrupted { read(node.number, &bytes, bytes.count) }
    guard count >= 0 else {
      if errno == EAGAIN { return }
      throw SystemAttribute.failure(path, SystemError("read"))
    }
    received += bytes.prefix(count)
  }

  private static func enableChannels(
    of kinds: [IIOKind], in folder: String
  ) throws(PortError) -> [(name: String, index: Int, type: IIOScanType)] {
    let elements = folder + "/scan_elements"
    let wanted = Set(kinds.flatMap { $0.axes } + ["in_timestamp"])
    var channels: [(name: String, index: Int, type: IIOScanType)] = []
    for entry in folderContents(elements) where entry.hasSuffix("_en") {
      let name = String(entry.dropLast(3))
      // Another program's leftovers would shift every channel behind them.
      try SystemAttribute.write(wanted.contains(name) ? "1" : "0", to: "\(elements)/\(entry)")
      guard wanted.contains(name) else { continue }
      guard let index = smallText("\(elements)/\(name)_index").flatMap({ Int($0) }),
        let type = smallText("\(elements)/\(name)_type").flatMap({ IIOScanType($0) })
      else { throw .system(path: "\(elements)/\(name)_type", SystemError("scan type", code: ENOTSUP)) }
      channels.append((name, index, type))
    }
    guard channels.contains(where: { $0.name == IIOKind.field.axes[0] }) else {
      throw .system(path: elements, SystemError("scan_elements", code: ENOTSUP))
    }
    return channels
  }

  /// A driver that needs a trigger usually brings one, with its own name in it.
  private static func chooseTrigger(_ folder: String, _ roots: SystemRoots) throws(PortError) {
    let current = folder + "/trigger/current_trigger"
    guard access(current, F_OK) == 0, smallText(current)?.isEmpty != false else { return }
    let parent = roots.sys + "/bus/iio/devices"
    let names = folderContents(parent).filter { $0.hasPrefix("trigger") }.compactMap {
      smallText("\(parent)/\($0)/name")
    }
    let own = smallText(folder + "/name") ?? ""
    guard let name = names.first(where: { $0.hasPrefix(own) }) ?? names.first else {
      throw .system(path: current, SystemError("trigger", code: ENOTSUP))
    }
    try SystemAttribute.write(name, to: current)
  }
}
