import Glibc

/// A process that has a device open.
public struct Holder: Equatable, Hashable, Sendable {
  /// Its short name, as the kernel keeps it.
  public let name: String
  /// Its number.
  public let processID: Int32

  /// A process.
  public init(name: String, processID: Int32) {
    self.name = name
    self.processID = processID
  }

  /// The processes other than this one that have the device at `path` open. The kernel shows a user only his own
  /// processes; root sees all.
  public static func all(of path: String, procRoot: String = "/proc") -> [Holder] {
    var node = stat()
    guard stat(path, &node) == 0, node.st_mode & S_IFMT == S_IFCHR else { return [] }
    return folderContents(procRoot).compactMap { entry in
      guard let id = Int32(entry), id != getpid(), holds(node, "\(procRoot)/\(entry)/fd") else { return nil }
      return Holder(name: smallText("\(procRoot)/\(entry)/comm") ?? "?", processID: id)
    }
  }

  /// Numbers of devices are compared, not paths, so links and other names of the node count too.
  private static func holds(_ node: stat, _ folder: String) -> Bool {
    folderContents(folder).contains { entry in
      var facts = stat()
      guard stat("\(folder)/\(entry)", &facts) == 0 else { return false }
      return facts.st_mode & S_IFMT == S_IFCHR && facts.st_rdev == node.st_rdev
    }
  }
}
