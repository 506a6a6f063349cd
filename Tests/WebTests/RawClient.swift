import Glibc
import LodestonePorts

/// A client that sends what it is told, well-formed or not.
final class RawClient {
  private let socket: Int32
  /// The server has closed the connection: known once reading has come to its end.
  private(set) var isClosed = false

  /// Connects to a port of the loopback address.
  init(port: UInt16) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw SystemError("connect") }
    var patience = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(socket) }

  /// Sends bytes; false when the server has closed.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } == bytes.count
  }

  /// Sends text.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Reads what is there, so many bytes at most; how many, 0 at the end.
  func readSome(_ limit: Int) -> Int {
    var buffer = [UInt8](repeating: 0, count: limit)
    return max(0, recv(socket, &buffer, limit, 0))
  }

  /// Reads until the text holds `end`, the server closes, it has been silent for 20 s, or a minute is over.
  func read(until end: String? = nil) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let deadline = MonotonicTime.now + 60
    while .now < deadline {
      let count = recv(socket, &buffer, buffer.count, 0)
      isClosed = count == 0 || count < 0 && errno == ECONNRESET
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
      if let end, String(decoding: bytes, as: UTF8.self).contains(end) { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
