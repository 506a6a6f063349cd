import Core
import Navigation
import Output
import Ports

/// Readings on their way to programs on the network: to any number that connect to a TCP port, and as datagrams. Nobody
/// is waited for: a client that does not read is dropped, a datagram that the network does not take is lost.
final class Publisher: LoopCompanion {
  private var format: any ReadingFormat
  private var text = TextBuffer(capacity: 1024)
  private let servers: [TCPPublisher]
  private let senders: [UDPSender]

  /// Opens what `addresses` name: `tcp://:10110` to listen at, `udp://host:port` to send to.
  init(_ addresses: [String], format: any ReadingFormat) throws(Failure) {
    self.format = format
    var servers: [TCPPublisher] = []
    var senders: [UDPSender] = []
    for address in addresses {
      guard let place = PublishAddress(argument: address) else { throw Failure(.usage, "can't publish at \(address)") }
      do throws(SocketError) {
        switch place {
        case .tcp(let endpoint): servers.append(try TCPPublisher(at: endpoint))
        case .udp(let endpoint): senders.append(try UDPSender(to: endpoint))
        }
      } catch {
        throw Failure(error, name: address)
      }
    }
    self.servers = servers
    self.senders = senders
  }

  /// Where it can be reached, with the ports that the system chose.
  var addresses: [String] {
    servers.map { "tcp://\($0.endpoint)" } + senders.map { "udp://\($0.endpoint)" }
  }

  /// Sends a reading to everybody who listens.
  func publish(_ reading: borrowing Reading) {
    text.removeAll()
    format.append(reading, to: &text)
    guard !text.isEmpty else { return }
    text.withUnsafeBytes { bytes in
      for server in servers { server.publish(bytes) }
      for sender in senders { sender.send(bytes) }
    }
  }

  /// What did not arrive, in words; nil when nothing is known to be lost.
  var losses: String? {
    let dropped = servers.reduce(0) { $0 + $1.droppedClientCount }
    let lost = senders.reduce(0) { $0 + $1.lostCount }
    let parts = [
      lossWords(dropped, "client", of: "they"),
      lost > 0 ? "\(lost) datagrams could not be sent" : nil,
    ]
    return parts.contains { $0 != nil } ? parts.compactMap { $0 }.joined(separator: "; ") : nil
  }

  func watch(with poller: inout Poller) { for server in servers { server.watch(with: &poller) } }

  func serve(_ poller: Poller) { for server in servers { server.service(poller) } }
}

/// Where readings are published.
enum PublishAddress {
  /// A port to listen at.
  case tcp(NetworkEndpoint)
  /// Somebody to send datagrams to.
  case udp(NetworkEndpoint)

  /// Reads `tcp://:10110` or `udp://host:port`; nil for anything else.
  init?(argument: String) {
    guard let colon = argument.firstIndex(of: ":"),
      let endpoint = NetworkEndpoint(address: String(argument[argument.index(after: colon)...]))
    else { return nil }
    switch argument[..<colon] {
    case "tcp": self = .tcp(endpoint)
    case "udp" where !endpoint.host.isEmpty && endpoint.port > 0: self = .udp(endpoint)
    default: return nil
    }
  }
}
