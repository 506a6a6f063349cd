import Glibc

/// The kind of file at a path.
public enum NodeKind: Equatable, Sendable {
  case terminal, characterDevice, blockDevice, directory, regularFile, pipe, socket, unknown

  /// The kind of file at a path, links followed, found without opening it; nil where there is nothing. A character
  /// device counts as a terminal when the kernel lists it so, or when it is a pseudo-terminal.
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
    if isPseudoTerminal(device) { return true }
    guard let folder = sysfsFolder(of: device, path: path) else { return false }
    return folder.hasPrefix("/sys/class/tty/") || linkTarget(folder + "/subsystem").map(lastComponent) == "tty"
  }
}

/// The driver's number in a device number (makedev(3), the 64-bit encoding of the C library).
func majorNumber(_ device: dev_t) -> UInt64 {
  let device = UInt64(device)
  return (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
}

/// Whether a device number is that of a pseudo-terminal's slave (Unix98 ptys: admin-guide/devices.txt of Linux).
func isPseudoTerminal(_ device: dev_t) -> Bool { (136...143).contains(majorNumber(device)) }

/// The number of the device under its driver.
func minorNumber(_ device: dev_t) -> UInt64 {
  let device = UInt64(device)
  return device & 0xFF | (device >> 12) & ~0xFF
}

/// The folder of a character device in sysfs: by its number, or where numbers mean nothing (an emulated device) by the
/// name of the node among the terminals. Nil where sysfs knows nothing.
func sysfsFolder(of device: dev_t, path: String?, sysRoot: String = "/sys") -> String? {
  let byNumber = "\(sysRoot)/dev/char/\(majorNumber(device)):\(minorNumber(device))"
  if access(byNumber, F_OK) == 0 { return byNumber }
  let byName = linkChain(path ?? "").map { "\(sysRoot)/class/tty/\(lastComponent($0))" }
  return byName.first { access($0, F_OK) == 0 }
}
