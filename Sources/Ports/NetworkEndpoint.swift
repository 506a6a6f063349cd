/// One end of a network connection as a user names it.
public struct NetworkEndpoint: Equatable, Hashable, Sendable, CustomStringConvertible {
  /// A name or a numeric address.
  public var host: String
  /// The port.
  public var port: UInt16

  /// A host and port.
  public init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// As in `boat.local:10110` or `[::1]:10110`.
  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// Why a network connection failed: the facts, for the command to word.
public enum SocketError: Error, Equatable, Sendable {
  /// No such host; the resolver's words.
  case unknownHost(NetworkEndpoint, reason: String)
  /// Nobody listens there.
  case refused(NetworkEndpoint)
  /// No way to the host or its network.
  case unreachable(NetworkEndpoint)
  /// No answer in time.
  case timedOut(NetworkEndpoint)
  /// Another program has the port.
  case portInUse(NetworkEndpoint)
  /// Only root may have the port (below 1024), or a firewall forbids it.
  case notPermitted(NetworkEndpoint)
  /// The address does not belong to this machine.
  case notOurAddress(NetworkEndpoint)
  /// Anything else.
  case system(NetworkEndpoint, SystemError)
}
