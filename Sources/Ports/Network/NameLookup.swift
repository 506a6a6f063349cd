import CLinux
import Glibc
import Synchronization

/// The addresses of an endpoint, looked up without making the poll loop wait: getaddrinfo(3) can only block, so it
/// does so in a thread of its own, and an eventfd tells when it is done. A lookup that is given up goes on in its
/// thread and is forgotten.
final class NameLookup {
  private final class Answer: @unchecked Sendable {
    let endpoint: NetworkEndpoint
    let isForDatagrams: Bool
    let done: Descriptor  // closed when both the thread and the asker are done with it
    let addresses = Mutex<Result<[SocketAddress], SocketError>?>(nil)

    init(_ endpoint: NetworkEndpoint, isForDatagrams: Bool, _ done: Descriptor) {
      (self.endpoint, self.isForDatagrams, self.done) = (endpoint, isForDatagrams, done)
    }

    func find() {
      let found = Result { () throws(SocketError) in
        try SocketAddress.all(of: endpoint, isNumeric: false, datagrams: isForDatagrams)
      }
      addresses.withLock { $0 = found }
      var one: UInt64 = 1
      _ = write(done.number, &one, MemoryLayout<UInt64>.size)
    }
  }

  private let answer: Answer

  /// Readable when the answer is there.
  var descriptor: Int32 { answer.done.number }

  /// Begins to look up. A numeric address is answered at once.
  convenience init(_ endpoint: NetworkEndpoint, datagrams: Bool = false) throws(SocketError) {
    let known = try? SocketAddress.all(of: endpoint, isNumeric: true, datagrams: datagrams)
    try self.init(endpoint, datagrams: datagrams, known: known)
  }

  /// The addresses, waited for: for those who have not begun to poll. A signal that asks the program to end ends the
  /// wait.
  static func addresses(of endpoint: NetworkEndpoint, datagrams: Bool) throws(SocketError) -> [SocketAddress] {
    let lookup = try NameLookup(endpoint, datagrams: datagrams)
    var poller = Poller()
    poller.watch(lookup.descriptor, for: .readable)
    do throws(SystemError) {
      guard try poller.waitUnlessAsked() else { throw SystemError("getaddrinfo", code: EINTR) }
    } catch {
      throw .system(endpoint, error)
    }
    return try lookup.result() ?? []
  }

  /// - Parameter addresses: those of the endpoint where they need not be looked up.
  init(_ endpoint: NetworkEndpoint, datagrams: Bool = false, known addresses: [SocketAddress]?) throws(SocketError) {
    let number = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard number >= 0 else { throw .system(endpoint, SystemError("eventfd")) }
    answer = Answer(endpoint, isForDatagrams: datagrams, Descriptor(owning: number))
    if let addresses {
      answer.addresses.withLock { $0 = .success(addresses) }
      var one: UInt64 = 1
      _ = write(number, &one, MemoryLayout<UInt64>.size)
    } else {
      try startThread()
    }
  }

  private func startThread() throws(SocketError) {
    let answer = answer
    do {
      _ = try BackgroundThread { answer.find() }
    } catch {
      throw .system(answer.endpoint, error)
    }
  }

  /// The addresses, or nil while they are being looked up.
  func result() throws(SocketError) -> [SocketAddress]? {
    try answer.addresses.withLock { $0 }?.get()
  }
}
