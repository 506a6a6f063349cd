import Glibc

/// The name of a terminal that has no identity of its own, and what shows that the device behind it is back. The number
/// of a pseudo-terminal shows nothing: the next window that somebody opens gets it. A link does, which is made again
/// for whatever stands behind it.
public struct TerminalName: Sendable {
  /// The path as it was given.
  public let path: String
  /// Whether the terminal is a program's and not a device's.
  public let isPseudo: Bool
  /// The device's numbers.
  private let device: dev_t
  private let links: [Link]

  /// A symbolic link as it was made: another of the same name differs.
  private struct Link: Equatable {
    let node: ino_t
    let seconds: Int
    let nanoseconds: Int
    let target: String
  }

  /// The name of the terminal at a path; nil where there is none.
  public init?(path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0, NodeKind(facts, path: path) == .terminal else { return nil }
    self.path = path
    device = facts.st_rdev
    isPseudo = isPseudoTerminal(facts.st_rdev)
    links = Self.links(from: path)
  }

  /// Whether the name can show that the device is back.
  public var canReturn: Bool { !isPseudo || isLink }

  /// Whether it is a link to the node.
  public var isLink: Bool { !links.isEmpty }

  /// The terminal now at the path; nil unless the name shows that it is the same device.
  public func afterReturn() -> TerminalName? {
    guard let now = TerminalName(path: path), now.isPseudo == isPseudo else { return nil }
    return isPseudo ? (now.links != links && !now.links.isEmpty ? now : nil) : (now.device == device ? now : nil)
  }

  private static func links(from path: String) -> [Link] {
    var place = path
    if !path.hasPrefix("/"), let folder = getcwd(nil, 0) {
      place = String(cString: folder) + "/" + path
      free(folder)
    }
    return linkChain(place).compactMap { step in
      var facts = stat()
      guard lstat(step, &facts) == 0, let target = linkTarget(step) else { return nil }
      return Link(node: facts.st_ino, seconds: facts.st_ctim.tv_sec, nanoseconds: facts.st_ctim.tv_nsec, target: target)
    }
  }
}
