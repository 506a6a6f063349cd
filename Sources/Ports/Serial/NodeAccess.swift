import Glibc

/// The permissions of a device node, and the groups of the process that asks.
public struct NodeAccess: Equatable, Sendable {
  /// The user that owns the node: a name, or a number that has none.
  public var owner: String
  /// The group of the node.
  public var group: String
  /// The permission bits, as in 0o660.
  public var mode: UInt32
  /// The groups that the asking process is in.
  public var userGroups: [String]
  /// Whether the node belongs to a device on USB, for which a udev rule can be written.
  public var isUSB: Bool
  /// Whether this process may read it.
  public var isReadable: Bool
  /// Whether this process may write to it.
  public var isWritable: Bool

  /// Whether membership of the node's group would help, and this process is not in it. Nobody is asked to join root's
  /// group.
  public var needsGroup: Bool { mode & 0o060 == 0o060 && group != "root" && !userGroups.contains(group) }

  /// The facts about the node at a path; nil where there is none, or where it may not be seen.
  public init?(path: String, sysRoot: String = "/sys") {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    owner = userName(facts.st_uid)
    group = groupName(facts.st_gid)
    mode = UInt32(facts.st_mode & 0o7777)
    userGroups = processGroups().map(groupName)
    isReadable = access(path, R_OK) == 0
    isWritable = access(path, W_OK) == 0
    let device = sysfsFolder(of: facts.st_rdev, path: path, sysRoot: sysRoot).flatMap { resolvedPath($0 + "/device") }
    isUSB = device?.contains("/usb") ?? false
  }
}

private func userName(_ id: uid_t) -> String {
  guard let entry = getpwuid(id), let name = entry.pointee.pw_name else { return String(id) }
  return String(cString: name)
}

private func groupName(_ id: gid_t) -> String {
  guard let entry = getgrgid(id), let name = entry.pointee.gr_name else { return String(id) }
  return String(cString: name)
}

private func processGroups() -> [gid_t] {
  var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
  let count = getgroups(Int32(groups.count), &groups)
  groups.removeLast(groups.count - Int(max(0, count)))
  let own = getegid()
  return groups.contains(own) ? groups : [own] + groups
}
