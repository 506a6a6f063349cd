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
    all(ofEach: [path], procRoot: procRoot)[path] ?? []
  }

  /// The processes that hold each of several devices, found in one pass over all processes.
  public static func all(ofEach paths: [String], procRoot: String = "/proc") -> [String: [Holder]] {
    let wanted = paths.compactMap { path in deviceNumber(path).map { (path: path, device: $0) } }
    guard !wanted.isEmpty else { return [:] }
    var holders: [String: [Holder]] = [:]
    for entry in folderContents(procRoot) {
      guard let id = Int32(entry), id != getpid() else { continue }
      let open = openDevices("\(procRoot)/\(entry)/fd")
      guard !open.isEmpty else { continue }
      for (path, device) in wanted where open.contains(device) {
        let name = deviceText("\(procRoot)/\(entry)/comm") ?? "?"
        holders[path, default: []].append(Holder(name: name, processID: id))
      }
    }
    return holders
  }

  /// The processes other than this one whose terminal is at `path`: somebody's shell, and what it runs.
  public static func sessions(at path: String, procRoot: String = "/proc") -> [Holder] {
    guard let device = deviceNumber(path) else { return [] }
    // proc(5): tty_nr has the minor number in bits 31 to 20 and 7 to 0, the major one in bits 15 to 8.
    let (major, minor) = (majorNumber(device), minorNumber(device))
    let wanted = String(minor & 0xFF | major << 8 | (minor & ~0xFF) << 12)
    return folderContents(procRoot).compactMap { entry in
      guard let id = Int32(entry), id != getpid(), let text = smallText("\(procRoot)/\(entry)/stat"),
        let end = text.lastIndex(of: ")")
      else { return nil }
      // Behind the name: state, parent, group, session, terminal.
      let fields = text[text.index(after: end)...].split(separator: " ")
      guard fields.count > 4, fields[4] == wanted else { return nil }
      return Holder(name: deviceText("\(procRoot)/\(entry)/comm") ?? "?", processID: id)
    }
  }

  /// Numbers of devices are compared, not paths, so links and other names of the node count too.
  private static func openDevices(_ folder: String) -> Set<dev_t> {
    Set(folderContents(folder).compactMap { deviceNumber("\(folder)/\($0)") })
  }

  private static func deviceNumber(_ path: String) -> dev_t? {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFCHR else { return nil }
    return facts.st_rdev
  }
}
