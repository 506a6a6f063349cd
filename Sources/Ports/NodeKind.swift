import Glibc

/// What stands at a path.
public enum NodeKind: Equatable, Sendable {
  case terminal, characterDevice, blockDevice, directory, regularFile, pipe, socket, unknown

  /// What stands at a path, links followed, without opening it; nil where there is nothing. A character device counts
  /// as a terminal when the kernel lists it so, or when it is a pseudo-terminal.
  public static func at(_ path: String) -> NodeKind? {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    return NodeKind(facts, path: path)
  }

  /// The kind of something that is open, or of what stands at a path.
  init(_ facts: stat, path: String? = nil) {
    switch facts.st_mode & S_IFMT {
    case S_IFCHR: self = Self.isTerminal(facts.st_rdev, path) ? .terminal : .characterDevice
    case S_IFBLK: self = .blockDevice
    case S_IFDIR: self = .directory
    case S_IFREG: self = .regularFile
    case S_IFIFO: self = .pipe
    case S_IFSOCK: self = .socket
    default: self = .unknown
    }
  }

  /// Opening a character device can have effects (a watchdog starts), so the kernel is asked first what it is.
  private static func isTerminal(_ device: dev_t, _ path: String?) -> Bool {
    if (136...143).contains(majorNumber(device)) { return true }  // Unix98 ptys: admin-guide/devices.txt of Linux
    guard let folder = sysfsFolder(of: device, path: path) else { return false }
    return folder.contains("/class/tty/") || linkTarget(folder + "/subsystem").map(lastComponent) == "tty"
  }
}

/// The driver's number in a device number (makedev(3), the 64-bit encoding of the C library).
func majorNumber(_ device: dev_t) -> UInt64 {
  let device = UInt64(device)
  return (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
}

/// The number of the device under its driver.
func minorNumber(_ device: dev_t) -> UInt64 {
  let device = UInt64(device)
  return device & 0xFF | (device >> 12) & ~0xFF
}

/// What sysfs keeps about a character device: by its number, or where numbers mean nothing (an emulated device) by the
/// name of the node among the terminals. Nil where sysfs knows nothing.
func sysfsFolder(of device: dev_t, path: String?, sysRoot: String = "/sys") -> String? {
  let byNumber = "\(sysRoot)/dev/char/\(majorNumber(device)):\(minorNumber(device))"
  if access(byNumber, F_OK) == 0 { return byNumber }
  let byName = linkChain(path ?? "").map { "\(sysRoot)/class/tty/\(lastComponent($0))" }
  return byName.first { access($0, F_OK) == 0 }
}

/// An absolute path, and where its links lead, step by step; nothing for a relative path. A step that is a device node
/// of its own may lead on to a pty that stands in for it.
func linkChain(_ path: String) -> [String] {
  guard path.hasPrefix("/") else { return [] }
  var chain = [path]
  while chain.count < 16, let target = linkTarget(chain[chain.count - 1]) {
    let folder = chain[chain.count - 1].split(separator: "/").dropLast()
    var parts = target.hasPrefix("/") ? [] : Array(folder)
    for part in target.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    chain.append("/" + parts.joined(separator: "/"))
  }
  return chain
}

/// Where a symbolic link points, or nil.
func linkTarget(_ path: String) -> String? {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
    guard let start = buffer.baseAddress else { return nil }
    let count = readlink(path, start, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
  }
}

/// The path with every link followed, or nil.
func resolvedPath(_ path: String) -> String? {
  guard let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}

/// What follows the last slash.
func lastComponent(_ path: String) -> String {
  path.split(separator: "/").last.map(String.init) ?? path
}

/// The names in a folder in order, without `.` and `..`; none where it cannot be read.
func folderContents(_ path: String) -> [String] {
  guard let folder = opendir(path) else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    if name != "." && name != ".." { names.append(name) }
  }
  return names.sorted()
}

/// A small text file (sysfs, /proc) without the white space at its ends, or nil. At most 4096 bytes.
func smallText(_ path: String) -> String? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
    let count = uninterrupted { read(descriptor, buffer.baseAddress, buffer.count) }
    guard count >= 0 else { return nil }
    var text = Substring(String(decoding: UnsafeRawBufferPointer(rebasing: buffer.prefix(count)), as: UTF8.self))
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text.drop { $0.isWhitespace })
  }
}
