/// Why a device, file or connection could not be opened or set up: the facts, for the command to word.
public enum PortError: Error, Equatable, Sendable {
  /// No such path.
  case notThere(path: String)
  /// Somebody else has it; empty where it cannot be seen who.
  case busy(path: String, heldBy: [Holder])
  /// The user may not open it.
  case notPermitted(path: String, access: NodeAccess)
  /// There is something at the path, but nothing with a baud rate.
  case notATerminal(path: String, kind: NodeKind)
  /// There is something at the path that bytes cannot be read from or written to as a file.
  case notAFile(path: String, kind: NodeKind)
  /// The driver cannot do this rate; `actual` is what it took instead.
  case unsupportedBaudRate(path: String, requested: Int, actual: Int?)
  /// It was there, and went while it was being opened.
  case gone(path: String)
  /// The disk is full.
  case noSpace(path: String)
  /// Anything else.
  case system(path: String, SystemError)
}
