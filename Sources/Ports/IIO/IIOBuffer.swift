import Glibc

/// A running buffer of the kernel: frames of samples at the device's own pace. Stopped when it goes, and what was set
/// is put back.
final class IIOBuffer {
  /// How a frame is packed.
  let layout: IIOScanLayout
  /// The trigger that makes the device measure; nil where the driver needs none.
  let trigger: IIOTrigger?
  private let changes = AttributeChanges()
  private let node: Descriptor
  private let path: String
  private var received: [UInt8] = []

  /// Frames that the kernel keeps when nobody reads.
  private static let length = 128

  /// Enables the channels of these kinds and the time stamp, chooses a trigger where the driver needs one, and starts.
  /// - Throws: `busy` where another program has the buffer; nothing has been changed then.
  init(_ listing: IIOListing, kinds: [IIOKind], roots: SystemRoots) throws(PortError) {
    let folder = listing.folder
    path = listing.node
    let holders = Holder.all(of: listing.node, procRoot: roots.proc)
    guard holders.isEmpty else { throw .busy(path: listing.node, heldBy: holders) }
    // One program at a time can open it: with that, a buffer that runs is what a killed program has left.
    do {
      node = try Descriptor(opening: path, flags: O_RDONLY | O_NONBLOCK)
    } catch {
      throw SystemAttribute.failure(path, error)
    }
    if smallText(folder + "/buffer/enable") == "1" { try SystemAttribute.write("0", to: folder + "/buffer/enable") }
    layout = IIOScanLayout(try Self.enableChannels(of: kinds, in: folder, noting: changes))
    guard layout.size > 0, layout.size <= 1024 else {
      throw .system(path: folder, SystemError("scan_elements", code: ENOTSUP))
    }
    trigger = try IIOTrigger(folder, roots, noting: changes)
    try? changes.set(folder + "/current_timestamp_clock", to: "boottime")
    try? changes.set(folder + "/buffer/length", to: "\(Self.length)")
    // Last, so that it is the first to be put back: nothing else may change while the buffer runs.
    try changes.set(folder + "/buffer/enable", to: "1")
  }

  /// The descriptor for poll(2).
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
    of kinds: [IIOKind], in folder: String, noting changes: AttributeChanges
  ) throws(PortError) -> [(name: String, index: Int, type: IIOScanType)] {
    let elements = folder + "/scan_elements"
    let wanted = Set(kinds.flatMap { $0.axes } + ["in_timestamp"])
    var channels: [(name: String, index: Int, type: IIOScanType)] = []
    for entry in folderContents(elements) where entry.hasSuffix("_en") {
      let name = String(entry.dropLast(3))
      // Another program's leftovers would shift every channel behind them.
      try changes.set("\(elements)/\(entry)", to: wanted.contains(name) ? "1" : "0")
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
}
