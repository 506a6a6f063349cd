import CLinux
import Glibc

/// A TCP connection to another program, made and used without waiting.
///
/// Poll `descriptor`, whose number never changes, for `interest`; call `advance` when it is ready or the `deadline` has
/// passed, until it says that the connection stands; then read.
public final class TCPClient: ByteSource {
  /// Asks gpsd for what its devices say, as JSON (gpsd_json(5)): what they say in other ways is in it too.
  public static let gpsdGreeting = Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8)
  /// Where gpsd listens.
  public static let gpsdPort: UInt16 = 2947

  private enum State {
    case lookingUp(NameLookup)
    /// The others are tried from a moment on at which this one has not answered.
    case connecting(remaining: ArraySlice<SocketAddress>, until: MonotonicTime)
    case greeting(ArraySlice<UInt8>)
    case connected
  }

  /// Whom to connect to.
  public let endpoint: NetworkEndpoint
  /// When to go on with another address, or to give up; nil once the connection stands.
  public var deadline: MonotonicTime? {
    if case .connecting(_, let end) = state { return end }
    return isConnected ? nil : limit
  }
  /// The connection stands and the greeting has been sent.
  public private(set) var isConnected = false

  private let owned: Descriptor
  private let limit: MonotonicTime
  private let greeting: [UInt8]
  private var state: State

  /// For poll(2).
  public var descriptor: Int32 { owned.number }

  /// The conditions to poll for.
  public var interest: Poller.Interest {
    switch state {
    case .lookingUp, .connected: .readable
    case .connecting, .greeting: .writable
    }
  }

  /// Begins to connect, and sends the greeting first thing. A name with several addresses is tried at each of them.
  public convenience init(
    to endpoint: NetworkEndpoint, greeting: [UInt8] = [], timeout seconds: Double = 10
  ) throws(SocketError) {
    try self.init(to: endpoint, found: try NameLookup(endpoint), greeting: greeting, timeout: seconds)
  }

  init(
    to endpoint: NetworkEndpoint, found lookup: NameLookup, greeting: [UInt8], timeout seconds: Double
  ) throws(SocketError) {
    self.endpoint = endpoint
    self.greeting = greeting
    limit = .now + seconds
    state = .lookingUp(lookup)
    let number = fcntl(lookup.descriptor, F_DUPFD_CLOEXEC, 0)
    guard number >= 0 else { throw .system(endpoint, SystemError("fcntl")) }
    owned = Descriptor(owning: number)
  }

  /// Goes on with connecting as far as it can without waiting; true when the connection stands.
  public func advance() throws(SocketError) -> Bool {
    while !isConnected {
      guard try step() else {
        guard MonotonicTime.now < limit else { throw .timedOut(endpoint) }
        return false
      }
    }
    return true
  }

  /// One step; false when it would have to wait.
  private func step() throws(SocketError) -> Bool {
    switch state {
    case .lookingUp(let lookup):
      guard let addresses = try lookup.result() else { return false }
      try connect(to: addresses[...])
    case .connecting(let remaining, let end):
      guard !Poller.look(at: descriptor, for: .writable).isEmpty else {
        guard !remaining.isEmpty, end <= .now else { return false }
        try connect(to: remaining)
        return true
      }
      if let error = pendingError() {
        guard !remaining.isEmpty else { throw SocketError(endpoint, error) }
        try connect(to: remaining)
      } else {
        state = .greeting(greeting[...])
      }
    case .greeting(let bytes):
      return try send(bytes)
    case .connected:
      isConnected = true
    }
    return true
  }

  /// Tries the addresses until one of them does not fail at once. It has its share of the time that is left: packets to
  /// it may be lost on the way, as those of IPv6 are in many networks.
  private func connect(to addresses: ArraySlice<SocketAddress>) throws(SocketError) {
    var failure = SocketError.unreachable(endpoint)
    for (index, address) in zip(addresses.indices, addresses) {
      do throws(SystemError) {
        let socket = try Descriptor(socketFor: address, type: streamSocket)
        socket.set(Int32(TCP_NODELAY), at: Int32(IPPROTO_TCP), to: 1)
        socket.noticeSilence()
        let result = uninterrupted { address.use { Glibc.connect(socket.number, $0, $1) } }
        guard result == 0 || errno == EINPROGRESS else { throw SystemError("connect") }
        try owned.become(socket)
        let remaining = addresses[(index + 1)...]
        let now = MonotonicTime.now
        state = .connecting(remaining: remaining, until: now + (limit - now) / Double(remaining.count + 1))
        return
      } catch {
        failure = SocketError(endpoint, error)
      }
    }
    throw failure
  }

  private func send(_ bytes: ArraySlice<UInt8>) throws(SocketError) -> Bool {
    guard !bytes.isEmpty else {
      state = .connected
      return true
    }
    switch bytes.withUnsafeBytes({ write($0) }) {
    case .bytes(let count): state = .greeting(bytes.dropFirst(count))
    case .wouldBlock: return false
    case .gone: throw .refused(endpoint)
    case .failed(let error): throw .system(endpoint, error)
    }
    return true
  }

  private func pendingError() -> SystemError? {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 else { return SystemError("getsockopt") }
    return code == 0 ? nil : SystemError("connect", code: code)
  }

  /// Reads what has arrived; `.ended` when the other side has closed. Nothing before the connection stands.
  public func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
    guard isConnected else { return .wouldBlock }
    return readOutcome(descriptor, into: buffer, atZero: .ended)
  }

  /// Writes as much as there is room for.
  public func write(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome { sendOutcome(descriptor, from: bytes) }
}

extension Descriptor {
  /// A peer that vanished without a word (power, cable) is noticed within half a minute (tcp(7)).
  func noticeSilence() {
    set(SO_KEEPALIVE, to: 1)
    set(Int32(TCP_KEEPIDLE), at: Int32(IPPROTO_TCP), to: 10)
    set(Int32(TCP_KEEPINTVL), at: Int32(IPPROTO_TCP), to: 5)
    set(Int32(TCP_KEEPCNT), at: Int32(IPPROTO_TCP), to: 4)
    set(Int32(TCP_USER_TIMEOUT), at: Int32(IPPROTO_TCP), to: 30_000)
  }
}

/// write(2) on a socket, without SIGPIPE.
func sendOutcome(_ descriptor: Int32, from bytes: UnsafeRawBufferPointer) -> WriteOutcome {
  let count = uninterrupted { send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)) }
  return count >= 0 ? .bytes(count) : writeFailure("send")
}
