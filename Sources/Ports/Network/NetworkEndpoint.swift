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

  /// Reads what stands behind the scheme of an address: `//boat.local:10110`, `//[::1]:10110`, `//:10110`, and where
  /// there is a usual port `//boat.local` too. Nil for anything else.
  public init?(address text: String, usualPort: UInt16? = nil) {
    guard text.hasPrefix("//") else { return nil }
    var rest = text.dropFirst(2)
    if rest.last == "/" { rest.removeLast() }
    let host: Substring
    if rest.first == "[" {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      host = rest[rest.index(after: rest.startIndex)..<end]
      rest = rest[rest.index(after: end)...]
    } else {
      host = rest.prefix { $0 != ":" }
      rest = rest.dropFirst(host.count)
    }
    guard !host.contains(where: { $0.isWhitespace || $0 == "/" }) else { return nil }
    if rest.isEmpty, let usualPort {
      self.init(host: String(host), port: usualPort)
    } else {
      let digits = rest.dropFirst()
      guard rest.first == ":", digits.utf8.allSatisfy({ (48...57).contains($0) }), let port = UInt16(digits) else {
        return nil
      }
      self.init(host: String(host), port: port)
    }
  }

  /// The endpoint as it is typed: `boat.local:10110` or `[::1]:10110`.
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
