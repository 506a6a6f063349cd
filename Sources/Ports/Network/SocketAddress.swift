import Glibc

/// A numeric network address with its port, IPv4 or IPv6.
struct SocketAddress {
  private var storage = sockaddr_storage()
  private var length: socklen_t = 0

  var family: Int32 { Int32(storage.ss_family) }

  /// All addresses of an endpoint in the order of preference (RFC 6724). A name is looked up, which can take many
  /// seconds; with `isNumeric` only a numeric address is taken.
  static func all(of endpoint: NetworkEndpoint, isNumeric: Bool, datagrams: Bool = false) throws(SocketError) -> [Self]
  {
    var hints = addrinfo()
    hints.ai_socktype = datagrams ? datagramSocket : streamSocket
    hints.ai_flags = AI_NUMERICSERV | (isNumeric ? AI_NUMERICHOST : 0)
    var first: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(endpoint.host, String(endpoint.port), &hints, &first)
    guard code == 0 else {
      throw .unknownHost(endpoint, reason: gai_strerror(code).map { String(cString: $0) } ?? "error \(code)")
    }
    defer { freeaddrinfo(first) }
    return sequence(first: first) { $0?.pointee.ai_next }.prefix { $0 != nil }.compactMap { entry in
      entry.flatMap { Self($0.pointee) }
    }
  }

  private init?(_ information: addrinfo) {
    let size = Int(information.ai_addrlen)
    guard let address = information.ai_addr, size <= MemoryLayout<sockaddr_storage>.size else { return nil }
    withUnsafeMutableBytes(of: &storage) { $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: size)) }
    length = information.ai_addrlen
  }

  /// The local address of a socket.
  init?(of descriptor: Int32) {
    length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard result == 0 else { return nil }
  }

  /// The port, or 0 for an address that has none.
  var port: UInt16 {
    withUnsafeBytes(of: storage) { bytes in
      // Both sockaddr_in and sockaddr_in6 keep it after the family, in network order.
      family == AF_INET || family == AF_INET6 ? UInt16(bytes[2]) << 8 | UInt16(bytes[3]) : 0
    }
  }

  /// Whether only this machine reaches it: 127.0.0.0/8 or ::1.
  var isLoopback: Bool {
    withUnsafeBytes(of: storage) { bytes in
      switch family {
      case AF_INET: bytes[4] == 127
      case AF_INET6: bytes[8..<23].allSatisfy { $0 == 0 } && bytes[23] == 1
      default: false
      }
    }
  }

  /// Calls connect(2) or bind(2) with it.
  func use(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    withUnsafePointer(to: storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, length) }
    }
  }
}

let streamSocket = Int32(SOCK_STREAM.rawValue)
let datagramSocket = Int32(SOCK_DGRAM.rawValue)

extension Descriptor {
  /// A new socket that never waits.
  convenience init(socketFor address: SocketAddress, type: Int32) throws(SystemError) {
    let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let number = socket(address.family, type | flags, 0)
    guard number >= 0 else { throw SystemError("socket") }
    self.init(owning: number)
  }

  /// Sets a socket option to a whole number; one that the system lacks is done without.
  func set(_ option: Int32, at level: Int32 = SOL_SOCKET, to value: Int32) {
    var value = value
    _ = setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Gives this number to what `other` stands for, so that whoever polls the number need not know.
  func become(_ other: Descriptor) throws(SystemError) {
    guard uninterrupted({ fcntl(other.number, F_GETFD) }) >= 0, dup2(other.number, number) >= 0 else {
      throw SystemError("dup2")
    }
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    other.close()
  }
}

extension SocketError {
  /// The error of an endpoint, by its errno.
  init(_ endpoint: NetworkEndpoint, _ error: SystemError) {
    switch error.code {
    case ECONNREFUSED: self = .refused(endpoint)
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN: self = .unreachable(endpoint)
    case ETIMEDOUT: self = .timedOut(endpoint)
    case EADDRINUSE: self = .portInUse(endpoint)
    case EACCES, EPERM: self = .notPermitted(endpoint)
    case EADDRNOTAVAIL: self = .notOurAddress(endpoint)
    default: self = .system(endpoint, error)
    }
  }
}
