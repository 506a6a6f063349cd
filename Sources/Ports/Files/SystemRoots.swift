/// The folders in which the kernel shows its devices; a test puts its own here.
public struct SystemRoots: Equatable, Sendable {
  /// Devices and drivers.
  public var sys: String
  /// Device nodes.
  public var dev: String
  /// Processes.
  public var proc: String

  /// The machine's own.
  public static let real = SystemRoots(sys: "/sys", dev: "/dev", proc: "/proc")

  /// Folders in place of the machine's.
  public init(sys: String, dev: String, proc: String) {
    self.sys = sys
    self.dev = dev
    self.proc = proc
  }
}
