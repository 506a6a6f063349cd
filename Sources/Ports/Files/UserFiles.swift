import CLinux
import Glibc
import Synchronization

/// Files that this program reads for its user, or has promised to write. No other output may take one of them: that
/// would destroy what was read, or mix what is written.
public enum UserFiles {
  /// A file by its place on a disk, whatever it is called.
  private struct Identity: Hashable {
    let device: dev_t
    let node: ino_t
    /// The name in the folder that the numbers stand for, where the file may not be there yet.
    var name = ""
  }

  /// The purpose for which the command reads a file.
  public enum Use: Sendable {
    case input
    /// A profile, or what is kept beside one: the same command may bring it up to date.
    case kept
  }

  /// Files that were read: their use, and when each was made, since another file may have got its number.
  private static let inputs = Mutex<[Identity: (use: Use, birth: Int64)]>([:])
  private static let outputs = Mutex<Set<Identity>>([])

  /// Notes an open file as an input for the rest of the run, though it be closed.
  public static func note(input descriptor: Int32, _ use: Use = .input) {
    var facts = stat()
    if fstat(descriptor, &facts) == 0 { note(facts, linux_birth_of_descriptor(descriptor), use) }
  }

  private static func note(_ facts: stat, _ birth: Int64, _ use: Use) {
    guard NodeKind(facts) == .regularFile else { return }
    let identity = Identity(device: facts.st_dev, node: facts.st_ino)
    inputs.withLock { inputs in
      if let known = inputs[identity], known.birth == birth, known.use == .input { return }
      inputs[identity] = (use, birth)
    }
  }

  private static func use(of identity: Identity, at path: String) -> Use? {
    let birth = linux_birth_of_path(path)
    return inputs.withLock { $0[identity] }.flatMap { $0.birth == birth ? $0.use : nil }
  }

  /// Notes a file that is going to be read.
  public static func note(input path: String, _ use: Use = .input) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return }
    note(facts, linux_birth_of_path(path), use)
  }

  /// A regular file that was read, or is open here, be it as input or as another output.
  static func areHeld(_ path: String) -> Bool {
    var facts = stat()
    guard stat(path, &facts) == 0, NodeKind(facts) == .regularFile else { return false }
    let wanted = Identity(device: facts.st_dev, node: facts.st_ino)
    return use(of: wanted, at: path) != nil || isOpen(wanted)
  }

  /// An open file is one that was read.
  static func isInput(_ descriptor: Int32) -> Bool {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, NodeKind(facts) == .regularFile else { return false }
    let birth = linux_birth_of_descriptor(descriptor)
    return inputs.withLock { $0[Identity(device: facts.st_dev, node: facts.st_ino)]?.birth == birth }
  }

  /// The use that a regular file was read for; nil for one that was not read.
  static func use(of path: String) -> Use? {
    var facts = stat()
    guard stat(path, &facts) == 0, NodeKind(facts) == .regularFile else { return nil }
    return use(of: Identity(device: facts.st_dev, node: facts.st_ino), at: path)
  }

  /// Whether an output of this program is going to have this name.
  static func arePromised(_ path: String) -> Bool {
    guard (NodeKind.at(path) ?? .regularFile) == .regularFile, let identity = place(of: path) else { return false }
    return outputs.withLock { $0.contains(identity) }
  }

  private static func isOpen(_ wanted: Identity) -> Bool {
    folderContents("/proc/self/fd").contains { text in
      var facts = stat()
      guard let number = Int32(text), fstat(number, &facts) == 0 else { return false }
      return facts.st_dev == wanted.device && facts.st_ino == wanted.node
    }
  }

  /// The promise of an output, for as long as it is kept.
  public final class Claim {
    private let identity: Identity?

    /// A claim on a path; nil where it is an input, or promised to another output. What is no regular file, as
    /// /dev/null, may be written to by many.
    public init?(_ path: String) {
      guard !UserFiles.areHeld(path) else { return nil }
      guard (NodeKind.at(path) ?? .regularFile) == .regularFile, let identity = UserFiles.place(of: path) else {
        self.identity = nil
        return
      }
      self.identity = identity
      guard UserFiles.outputs.withLock({ $0.insert(identity).inserted }) else { return nil }
    }

    deinit {
      guard let identity else { return }
      UserFiles.outputs.withLock { _ = $0.remove(identity) }
    }
  }

  /// The folder and the name that a path leads to; nil without such a folder.
  private static func place(of path: String) -> Identity? {
    let target = PendingFile.followed(path)
    var facts = stat()
    guard stat(PendingFile.folder(of: target), &facts) == 0 else { return nil }
    return Identity(device: facts.st_dev, node: facts.st_ino, name: lastComponent(target))
  }
}
