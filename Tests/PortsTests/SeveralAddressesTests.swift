import Glibc
import Support
import Testing

@testable import LodestonePorts

/// A name may have several addresses, of which some lead nowhere.
@Suite(.waiting) struct SeveralAddressesTests {
  private func addresses(_ port: UInt16, datagrams: Bool = false) throws -> [SocketAddress] {
    try ["127.0.0.2", "127.0.0.1"].flatMap {
      try SocketAddress.all(of: NetworkEndpoint(host: $0, port: port), isNumeric: true, datagrams: datagrams)
    }
  }

  /// Waits for a connection.
  private func connect(_ client: TCPClient) throws {
    var poller = Poller()
    while try !client.advance() {
      poller.watch(client.descriptor, for: client.interest)
      try poller.wait(until: client.deadline)
    }
  }

  /// The first address is that of a listener whose backlog is full: it answers no further connection, as a host does
  /// whose packets are lost. The second is tried while there is time.
  @Test func anAddressThatDoesNotAnswerLeavesTimeForTheNext() throws {
    let good = try TCPPublisher(at: NetworkEndpoint(host: "127.0.0.1", port: 0))
    let port = good.endpoint.port
    let silent = try Descriptor(boundTo: NetworkEndpoint(host: "127.0.0.2", port: port), type: streamSocket)
    #expect(listen(silent.number, 0) == 0)
    let full = NetworkEndpoint(host: "127.0.0.2", port: port)
    var crowd: [TCPClient] = []
    var isFull = false
    while !isFull, crowd.count < 8 {
      let client = try TCPClient(to: full, timeout: 0.05)
      crowd.append(client)
      do { try connect(client) } catch let error as SocketError { isFull = error == .timedOut(full) }
    }
    #expect(isFull)
    let name = NetworkEndpoint(host: "boat.example", port: port)
    let client = try TCPClient(
      to: name, found: try NameLookup(name, known: try addresses(port)), greeting: [], timeout: 2)
    try connect(client)
    #expect(client.isConnected)
  }

  /// Nobody listens at the first address: what is sent then arrives at the second.
  @Test func datagramsGoWhereTheyAreTaken() throws {
    let listener = try UDPListener(at: NetworkEndpoint(host: "127.0.0.1", port: 0))
    let port = listener.endpoint.port
    let sender = try UDPSender(
      to: NetworkEndpoint(host: "boat.example", port: port), at: try addresses(port, datagrams: true))
    for text in ["one\n", "two\n", "three\n"] { Array(text.utf8).withUnsafeBytes { sender.send($0) } }
    #expect(try receive(10, from: listener).text == "two\nthree\n")
    #expect(sender.lostCount == 0)
  }

  /// A socket that fails, as when the machine has got another address, is made anew: the datagram goes by the next.
  @Test func aFailingSocketIsMadeAnew() throws {
    let listener = try UDPListener(at: NetworkEndpoint(host: "", port: 0))
    let sender = try UDPSender(to: NetworkEndpoint(host: "127.0.0.1", port: listener.endpoint.port))
    for text in ["one\n", "two\n"] {
      #expect(shutdown(sender.descriptor, Int32(SHUT_WR)) == 0)
      Array(text.utf8).withUnsafeBytes { sender.send($0) }
      #expect(try receive(4, from: listener).text == text)
    }
    #expect(sender.lostCount == 0)
  }

  /// Whoever listens at `localhost` is found at 127.0.0.1, though ::1 may be the name's first address.
  @Test func localhostIsTheLoopbackAddressOfIPv4() throws {
    let publisher = try TCPPublisher(at: NetworkEndpoint(host: "localhost", port: 0))
    let client = try TCPClient(to: NetworkEndpoint(host: "127.0.0.1", port: publisher.endpoint.port))
    try connect(client)
    #expect(client.isConnected)
  }
}
