import Glibc

/// An event of udev to libudev's listeners about a device that came or went, in the form of systemd's
/// sd-device/device-monitor.c, sent to the sockets that umockdev makes of the listeners in its folder.
struct UdevEvent {
  let action: String
  let systemPath: String
  let node: String
  private static let longestSocketPath = 107

  /// Tells every listener of the testbed in `root`.
  func send(to root: String) {
    guard let folder = opendir(root) else { return }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name.hasPrefix("event") { send(toSocket: root + "/" + name) }
    }
  }

  private var message: [UInt8] {
    let properties = [
      "ACTION=\(action)", "DEVPATH=\(systemPath.dropFirst(4))", "SUBSYSTEM=usb", "SEQNUM=1", "DEVNAME=\(node)",
      "DEVTYPE=usb_device",
    ].flatMap { (text: String) -> [UInt8] in Array(text.utf8) + [0] }
    // Prefix, magic number, sizes and offsets, and the hashes that the listeners' socket filters look at.
    var header: [UInt8] = Array("libudev".utf8) + [0, 0xFE, 0xED, 0xCA, 0xFE]
    for number in [40, 40, properties.count] {
      header += stride(from: 0, through: 24, by: 8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }
    for text in ["usb", "usb_device"] {
      let hash = Self.murmurHash2(Array(text.utf8))
      header += stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: hash >> $0) }
    }
    return header + [UInt8](repeating: 0, count: 40 - header.count) + properties
  }

  /// Austin Appleby's MurmurHash2 with seed 0.
  private static func murmurHash2(_ bytes: [UInt8]) -> UInt32 {
    let multiplier: UInt32 = 0x5BD1_E995
    var hash = UInt32(bytes.count)
    let whole = bytes.count / 4 * 4
    for start in stride(from: 0, to: whole, by: 4) {
      var word = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << (8 * $1) } &* multiplier
      word = (word ^ (word >> 24)) &* multiplier
      hash = (hash &* multiplier) ^ word
    }
    if whole < bytes.count {
      for index in whole..<bytes.count { hash ^= UInt32(bytes[index]) << (8 * (index - whole)) }
      hash = hash &* multiplier
    }
    hash = (hash ^ (hash >> 13)) &* multiplier
    return hash ^ (hash >> 15)
  }

  private func send(toSocket path: String) {
    guard path.utf8.count <= Self.longestSocketPath else { return }
    let socket = socket(AF_UNIX, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
    }
    guard connected == 0 else { return }
    let bytes = message
    _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }
}
