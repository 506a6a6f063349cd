import CLinux
import Glibc
import LodestonePorts
import Support
import Testing

/// The error that an expression throws, or nil.
private func socketFailure<Result>(of call: () throws(SocketError) -> Result) -> SocketError? {
  do throws(SocketError) {
    _ = try call()
    return nil
  } catch {
    return error
  }
}

/// A publisher and what turns its wheels.
private struct Server {
  let publisher: TCPPublisher
  var poller = Poller()

  init(clientLimit: Int = 64, queueByteCount: Int = 65_536) throws {
    publisher = try TCPPublisher(
      at: NetworkEndpoint(host: "", port: 0), clientLimit: clientLimit, queueByteCount: queueByteCount)
  }

  var endpoint: NetworkEndpoint { NetworkEndpoint(host: "127.0.0.1", port: publisher.endpoint.port) }

  /// One turn of the loop that must bring something.
  mutating func turn() throws {
    guard try turn(until: soon) > 0 else { throw SystemError("poll", code: ETIMEDOUT) }
  }

  /// One turn of the loop; how many descriptors were ready.
  @discardableResult
  mutating func turn(until deadline: MonotonicTime) throws -> Int {
    publisher.watch(with: &poller)
    let count = try poller.wait(until: deadline)
    publisher.service(poller)
    return count
  }

  mutating func publish(_ text: String) {
    var text = text
    text.withUTF8 { publisher.publish(UnsafeRawBufferPointer($0)) }
  }

  /// A client whose connection stands, and whom the publisher has taken.
  mutating func connectedClient() throws -> TCPClient {
    let before = publisher.clientCount
    let client = try TCPClient(to: endpoint)
    try connect(client)
    while publisher.clientCount == before { try turn() }
    return client
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

@Suite(.waiting) struct TCPTests {
  @Test func manyClientsHearTheSameLines() throws {
    var server = try Server()
    let clients = [try server.connectedClient(), try server.connectedClient(), try server.connectedClient()]
    #expect(server.publisher.clientCount == 3)
    server.publish("$HCHDM,12.3,M*1A\r\n")
    for client in clients { #expect(try receive(18, from: client).text == "$HCHDM,12.3,M*1A\r\n") }
  }

  @Test func aClientThatLeavesIsLetGo() throws {
    var server = try Server()
    let staying = try server.connectedClient()
    var leaving: TCPClient? = try server.connectedClient()
    #expect(leaving?.isConnected == true)
    leaving = nil
    // Only what is sent to it shows that it does not read either.
    server.publish("still here\n")
    while server.publisher.clientCount > 1 { try server.turn() }
    #expect(try receive(11, from: staying).text == "still here\n")
    #expect(server.publisher.droppedClientCount == 0)
  }

  /// `nc -N` and `socat` end what they say at the end of their input, and go on to read. The loop does not spin for it.
  @Test func aClientThatSaysNothingMoreStillHears() throws {
    var server = try Server(clientLimit: 1)
    let client = try server.connectedClient()
    shutdown(client.descriptor, Int32(SHUT_WR))
    try server.turn()
    #expect(try server.turn(until: .now + 0.01) == 0)
    for text in ["one\n", "two\n"] {
      server.publish(text)
      #expect(try receive(4, from: client).text == text)
    }
    // It makes room for one that comes when there are too many: it may be gone.
    let other = try TCPClient(to: server.endpoint)
    try connect(other)
    while server.publisher.arrivalCount < 2 { try server.turn() }
    server.publish("x\n")
    #expect(try receive(2, from: other).text == "x\n")
    #expect(server.publisher.clientCount == 1 && server.publisher.refusedClientCount == 0)
  }

  @Test func aClientThatDoesNotReadIsDroppedAndDelaysNobody() throws {
    var server = try Server(queueByteCount: 16_384)
    let slow = try server.connectedClient()
    let quick = try server.connectedClient()
    let line = String(repeating: "x", count: 1023) + "\n"
    var sent = 0
    var heard = 0
    while server.publisher.clientCount == 2, sent < 100_000 {
      server.publish(line)
      sent += 1
      heard += try receive(1024, from: quick).text.utf8.count
      try server.turn(until: .now)
    }
    #expect(server.publisher.droppedClientCount == 1)
    #expect(heard == sent * 1024)
    #expect(slow.isConnected)
    server.publish("on\n")
    #expect(try receive(3, from: quick).text == "on\n")
  }

  @Test func tooManyClientsAreTurnedAway() throws {
    var server = try Server(clientLimit: 1)
    let first = try server.connectedClient()
    let second = try TCPClient(to: server.endpoint)
    try connect(second)
    while server.publisher.refusedClientCount == 0 { try server.turn() }
    #expect(try receive(1, from: second).last == .ended)
    server.publish("x\n")
    #expect(try receive(2, from: first).text == "x\n")
  }

  /// A crowd that comes while the loop is at something else waits in the system.
  @Test func manyMayComeAtOnce() throws {
    var server = try Server()
    let clients = try (0..<64).map { _ in
      let client = try TCPClient(to: server.endpoint)
      try connect(client)
      return client
    }
    while server.publisher.clientCount < 64 { try server.turn() }
    #expect(clients.allSatisfy { $0.isConnected })
  }

  @Test func aChatteringClientIsNotHeard() throws {
    var server = try Server()
    let client = try server.connectedClient()
    #expect(send(String(repeating: "noise\n", count: 1000), to: client.write) == .bytes(6000))
    for _ in 0..<3 { try server.turn(until: .now + 0.01) }
    server.publish("x\n")
    #expect(try receive(2, from: client).text == "x\n")
  }

  @Test func theGreetingIsSentFirst() throws {
    let listener = try PlainListener()
    let client = try TCPClient(to: listener.endpoint, greeting: TCPClient.gpsdGreeting)
    try connect(client)
    #expect(client.deadline == nil)
    let peer = try listener.accept()
    var bytes = [UInt8](repeating: 0, count: 200)
    let count = read(peer.number, &bytes, bytes.count)
    #expect(Array(bytes.prefix(max(0, count))) == TCPClient.gpsdGreeting)
    #expect(write(peer.number, "{\"class\":\"TPV\"}\n", 16) == 16)
    peer.close()
    let (text, last) = try receive(100, from: client)
    #expect(text == "{\"class\":\"TPV\"}\n")
    #expect(last == .ended)
  }

  @Test func whereNobodyListensIsRefused() throws {
    let port = try PlainListener().endpoint.port  // free again
    let endpoint = NetworkEndpoint(host: "127.0.0.1", port: port)
    let client = try TCPClient(to: endpoint)
    #expect(throws: SocketError.refused(endpoint)) { try connect(client) }
  }

  @Test func aNameIsLookedUp() throws {
    var server = try Server()
    let client = try TCPClient(to: NetworkEndpoint(host: "localhost", port: server.endpoint.port))
    try connect(client)  // ::1 may be tried first, and is refused
    while server.publisher.clientCount == 0 { try server.turn() }
    #expect(client.isConnected)
  }

  @Test func aNameThatCannotBeIsUnknown() throws {
    let client = try TCPClient(to: NetworkEndpoint(host: "no such host.invalid", port: 1))
    let error = #expect(throws: SocketError.self) { try connect(client) }
    guard case .unknownHost = error else {
      Issue.record("expected an unknown host, got \(String(describing: error))")
      return
    }
  }

  @Test func aConnectionThatIsNotAnsweredTimesOut() throws {
    // A listener with a full backlog answers no further connection.
    let listener = try PlainListener(backlog: 0)
    var clients: [TCPClient] = []
    var timedOut = false
    while !timedOut, clients.count < 8 {
      let client = try TCPClient(to: listener.endpoint, timeout: 0.05)
      clients.append(client)
      do { try connect(client) } catch let error as SocketError { timedOut = error == .timedOut(listener.endpoint) }
    }
    #expect(timedOut)
  }

  @Test func withoutDescriptorsLeftTheLoopRests() async {
    await #expect(processExitsWith: .success) {
      var server = try Server()
      let client = try TCPClient(to: server.endpoint)
      try connect(client)
      var limit = rlimit(rlim_cur: 3, rlim_max: 3)  // descriptors that are open stay so
      setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
      try server.turn()
      // The connection still waits to be accepted, and must not be reported without end.
      let isResting = try server.turn(until: .now + 0.02) == 0
      server.publish("x\n")
      let isTriedAgain = try server.turn(until: .now + 0.02) == 1
      // Where nothing is published, as by a rotator's port, time does it.
      let isRestingAgain = try server.turn(until: .now + 0.02) == 0
      usleep(1_100_000)
      let isTriedLater = try server.turn(until: .now + 0.02) == 1
      exit(isResting && isTriedAgain && isRestingAgain && isTriedLater && server.publisher.clientCount == 0 ? 0 : 1)
    }
  }

  @Test func aTakenPortIsNamed() throws {
    let listener = try PlainListener()
    let error = socketFailure { () throws(SocketError) in try TCPPublisher(at: listener.endpoint) }
    #expect(error == .portInUse(listener.endpoint))
  }

  @Test func anAddressOfAnotherMachineIsNotOurs() {
    let endpoint = NetworkEndpoint(host: "192.0.2.1", port: 0)  // RFC 5737
    #expect(socketFailure { () throws(SocketError) in try TCPPublisher(at: endpoint) } == .notOurAddress(endpoint))
  }
}

@Suite(.waiting) struct UDPTests {
  @Test func datagramsArriveOneByOne() throws {
    let listener = try UDPListener(at: NetworkEndpoint(host: "", port: 0))
    let sender = try UDPSender(to: NetworkEndpoint(host: "127.0.0.1", port: listener.endpoint.port))
    #expect(readOnce(listener) == .wouldBlock)
    for text in ["one\n", "", "two\n"] {
      var text = text
      text.withUTF8 { sender.send(UnsafeRawBufferPointer($0)) }
    }
    #expect(try receive(4, from: listener).text == "one\n")
    #expect(try receive(4, from: listener).text == "two\n")
    #expect(sender.lostCount == 0)
  }

  @Test func aDatagramThatDoesNotFitIsCounted() throws {
    let listener = try UDPListener(at: NetworkEndpoint(host: "127.0.0.1", port: 0))
    let sender = try UDPSender(to: NetworkEndpoint(host: "127.0.0.1", port: listener.endpoint.port))
    [UInt8](repeating: 65, count: 5000).withUnsafeBytes { sender.send($0) }
    [UInt8]("ok\n".utf8).withUnsafeBytes { sender.send($0) }
    #expect(try receive(3, from: listener).text == "ok\n")
    #expect(listener.oversizedCount == 1)
  }

  @Test func withoutAHostOnlyThisMachineIsHeard() throws {
    let listener = try UDPListener(at: NetworkEndpoint(host: "", port: 0))
    // 127.0.0.2 is this machine too, but not the address that was bound.
    let sender = try UDPSender(to: NetworkEndpoint(host: "127.0.0.2", port: listener.endpoint.port))
    [UInt8]("x".utf8).withUnsafeBytes { sender.send($0) }
    #expect(readOnce(listener) == .wouldBlock)
  }

  @Test func aStarIsEveryAddress() throws {
    let listener = try UDPListener(at: NetworkEndpoint(host: "*", port: 0))
    let sender = try UDPSender(to: NetworkEndpoint(host: "127.0.0.2", port: listener.endpoint.port))
    [UInt8]("x\n".utf8).withUnsafeBytes { sender.send($0) }
    #expect(try receive(2, from: listener).text == "x\n")
  }

  @Test func nobodyListeningIsNoError() throws {
    let port = try UDPListener(at: NetworkEndpoint(host: "", port: 0)).endpoint.port
    let sender = try UDPSender(to: NetworkEndpoint(host: "127.0.0.1", port: port))
    for _ in 0..<10 { [UInt8]("x".utf8).withUnsafeBytes { sender.send($0) } }
    #expect(sender.lostCount == 0)
  }

  @Test func oversizedDatagramsAreLostAndCounted() throws {
    let sender = try UDPSender(to: NetworkEndpoint(host: "127.0.0.1", port: 9))
    [UInt8](repeating: 0, count: 70_000).withUnsafeBytes { sender.send($0) }
    #expect(sender.lostCount == 1)
  }

  @Test func aTakenPortIsNamed() throws {
    let first = try UDPListener(at: NetworkEndpoint(host: "127.0.0.1", port: 0))
    let endpoint = first.endpoint
    #expect(socketFailure { () throws(SocketError) in try UDPListener(at: endpoint) } == .portInUse(endpoint))
  }
}

/// A listening socket without anything around it.
private final class PlainListener {
  let socket: Descriptor
  let endpoint: NetworkEndpoint

  init(backlog: Int32 = 8) throws {
    socket = Descriptor(owning: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let number = socket.number
    let port = withUnsafeMutablePointer(to: &address) { pointer -> UInt16? in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, size) == 0 && listen(number, backlog) == 0 && getsockname(number, $0, &size) == 0
      } ? UInt16(bigEndian: pointer.pointee.sin_port) : nil
    }
    guard let port else { throw SystemError("bind") }
    endpoint = NetworkEndpoint(host: "127.0.0.1", port: port)
  }

  func accept() throws -> Descriptor {
    let number = linux_accept(socket.number)
    guard number >= 0 else { throw SystemError("accept") }
    return Descriptor(owning: number)
  }
}
